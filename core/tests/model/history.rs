//! What happens at random: one line after another.

use proptest::prelude::*;
use proptest::sample::Index;

pub(crate) const RESOURCES: [&str; 3] = ["r", "s", "job:1"];
pub(crate) const HOLDERS: [&str; 3] = ["a", "b", "worker-a"];
pub(crate) const REQUESTS: [&str; 3] = ["1", "2", "3"];
pub(crate) const TTL_MS_MAX: u64 = 20_000;
pub(crate) const DELAY_MS_MAX: u64 = 5_000;

/// What happens next. Names are places in the lists above.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Acquire {
        holder: usize,
        request: Option<usize>,
        expect: Option<Pick>,
    },
    Check {
        presented: Who,
        strict: bool,
        access: bool,
    },
    Renew(Who),
    Release(Who, bool),
    Break,
    Pass(u64),
    Forget,
    Garble(Index),
    Mend,
    Restart {
        wall_ms: u64,
        base: u64,
    },
    NewGeneration,
}

/// An operation on a resource, with what configurations say.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) resource: usize,
    pub(crate) ttl: u64,
    pub(crate) delay: u64,
    /// Asked by a filter that still has the generation before.
    pub(crate) outdated: bool,
    pub(crate) op: Op,
}

/// Some token that was drawn, or one beside it.
#[derive(Clone, Debug)]
pub(crate) struct Pick {
    pub(crate) at: Index,
    pub(crate) beside: i8,
}

#[derive(Clone, Debug)]
pub(crate) struct Who {
    pub(crate) holder: Option<usize>,
    pub(crate) token: Pick,
}

fn pick() -> impl Strategy<Value = Pick> {
    let beside = prop_oneof![8 => Just(0), 1 => Just(-1), 1 => Just(1)];
    (any::<Index>(), beside).prop_map(|(at, beside)| Pick { at, beside })
}

fn who() -> impl Strategy<Value = Who> {
    (prop::option::weighted(0.9, 0..HOLDERS.len()), pick())
        .prop_map(|(holder, token)| Who { holder, token })
}

fn op() -> impl Strategy<Value = Op> {
    let acquire = (
        0..HOLDERS.len(),
        prop::option::of(0..REQUESTS.len()),
        prop::option::weighted(0.2, pick()),
    )
        .prop_map(|(holder, request, expect)| Op::Acquire {
            holder,
            request,
            expect,
        });
    let check =
        (who(), any::<bool>(), any::<bool>()).prop_map(|(presented, strict, access)| Op::Check {
            presented,
            strict,
            access,
        });
    // Few walls, so that seconds repeat and go back.
    let restart = (1_000_000..1_004_000_u64, any::<u64>())
        .prop_map(|(wall_ms, base)| Op::Restart { wall_ms, base });
    prop_oneof![
        12 => acquire,
        12 => check,
        4 => who().prop_map(Op::Renew),
        4 => (who(), any::<bool>()).prop_map(|(who, answered)| Op::Release(who, answered)),
        1 => Just(Op::Break),
        8 => (0..15_000_u64).prop_map(Op::Pass),
        3 => Just(Op::Forget),
        1 => any::<Index>().prop_map(Op::Garble),
        2 => Just(Op::Mend),
        1 => restart,
        1 => Just(Op::NewGeneration),
    ]
}

pub(crate) fn line() -> impl Strategy<Value = Line> {
    // Most of it happens to one resource, else nothing meets.
    let resource = prop_oneof![6 => Just(0), 1 => Just(1), 1 => Just(2)];
    let delay = prop_oneof![Just(0), 1..=DELAY_MS_MAX];
    (
        resource,
        1..=TTL_MS_MAX,
        delay,
        prop::bool::weighted(0.05),
        op(),
    )
        .prop_map(|(resource, ttl, delay, outdated, op)| Line {
            resource,
            ttl,
            delay,
            outdated,
            op,
        })
}

//! Random histories of requests with tokens that come from elsewhere, and of damage: every
//! verdict is that of a second, plain implementation, and the laws hold throughout.

mod common;

use common::{World, secs};
use fencegate_core::check::{Access, Check, External, Judgement, Presented};
use fencegate_core::laws::{Event, Law, Observer, Tokens};
use fencegate_core::token::Token;
use fencegate_core::verdict::{Admission, Fault, Reason, Rejection, Verdict};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

#[derive(Clone, Debug)]
enum Op {
    Present {
        epoch: u32,
        number: u64,
        holder: Option<&'static str>,
        writes: bool,
    },
    Garble(usize),
    Mend,
    /// The process starts anew: the first token seen is admitted, as the configuration says.
    ColdStart,
}

fn op() -> impl Strategy<Value = Op> {
    let holder = prop::option::weighted(0.8, prop::sample::select(vec!["a", "b"]));
    let present =
        (0..3_u32, 1..9_u64, holder, any::<bool>()).prop_map(|(epoch, number, holder, writes)| {
            Op::Present {
                epoch,
                number,
                holder,
                writes,
            }
        });
    prop_oneof![
        20 => present,
        1 => any::<usize>().prop_map(Op::Garble),
        2 => Just(Op::Mend),
        1 => Just(Op::ColdStart),
    ]
}

/// The mark and whose it is.
type Mark = Option<(Token, Option<&'static str>)>;

/// What should be said, and the mark afterwards.
fn plainly(
    mark: Mark,
    token: Token,
    holder: Option<&'static str>,
    writes: bool,
    rule: External,
) -> (Verdict, Mark) {
    let known = mark.map(|(mark, _)| mark);
    let no = |reason| {
        let rejection = Rejection {
            reason,
            mark: known,
        };
        (Verdict::Reject(rejection), mark)
    };
    let yes = |after: Mark| {
        let after = if writes { after } else { mark };
        let found = after.map(|(mark, _)| mark);
        let admission = Admission {
            mark: found,
            advanced: found != known,
        };
        (Verdict::Admit(admission), after)
    };
    let Some((high, bound)) = mark else {
        return yes(Some((token, holder)));
    };
    if token < high {
        return no(Reason::Stale);
    }
    if token > high {
        let jump = if token.epoch() == high.epoch() {
            token.number() - high.number()
        } else {
            u64::from(token.epoch() - high.epoch())
        };
        return match rule.jump_max {
            Some(max) if jump > max => no(Reason::JumpTooFar),
            _ => yes(Some((token, holder))),
        };
    }
    if bound.is_some() && bound == holder {
        yes(mark)
    } else if bound.is_none() && rule.unnamed_may_share {
        yes(Some((token, holder)))
    } else {
        no(Reason::HeldByAnother)
    }
}

fn rule() -> impl Strategy<Value = External> {
    (prop::option::of(0..6_u64), any::<bool>()).prop_map(|(jump_max, unnamed_may_share)| External {
        jump_max,
        unnamed_may_share,
    })
}

fn run(rule: External, history: &[Op]) -> Result<(), TestCaseError> {
    let resource = "r";
    let mut world = World::default();
    let mut observer = Observer::new(Tokens::External);
    if rule.unnamed_may_share {
        observer = observer.giving_up(Law::EqualTokenOneHolder);
    }
    let mut mark: Mark = None;
    let mut intact: Option<Vec<u8>> = None;
    for op in history {
        match *op {
            Op::Present {
                epoch,
                number,
                holder,
                writes,
            } => {
                let token = Token::new(epoch, number).expect("above 0");
                let access = if writes { Access::Write } else { Access::Read };
                let verdict = world.run(Check {
                    presented: Presented { token, holder },
                    access,
                    judgement: Judgement::External(rule),
                    generation: 1,
                });
                if intact.is_some() {
                    prop_assert_eq!(verdict, Verdict::Undecided(Fault::Garbled));
                    continue;
                }
                let (expected, after) = plainly(mark, token, holder, writes, rule);
                prop_assert_eq!(verdict, expected);
                mark = after;
                if matches!(verdict, Verdict::Admit(_)) {
                    law(
                        &mut observer,
                        &Event::Admitted {
                            resource,
                            token,
                            holder,
                            access,
                        },
                    )?;
                }
            }
            Op::Garble(bit) => {
                if let (None, Some(bytes)) = (&intact, &mut world.at(resource).cell.bytes) {
                    intact = Some(bytes.clone());
                    let bit = bit % (bytes.len() * 8);
                    bytes[bit / 8] ^= 1 << (bit % 8);
                    law(&mut observer, &Event::Unreadable { resource })?;
                }
            }
            Op::Mend => {
                if let Some(bytes) = intact.take() {
                    world.at(resource).cell.bytes = Some(bytes);
                    law(&mut observer, &Event::Readable { resource })?;
                }
            }
            Op::ColdStart => {
                world.restart(secs(1000), 0);
                (mark, intact) = (None, None);
                law(&mut observer, &Event::Restarted)?;
            }
        }
        if let Ok(record) = world.record(resource) {
            let found = record.map(|record| record.token);
            prop_assert_eq!(found, mark.map(|(mark, _)| mark));
            law(
                &mut observer,
                &Event::Mark {
                    resource,
                    mark: found,
                },
            )?;
        }
    }
    Ok(())
}

fn law(observer: &mut Observer, event: &Event<'_>) -> Result<(), TestCaseError> {
    observer
        .observe(event)
        .map_err(|violation| TestCaseError::fail(violation.to_string()))
}

fn config() -> ProptestConfig {
    let seeds = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/properties_external.regressions"
    );
    ProptestConfig {
        cases: 2_000,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(seeds))),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_history_of_external_tokens_keeps_the_laws(
        rule in rule(),
        history in prop::collection::vec(op(), 1..60)
    ) {
        run(rule, &history)?;
    }
}

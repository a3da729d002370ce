//! A variant of a story as it is written down, and the scenario that the parameters make of it.

use super::Parameters;
use crate::sim::clock::Millis;
use crate::sim::event::Accident;
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Lock, Mechanism};
use crate::sim::scenario::{Draft, HolderPlan, Net, OnRefusal, Op, Planned, Scenario, VERSION};
use crate::sim::who::Who;

/// How long a worker works before it writes.
pub(super) const WORK_MS: Millis = 1_000;
/// How long after the look at the lease the bytes leave.
pub(super) const FLUSH_MS: Millis = 500;

/// A variant: data, all of it.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// Its name: that of the story, a dot, and its own.
    pub name: &'static str,
    /// What it shows, in one sentence.
    pub shows: &'static str,
    pub(super) a: Worker,
    pub(super) b: Worker,
    /// What guards the store. How long a lease, a lock delay and a drain are is said below.
    pub(super) mechanism: Mechanism,
    pub(super) lease: Span,
    pub(super) lock_delay: Span,
    pub(super) drain: Option<Span>,
    /// In the order of their times; of those at the same time the first listed comes first.
    pub(super) befalls: &'static [Befalls],
    /// The laws that it breaks.
    pub(super) breaks: &'static [Law],
    /// The laws that hold by luck: at other instants the same faults break them.
    pub(super) lucky: &'static [Law],
}

/// A holder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worker {
    pub(super) starts: Span,
    pub(super) script: Script,
    /// Whether it claims the mark before it looks at the report: what it sees then, nobody older
    /// can change any more. Without that, an older write that comes between its look and its first
    /// write is let through, and overwritten unseen.
    pub(super) claims: bool,
    pub(super) stops_at_expiry: bool,
    pub(super) on_refusal: OnRefusal,
    pub(super) comes_back: bool,
    pub(super) tries: u8,
    pub(super) renews: bool,
    pub(super) via: u8,
    /// Whether it allows for a clock as wrong as the parameters make one.
    pub(super) allows_for_drift: bool,
}

/// What a holder does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Script {
    /// Gets the lease, looks at the report, works so long, and writes it.
    Reports(Draft, Millis),
    /// Something else.
    Of(&'static [Op]),
}

/// A length of time, or a time since the beginning: a sum of what the parameters say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) ms: Millis,
    pub(super) leases: u8,
    pub(super) pauses: u8,
    /// Halves of the time that a message takes.
    pub(super) half_delays: u8,
    /// Since A, which begins at 0, has looked at its lease, and its bytes have not left yet.
    pub(super) amid_write: bool,
}

/// What befalls somebody, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Befalls(pub(super) Span, pub(super) What);

/// What befalls somebody.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// This.
    This(Accident),
    /// Messages from here to there take longer, by as much as a pause lasts.
    SlowsForPause(Who, Who),
    /// A clock goes wrong by what the parameters say.
    Drifts(Who),
}

pub(super) const fn ms(ms: Millis) -> Span {
    Span {
        ms,
        leases: 0,
        pauses: 0,
        half_delays: 0,
        amid_write: false,
    }
}

pub(super) const LEASE: Span = Span { leases: 1, ..ms(0) };
pub(super) const PAUSE: Span = Span { pauses: 1, ..ms(0) };
pub(super) const AMID_WRITE: Span = Span {
    amid_write: true,
    ..ms(0)
};

impl Span {
    fn of(self, p: &Parameters, amid_write_ms: Millis) -> Millis {
        let times = |span: Millis, times: u8| span.saturating_mul(times.into());
        [
            times(p.lease_ms, self.leases),
            times(p.pause_ms, self.pauses),
            times(p.delay_ms, self.half_delays).div_ceil(2),
            times(amid_write_ms, self.amid_write.into()),
        ]
        .into_iter()
        .fold(self.ms, Millis::saturating_add)
    }
}

impl Worker {
    /// The same, beginning later.
    pub(super) const fn starting(mut self, at_ms: Millis) -> Self {
        self.starts = ms(at_ms);
        self
    }

    /// The same, which claims the mark before it looks at the report.
    pub(super) const fn claiming(mut self) -> Self {
        self.claims = true;
        self
    }

    fn plan(&self, p: &Parameters) -> HolderPlan {
        let mut script = match self.script {
            Script::Of(script) => script.to_vec(),
            Script::Reports(draft, ms) => vec![
                Op::Acquire,
                Op::Read,
                Op::Work { ms },
                Op::Put {
                    draft,
                    flush_ms: FLUSH_MS,
                },
                Op::Release,
            ],
        };
        if self.claims {
            let at = script.iter().position(|op| *op == Op::Read);
            script.insert(at.unwrap_or(0), Op::Fence { insists: true });
        }
        let mut plan = HolderPlan {
            starts_ms: self.starts.of(p, 0),
            stops_at_expiry: self.stops_at_expiry,
            on_refusal: self.on_refusal,
            comes_back: self.comes_back,
            tries: self.tries,
            renews: self.renews,
            via: self.via,
            ..HolderPlan::new(script)
        };
        if self.allows_for_drift {
            plan.rate_error_ppm = p.drift_ppm.unsigned_abs().saturating_mul(2);
        }
        plan
    }
}

impl Variant {
    /// The scenario, with these parameters.
    #[must_use]
    pub fn scenario(&self, p: &Parameters) -> Scenario {
        let mechanism = self.mechanism(p);
        let proxies = match mechanism.check {
            Check::Window(_) => 2,
            check => check.is_at_a_proxy().into(),
        };
        let mut scenario = Scenario {
            version: VERSION,
            name: self.name.to_owned(),
            shows: self.shows.to_owned(),
            holders: vec![self.a.plan(p), self.b.plan(p)],
            proxies,
            mechanism,
            net: Net {
                delay_ms: p.delay_ms,
                ..Net::default()
            },
            accidents: Vec::new(),
            breaks: self.breaks.to_vec(),
            only_as_told: self.lucky.to_vec(),
            ends_ms: 120_000,
        };
        let amid_write_ms = amid_write(&scenario);
        for Befalls(at, what) in self.befalls {
            let at_ms = at.of(p, amid_write_ms);
            let accident = what.accident(p);
            let accidents = &mut scenario.accidents;
            let place = accidents.partition_point(|planned| planned.at_ms <= at_ms);
            accidents.insert(place, Planned { at_ms, accident });
        }
        scenario
    }

    fn mechanism(&self, p: &Parameters) -> Mechanism {
        let mut mechanism = self.mechanism;
        mechanism.drain_ms = self.drain.map(|drain| drain.of(p, 0));
        if let Lock::Lease {
            ttl_ms,
            lock_delay_ms,
            ..
        } = &mut mechanism.lock
        {
            *ttl_ms = self.lease.of(p, 0);
            *lock_delay_ms = self.lock_delay.of(p, 0);
        }
        mechanism
    }
}

impl What {
    const fn accident(self, p: &Parameters) -> Accident {
        match self {
            Self::This(accident) => accident,
            Self::SlowsForPause(from, to) => Accident::Slow {
                from,
                to,
                by_ms: p.pause_ms,
            },
            Self::Drifts(who) => Accident::Drift {
                who,
                rate_ppm: p.drift_ppm,
            },
        }
    }
}

/// When A, which begins at 0, has looked at its lease, and its bytes have not left yet.
fn amid_write(scenario: &Scenario) -> Millis {
    let script = scenario.plan(0).map_or(&[][..], |plan| &plan.script);
    // Each proxy is a message more each way.
    let look = u32::from(scenario.proxies)
        .saturating_mul(2)
        .saturating_add(2);
    let mut messages = 0_u32;
    for op in script {
        messages = messages.saturating_add(match op {
            Op::Put { .. } => break,
            Op::Acquire | Op::Fence { .. } => 2,
            Op::Read | Op::PickToken => look,
            _ => 0,
        });
    }
    let before = scenario.net.delay_ms.saturating_mul(messages);
    before.saturating_add(WORK_MS).saturating_add(100)
}

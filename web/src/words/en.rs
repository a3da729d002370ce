//! The page in English. The sentences about events are the core's.

mod sign;

use super::{Catalogue, Sign, Text};
use crate::link::LinkError;
use crate::play::guard::{LeaseKind, Place};
use crate::play::kind::Kind;
use crate::play::range::Parameter;
use crate::play::track::Track;
use crate::state::Notice;
use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::dialect::Dialect;
use fencegate_core::sim::event::{Accident, What};
use fencegate_core::sim::laws::Law;
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::stories::Story;
use fencegate_core::sim::told::Told;
use fencegate_core::sim::who::Who;
use fencegate_core::sim::words::{self, Words};
use std::borrow::Cow;

/// English.
#[derive(Clone, Copy, Debug, Default)]
pub struct English;

impl Words for English {
    fn who(&self, who: Who) -> String {
        words::English.who(who)
    }
    fn told(&self, told: &Told, dialect: Dialect) -> String {
        words::English.told(told, dialect)
    }
    fn law(&self, law: Law) -> &'static str {
        words::English.law(law)
    }
    fn broken(&self, law: Law) -> String {
        words::English.broken(law)
    }
}

impl Catalogue for English {
    fn text(&self, text: Text) -> Cow<'static, str> {
        Cow::Borrowed(match text {
            Text::Name => "Fencegate",
            Text::Lead => {
                "Why a leader that only paused is worse than one that died, and what stops it: step by step, decided by the code that runs in the proxy."
            }
            Text::Play => "Play",
            Text::Pause => "Pause",
            Text::StepBack => "One event back",
            Text::StepForward => "One event on",
            Text::ToBroken => "To the first broken law",
            Text::Timeline => "Time",
            Text::Speed => "Speed",
            Text::TurnFencingOn => "Turn fencing on",
            Text::TurnFencingOff => "Turn fencing off",
            Text::Stories => "Stories",
            Text::Lanes => "Lanes",
            Text::Nodes => "Actors",
            Text::Log => "Events",
            Text::Laws => "Laws",
            Text::Holds => "holds",
            Text::IsBroken => "broken",
        })
    }
    fn title(&self, story: &Story) -> Cow<'static, str> {
        Cow::Borrowed(story.title)
    }
    fn lesson(&self, story: &Story) -> Cow<'static, str> {
        Cow::Borrowed(story.lesson)
    }
    fn shows(&self, variant: &Scenario) -> String {
        variant.shows.clone()
    }
    fn headline(&self, track: &Track, step: usize) -> String {
        self.moment(track, step)
    }
    fn lasts(&self, ms: Millis) -> String {
        format!("{}.{} s", ms / 1000, ms % 1000 / 100)
    }
    fn moment(&self, track: &Track, step: usize) -> String {
        let line = track.led_to(step).map_or_else(String::new, |event| {
            self.line(event, track.scenario.dialect())
        });
        let now = self.lasts(track.time(step));
        format!("{now}, step {step} of {}: {line}", track.last())
    }
    fn kind(&self, kind: Kind) -> Cow<'static, str> {
        Cow::Borrowed(match kind {
            Kind::Grant => "grant",
            Kind::Write => "write",
            Kind::Rejection => "rejection",
            Kind::Fault => "fault",
            Kind::Broken => "broken law",
        })
    }
    fn parameter(&self, parameter: Parameter) -> Cow<'static, str> {
        Cow::Borrowed(match parameter {
            Parameter::Lease => "Lease",
            Parameter::Pause => "Pause",
            Parameter::Drift => "Drift",
            Parameter::Delay => "Delay",
        })
    }
    fn value(&self, parameter: Parameter, value: i32) -> String {
        match parameter {
            Parameter::Drift => format!("{}.{} %", value / 10_000, value % 10_000 / 1_000),
            Parameter::Delay => format!("{value} ms"),
            Parameter::Lease | Parameter::Pause => self.lasts(value.unsigned_abs()),
        }
    }
    fn place(&self, place: Place) -> Cow<'static, str> {
        Cow::Borrowed(match place {
            Place::Nowhere => "nowhere",
            Place::Proxy => "at the proxy",
            Place::ProxyAtFirstWrite => "at the proxy, from the first write on",
            Place::Store => "at the store",
        })
    }
    fn lease_kind(&self, kind: LeaseKind) -> Cow<'static, str> {
        Cow::Borrowed(match kind {
            LeaseKind::None => "no lease",
            LeaseKind::Service => "by the service's clock",
            LeaseKind::Strict => "strict: the token ends with it",
            LeaseKind::EveryWall => "by everybody's wall clock",
        })
    }
    fn fault(&self, what: What) -> String {
        match what {
            What::Accident(Accident::Pause { .. }) => "Pause it".to_owned(),
            _ => String::new(),
        }
    }
    fn branch(&self, fork: Option<(Millis, What)>) -> String {
        match fork {
            None => "as told".to_owned(),
            Some((at, what)) => format!("{} at {}", self.fault(what), self.lasts(at)),
        }
    }
    fn sign(&self, sign: Sign, dialect: Dialect) -> String {
        sign::of(sign, dialect)
    }
    fn notice(&self, notice: &Notice) -> String {
        match notice {
            Notice::BadLink(LinkError::Version(version)) => {
                format!("This link is of version {version}, which this page does not know yet.")
            }
            _ => String::new(),
        }
    }
}

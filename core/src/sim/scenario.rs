//! A scenario: who there is, what they want, which mechanism guards the store, what befalls them.
//!
//! Data only, with a versioned JSON form; unknown fields are refused.

use super::clock::Millis;
use super::dialect::Dialect;
use super::event::Accident;
use super::law::Law;
use super::mechanism::Mechanism;
use super::who::{HOLDERS_MAX, PROXIES_MAX, Who};
use serde::{Deserialize, Serialize};

/// The version of the JSON form of scenarios, events and states.
pub const VERSION: u8 = 1;

/// A story's beginning: everything but what happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The version of this form: [`VERSION`].
    #[serde(deserialize_with = "supported")]
    pub version: u8,
    /// Its name: letters, digits, dots and dashes.
    pub name: String,
    /// What it shows, in one sentence.
    pub shows: String,
    /// Those who want to write: A, B, ...
    pub holders: Vec<HolderPlan>,
    /// How many proxies stand before the store.
    pub proxies: u8,
    /// What guards the store.
    pub mechanism: Mechanism,
    /// The network.
    pub net: Net,
    /// What befalls whom, by true time.
    pub accidents: Vec<Planned>,
    /// The laws that this story breaks; none where it is mended. The first is its lesson.
    pub breaks: Vec<Law>,
    /// Laws that hold only as it is told: with the same faults at other instants they break. A
    /// variant is mended when it neither breaks a law nor holds one by luck.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only_as_told: Vec<Law>,
    /// When it ends at the latest.
    pub ends_ms: Millis,
}

/// One holder: what it does, and how careful it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HolderPlan {
    /// When it begins.
    pub starts_ms: Millis,
    /// What it does, line by line.
    pub script: Vec<Op>,
    /// Whether it stops by its own timer when its lease runs out.
    pub stops_at_expiry: bool,
    /// What it does when its write is refused.
    pub on_refusal: OnRefusal,
    /// Whether it begins its script again when its lease is lost.
    pub comes_back: bool,
    /// How often it sends a write again that was not answered.
    pub tries: u8,
    /// Whether it renews its lease, at every third of it.
    pub renews: bool,
    /// The proxy that it talks to, where there is one.
    pub via: u8,
    /// By how much its wall clock is off.
    pub clock_offset_ms: i32,
    /// How much faster than true time its clocks run, in millionths.
    pub clock_rate_ppm: i32,
    /// By how many millionths it thinks that clocks may differ.
    pub rate_error_ppm: u32,
    /// What it subtracts from its lease besides.
    pub slack_ms: Millis,
}

/// One line of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Op {
    /// Get a lease, and wait for it.
    Acquire,
    /// Read the mark from the resource and take the next number for a token: nobody issues it.
    PickToken,
    /// Read the report, and remember which version that was.
    Read,
    /// Work, without writing.
    Work {
        /// For so long.
        ms: Millis,
    },
    /// Look at the lease, and then write; the bytes leave a little later.
    Put {
        /// What is written.
        draft: Draft,
        /// How long after the look the bytes leave.
        flush_ms: Millis,
    },
    /// Raise the mark at whoever checks, without writing.
    Fence {
        /// Whether it waits until the mark is raised, or goes on without an answer.
        insists: bool,
    },
    /// Give the lease back.
    Release,
}

/// What a write makes of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draft {
    /// The whole report, both halves by the writer.
    Whole,
    /// A report that ends in the middle: the first half by the writer, and no second.
    Half,
    /// The first half; the second stays as it is.
    First,
    /// The second half; the first stays as it is.
    Second,
    /// The bytes that were read, once more.
    Same,
}

/// What a holder does when its write is refused as stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnRefusal {
    /// It stops.
    Stop,
    /// It sends the same write again, blindly.
    Retry,
    /// It takes the next number for its token.
    NextToken,
    /// It begins anew: a new lease, a new token, and another look at the report.
    Renounce,
}

/// The network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Net {
    /// How long a message takes.
    pub delay_ms: Millis,
    /// Up to how much more, by the seed.
    pub jitter_ms: Millis,
    /// How many of a thousand are lost, by the seed.
    pub lost_per_mille: u16,
    /// How many of a thousand come twice, by the seed.
    pub twice_per_mille: u16,
}

/// An accident and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planned {
    /// When.
    pub at_ms: Millis,
    /// What.
    pub accident: Accident,
}

/// Why a scenario cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScenarioError {
    /// There must be two to five holders.
    Holders,
    /// There may be at most three proxies.
    Proxies,
    /// A holder talks to a proxy that is not there.
    Via,
    /// An accident befalls somebody who is not there.
    Nobody,
    /// The mechanism is checked at a proxy, and there is none.
    NoProxy,
    /// A script is longer than 200 lines.
    Script,
    /// The accidents are not in the order of their times.
    Order,
}

impl Scenario {
    /// Looks whether it can be played.
    ///
    /// # Errors
    /// The first reason why not.
    pub fn check(&self) -> Result<(), ScenarioError> {
        if !(2..=HOLDERS_MAX).contains(&self.holders.len()) {
            return Err(ScenarioError::Holders);
        }
        if usize::from(self.proxies) > PROXIES_MAX {
            return Err(ScenarioError::Proxies);
        }
        if self.proxies == 0 && self.mechanism.check.is_at_a_proxy() {
            return Err(ScenarioError::NoProxy);
        }
        let via = |plan: &HolderPlan| self.proxies == 0 || plan.via < self.proxies;
        if !self.holders.iter().all(via) {
            return Err(ScenarioError::Via);
        }
        if self.holders.iter().any(|plan| plan.script.len() > 200) {
            return Err(ScenarioError::Script);
        }
        if !self.accidents.is_sorted_by_key(|planned| planned.at_ms) {
            return Err(ScenarioError::Order);
        }
        let known = |planned: &Planned| planned.accident.about().iter().all(|who| self.has(*who));
        if self.accidents.iter().all(known) {
            Ok(())
        } else {
            Err(ScenarioError::Nobody)
        }
    }

    /// Whether every law holds, whatever happens within the bounds of its search.
    #[must_use]
    pub const fn is_mended(&self) -> bool {
        self.breaks.is_empty() && self.only_as_told.is_empty()
    }

    /// Whether it has this actor.
    #[must_use]
    pub fn has(&self, who: Who) -> bool {
        match who {
            Who::Issuer | Who::Store => true,
            Who::Proxy(index) => index < self.proxies,
            Who::Holder(index) => usize::from(index) < self.holders.len(),
        }
    }

    /// A holder's plan.
    #[must_use]
    pub fn plan(&self, holder: u8) -> Option<&HolderPlan> {
        self.holders.get(usize::from(holder))
    }

    /// Where a holder sends its reads and writes.
    #[must_use]
    pub fn door(&self, holder: u8) -> Who {
        match self.plan(holder) {
            Some(plan) if self.proxies > 0 => Who::Proxy(plan.via),
            _ => Who::Store,
        }
    }

    /// The system whose words and numbers are used.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.mechanism.dialect
    }
}

impl HolderPlan {
    /// A careful holder that begins at once and talks to the first proxy.
    #[must_use]
    pub const fn new(script: Vec<Op>) -> Self {
        Self {
            starts_ms: 0,
            script,
            stops_at_expiry: true,
            on_refusal: OnRefusal::Stop,
            comes_back: false,
            tries: 4,
            renews: true,
            via: 0,
            clock_offset_ms: 0,
            clock_rate_ppm: 0,
            rate_error_ppm: 1_000,
            slack_ms: 100,
        }
    }

    /// The same, beginning later.
    #[must_use]
    pub const fn starting(mut self, at_ms: Millis) -> Self {
        self.starts_ms = at_ms;
        self
    }
}

impl Default for Net {
    fn default() -> Self {
        Self {
            delay_ms: 10,
            jitter_ms: 0,
            lost_per_mille: 0,
            twice_per_mille: 0,
        }
    }
}

impl Accident {
    /// Whom it befalls.
    #[must_use]
    pub const fn about(self) -> [Who; 2] {
        match self {
            Self::Pause { who, .. }
            | Self::Resume(who)
            | Self::Crash(who)
            | Self::Restart { who, .. }
            | Self::Stall(who)
            | Self::Unstall(who)
            | Self::StepClock { who, .. }
            | Self::Drift { who, .. } => [who, who],
            Self::Cut { from, to }
            | Self::Heal { from, to }
            | Self::Slow { from, to, .. }
            | Self::LoseNext { from, to }
            | Self::DuplicateNext { from, to } => [from, to],
            Self::Snapshot | Self::Restore | Self::Break | Self::Native(_) => {
                [Who::Issuer, Who::Issuer]
            }
        }
    }
}

/// Reads a version and refuses another one.
pub(super) fn supported<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    let version = u8::deserialize(from)?;
    if version == VERSION {
        Ok(version)
    } else {
        Err(serde::de::Error::custom(format_args!(
            "version {version} is not {VERSION}, the only one known here"
        )))
    }
}

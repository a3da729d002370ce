//! The counters: one for each thing that can become of a request. Their names are stable.
//!
//! A refusal is never counted as admitted: counting happens where the decision is made, not
//! where an answer passes by.

use crate::host::{CounterId, Host, HostError};
use crate::reply::Kind;

/// What is counted besides refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// A guarded request was admitted.
    Admitted,
    /// A mark was raised by a write, a claim, a grant or a break.
    MarkAdvanced,
    /// A lease was granted.
    Granted,
    /// A lease was renewed.
    Renewed,
    /// A lease was released.
    Released,
    /// A lease was broken.
    Broken,
    /// The lease API said no.
    ApiRefused,
}

impl Event {
    const ALL: [Self; 7] = [
        Self::Admitted,
        Self::MarkAdvanced,
        Self::Granted,
        Self::Renewed,
        Self::Released,
        Self::Broken,
        Self::ApiRefused,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Admitted => "fencegate_admitted_total",
            Self::MarkAdvanced => "fencegate_mark_advances_total",
            Self::Granted => "fencegate_granted_total",
            Self::Renewed => "fencegate_renewed_total",
            Self::Released => "fencegate_released_total",
            Self::Broken => "fencegate_broken_total",
            Self::ApiRefused => "fencegate_api_refused_total",
        }
    }
}

/// Whether what was refused was also turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enforcement {
    /// It was.
    Rejected,
    /// The rule only observes: it passed.
    Observed,
}

/// The counters of one filter.
#[derive(Debug)]
pub struct Counters {
    events: Vec<CounterId>,
    /// By reason: rejected, observed.
    reasons: Vec<(&'static str, [CounterId; 2])>,
}

impl Counters {
    /// Defines all counters, so that each is there with 0 before it is first needed.
    ///
    /// # Errors
    /// The host has no counters.
    pub fn define(host: &dyn Host, kinds: &[Kind]) -> Result<Self, HostError> {
        let (mut events, mut reasons) = (Vec::new(), Vec::new());
        for event in Event::ALL {
            events.push(host.counter(event.name())?);
        }
        for Kind { reason, .. } in kinds {
            let rejected = host.counter(&["fencegate_rejected_", reason, "_total"].concat())?;
            let observed = host.counter(&["fencegate_observed_", reason, "_total"].concat())?;
            reasons.push((*reason, [rejected, observed]));
        }
        Ok(Self { events, reasons })
    }

    /// Counts an event.
    pub fn count(&self, host: &dyn Host, event: Event) {
        let at = Event::ALL.iter().position(|each| *each == event);
        if let Some(counter) = at.and_then(|at| self.events.get(at)) {
            host.count(*counter);
        }
    }

    /// Counts a refusal by its reason.
    pub fn count_refusal(&self, host: &dyn Host, word: &str, enforcement: Enforcement) {
        let found = self.reasons.iter().find(|(name, _)| *name == word);
        if let Some((_, [rejected, observed])) = found {
            host.count(match enforcement {
                Enforcement::Rejected => *rejected,
                Enforcement::Observed => *observed,
            });
        }
    }
}

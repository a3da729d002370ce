//! Remembers what was answered, and compares.

use super::asked::Asked;
use super::history::{History, Known};
use super::{Event, Law, Tokens, Violation};
use std::collections::{BTreeMap, BTreeSet};

/// Remembers what was answered, and compares.
#[derive(Clone, Debug)]
pub struct Observer {
    tokens: Tokens,
    given_up: BTreeSet<Law>,
    start: u32,
    resources: BTreeMap<String, Known>,
}

impl Observer {
    /// An observer that has seen nothing.
    #[must_use]
    pub const fn new(tokens: Tokens) -> Self {
        Self {
            tokens,
            given_up: BTreeSet::new(),
            start: 0,
            resources: BTreeMap::new(),
        }
    }

    /// The same, for a configuration that gives `law` up in so many words.
    #[must_use]
    pub fn giving_up(mut self, law: Law) -> Self {
        self.given_up.insert(law);
        self
    }

    /// What is known now: to be taken when a request is sent, and given back with its answer.
    #[must_use]
    pub fn asking(&self, resource: &str) -> Asked {
        let known = self.resources.get(resource);
        Asked {
            start: self.start,
            granted: known.and_then(|known| known.granted),
            floor: known.and_then(|known| known.floor),
            mark: known.and_then(|known| known.mark),
            unreadable: known.is_some_and(|known| known.unreadable),
        }
    }

    /// Takes an event that takes no time: asked and answered at one instant.
    ///
    /// # Errors
    /// The law that it breaks.
    pub fn observe(&mut self, event: &Event<'_>) -> Result<(), Violation> {
        let asked = event
            .resource()
            .map(|resource| self.asking(resource))
            .unwrap_or_default();
        self.answered(asked, event)
    }

    /// Takes the answer to a request that was sent when `asked` was taken.
    ///
    /// # Errors
    /// The law that it breaks.
    pub fn answered(&mut self, asked: Asked, event: &Event<'_>) -> Result<(), Violation> {
        let Some(resource) = event.resource() else {
            self.restarted();
            return Ok(());
        };
        let start = self.start;
        let known = self.resources.entry(resource.to_owned()).or_default();
        let history = History {
            known,
            asked,
            start,
            tokens: self.tokens,
        };
        match history.take(event) {
            Err(broken) if !self.given_up.contains(&broken.law) => Err(Violation {
                law: broken.law,
                resource: resource.to_owned(),
                token: broken.token,
                against: broken.against,
            }),
            _ => Ok(()),
        }
    }

    fn restarted(&mut self) {
        self.start = self.start.saturating_add(1);
        for known in self.resources.values_mut() {
            let bound = match self.tokens {
                // They may be presented still, and must be known as those of an earlier start.
                Tokens::Ours => core::mem::take(&mut known.bound),
                Tokens::External => BTreeMap::new(),
            };
            *known = Known {
                bound,
                ..Known::default()
            };
        }
    }
}

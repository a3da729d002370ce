//! What one worker has heard of the authority as a whole: which init is in force, and whether it is
//! still the same authority.
//!
//! ```text
//!   an answer's init:  of a higher epoch          --> taken: it was reseeded
//!                      put later, same epoch      --> taken
//!                      the one in force           --> go on
//!                      older, sent before         --> a late answer
//!                      older, sent since          --> contradiction
//!   its cluster is not init's                     --> contradiction
//!   its revision fell, sent since                 --> contradiction
//! ```
//!
//! After a contradiction nothing under that epoch is believed any more: only a reseed mends it.

use super::init::Init;
use super::terms::Terms;
use super::transaction::{Surveyed, Value};
use crate::moment::Moment;
use crate::verdict::Fault;
use crate::window::{self, Instants};
use core::time::Duration;

/// The init in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InForce {
    /// Its value.
    pub init: Init,
    /// The revision of its last put.
    pub at: u64,
    /// When it was first heard of.
    pub heard: Moment,
}

/// What one worker has heard of the authority. Whoever drives it may write and read it: a
/// proxy's workers share it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Heard {
    /// The init in force; `None`: unheard of, or not believed any more.
    pub in_force: Option<InForce>,
    /// Since when the epoch and the generation in force are known.
    pub since: Moment,
    /// The highest revision, and when it was first heard of.
    pub header: Option<(u64, Moment)>,
    /// The authority contradicted itself: an init of this epoch or a lower one is not believed.
    pub refused: Option<u32>,
    /// Whether init was once as this proxy is configured to expect. Later changes are followed.
    pub agreed: bool,
}

/// How a configuration stands to the init in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Init must be read first.
    Unheard,
    /// It is in force.
    InForce(InForce),
    /// It is newer: first init must be this one.
    Raise(Init),
    /// It must not decide.
    Refused(Fault),
}

/// What every answer says of the authority as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said<'a> {
    /// The revision of init that was compared with, where that held and so init was not read.
    pub(super) compared: Option<u64>,
    pub(super) cluster: u64,
    pub(super) header: u64,
    pub(super) init: Option<&'a Value>,
}

impl Heard {
    /// How a configuration stands to the init in force.
    #[must_use]
    pub fn standing(&self, terms: &Terms) -> Standing {
        let Some(in_force) = self.in_force else {
            return Standing::Unheard;
        };
        let Init {
            generation,
            mapping,
            ..
        } = in_force.init;
        if generation > terms.generation
            || (generation == terms.generation && mapping != terms.mapping)
        {
            return Standing::Refused(Fault::Superseded);
        }
        if !self.agreed {
            return Standing::Refused(Fault::OtherWindow);
        }
        match generation == terms.generation {
            true => Standing::InForce(in_force),
            false => Standing::Raise(Init {
                generation: terms.generation,
                mapping: terms.mapping,
                ..in_force.init
            }),
        }
    }

    /// How long nothing is granted yet; `None`: grants are open.
    #[must_use]
    pub fn closed_for(&self, terms: &Terms, now: Moment) -> Option<Duration> {
        let opens = self.since.after(terms.quarantine);
        (now < opens).then(|| opens.since(now))
    }

    /// What the window needs of the init in force.
    #[must_use]
    pub fn window(&self) -> Option<window::Init> {
        let in_force = self.in_force?;
        Some(in_force.init.window(in_force.at))
    }

    /// Takes the answer to a background read that was sent at `sent` and compared init's revision
    /// with `compared`: the init that it was given under. `None`: it is late.
    ///
    /// # Errors
    /// There is no init, it is garbled, or the authority contradicts itself.
    pub fn surveyed(
        &mut self,
        (sent, compared): (Instants, u64),
        surveyed: &Surveyed,
        terms: &Terms,
        now: Instants,
    ) -> Result<Option<InForce>, Fault> {
        let said = Said {
            compared: surveyed.committed.then_some(compared),
            cluster: surveyed.cluster,
            header: surveyed.header,
            init: surveyed.init.as_ref(),
        };
        self.hear(sent, said, terms, now)
    }

    /// Takes what an answer, to what was sent at `sent`, says: the init that it was given under.
    /// `None`: another one is in force since, so it is late.
    ///
    /// # Errors
    /// There is no init, it is garbled, or the authority contradicts itself.
    pub(super) fn hear(
        &mut self,
        sent: Instants,
        said: Said<'_>,
        terms: &Terms,
        now: Instants,
    ) -> Result<Option<InForce>, Fault> {
        let found = match (said.compared, said.init) {
            (Some(compared), _) => match self.in_force {
                Some(in_force) if in_force.at == compared && compared > 0 => in_force,
                // It held that there is none.
                _ if compared == 0 => return Err(Fault::Missing),
                _ => return Ok(None),
            },
            (None, None) => return Err(Fault::Missing),
            (None, Some(value)) => InForce {
                init: Init::decode(&value.bytes).map_err(|_| Fault::Garbled)?,
                at: value.at,
                heard: now.mono,
            },
        };
        let order = |it: &InForce| (it.init.epoch, it.at);
        let older = |it: &InForce| order(&found) < order(it);
        if let Some(in_force) = self.in_force.filter(older) {
            return match sent.mono > in_force.heard {
                true => Err(self.contradicted(in_force.init.epoch)),
                false => Ok(None),
            };
        }
        let epoch = found.init.epoch;
        if found.init.cluster != said.cluster
            || self.refused.is_some_and(|refused| epoch <= refused)
        {
            return Err(self.contradicted(epoch));
        }
        self.take(found, terms);
        match self.header {
            Some((header, heard)) if said.header < header && sent.mono > heard => {
                return Err(self.contradicted(epoch));
            }
            Some((header, _)) if said.header <= header => {}
            _ => self.header = Some((said.header, now.mono)),
        }
        Ok(self.in_force)
    }

    fn take(&mut self, found: InForce, terms: &Terms) {
        let before = self.in_force.map(|it| it.init);
        if before.map(|init| init.epoch) != Some(found.init.epoch) {
            self.header = None;
        }
        if before.map(|init| (init.epoch, init.generation))
            != Some((found.init.epoch, found.init.generation))
        {
            self.since = found.heard;
        }
        if self.in_force.map(|it| it.at) != Some(found.at) {
            self.in_force = Some(found);
        }
        let Init { trust, wait, .. } = found.init;
        // While it is being changed, one of the two is not yet, or no longer, the other.
        self.agreed |= terms
            .window
            .is_none_or(|window| trust == window || wait == window);
    }

    /// Nothing under this epoch is believed any more.
    pub(super) fn contradicted(&mut self, epoch: u32) -> Fault {
        *self = Self {
            refused: self.refused.max(Some(epoch)),
            agreed: self.agreed,
            ..Self::default()
        };
        Fault::Replaced
    }
}

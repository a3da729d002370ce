//! A second opinion: what the issuer and the check should say, written as plainly as possible.
//!
//! Times are milliseconds in plain numbers, names are plain strings, and there is one long `if`
//! after another in the order of the contract. Nothing of the core is used but its words.

pub(crate) mod history;

use fencegate_core::lease::{Acquired, Broken, Leased, NotGranted, Owned};
use fencegate_core::token::Token;
use fencegate_core::verdict::{Admission, Fault, Reason, Rejection, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What should be kept of a resource.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) token: Token,
    pub(crate) holder: Option<String>,
    pub(crate) generation: u32,
    pub(crate) request: Option<String>,
    pub(crate) ttl: u64,
    pub(crate) ends: u64,
    pub(crate) free: u64,
    pub(crate) released: bool,
}

/// Everything that should be known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub(crate) now: u64,
    /// The epoch and the last number of the issuer.
    pub(crate) issued: (u32, u64),
    pub(crate) kept: BTreeMap<String, Kept>,
    pub(crate) garbled: BTreeSet<String>,
    /// Resource, holder and request of grants that are no longer kept.
    pub(crate) gone: BTreeSet<(String, String, String)>,
}

/// Who asks for what; `delay` and `ttl` in milliseconds.
#[derive(Clone, Debug)]
pub(crate) struct Ask<'a> {
    pub(crate) resource: &'a str,
    pub(crate) generation: u32,
    pub(crate) ttl: u64,
    pub(crate) delay: u64,
}

impl Model {
    /// The record, or why it cannot be used.
    fn usable(&self, resource: &str, generation: u32) -> Result<Option<Kept>, Fault> {
        if self.garbled.contains(resource) {
            return Err(Fault::Garbled);
        }
        let kept = self.kept.get(resource).cloned();
        if kept
            .as_ref()
            .is_some_and(|kept| kept.generation > generation)
        {
            return Err(Fault::Superseded);
        }
        Ok(kept)
    }

    fn draw(&mut self) -> Token {
        self.issued.1 += 1;
        Token::new(self.issued.0, self.issued.1).expect("above 0")
    }

    /// Puts `new` in the place of whatever was kept.
    fn replace(&mut self, resource: &str, new: Kept) {
        self.bury(resource);
        self.kept.insert(resource.to_owned(), new);
    }

    fn bury(&mut self, resource: &str) {
        if let Some(old) = self.kept.remove(resource)
            && let (Some(holder), Some(request)) = (old.holder, old.request)
        {
            self.gone.insert((resource.to_owned(), holder, request));
        }
    }

    pub(crate) fn acquire(
        &mut self,
        ask: &Ask<'_>,
        holder: &str,
        request: Option<&str>,
        expect: Option<Token>,
    ) -> Acquired {
        let kept = match self.usable(ask.resource, ask.generation) {
            Ok(kept) => kept,
            Err(fault) => return Acquired::Undecided(fault),
        };
        if let (Some(kept), Some(request)) = (&kept, request)
            && kept.holder.as_deref() == Some(holder)
            && kept.request.as_deref() == Some(request)
        {
            let alive = !kept.released && self.now < kept.ends && kept.generation == ask.generation;
            return if alive {
                self.says_granted(kept.token, kept.ends, true)
            } else {
                Acquired::NotGranted(NotGranted::GrantEnded)
            };
        }
        if let Some(request) = request {
            let key = (
                ask.resource.to_owned(),
                holder.to_owned(),
                request.to_owned(),
            );
            if self.gone.contains(&key) {
                return Acquired::NotGranted(NotGranted::GrantEnded);
            }
        }
        match (&kept, expect) {
            (None, Some(_)) => return Acquired::NotGranted(NotGranted::MarkUnknown),
            (Some(kept), _) if self.now < kept.free => {
                return Acquired::NotGranted(NotGranted::Held {
                    retry_after: Duration::from_millis(kept.free - self.now),
                    mark: kept.token,
                });
            }
            (Some(kept), Some(expected)) if kept.token != expected => {
                return Acquired::NotGranted(NotGranted::MarkMoved { mark: kept.token });
            }
            _ => {}
        }
        let token = self.draw();
        if kept.is_some_and(|kept| token <= kept.token) {
            return Acquired::Undecided(Fault::IssuerBehind);
        }
        let ends = self.now + ask.ttl;
        self.replace(
            ask.resource,
            Kept {
                token,
                holder: Some(holder.to_owned()),
                generation: ask.generation,
                request: request.map(str::to_owned),
                ttl: ask.ttl,
                ends,
                free: ends + ask.delay,
                released: false,
            },
        );
        self.says_granted(token, ends, false)
    }

    fn says_granted(&self, token: Token, ends: u64, resumed: bool) -> Acquired {
        let left = Duration::from_millis(ends - self.now);
        Acquired::Granted {
            leased: Leased { token, left },
            resumed,
        }
    }

    /// What is wrong with this token, if anything; whether the lease has ended is left out.
    fn wrong(
        kept: Option<&Kept>,
        generation: u32,
        holder: Option<&str>,
        token: Token,
    ) -> Option<Rejection> {
        let Some(kept) = kept else {
            return Some(Rejection {
                reason: Reason::NoGrant,
                mark: None,
            });
        };
        let reason = if token < kept.token {
            Reason::Stale
        } else if token > kept.token {
            Reason::NeverIssued
        } else if kept.generation != generation {
            Reason::NoGrant
        } else if kept.released {
            Reason::Released
        } else if holder.is_none() || kept.holder.as_deref() != holder {
            Reason::HeldByAnother
        } else {
            return None;
        };
        Some(Rejection {
            reason,
            mark: Some(kept.token),
        })
    }

    pub(crate) fn check(
        &self,
        ask: &Ask<'_>,
        holder: Option<&str>,
        token: Token,
        strict: bool,
    ) -> Verdict {
        let kept = match self.usable(ask.resource, ask.generation) {
            Ok(kept) => kept,
            Err(fault) => return Verdict::Undecided(fault),
        };
        if let Some(rejection) = Self::wrong(kept.as_ref(), ask.generation, holder, token) {
            return Verdict::Reject(rejection);
        }
        let mark = Some(token);
        if strict && kept.is_some_and(|kept| self.now >= kept.ends) {
            let reason = Reason::LeaseEnded;
            return Verdict::Reject(Rejection { reason, mark });
        }
        Verdict::Admit(Admission {
            mark,
            advanced: false,
        })
    }

    pub(crate) fn renew(
        &mut self,
        ask: &Ask<'_>,
        holder: Option<&str>,
        token: Token,
    ) -> Owned<Leased> {
        let kept = match self.usable(ask.resource, ask.generation) {
            Ok(kept) => kept,
            Err(fault) => return Owned::Undecided(fault),
        };
        if let Some(rejection) = Self::wrong(kept.as_ref(), ask.generation, holder, token) {
            return Owned::Lost(rejection);
        }
        let now = self.now;
        let Some(kept) = self.kept.get_mut(ask.resource) else {
            unreachable!("nothing is wrong with it");
        };
        if now >= kept.ends {
            return Owned::Lost(Rejection {
                reason: Reason::LeaseEnded,
                mark: Some(token),
            });
        }
        kept.ends = kept.ends.max(now + ask.ttl);
        kept.free = kept.free.max(kept.ends + ask.delay);
        kept.ttl = ask.ttl;
        Owned::Done(Leased {
            token,
            left: Duration::from_millis(kept.ends - now),
        })
    }

    pub(crate) fn release(
        &mut self,
        ask: &Ask<'_>,
        holder: Option<&str>,
        token: Token,
        writes_answered: bool,
    ) -> Owned<()> {
        let kept = match self.usable(ask.resource, ask.generation) {
            Ok(kept) => kept,
            Err(fault) => return Owned::Undecided(fault),
        };
        if let Some(rejection) = Self::wrong(kept.as_ref(), ask.generation, holder, token) {
            let again = rejection.reason == Reason::Released
                && holder.is_some()
                && kept.is_some_and(|kept| kept.holder.as_deref() == holder);
            return if again {
                Owned::Done(())
            } else {
                Owned::Lost(rejection)
            };
        }
        let now = self.now;
        if let Some(kept) = self.kept.get_mut(ask.resource) {
            let delay = kept.free - kept.ends;
            kept.released = true;
            kept.ends = kept.ends.min(now);
            let free = if writes_answered {
                now
            } else {
                kept.ends + delay
            };
            kept.free = kept.free.min(free);
        }
        Owned::Done(())
    }

    pub(crate) fn break_lease(&mut self, ask: &Ask<'_>) -> Broken {
        let kept = match self.usable(ask.resource, ask.generation) {
            Ok(Some(kept)) => kept,
            Ok(None) => return Broken::NoGrant,
            Err(fault) => return Broken::Undecided(fault),
        };
        let token = self.draw();
        if token <= kept.token {
            return Broken::Undecided(Fault::IssuerBehind);
        }
        self.replace(
            ask.resource,
            Kept {
                token,
                holder: None,
                generation: ask.generation,
                request: None,
                ttl: kept.ttl,
                ends: self.now,
                free: self.now + ask.delay,
                released: true,
            },
        );
        Broken::Done { mark: token }
    }

    /// Forgets what nobody can miss; says whether it did.
    pub(crate) fn forget(&mut self, resource: &str) -> bool {
        let over = self
            .kept
            .get(resource)
            .is_some_and(|kept| self.now >= kept.free + kept.ttl);
        let forgotten = over && !self.garbled.contains(resource);
        if forgotten {
            self.bury(resource);
        }
        forgotten
    }

    /// Another process, in this second and from this number on.
    pub(crate) fn restart(&mut self, epoch: u32, base: u64) {
        *self = Self {
            now: self.now,
            issued: (epoch, base),
            ..Self::default()
        };
    }
}

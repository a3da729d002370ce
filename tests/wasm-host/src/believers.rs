//! Holders that may believe that they may write: nobody else may be granted as long as they do.
//!
//! Whoever tries to give a lease back relies on it no more. An operator that breaks a lease says
//! nothing to its holder, so a lease that may have been broken binds nobody.

use crate::ticket::TicketId;
use fencegate_core::token::Token;
use std::collections::{BTreeMap, BTreeSet};

/// A holder, by its lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Believer {
    /// Of what.
    pub resource: String,
    /// With which token.
    pub token: Token,
    /// Until when, by the monotonic clock.
    pub until: u64,
}

/// Who believes.
#[derive(Clone, Debug, Default)]
pub struct Believers {
    all: Vec<Believer>,
    /// When a lease of a resource was last broken; `None`: of any.
    broken_at: BTreeMap<Option<String>, u64>,
    /// Requests under way that may break a lease, and of which resource; `None`: of any.
    breaking: BTreeMap<TicketId, Option<String>>,
    /// Leases that somebody has tried to give back.
    given_up: BTreeSet<(String, Token)>,
}

impl Believers {
    /// A lease was answered to a request that was sent at `sent_at`.
    pub fn believe(&mut self, believer: Believer, sent_at: u64) {
        let Believer {
            resource, token, ..
        } = &believer;
        self.all
            .retain(|each| each.resource != *resource || each.token != *token);
        let keys = [None, Some(resource.clone())];
        let broken_at = keys.iter().filter_map(|key| self.broken_at.get(key)).max();
        let given_up = self.given_up.contains(&(resource.clone(), *token));
        if !given_up && broken_at.is_none_or(|at| sent_at > *at) {
            self.all.push(believer);
        }
    }

    /// Somebody tries to give a lease back.
    pub fn give_up(&mut self, resource: &str, token: Token) {
        self.all
            .retain(|each| each.resource != resource || each.token != token);
        self.given_up.insert((resource.to_owned(), token));
    }

    /// From now on a request may break a lease of `resource`; `None`: of any.
    pub fn begin_break(&mut self, id: TicketId, resource: Option<&str>) {
        self.breaking.insert(id, resource.map(str::to_owned));
    }

    /// A request is over at `now`: if it could break a lease, it cannot any more.
    pub fn end_break(&mut self, id: TicketId, now: u64) {
        if let Some(resource) = self.breaking.remove(&id) {
            self.broken(resource, now);
        }
    }

    fn broken(&mut self, resource: Option<String>, now: u64) {
        self.all.retain(|each| {
            let other = |broken: &String| each.resource != *broken;
            resource.as_ref().is_some_and(other)
        });
        self.broken_at.insert(resource, now);
    }

    /// Nobody believes any more.
    pub fn clear(&mut self) {
        self.all.clear();
    }

    fn may_be_breaking(&self, resource: &str) -> bool {
        let mut all = self.breaking.values();
        all.any(|broken| broken.as_ref().is_none_or(|broken| broken == resource))
    }

    /// Who believes at `now`, and may rely on it.
    pub fn at(&mut self, now: u64) -> Vec<Believer> {
        self.all.retain(|each| each.until > now);
        let relying = |each: &&Believer| !self.may_be_breaking(&each.resource);
        self.all.iter().filter(relying).cloned().collect()
    }
}

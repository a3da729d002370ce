//! Holders that may believe that they may write: nobody else may be granted as long as they do.
//!
//! Whoever tries to give a lease back relies on it no more. An operator that breaks a lease says
//! nothing to its holder, so a lease that may have been broken binds nobody.

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

    /// An operator may break a lease of `resource` at `now`; `None`: of any.
    pub fn break_of(&mut self, resource: Option<&str>, now: u64) {
        self.all
            .retain(|each| resource.is_some_and(|resource| each.resource != resource));
        self.broken_at.insert(resource.map(str::to_owned), now);
    }

    /// Nobody believes any more.
    pub fn clear(&mut self) {
        self.all.clear();
    }

    /// Who believes at `now`.
    pub fn at(&mut self, now: u64) -> Vec<Believer> {
        self.all.retain(|each| each.until > now);
        self.all.clone()
    }
}

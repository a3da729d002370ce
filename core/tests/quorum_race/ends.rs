//! What is answered and what is put, held against the laws.

use super::{Expiry, Job, R, World, elsewhere};
use crate::explore::{Broken, broken};
use fencegate_core::lease::{Acquired, Broken as BrokenLease, Owned};
use fencegate_core::quorum::{Kept, LeaseId, Outcome};
use fencegate_core::token::Token;
use fencegate_core::verdict::Verdict;
use std::time::Duration;

impl World {
    pub(super) fn ended(
        &mut self,
        side: usize,
        job: Option<usize>,
        floor: Option<Token>,
        outcome: &Outcome,
    ) -> Result<(), Broken> {
        let Some(job) = job else {
            return Ok(());
        };
        let until = |left: Duration| {
            let nanos = u64::try_from(left.as_nanos()).expect("small");
            (side, self.sides[side].clock + nanos.div_ceil(1_000_000_000))
        };
        match outcome {
            Outcome::Acquired(Acquired::Granted { leased, resumed }) => {
                let token = Some(leased.token);
                if token < floor || (token == floor && !resumed) {
                    return Err(broken("tokens_only_rise", format!("{}", leased.token)));
                }
                let mut others = self.truth.granted.iter();
                if others.any(|(other, token)| {
                    *token == leased.token && self.setup.jobs[*other] != self.setup.jobs[job]
                }) {
                    return Err(broken(
                        "tokens_only_rise",
                        format!("twice: {}", leased.token),
                    ));
                }
                if self.setup.expiry == Expiry::InTime {
                    let until = until(leased.left);
                    self.truth.believes.insert(job, until);
                }
                self.truth.granted.insert(job, leased.token);
                self.truth.floor = self.truth.floor.max(Some(leased.token));
            }
            Outcome::Renewed(Owned::Done(leased)) => {
                // Something higher was answered before this was asked.
                if floor > Some(leased.token) {
                    return Err(broken("holder_stops_in_time", format!("{}", leased.token)));
                }
                if self.setup.expiry == Expiry::InTime
                    && let Job::Renew(of) = self.setup.jobs[job]
                {
                    let until = until(leased.left);
                    self.truth.believes.insert(of, until);
                }
            }
            Outcome::Verdict(Verdict::Admit(_)) => {
                if let Job::Write(number, _) = self.setup.jobs[job] {
                    let token = Some(elsewhere(number));
                    if token < self.truth.floor {
                        return Err(broken("stale_never_admitted", format!("{number}")));
                    }
                    self.truth.floor = token;
                }
            }
            Outcome::Broken(BrokenLease::Done { mark }) => {
                self.truth.floor = self.truth.floor.max(Some(*mark));
            }
            _ => {}
        }
        Ok(())
    }

    /// Looks at what a call that was done left behind.
    pub(super) fn done_at_store(&mut self) -> Result<(), Broken> {
        if self.left.wipes < self.setup.wipes && !self.store.marks.is_empty() {
            return Err(broken("unknown_is_not_empty", "put on a wiped prefix"));
        }
        let Some(mark) = self.store.marks.get(R) else {
            return Ok(());
        };
        let kept = Kept::decode(&mark.bytes, R, mark.at).map_err(|_| broken("garbled", ""))?;
        let Some(grant) = &kept.grant else {
            return Ok(());
        };
        let token = kept.token;
        if *self.truth.attempts.entry(grant.nonce).or_insert(token) != token {
            return Err(broken("one_decision", format!("granted again: {token}")));
        }
        let holder = match kept.holder.as_deref() {
            Some("a") => "a",
            Some("b") => "b",
            _ => "",
        };
        if self.truth.issued.insert(token, holder).is_none() {
            let believes = self.truth.believes.iter();
            let mut still = believes.filter(|(_, (by, ends))| self.sides[*by].clock < *ends);
            if let Some((job, _)) = still.next() {
                let how = format!("{token} while job {job} believes");
                return Err(broken("holder_stops_in_time", how));
            }
        }
        Ok(())
    }

    /// A lease ends, and its lock: whoever was granted with that believes no more.
    pub(super) fn expire(&mut self, lease: LeaseId) -> Result<(), Broken> {
        let lock = self.store.locks.get(R).filter(|lock| lock.lease == lease);
        let since = lock.map(|lock| lock.since);
        let mut believes = self.truth.believes.iter();
        if let Some((job, _)) = believes.find(|(job, (by, ends))| {
            let token = self.truth.granted.get(job).map(|token| token.number());
            token == since && self.sides[*by].clock < *ends
        }) {
            let how = format!("the lock is gone while job {job} believes");
            return Err(broken("holder_stops_in_time", how));
        }
        self.store.expire(lease);
        Ok(())
    }

    /// A lock goes with its lease or with what the mark says.
    pub(super) fn lock_goes_with_its_lease(&self) -> Result<(), Broken> {
        let Some(mark) = self.store.marks.get(R) else {
            return Ok(());
        };
        let kept = Kept::decode(&mark.bytes, R, mark.at).map_err(|_| broken("garbled", ""))?;
        match kept.grant {
            Some(grant)
                if !grant.released
                    && self.store.leases.contains_key(&grant.lease)
                    && self.store.locks.get(R).map(|lock| lock.lease) != Some(grant.lease) =>
            {
                Err(broken(
                    "lock_goes_with_its_lease",
                    format!("{}", kept.token),
                ))
            }
            _ => Ok(()),
        }
    }
}

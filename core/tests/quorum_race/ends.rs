//! What is answered, held against what was answered before.

use super::{Expiry, Job, World};
use crate::explore::{Broken, broken};
use fencegate_core::lease::{Acquired, Broken as BrokenLease, Owned};
use fencegate_core::quorum::Outcome;
use fencegate_core::token::Token;
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
            Outcome::Broken(BrokenLease::Done { mark }) => {
                self.truth.floor = self.truth.floor.max(Some(*mark));
            }
            _ => {}
        }
        Ok(())
    }
}

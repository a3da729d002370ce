//! The holders: raise, wait, be answered.

use super::*;

impl World {
    pub(super) fn grant(&self, holder: usize) -> DrainedGrant<'static> {
        let acquire = Acquire {
            holder: NAMES[holder],
            ttl: ticks(TTL),
            ..ACQUIRE
        };
        let bound = match self.has(Flaw::AnswersAtTheRaise) {
            true => 0,
            false => self.setup.bound,
        };
        DrainedGrant::new(acquire, "id", ticks(bound))
    }

    pub(super) fn ask(&mut self, holder: usize) -> Result<(), Broken> {
        let grant = self.grant(holder);
        let outcome = match self.asks[holder].0 {
            Asks::Raising(mid) => self.finish(grant, mid)?,
            _ => match self.begin(grant) {
                None => {
                    let mid = self.mid();
                    self.asks[holder].0 = Asks::Raising(mid);
                    return Ok(());
                }
                outcome => outcome,
            },
        };
        self.asks[holder].0 = match outcome {
            None => match self.drain.pending() {
                // Lost the race for the storing: its own raise may be there already.
                Some(_) if self.raised_by(holder) => Asks::Draining,
                _ => Asks::Idle,
            },
            Some(Grants::Draining { .. }) => {
                self.bound_is_kept(self.mark())?;
                Asks::Draining
            }
            Some(Grants::Answered(Acquired::Granted { leased, .. })) => {
                let left = match self.has(Flaw::LeaseFromTheRaise) {
                    true => leased
                        .left
                        .saturating_sub(self.since_raise(leased.token.number())),
                    false => leased.left,
                };
                if left < ticks(TTL) {
                    return Err(broken(
                        "the_lease_starts_with_the_answer",
                        format!("{left:?}"),
                    ));
                }
                self.answered(leased.token.number() as u8)?;
                Asks::Holds(self.answered)
            }
            Some(Grants::Answered(Acquired::NotGranted(
                fencegate_core::lease::NotGranted::Held { .. },
            ))) => Asks::Idle,
            Some(Grants::Answered(_)) => Asks::Over,
        };
        Ok(())
    }

    /// Whether the next grant raises the mark.
    pub(super) fn is_free(&self) -> bool {
        let grant = self.seen().record.and_then(|record| record.grant);
        grant.is_some_and(|grant| tick(self.now) >= grant.free)
    }

    pub(super) fn raised_by(&self, holder: usize) -> bool {
        let record = self.seen().record;
        record.is_some_and(|record| record.holder == Some(NAMES[holder]))
    }

    pub(super) fn since_raise(&self, token: u64) -> Duration {
        let at = self.superseded[token as usize - 1].unwrap_or(self.now);
        ticks(self.now - at)
    }

    pub(super) fn answered(&mut self, token: u8) -> Result<(), Broken> {
        if !self.setup.external && token <= self.answered {
            let how = format!("{token} after {}", self.answered);
            return Err(broken("tokens_only_rise", how));
        }
        self.answered = self.answered.max(token);
        Ok(())
    }

    /// Nobody waits for a write that was superseded a bound ago.
    pub(super) fn bound_is_kept(&self, token: u8) -> Result<(), Broken> {
        let older = self
            .drain
            .flights()
            .iter()
            .map(|flight| flight.token.number() as u8);
        let mut ends = older
            .filter(|older| *older < token)
            .map(|older| self.superseded[usize::from(older)].map(|at| at + self.setup.bound));
        if ends.all(|end| end.is_some_and(|end| end <= self.now)) {
            return Err(broken(
                "the_bound_is_never_restarted",
                format!("{token} waits"),
            ));
        }
        Ok(())
    }

    pub(super) fn someone_can_acquire(&self) -> Result<(), Broken> {
        let mut world = self.clone();
        world.trying = true;
        let limit = self.setup.bound + TTL + 1;
        for _ in 0..=limit {
            let grant = world.grant(3);
            let outcome = match world.begin(grant) {
                None => {
                    let mid = world.mid();
                    world.finish(grant, mid)?
                }
                outcome => outcome,
            };
            if let Some(Grants::Answered(Acquired::Granted { .. })) = outcome {
                return Ok(());
            }
            world.now += 1;
        }
        Err(broken(
            "someone_can_acquire",
            format!("not within {limit} ticks"),
        ))
    }
}

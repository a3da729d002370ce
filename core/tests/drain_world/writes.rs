//! The writes: counted in, judged, forwarded, late, counted out.

use super::*;

impl World {
    pub(super) fn check(&self, write: Write) -> Check<'static> {
        let judgement = match self.setup.external {
            true => Judgement::External(External {
                jump_max: None,
                unnamed_may_share: false,
            }),
            false => Judgement::Ours {
                after_expiry: AfterExpiry::AdmitUntilSuperseded,
            },
        };
        Check {
            presented: Presented {
                token: token(write.token.into()),
                holder: Some(NAMES[write.holder]),
            },
            access: Access::Write,
            judgement,
            generation: 1,
        }
    }

    pub(super) fn go(&mut self, at: usize) -> Result<(), Broken> {
        let mut write = self.writes[at];
        let (own, bound) = (token(write.token.into()), ticks(self.setup.bound));
        let late = self.has(Flaw::CountsInAfterTheRead);
        write.phase = match write.phase {
            Phase::Uncounted if late && !write.judged => {
                write.judged = true;
                match self.begin(Plain(self.check(write))) {
                    Some(Verdict::Admit(_)) => Phase::Uncounted,
                    _ => Phase::Gone,
                }
            }
            Phase::Uncounted => match self.begin(CountIn { token: own, bound }) {
                None => Phase::In(self.mid()),
                Some(CountedIn::Superseded(_)) if late || self.has(Flaw::StormRestarts) => {
                    Phase::In(self.mid())
                }
                Some(_) => Phase::Gone,
            },
            Phase::In(_)
                if (late || self.has(Flaw::StormRestarts)) && self.drain.mark() > Some(own) =>
            {
                let drain = stormed(&self.drain, own);
                self.apply(Put {
                    change: None,
                    drain,
                })?;
                match late {
                    true => self.forward(&mut write),
                    false => Phase::Counted,
                }
            }
            Phase::In(mid) => match self.finish(CountIn { token: own, bound }, mid)? {
                Some(CountedIn::In) if late => self.forward(&mut write),
                Some(CountedIn::In) => Phase::Counted,
                Some(_) => Phase::Gone,
                None => Phase::Uncounted,
            },
            Phase::Counted | Phase::Waiting | Phase::Judging(_) => {
                let phase = self.judge(&mut write)?;
                if self.setup.external && matches!(phase, Phase::Flying) {
                    self.answered(write.token)?;
                }
                phase
            }
            Phase::Ended => match self.begin(CountOut { token: own }) {
                Some(Counted::Out) if self.has(Flaw::OutOfAnothers) => {
                    self.out_of_lowest()?;
                    Phase::Gone
                }
                Some(_) => Phase::Gone,
                None => Phase::Out(self.mid()),
            },
            Phase::Out(mid) => match self.finish(CountOut { token: own }, mid)? {
                None => Phase::Ended,
                Some(_) if self.has(Flaw::OutTwice) && write.outs == 0 => {
                    write.outs = 1;
                    Phase::Ended
                }
                Some(_) => Phase::Gone,
            },
            Phase::Lost => match self.begin(Unresolved { token: own }) {
                Some(_) => Phase::Gone,
                None => Phase::OutUnresolved(self.mid()),
            },
            Phase::OutUnresolved(mid) => match self.finish(Unresolved { token: own }, mid)? {
                None => Phase::Lost,
                Some(_) => Phase::Gone,
            },
            phase @ (Phase::Flying | Phase::Gone) => phase,
        };
        self.writes[at] = write;
        Ok(())
    }

    pub(super) fn out_of_lowest(&mut self) -> Result<(), Broken> {
        let Some(token) = self.drain.flights().first().map(|flight| flight.token) else {
            return Ok(());
        };
        let mid = self.mid();
        self.finish(CountOut { token }, mid)?;
        Ok(())
    }

    pub(super) fn judge(&mut self, write: &mut Write) -> Result<Phase, Broken> {
        let check = self.check(*write);
        if !self.setup.external {
            return Ok(match self.begin(Plain(check)) {
                Some(Verdict::Admit(_)) => self.forward(write),
                _ => Phase::Ended,
            });
        }
        let drained = DrainedCheck {
            check,
            bound: ticks(self.setup.bound),
        };
        let outcome = match write.phase {
            Phase::Judging(mid) => match self.finish(drained, mid)? {
                None => return Ok(Phase::Counted),
                Some(outcome) => outcome,
            },
            _ => match self.begin(drained) {
                None => return Ok(Phase::Judging(self.mid())),
                Some(outcome) => outcome,
            },
        };
        Ok(match outcome {
            DrainedVerdict::Decided(Verdict::Admit(_)) => self.forward(write),
            DrainedVerdict::Decided(_) => Phase::Ended,
            DrainedVerdict::Draining { .. }
                if self.has(Flaw::EqualOvertakes) && write.phase == Phase::Counted =>
            {
                self.forward(write)
            }
            DrainedVerdict::Draining { .. } => {
                self.bound_is_kept(write.token)?;
                Phase::Waiting
            }
        })
    }

    pub(super) fn forward(&self, write: &mut Write) -> Phase {
        write.forwarded = true;
        write.air = self.setup.attempts;
        Phase::Flying
    }

    pub(super) fn is_late(&self, write: &Write) -> bool {
        self.now - write.start >= self.setup.bound
    }

    pub(super) fn land(&mut self, at: usize) -> Result<(), Broken> {
        let write = &mut self.writes[at];
        write.air -= 1;
        if write.token < self.answered {
            let how = format!("{} after {} was answered", write.token, self.answered);
            return Err(broken("no_older_write_after_the_answer", how));
        }
        Ok(())
    }

    /// How the stream ends, as far as the filter can tell.
    pub(super) fn end(&mut self, at: usize, mut answer: Answer) {
        if self.has(Flaw::OneAttemptEnds) {
            answer.attempts = 1;
        }
        if self.has(Flaw::ResetEnds) {
            answer.complete = true;
        }
        if self.has(Flaw::OwnAnswerEnds) {
            answer.from_origin = true;
        }
        self.writes[at].phase = match answer.ends() {
            true => Phase::Ended,
            false => Phase::Lost,
        };
    }
}

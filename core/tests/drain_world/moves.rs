//! All that can happen next, and what it leads to.

use super::*;

impl World {
    /// Drops what cannot matter any more, and gives what is alike one order.
    pub(super) fn settled(mut self) -> Self {
        let (now, bound) = (self.now, self.setup.bound);
        for write in &mut self.writes {
            if now - write.start >= bound {
                write.air = 0;
                // A stream lives no longer than the bound.
                if matches!(write.phase, Phase::Uncounted | Phase::Waiting) {
                    write.phase = match write.phase {
                        Phase::Uncounted => Phase::Gone,
                        _ => Phase::Lost,
                    };
                }
            }
        }
        self.writes
            .retain(|write| write.phase != Phase::Gone || write.air > 0);
        self.writes.sort();
        self
    }
}

impl Model for World {
    type Move = Move;

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.now < self.setup.ticks {
            moves.push(Move::Tick);
        }
        let busy = self.busy();
        for at in 0..self.asks.len() {
            let (asks, left) = self.asks[at];
            let idle_before = at > 0 && self.asks[at - 1].0 == Asks::Idle;
            let first_come = self.asks[at].0 != Asks::Idle || !idle_before;
            let asks_now = match asks {
                Asks::Raising(_) => true,
                Asks::Idle => busy < WORKERS && first_come,
                Asks::Draining => busy < WORKERS,
                Asks::Holds(_) | Asks::Over => false,
            };
            if asks_now && !self.setup.external {
                moves.push(Move::Ask(at));
            }
            let holds = matches!(asks, Asks::Holds(_)) || self.setup.external;
            if holds && left > 0 {
                moves.push(Move::Send(at));
            }
        }
        for at in 0..self.writes.len() {
            if at > 0 && self.writes[at] == self.writes[at - 1] {
                continue;
            }
            let write = &self.writes[at];
            let runs = match write.phase {
                Phase::In(_) | Phase::Judging(_) | Phase::Out(_) | Phase::OutUnresolved(_) => true,
                Phase::Flying | Phase::Gone => false,
                Phase::Counted if self.is_late(write) => false,
                _ => busy < WORKERS,
            };
            if runs {
                moves.push(Move::Go(at));
            }
            if write.air > 0 && !self.is_late(write) {
                moves.push(Move::Land(at));
            }
            let answered = write.forwarded && write.air < self.setup.attempts;
            if write.phase == Phase::Flying && answered {
                moves.push(Move::Complete(at));
            }
            if write.phase == Phase::Flying && self.setup.resets {
                moves.push(Move::Reset(at));
            }
        }
        moves
    }

    fn after(&self, step: Move) -> Result<Self, Broken> {
        let mut next = self.clone();
        match step {
            Move::Tick => next.now += 1,
            Move::Ask(at) => next.ask(at)?,
            Move::Send(at) => {
                next.asks[at].1 -= 1;
                let token = match next.asks[at].0 {
                    Asks::Holds(token) => token,
                    _ => at as u8 + 1,
                };
                next.writes.push(Write {
                    token,
                    holder: at,
                    start: next.now,
                    phase: Phase::Uncounted,
                    air: 0,
                    forwarded: false,
                    judged: false,
                    outs: 0,
                });
            }
            Move::Go(at) => next.go(at)?,
            Move::Land(at) => next.land(at)?,
            Move::Complete(at) => {
                let answer = Answer {
                    from_origin: true,
                    complete: true,
                    attempts: next.setup.attempts.into(),
                };
                next.end(at, answer);
            }
            Move::Reset(at) => {
                // With one mistake it is an answer of the proxy's own, else nobody waits any more.
                let own_answer = next.has(Flaw::OwnAnswerEnds);
                let answer = Answer {
                    from_origin: false,
                    complete: own_answer,
                    attempts: next.setup.attempts.into(),
                };
                let answer = Answer {
                    from_origin: next.has(Flaw::ResetEnds),
                    ..answer
                };
                next.end(at, answer);
            }
        }
        Ok(next.settled())
    }
}

//! Judges a write or a claim by a record, with the core's own check.
//!
//! ```text
//!   drains? --no--> check
//!      \--yes--> count in --> check --admitted--> forwarded, and counted out when it is answered
//!                                \--anything else--> counted out
//! ```

use super::keeper::GENERATION;
use super::mechanism::Check as Where;
use super::stage::Stage;
use super::who::{Name, Who};
use super::world::Life;
use crate::check::{Access, Check, External, Judgement, Presented};
use crate::drain::{
    Answer, CountIn, CountOut, CountedIn, DrainedCheck, DrainedVerdict, Unresolved,
};
use crate::moment::Moment;
use crate::token::Token;
use crate::verdict::{Fault, Reason, Rejection, Verdict};

/// Who presents what.
pub(super) type By = (u8, Option<Token>);

impl Stage<'_> {
    /// How tokens are judged at the record that is kept there.
    fn judgement(&self, at: Who) -> Judgement {
        let mechanism = &self.scenario.mechanism;
        match at {
            Who::Issuer => Judgement::Ours {
                after_expiry: mechanism.lock.after_expiry(),
            },
            _ => Judgement::External(External {
                jump_max: None,
                // Where nobody says who he is, an equal token is anybody's.
                unnamed_may_share: !mechanism.named,
            }),
        }
    }

    /// The question whether somebody may; `None`: there is no token.
    fn check(&self, at: Who, (by, token): By, access: Access) -> Option<Check<'static>> {
        let named = at == Who::Issuer || self.scenario.mechanism.named;
        Some(Check {
            presented: Presented {
                token: token?,
                holder: named.then(|| Name::holder(by).text()),
            },
            access,
            judgement: self.judgement(at),
            generation: GENERATION,
        })
    }

    /// What the record that is kept there is measured with. External tokens know no time, but for
    /// a drain.
    fn record_now(&self, at: Who) -> Moment {
        let now = self.world.now;
        match at {
            Who::Issuer => self.world.issuer.clock.mono(now),
            Who::Proxy(index) => {
                let proxy = self.world.proxies.get(usize::from(index));
                proxy.map_or_else(Moment::default, |it| it.clock.mono(now))
            }
            _ => Moment::default(),
        }
    }

    /// Whether somebody may, by the record that is kept there.
    pub(super) fn judge(&mut self, at: Who, by: By, access: Access) -> Verdict {
        let Some(check) = self.check(at, by, access) else {
            return self.without_token(at);
        };
        self.run(at, self.record_now(at), check)
    }

    /// The same for what raises the mark without being a write: it waits for older ones.
    pub(super) fn judge_claim(&mut self, at: Who, by: By) -> DrainedVerdict {
        let bound = self.scenario.mechanism.drain_at(at);
        match (self.check(at, by, Access::Write), bound) {
            (Some(check), Some(bound)) if at != Who::Issuer => {
                self.beside(at, self.record_now(at), DrainedCheck { check, bound })
            }
            _ => DrainedVerdict::Decided(self.judge(at, by, Access::Write)),
        }
    }

    /// Whether a write may, by the record that is kept there. One that may is counted in.
    pub(super) fn judge_write(&mut self, at: Who, by: By) -> DrainedVerdict {
        if at == Who::Issuer && self.world.issuer.life != Life::Runs {
            return Fault::Unreachable.into();
        }
        let bound = self.scenario.mechanism.drain_at(at);
        let (Some(bound), Some(token)) = (bound, by.1) else {
            return DrainedVerdict::Decided(self.judge(at, by, Access::Write));
        };
        let now = self.record_now(at);
        match self.beside(at, now, CountIn { token, bound }) {
            CountedIn::In => {}
            CountedIn::Superseded(mark) => {
                return DrainedVerdict::Decided(Verdict::Reject(Rejection {
                    reason: Reason::Stale,
                    mark: Some(mark),
                }));
            }
            CountedIn::Undecided(fault) => return fault.into(),
        }
        let judged = self.judge_claim(at, by);
        if !matches!(judged, DrainedVerdict::Decided(Verdict::Admit(_))) {
            let _ = self.beside(at, now, CountOut { token });
        }
        judged
    }

    /// Counts a write out that a proxy let through, as its stream ended.
    pub(super) fn counts_out(&mut self, proxy: u8, token: Option<Token>, end: End) {
        let at = match self.scenario.mechanism.check {
            Where::Proxy => Who::Issuer,
            _ => Who::Proxy(proxy),
        };
        let drains = self.scenario.mechanism.drain_at(at).is_some();
        let Some(token) = token.filter(|_| drains) else {
            return;
        };
        if self.world.life(at) != Some(Life::Runs) {
            // Nobody knows, and it is never repeated: the write ends with the bound.
            return;
        }
        let now = self.record_now(at);
        let over = match end {
            End::NeverLeft => true,
            End::Answered(answer) => answer.ends(),
        };
        let _ = if over {
            self.beside(at, now, CountOut { token })
        } else {
            self.beside(at, now, Unresolved { token })
        };
        if at == Who::Issuer {
            self.drained();
        }
    }

    fn without_token(&self, at: Who) -> Verdict {
        let world = &*self.world;
        let mark = match at {
            Who::Issuer => world.issuer.keeper.mark(),
            Who::Store => world.store.keeper.mark(),
            Who::Proxy(index) => {
                let proxy = world.proxies.get(usize::from(index));
                proxy.and_then(|it| it.keeper.mark())
            }
            Who::Holder(_) => None,
        };
        // No token where one is required: in HTTP a 428.
        Verdict::Reject(Rejection {
            reason: Reason::NoGrant,
            mark,
        })
    }
}

/// How the stream of a write that was let through ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// No byte of it had left the proxy: it was refused after all.
    NeverLeft,
    /// It was sent on, and this is known.
    Answered(Answer),
}

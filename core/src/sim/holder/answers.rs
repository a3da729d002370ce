//! What a holder makes of an answer. One that it does not wait for changes nothing.

use super::super::message::{Answer, Payload, Sight};
use super::super::scenario::Op;
use super::super::stage::{ANSWER_MS, Stage};
use super::super::told::Told;
use super::super::who::Who;
use super::super::world::Doing;
use crate::tenure::RenewAnswer;
use crate::token::Token;

/// How long after "held" it asks again beyond what it was told: clocks differ.
const MARGIN_MS: u32 = 20;
/// How long who waits to be woken waits before it asks by itself.
const UNWOKEN_MS: u32 = 20_000;

impl Stage<'_> {
    pub(in super::super) fn holder_takes(&mut self, index: u8, payload: Payload) {
        let Some(doing) = self.world.holder(index).map(|holder| holder.doing) else {
            return;
        };
        match (payload, doing) {
            (
                Payload::Granted {
                    token,
                    turn,
                    asked,
                    left,
                },
                Doing::Asking(_),
            ) => self.gets(index, (token, turn), asked, left),
            (Payload::Held { retry_ms }, Doing::Asking(_)) => {
                let wait = if self.scenario.dialect().has_watches() {
                    retry_ms.saturating_add(UNWOKEN_MS)
                } else {
                    retry_ms.saturating_add(MARGIN_MS)
                };
                self.tell(Told::Waits(index, wait));
                let then = self.later(index, wait);
                self.does(index, Doing::Asking(then));
            }
            (Payload::Watch, Doing::Asking(_)) => {
                self.tell(Told::Woken(index));
                self.asks(index, true);
            }
            // Its request was granted once, and that is over: a new request.
            (Payload::Over, Doing::Asking(_)) => self.asks(index, false),
            (Payload::Released | Payload::Lost, Doing::Releasing(_)) => {
                if let Some(holder) = self.holder(index) {
                    holder.tenure.released();
                }
                self.tell(Told::GaveBack(index));
                self.next_line(index);
            }
            (Payload::Kept { asked, left }, _) => {
                self.renewed(index, asked, RenewAnswer::Kept(left));
            }
            (Payload::Lost, _) => {
                let now = self.reading(index);
                self.renewed(index, now, RenewAnswer::Lost);
            }
            (Payload::Shown { sight, .. }, Doing::Reading(_)) => self.sees(index, sight),
            (Payload::Claimed { raised: true, .. }, Doing::Fencing(_)) => {
                self.tell(Told::Fenced(index));
                self.next_line(index);
            }
            (Payload::Claimed { .. }, Doing::Fencing(_)) => self.is_refused(index, None),
            (Payload::NotNow, _) => self.waits(index, doing),
            (Payload::Answer { seq, answer, .. }, Doing::Writing(write, ..))
                if write.seq == seq =>
            {
                self.is_answered(index, answer);
            }
            _ => self.tell(Told::TooLate(Who::Holder(index))),
        }
    }

    fn sees(&mut self, index: u8, sight: Sight) {
        if let Some(holder) = self.holder(index) {
            holder.sight = Some(sight);
        }
        self.tell(Told::Shows(index, sight.version, sight.halves));
        if self.line(index) == Some(Op::PickToken) {
            let first = Token::new(0, self.scenario.mechanism.first_token);
            let next = sight.mark.map_or(first, |mark| {
                Token::new(mark.epoch(), mark.number().saturating_add(1))
            });
            self.starts_unasked(index, next);
        } else {
            self.next_line(index);
        }
    }

    fn waits(&mut self, index: u8, doing: Doing) {
        let then = self.later(index, ANSWER_MS);
        let doing = match doing {
            Doing::Asking(_) => Doing::Asking(then),
            Doing::Reading(_) => Doing::Reading(then),
            Doing::Fencing(_) => Doing::Fencing(then),
            other => other,
        };
        self.tell(Told::Waits(index, ANSWER_MS));
        self.does(index, doing);
    }

    fn is_answered(&mut self, index: u8, answer: Answer) {
        match answer {
            Answer::Stored { version } => {
                if let Some(holder) = self.holder(index)
                    && let Some(sight) = &mut holder.sight
                {
                    sight.version = version;
                }
                self.tell(Told::Learned(index));
                self.next_line(index);
            }
            Answer::Rejected { mark, .. } => self.is_refused(index, mark),
            Answer::Condition => self.is_refused(index, None),
            // It is sent again when its time has come.
            Answer::NotNow => self.tell(Told::Waits(index, ANSWER_MS)),
        }
    }
}

//! Before a new mark is answered: sit out the wait, and say so on the record.

use super::{At, Flow, Sitting, Step};
use crate::token::Token;
use crate::window::{SettleStep, SitOut};

impl Flow {
    /// The flow back, once `token` may be answered; else what is to be done before.
    #[expect(clippy::result_large_err, reason = "a step is no error")]
    pub(super) fn settle(mut self, token: Token, at: &At<'_>) -> Result<Self, Step> {
        if self.sat_out {
            return Ok(self);
        }
        let step = SitOut::new(token).woken(at.known.knowledge(), at.terms.rate, at.now);
        match (step, at.known.kept()) {
            (SettleStep::Answer(_), _) => Ok(self),
            (SettleStep::SitOut(_, until), _) => Err(Step::SitOut(Sitting { flow: self }, until)),
            (SettleStep::Settle(_), Some(kept)) => Err(self.put_settled(kept, at)),
            (SettleStep::Settle(_) | SettleStep::ReadAgain, _) => {
                self.unread = true;
                Err(self.read(at))
            }
        }
    }
}

//! Taking answers: learn, then judge again.

use super::{At, Calling, Flow, KeptAlive, Landed, Stage, Step};
use crate::quorum::heard::Said;
use crate::quorum::transaction::{Answer, CallError, InitPut, Reply};
use crate::verdict::Fault;
use crate::window::{Instants, Learned};

impl Calling {
    /// Takes the answer to the call that was sent at `sent`.
    pub fn answered(
        self,
        sent: Instants,
        answer: Result<&Reply, CallError>,
        at: &mut At<'_>,
    ) -> Step {
        let Self { mut flow, stage } = self;
        let taken = match answer {
            Ok(reply) => flow.replied(stage, sent, reply, at),
            Err(error) => flow.unanswered(stage, sent, error),
        };
        match taken {
            Ok(()) => flow.judge(at),
            Err(fault) => flow.fail(fault),
        }
    }
}

impl Flow {
    fn replied(
        &mut self,
        stage: Stage,
        sent: Instants,
        reply: &Reply,
        at: &mut At<'_>,
    ) -> Result<(), Fault> {
        match (stage, reply) {
            (Stage::Read { init } | Stage::Settle { init }, Reply::Answer(answer)) => {
                self.learn((sent, init), answer, at)
            }
            (Stage::Put { init }, Reply::Answer(answer)) => {
                if answer.committed {
                    self.landed = Landed::Yes;
                }
                self.learn((sent, init), answer, at)
            }
            (Stage::PutInit, Reply::InitPut(put)) => hear(sent, put, at),
            (Stage::Grant, Reply::Granted) => {
                self.leased = Some(sent.mono);
                Ok(())
            }
            (Stage::KeepAlive(lease), Reply::KeptAlive(term)) => {
                let sent = sent.mono;
                self.kept_alive = term.map(|term| KeptAlive { lease, sent, term });
                // Whether it is still the record's lease, and who leads, is to be read after that.
                self.unread = true;
                Ok(())
            }
            _ => self.unanswered(stage, sent, CallError::Unknown),
        }
    }

    fn learn(
        &mut self,
        (sent, init): (Instants, u64),
        answer: &Answer,
        at: &mut At<'_>,
    ) -> Result<(), Fault> {
        self.heed_leader(answer.term);
        let resource = &self.request.resource;
        let learned = at
            .known
            .learn(at.heard, resource, (sent, init), answer, at.terms, at.now)?;
        self.unread = learned == Learned::Late;
        if learned == Learned::Fresh {
            self.asked = Some(sent);
        }
        Ok(())
    }

    /// A keepalive counts only if whoever heard it still led at the reading that came after it.
    ///
    /// Nobody else hears of a keepalive, and a leader that was deposed answers it for as long as it
    /// does not know that. The new leader let every lease run its whole time anew when it took over,
    /// which may have been long before the keepalive was sent: the lock is found there, and ends too soon.
    /// But the reading is of the new leader's term or a later one, and the keepalive's answer is not:
    /// it has the term that its member had come to before it passed the keepalive on. Where a new
    /// leader took over after the keepalive was sent, all is well even if only the old one heard it.
    ///
    /// What is left: a member that has just caught up with a whole copy of the store, being thousands of
    /// writes behind, says the term of before until it is told the next write.
    fn heed_leader(&mut self, term: u64) {
        self.kept_alive = self.kept_alive.filter(|kept| kept.term == term);
    }

    fn unanswered(&mut self, stage: Stage, sent: Instants, error: CallError) -> Result<(), Fault> {
        match (stage, error) {
            (Stage::Put { .. }, CallError::Unknown) => {
                self.landed = self.landed.max(Landed::Perhaps);
                self.unread = true;
                Ok(())
            }
            // Nobody can trust an older mark any more, whether that is on the record or not.
            (Stage::Settle { .. }, _) => {
                self.sat_out = true;
                Ok(())
            }
            // If it was put, the next attempt is told so.
            (Stage::PutInit, CallError::Unknown) => Ok(()),
            (Stage::Grant, CallError::LeaseExists) => Err(Fault::Contended),
            (Stage::Grant, CallError::Unknown) => {
                // It may be there.
                self.leased = Some(sent.mono);
                Err(Fault::Unreachable)
            }
            _ => Err(Fault::Unreachable),
        }
    }
}

fn hear(sent: Instants, put: &InitPut, at: &mut At<'_>) -> Result<(), Fault> {
    let said = Said {
        compared: None,
        cluster: put.cluster,
        header: put.header,
        init: put.init.as_ref(),
    };
    at.heard.hear(sent, said, at.terms, at.now).map(|_| ())
}

//! Taking answers: learn, then judge again.

use super::{At, Calling, Flow, Landed, Stage, Step};
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
            (Stage::KeepAlive(lease), Reply::KeptAlive(alive)) => {
                self.kept_alive = alive.then_some((lease, sent.mono));
                // Whether it is still the record's lease is to be read after that.
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

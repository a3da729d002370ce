//! What happens where a message arrives, and when a token is answered.

use super::*;

impl World {
    pub(super) fn serve(&mut self, at: usize, message: usize) -> Result<(), Broken> {
        let kind = self.proxies[at].messages[message].kind;
        if kind == Kind::Raise {
            self.mark = Mark {
                token: self.mark.token + 1,
                settled: false,
                version: 2 * (self.mark.token + 1),
            };
            if self.mark.token <= self.answered {
                return Err(broken("tokens_only_rise", format!("{:?}", self.mark)));
            }
        }
        self.proxies[at].messages[message].found = Some(self.mark);
        Ok(())
    }

    pub(super) fn deliver(&mut self, at: usize, message: Message) -> Result<(), Broken> {
        let Some(mut found) = message.found else {
            return Ok(());
        };
        let before = self.proxies[at].mark();
        if message.kind == Kind::Background {
            let init = self.reading(found).init;
            let proxy = &mut self.proxies[at];
            proxy.place = proxy.place.max(found.version);
            proxy
                .knowledge
                .cover(message.sent, &init, found.version.into());
            return Ok(());
        }
        if self.has(Flaw::FiledUnderNewerVersion) {
            found.version = found.version.max(self.proxies[at].place);
        }
        let reading = self.reading(found);
        if self.has(Flaw::OlderAnswerOverwrites) {
            let learned = self.proxies[at].knowledge.learned;
            self.proxies[at].knowledge = Knowledge {
                learned,
                ..Knowledge::default()
            };
        }
        let was_empty = self.proxies[at].knowledge.learned.is_none();
        let mut knowledge = self.proxies[at].knowledge;
        let verdict = match message.kind {
            Kind::Own(number) => {
                let question = self.question(number, message.sent);
                let empty = Knowledge::<&str>::default();
                let Step::Ask(asking) = question.start(&empty, self.rate(), 3, message.sent) else {
                    return Err(broken("asks_when_nothing_is_known", ""));
                };
                let asked = asking.sent(message.sent);
                match asked.answered(Ok(&reading), &mut knowledge, self.rate(), now()) {
                    Step::Done(verdict) => Some((number, verdict)),
                    _ => None,
                }
            }
            _ => {
                let _ = knowledge.learn(message.sent, &reading, now());
                None
            }
        };
        let higher = knowledge
            .record
            .map_or(0, |record| record.token.number() as u8)
            > before;
        self.proxies[at].knowledge = self.mistaken(knowledge, message, higher, was_empty);
        self.mark_never_falls(at, before)?;
        if let Kind::Own(number) = message.kind
            && self.has(Flaw::OldAnswerAdmits)
            && found.token == number
        {
            let settles = self.proxies[at].knowledge.settles(self.rate());
            if settles.is_some_and(|settles| now().mono >= settles) {
                return self.judged(number, Verdict::Admit(admission()));
            }
        }
        match verdict {
            Some((number, verdict)) => self.judged(number, verdict),
            None => Ok(()),
        }
    }

    pub(super) fn mark_never_falls(&self, at: usize, before: u8) -> Result<(), Broken> {
        let mark = self.proxies[at].mark();
        match mark < before {
            true => Err(broken("mark_never_falls", format!("{mark} after {before}"))),
            false => Ok(()),
        }
    }

    pub(super) fn mistaken(
        &self,
        mut knowledge: Knowledge<&'static str>,
        message: Message,
        higher: bool,
        was_empty: bool,
    ) -> Knowledge<&'static str> {
        let raised = message.kind == Kind::Raise;
        let skips = match self.setup.flaw {
            Some(Flaw::RaiserDoesNotWait) => raised,
            Some(Flaw::OthersDoNotWait) => !raised,
            // Somebody who has started before knows more than nothing.
            Some(Flaw::RestartedDoesNotWait) => was_empty && self.restarts < self.setup.restarts,
            _ => false,
        };
        if higher && skips {
            knowledge.learned = Some(unit(NOW - OLD));
        }
        if higher && self.has(Flaw::WaitsFromTheSending) {
            knowledge.learned = Some(message.sent.mono);
        }
        if self.has(Flaw::StampsTheArrival) {
            knowledge.stamp = Some(now());
        }
        knowledge
    }

    pub(super) fn settle(&mut self, at: usize, put: bool) {
        let knowledge = self.proxies[at].knowledge;
        let early = self.has(Flaw::SettlesBeforeTheWait);
        let sit_out = SitOut::new(token(self.proxies[at].mark()));
        let step = sit_out.woken(&knowledge, self.rate(), now());
        let step = match step {
            SettleStep::Settle(settling) if put => {
                let same = settling.version == u64::from(self.mark.version);
                if same {
                    self.mark.settled = true;
                    self.mark.version += 1;
                }
                let conflict = Err(fencegate_core::machine::NotStored::Conflict);
                settling.stored(if same { Ok(()) } else { conflict })
            }
            SettleStep::Settle(settling) => SettleStep::Answer(settling.token),
            SettleStep::SitOut(..) if early && put => {
                if knowledge.version == u64::from(self.mark.version) && !self.mark.settled {
                    self.mark.settled = true;
                    self.mark.version += 1;
                }
                step
            }
            step => step,
        };
        if let SettleStep::Answer(token) = step {
            self.answered = self.answered.max(token.number() as u8);
        }
    }
}

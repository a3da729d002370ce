//! The call of operators: break.

use super::holder::marked;
use super::{Answer, Api, Said, body};
use crate::config::Tokens;
use crate::counters::Event;
use crate::host::Level;
use crate::reply::{Kind, Problem};
use core::time::Duration;
use fencegate_core::lease::{Break, Broken};

impl Api<'_> {
    pub(super) fn break_lease(&mut self) -> Answer {
        let body: body::Break = body::read(&self.scratch.body)?;
        let operator = self.operator()?;
        self.guarded(&body.resource)?;
        let resource = &body.resource.0;
        let lock_delay = match self.filter.settings.tokens {
            Tokens::Ours(granting) => granting.lock_delay,
            Tokens::External { .. } => Duration::ZERO,
        };
        let operation = Break {
            resource,
            lock_delay,
            generation: self.filter.settings.generation,
        };
        match self.run(resource, operation) {
            Broken::Done { mark } => {
                self.count(Event::Broken);
                self.count(Event::MarkAdvanced);
                let audit = format!(
                    "fencegate: {operator} broke the lease of {resource}; the mark is {mark}"
                );
                self.host.log(Level::Warn, &audit);
                Ok(Said::Reply(marked(resource, self.told_mark(Some(mark)))))
            }
            Broken::NoGrant => Err(Problem::new(Kind::NO_RECORD)),
            Broken::Undecided(fault) => Err(Problem::of_fault(fault)),
        }
    }
}

//! The background read: one a proxy, however many resources and workers it has.
//!
//! While guarded requests come, each worker looks at every tick whether one was sent lately. If not, it
//! claims the next one on the board, and whoever wins the claim sends it. A request that meets knowledge
//! which is not fresh does not wait for that: its worker sends one of its own, one at a time.

use super::asks::{Ask, Said, State};
use super::calls::Way;
use super::setup::Env;
use super::worker::Worker;
use crate::host::Cas;
use core::time::Duration;
use fencegate_core::moment::Moment;
use fencegate_core::quorum::{CallError, Reply, Said as Told, Survey};
use fencegate_core::verdict::Fault;
use fencegate_core::window::Instants;

/// How long after the last guarded request background reads go on.
const LATELY: Duration = Duration::from_secs(2);
/// How often init is looked for while it is not known.
const LOOK_FOR_INIT: Duration = Duration::from_secs(1);

impl Worker {
    /// Whether guarded requests came lately.
    pub(super) fn is_busy(&self, now: Moment) -> bool {
        self.busy.is_some_and(|busy| now.since(busy) < LATELY)
    }

    /// Sends the proxy's next background read, if it is due and no other worker claimed it. `cas` is
    /// the version of the board as it was just read.
    pub(super) fn elect(&mut self, env: &Env<'_>, cas: Option<Cas>, now: Instants) {
        let period = match self.board.heard.window() {
            Some(init) if self.is_busy(now.mono) => init.trust.checked_div(3).unwrap_or_default(),
            Some(_) => return,
            None => LOOK_FOR_INIT,
        };
        let claimed = self.board.claimed;
        let is_first = claimed == Moment::default();
        if self.surveying.is_some() || (!is_first && now.mono.since(claimed) < period) {
            return;
        }
        self.board.claimed = now.mono;
        let (host, key) = (env.host, &env.setup.board);
        if self.board.write(host, key, cas, &mut self.buffer) {
            self.send_survey(now.mono);
        }
    }

    /// Sends the one that somebody waits for, unless one is under way.
    pub(super) fn survey_if_wanted(&mut self, now: Moment) {
        if core::mem::take(&mut self.survey_wanted) && self.surveying.is_none() {
            self.board.claimed = now;
            self.send_survey(now);
        }
    }

    fn send_survey(&mut self, now: Moment) {
        self.surveying = Some(now);
        let survey = self.board.versions.next(self.board.heard.in_force);
        self.calls.add(Way::Survey(survey));
    }

    /// Takes the answer, tells the other workers, and goes on with those who waited for it.
    pub(super) fn surveyed(
        &mut self,
        env: &Env<'_>,
        survey: Survey,
        reply: Result<Reply, CallError>,
        sent: Instants,
        now: Instants,
    ) {
        self.surveying = None;
        let learned = match &reply {
            Ok(Reply::Surveyed(surveyed)) => {
                let said = Told {
                    compared: surveyed.committed.then_some(survey.init),
                    cluster: surveyed.cluster,
                    header: surveyed.header,
                    init: surveyed.init.as_ref(),
                };
                let heard = self.board.heard.hear(sent, said, &env.setup.terms, now);
                if let (Ok(Some(in_force)), true) = (heard, surveyed.committed) {
                    self.board.versions.take(survey, surveyed, in_force, sent);
                }
                heard.map(|_| ())
            }
            _ => Err(Fault::Unreachable),
        };
        if learned != Err(Fault::Unreachable) {
            self.publish(env);
        }
        let stale = |ask: &Ask| matches!(ask.state, State::Stale(_));
        for number in self.asks.that(stale) {
            let Some(ask) = self.asks.take(number) else {
                continue;
            };
            match learned {
                Ok(()) => self.go_on(env, number, ask, now, |state, at| match state {
                    State::Stale(stale) => Some(stale.surveyed(at)),
                    _ => None,
                }),
                Err(fault) => self.finish(&ask, Said::Undecided(fault), now.mono),
            }
        }
    }

    /// Writes what is known for the other workers.
    pub(super) fn publish(&mut self, env: &Env<'_>) {
        self.board.forget_older();
        self.board.agreed = env.setup.agreed(&self.board).or(self.board.agreed);
        let (host, key) = (env.host, &env.setup.board);
        self.board.publish(host, key, &mut self.buffer);
    }
}

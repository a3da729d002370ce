//! What is due as time passes: waits that are over, deadlines, leases to ask for again.

use super::asks::{Ask, Said, State};
use super::setup::Env;
use super::worker::Worker;
use core::time::Duration;
use fencegate_core::moment::Moment;
use fencegate_core::verdict::Fault;
use fencegate_core::window::Instants;

/// How long a call is waited for that nobody needs any more: all have a time limit.
const LATE: Duration = Duration::from_secs(10);

impl Worker {
    /// Does what is due.
    pub(super) fn look_around(&mut self, env: &Env<'_>, now: Instants) {
        let longest = env.setup.timeout.saturating_mul(2);
        let lost = |sent| now.mono.since(sent) > longest;
        if self.surveying.is_some_and(lost) {
            self.surveying = None;
        }
        self.end_what_is_late(env, now);
        for number in self.asks.that(|ask| is_over(ask, now.mono)) {
            if let Some(ask) = self.asks.take(number) {
                self.go_on(env, number, ask, now, |state, at| match state {
                    State::Sits(sitting, _) => Some(sitting.woken(at)),
                    _ => None,
                });
            }
        }
        for number in self.asks.that(|ask| matches!(ask.state, State::Waits(_))) {
            if let Some(ask) = self.asks.take(number) {
                self.ask_again(env, number, ask, now);
            }
        }
    }

    fn ask_again(&mut self, env: &Env<'_>, number: u32, mut ask: Ask, now: Instants) {
        self.busy = Some(now.mono);
        let record = self.records.find(&ask.resource, now.mono);
        let moved = record.is_none_or(|record| record.is_overtaken(&self.board.versions));
        let wanted = ask.patience.as_ref().map(|(wanted, _)| wanted.clone());
        match (&ask.state, wanted) {
            (State::Waits(at), Some(wanted)) if moved || now.mono >= *at => {
                ask.begun = now.mono;
                self.start(env, number, ask, wanted, now);
            }
            _ => self.asks.put(number, ask),
        }
    }

    fn end_what_is_late(&mut self, env: &Env<'_>, now: Instants) {
        let late = |ask: &Ask| {
            let deadline = self.deadline(env, ask);
            match (&ask.state, ask.asker) {
                (State::Waits(_), Some(_)) => false,
                (_, Some(_)) => now.mono >= deadline,
                (_, None) => now.mono >= deadline.after(LATE),
            }
        };
        let mut led = Vec::new();
        for number in self.asks.that(late) {
            if let Some(ask) = self.asks.take(number) {
                if ask.asker.is_some() && self.stops_leading(number, &ask, now.mono) {
                    led.push(ask.resource.clone());
                }
                let said = Said::Undecided(match ask.state {
                    State::Sits(_, until) => Fault::Settling(until.since(now.mono)),
                    _ => Fault::Unreachable,
                });
                self.finish(&ask, said, now.mono);
                self.let_go(number, ask);
            }
        }
        // Whoever waited for its call need not wait for one that may never be answered.
        for resource in led {
            self.wake_behind(env, &resource, now);
        }
    }

    /// Whether others waited for its call; they do no longer.
    fn stops_leading(&mut self, number: u32, ask: &Ask, now: Moment) -> bool {
        match self.records.find(&ask.resource, now) {
            Some(record) if record.caller == Some(number) => {
                record.caller = None;
                true
            }
            _ => false,
        }
    }

    /// The request of this context is gone.
    pub(super) fn forget(&mut self, context: u32) {
        for number in self.asks.that(|ask| ask.asker == Some(context)) {
            if let Some(ask) = self.asks.take(number) {
                self.let_go(number, ask);
            }
        }
    }

    /// Nobody waits for it any more. A call under way is still to be learned from, once.
    fn let_go(&mut self, number: u32, mut ask: Ask) {
        let waited_for = ask.asker.take().is_some();
        if waited_for && matches!(ask.state, State::Called(_)) {
            self.asks.put(number, ask);
        } else {
            self.revoke(ask.leaves_behind());
        }
    }
}

fn is_over(ask: &Ask, now: Moment) -> bool {
    matches!(ask.state, State::Sits(_, until) if now >= until)
}

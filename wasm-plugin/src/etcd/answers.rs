//! Answers to calls: what they teach, and who goes on with them.
//!
//! One that nobody waits for any more still teaches; one that comes twice finds no call.

use super::asks::{Ask, Paged, Said, State};
use super::calls::{UnderWay, Way, page};
use super::setup::Env;
use super::wire::{self, Keys};
use super::worker::Worker;
use crate::host::CallId;
use crate::host::pairs::Pairs;
use fencegate_core::quorum::{self, Call, CallError, Kept, Reply, Standing};
use fencegate_core::verdict::Fault;
use fencegate_core::window::Instants;

/// The longest answer that is read, in bytes.
const ANSWER_LEN_MAX: u32 = 4 * 1024 * 1024;

/// An answer as it came. Status 0: none came.
pub(super) struct Answer {
    status: u16,
    body: Vec<u8>,
}

impl Answer {
    /// Reads the answer that is being delivered.
    pub(super) fn read(env: &Env<'_>, has_headers: bool) -> Self {
        let mut answer = Self {
            status: 0,
            body: Vec::new(),
        };
        // Without headers it was broken off: nothing may be asked of it.
        if has_headers {
            let mut headers = Vec::new();
            let read = env.host.answer_headers(&mut headers);
            answer.status = read.ok().and_then(|()| status(&headers)).unwrap_or(0);
            let read = env.host.answer_body(ANSWER_LEN_MAX, &mut answer.body);
            if read.is_err() {
                answer.body.clear();
            }
        }
        answer
    }

    /// What it means, as `read` reads it.
    fn meaning<T>(
        &self,
        read: impl FnOnce(u16, &[u8]) -> Result<T, CallError>,
    ) -> Result<T, CallError> {
        match self.status {
            0 => Err(CallError::Unknown),
            status => read(status, &self.body),
        }
    }
}

fn status(headers: &[u8]) -> Option<u16> {
    let mut pairs = Pairs::read(headers)?.iter();
    let (_, status) = pairs.find(|(name, _)| *name == b":status")?;
    core::str::from_utf8(status).ok()?.parse().ok()
}

impl Worker {
    /// Takes the answer to a call.
    pub(super) fn answered(&mut self, env: &Env<'_>, id: CallId, answer: &Answer, now: Instants) {
        let Some(under_way) = self.calls.answered(id) else {
            return;
        };
        let counters = &env.setup.counters;
        counters.answered(env.host, now.mono.since(under_way.sent.mono));
        let has_user = env.setup.auth.is_some() && !matches!(under_way.way, Way::Login);
        if has_user && !under_way.again && wire::wants_login(answer.status, &answer.body) {
            self.calls.add_again(under_way);
            return;
        }
        let UnderWay { way, sent, .. } = under_way;
        self.hear_out(env, way, sent, answer, now);
    }

    /// Takes it for what it was called for.
    fn hear_out(
        &mut self,
        env: &Env<'_>,
        way: Way,
        sent: Instants,
        answer: &Answer,
        now: Instants,
    ) {
        let keys = |resource| Keys {
            prefix: &env.setup.prefix,
            resource,
        };
        match way {
            Way::Step {
                ask,
                resource,
                call,
            } => {
                let read = |status, body: &[u8]| wire::reply(&call, &keys(&resource), status, body);
                let reply = self.told(env, answer, read);
                self.step_answered(env, ask, reply, sent, now);
            }
            Way::Survey(survey) => {
                let call = Call::Survey(survey);
                let read = |status, body: &[u8]| wire::reply(&call, &keys(""), status, body);
                let reply = self.told(env, answer, read);
                self.surveyed(env, survey, reply, sent, now);
            }
            Way::Page {
                ask,
                init,
                after,
                limit,
            } => {
                let asked = page(init, after.as_deref(), limit);
                let read = |status, body: &[u8]| asked.reply(&keys(""), status, body);
                let paged = self.told(env, answer, read);
                if let Some(ask) = self.asks.take(ask) {
                    self.paged(env, ask, init, paged, sent, now);
                }
            }
            Way::Aside(call) => {
                let read = |status, body: &[u8]| wire::reply(&call, &keys(""), status, body);
                let _ = self.told(env, answer, read);
            }
            Way::Login => {
                let token = self.told(env, answer, wire::login_token).ok();
                let came = token.is_some();
                self.calls.logged_in(token);
                if !came {
                    self.give_up_waiting(env, now);
                }
            }
        }
    }

    /// What an answer means, watched.
    fn told<T>(
        &mut self,
        env: &Env<'_>,
        answer: &Answer,
        read: impl FnOnce(u16, &[u8]) -> Result<T, CallError>,
    ) -> Result<T, CallError> {
        let told = answer.meaning(read);
        match &told {
            Ok(_) | Err(CallError::LeaseExists | CallError::NoSuchLease) => {
                self.watch.answers(env);
            }
            Err(CallError::Refused | CallError::Unknown) => self.watch.fails(env, answer.status),
        }
        told
    }

    /// Nothing can be sent: there is no token to be had.
    fn give_up_waiting(&mut self, env: &Env<'_>, now: Instants) {
        for (way, _) in self.calls.take_waiting() {
            self.not_sent(env, way, now);
        }
    }

    /// A call was not sent, so nothing was done.
    pub(super) fn not_sent(&mut self, env: &Env<'_>, way: Way, now: Instants) {
        match way {
            Way::Step { ask, .. } => {
                self.step_answered(env, ask, Err(CallError::Refused), now, now);
            }
            Way::Survey(survey) => self.surveyed(env, survey, Err(CallError::Refused), now, now),
            Way::Page { ask, .. } => {
                if let Some(ask) = self.asks.take(ask) {
                    self.finish(&ask, Said::Undecided(Fault::Unreachable), now.mono);
                }
            }
            Way::Aside(_) => {}
            Way::Login => {
                self.calls.logged_in(None);
                self.give_up_waiting(env, now);
            }
        }
    }

    fn step_answered(
        &mut self,
        env: &Env<'_>,
        number: u32,
        reply: Result<Reply, CallError>,
        sent: Instants,
        now: Instants,
    ) {
        let Some(ask) = self.asks.take(number) else {
            return;
        };
        let resource = ask.resource.clone();
        let record = self.records.find(&resource, now.mono);
        let led = record.is_some_and(|record| record.caller == Some(number));
        self.go_on(env, number, ask, now, |state, at| match state {
            State::Called(calling) => {
                Some(calling.answered(sent, reply.as_ref().map_err(|error| *error), at))
            }
            _ => None,
        });
        if led {
            self.wake_behind(env, &resource, now);
        }
    }

    /// A request for a page of leases begins, or begins again under an init that was not known.
    pub(super) fn ask_for_page(&mut self, number: u32, mut ask: Ask, state: (Option<String>, u32)) {
        let init = self.board.heard.in_force.map_or(0, |in_force| in_force.at);
        let (after, limit) = state;
        let again = matches!(ask.state, State::Pages(..));
        ask.state = State::Pages(after.clone(), limit, again);
        self.calls.add(Way::Page {
            ask: number,
            init,
            after,
            limit,
        });
        self.asks.put(number, ask);
    }

    fn paged(
        &mut self,
        env: &Env<'_>,
        ask: Ask,
        init: u64,
        paged: Result<wire::Paged, CallError>,
        sent: Instants,
        now: Instants,
    ) {
        let said = match paged {
            Err(_) => Said::Undecided(Fault::Unreachable),
            Ok(paged) => {
                let said = quorum::Said {
                    compared: paged.committed.then_some(init),
                    cluster: paged.cluster,
                    header: paged.header,
                    init: paged.init.as_ref(),
                };
                let heard = self.board.heard.hear(sent, said, &env.setup.terms, now);
                match (
                    heard,
                    self.board.heard.standing(&env.setup.terms),
                    &ask.state,
                ) {
                    (Err(fault), ..) | (_, Standing::Refused(fault), _) => Said::Undecided(fault),
                    (Ok(Some(_)), ..) if paged.committed => rows(paged),
                    (Ok(_), _, State::Pages(after, limit, false)) => {
                        let page = (after.clone(), *limit);
                        let number = self.asks.number();
                        return self.ask_for_page(number, ask, page);
                    }
                    _ => Said::Undecided(Fault::Unreachable),
                }
            }
        };
        self.finish(&ask, said, now.mono);
    }
}

fn rows(paged: wire::Paged) -> Said {
    let wire::Paged {
        marks, locks, more, ..
    } = paged;
    let mut rows = Vec::new();
    for (resource, mark) in marks {
        let Ok(kept) = Kept::decode(&mark.bytes, &resource, mark.at) else {
            return Said::Undecided(Fault::Garbled);
        };
        let locked = locks.iter().any(|(name, _)| *name == resource);
        rows.push((resource, kept, locked));
    }
    Said::Page(Paged { rows, more })
}

//! Watches everything that leaves the filter, and says which promise it breaks.
//!
//! The laws on tokens and marks are the core's own ([`Observer`]); what lies between a filter and
//! its proxy is checked here.

use crate::answer::{Answer, token};
use crate::believers::{Believer, Believers};
use crate::breach::{self, Breach};
use crate::client::{Meaning, Presented};
use crate::figures::Figures;
use crate::known::Known;
use crate::ticket::{Configured, Fate, Ticket, TicketId};
use fencegate_core::check::Access;
use fencegate_core::laws::{Event, Observer, Tokens};
use fencegate_core::token::Token;
use serde_json::Value;
use std::collections::BTreeMap;

/// Watches everything that leaves the filter.
#[derive(Clone, Debug)]
pub struct Checker {
    observer: Observer,
    /// What clients know.
    pub known: Known,
    tickets: BTreeMap<TicketId, Ticket>,
    next: TicketId,
    in_force: Option<Configured>,
    believers: Believers,
    /// What was counted.
    pub figures: Figures,
    /// The first promise that was broken.
    pub breach: Option<Breach>,
}

impl Checker {
    /// A checker that has seen nothing.
    #[must_use]
    pub fn new(external: bool) -> Self {
        let tokens = if external {
            Tokens::External
        } else {
            Tokens::Ours
        };
        Self {
            observer: Observer::new(tokens),
            known: Known::new(external),
            tickets: BTreeMap::new(),
            next: 0,
            in_force: None,
            believers: Believers::default(),
            figures: Figures::default(),
            breach: None,
        }
    }

    /// A promise was broken. The first one counts.
    pub fn broken(&mut self, law: &'static str, story: impl Into<String>) {
        self.breach.get_or_insert_with(|| Breach::new(law, story));
    }

    /// A request comes.
    pub fn open(&mut self, ticket: Ticket) -> TicketId {
        let id = self.next;
        self.next += 1;
        self.tickets.insert(id, ticket);
        self.figures.requests += 1;
        id
    }

    /// A request, while it is open.
    pub fn ticket(&mut self, id: TicketId) -> Option<&mut Ticket> {
        self.tickets.get_mut(&id)
    }

    /// A callback is about to be made in which a request may be decided.
    pub fn asking(&mut self, id: TicketId) {
        let Some(ticket) = self.tickets.get_mut(&id) else {
            return;
        };
        if ticket.fate != Fate::Open {
            return;
        }
        if let Some(resource) = ticket.sent.meaning.resource() {
            ticket.asked = self.observer.asking(resource);
        }
        ticket.in_force = self.in_force;
        ticket.record_sound = None;
        ticket.once_sound = false;
        ticket.store_failed = false;
        // Whoever gives a lease back relies on it no more, whatever the answer will be.
        match ticket.sent.meaning.clone() {
            Meaning::Release(presented) => {
                self.believers.give_up(&presented.resource, presented.token);
            }
            Meaning::Break(resource) => self.believers.begin_break(id, Some(&resource)),
            _ => {}
        }
    }

    /// A body was handed over garbled: whose lease it may end is not known.
    pub fn garbled(&mut self, id: TicketId) {
        if let Some(ticket) = self.tickets.get_mut(&id) {
            ticket.body_sound = false;
        }
        self.believers.begin_break(id, None);
    }

    /// Shared data is gone, and with it every instance.
    pub fn restarted(&mut self) {
        // Of a restart nothing is asked, so it breaks no law.
        let _lawful = self.observer.observe(&Event::Restarted);
        self.in_force = None;
        self.believers.clear();
    }

    /// The filter let a request, or a part of it, go on.
    pub fn goes_on(&mut self, id: TicketId) {
        let Some(ticket) = self.tickets.get_mut(&id) else {
            return;
        };
        match ticket.fate {
            Fate::Forwarded => return,
            Fate::Answered => {
                let story = format!("answered, then forwarded: {}", ticket);
                return self.broken(breach::REJECTED_IS_NOT_APPLIED, story);
            }
            Fate::Open => ticket.fate = Fate::Forwarded,
        }
        self.figures.forwarded += 1;
        let ticket = ticket.clone();
        if !ticket.headers_sound {
            return self.broken(
                breach::REJECTED_IS_NOT_APPLIED,
                format!(
                    "forwarded although its headers could not be read: {}",
                    ticket
                ),
            );
        }
        self.superseded_is_silent(&ticket);
        match &ticket.sent.meaning {
            Meaning::Free => {}
            Meaning::Guarded(presented) => {
                self.figures.admitted += 1;
                self.admitted(&ticket, presented);
                if ticket
                    .logged
                    .as_deref()
                    .is_some_and(|logged| logged != "admitted")
                {
                    let story = format!("logged as {:?}, and forwarded: {ticket}", ticket.logged);
                    self.broken(breach::TOLD_AS_IT_IS, story);
                }
                self.judged(&ticket);
            }
            _ => self.broken(
                breach::REJECTED_IS_NOT_APPLIED,
                format!("forwarded: {}", ticket),
            ),
        }
    }

    /// The filter holds a request.
    pub fn held(&mut self, id: TicketId) {
        let Some(ticket) = self.tickets.get(&id) else {
            return;
        };
        if ticket.fate == Fate::Forwarded && ticket.alive {
            let story = format!("forwarded, then held: {}", ticket);
            self.broken(breach::ONE_DECISION, story);
        }
    }

    /// The filter answers a request; `taken`: the proxy takes the answer.
    pub fn answers(&mut self, id: TicketId, answer: &Answer, taken: bool, now: u64) {
        let Some(ticket) = self.tickets.get_mut(&id) else {
            return;
        };
        let before = ticket.fate;
        ticket.fate = Fate::Answered;
        ticket.excused |= !taken;
        let ticket = ticket.clone();
        self.figures.answered += 1;
        *self.figures.statuses.entry(answer.status).or_default() += 1;
        if before != Fate::Open {
            let story = format!("{before:?}, then answered {}: {}", answer.status, ticket);
            return self.broken(breach::ONE_DECISION, story);
        }
        if let Some(flaw) = answer.flaw() {
            let story = format!("{flaw}: {} to {}", answer.status, ticket);
            return self.broken(breach::TOLD_AS_IT_IS, story);
        }
        if ticket.counted_admitted > 0 && matches!(ticket.sent.meaning, Meaning::Guarded(_)) {
            let story = format!(
                "counted as admitted, answered {}: {}",
                answer.status, ticket
            );
            return self.broken(breach::TOLD_AS_IT_IS, story);
        }
        self.believers.end_break(id, now);
        self.take(&ticket, answer, now);
    }

    /// What an answer says binds later ones.
    fn take(&mut self, ticket: &Ticket, answer: &Answer, now: u64) {
        let json = answer.json();
        // A garbled body may ask for something else than what was sent.
        let meaning = if ticket.body_sound {
            ticket.sent.meaning.clone()
        } else {
            Meaning::Never
        };
        if let Some(resource) = meaning.resource() {
            for field in ["mark", "current"] {
                if let Some(mark) = token(&json, field) {
                    self.law(
                        ticket,
                        &Event::Mark {
                            resource,
                            mark: Some(mark),
                        },
                    );
                }
            }
        }
        if answer.status >= 300 {
            if let (Meaning::Look(resource), 404) = (&meaning, answer.status) {
                self.law(
                    ticket,
                    &Event::Mark {
                        resource,
                        mark: None,
                    },
                );
            }
            return;
        }
        self.superseded_is_silent(ticket);
        match &meaning {
            Meaning::Acquire {
                resource,
                holder,
                request_id,
                ..
            } => {
                self.granted(ticket, resource, holder, request_id.as_deref(), &json, now);
            }
            Meaning::Confirm(presented) => {
                self.admitted(ticket, presented);
                if json["ttl_ms"].is_u64() {
                    self.believes(ticket, &presented.resource, presented.token, &json);
                }
            }
            Meaning::Break(resource) => {
                self.surely_known(ticket);
                if let Some(token) = token(&json, "mark") {
                    self.known.tell(resource, token, None);
                    self.law(ticket, &Event::Broken { resource, token });
                }
            }
            Meaning::Look(_) | Meaning::Release(_) => self.surely_known(ticket),
            Meaning::Never | Meaning::Free | Meaning::Guarded(_) => return,
        }
        self.judged(ticket);
    }

    fn granted(
        &mut self,
        ticket: &Ticket,
        resource: &str,
        holder: &str,
        request_id: Option<&str>,
        json: &Value,
        now: u64,
    ) {
        let Some(token) = token(json, "token") else {
            return self.broken(
                breach::TOLD_AS_IT_IS,
                format!("granted without a token: {json}"),
            );
        };
        self.figures.granted += 1;
        self.surely_known(ticket);
        self.law(
            ticket,
            &Event::Granted {
                resource,
                token,
                holder,
                request_id,
            },
        );
        self.known.tell(resource, token, Some(holder));
        if json["ttl_ms"].as_u64().is_none_or(|left| left == 0) {
            self.broken(
                breach::TOLD_AS_IT_IS,
                format!("a grant that is over: {json}"),
            );
        }
        self.believes(ticket, resource, token, json);
        for Believer {
            resource, token, ..
        } in &self.believers.at(now)
        {
            self.law(
                ticket,
                &Event::Believes {
                    resource,
                    token: *token,
                },
            );
        }
    }

    fn admitted(&mut self, ticket: &Ticket, presented: &Presented) {
        self.surely_known(ticket);
        let Presented {
            resource,
            token,
            holder,
            access,
        } = presented;
        let holder = holder.as_deref();
        self.law(
            ticket,
            &Event::Admitted {
                resource,
                token: *token,
                holder,
                access: *access,
            },
        );
        if self.known.external && *access == Access::Write {
            self.known.tell(resource, *token, holder);
        }
    }

    /// A holder counts from when it SENT the request: what it waited, and what is left.
    fn believes(&mut self, ticket: &Ticket, resource: &str, token: Token, json: &Value) {
        let ms = |field: &str| json[field].as_u64().unwrap_or_default();
        let nanos = ms("waited_ms")
            .saturating_add(ms("ttl_ms"))
            .saturating_mul(1_000_000);
        let believer = Believer {
            resource: resource.to_owned(),
            token,
            until: ticket.sent_at.saturating_add(nanos),
        };
        self.believers.believe(believer, ticket.sent_at);
    }

    fn law(&mut self, ticket: &Ticket, event: &Event<'_>) {
        if let Err(violation) = self.observer.answered(ticket.asked, event) {
            let breach = Breach {
                story: format!("{violation} Seen at: {}", ticket),
                ..Breach::from(violation)
            };
            self.breach.get_or_insert(breach);
        }
    }

    fn surely_known(&mut self, ticket: &Ticket) {
        if !ticket.is_surely_known() {
            let story = format!("decided without a sound record: {}", ticket);
            self.broken(breach::UNKNOWN_IS_NOT_EMPTY, story);
        }
    }

    /// Something was decided by a record, so every record has this configuration's generation.
    fn judged(&mut self, ticket: &Ticket) {
        if ticket.filter > self.in_force {
            self.in_force = ticket.filter;
        }
    }

    fn superseded_is_silent(&mut self, ticket: &Ticket) {
        let (Some(filter), Some(newest)) = (ticket.filter, ticket.in_force) else {
            return;
        };
        let older = filter.generation < newest.generation;
        let other = filter.generation == newest.generation && filter.mapping != newest.mapping;
        if self.in_force.is_some() && (older || other) {
            let story = format!("{filter:?} decided after {newest:?}: {}", ticket);
            self.broken(breach::SUPERSEDED_IS_SILENT, story);
        }
    }

    /// The answer of the origin gets a mark.
    pub fn marks_the_answer(&mut self, id: TicketId, value: &[u8]) {
        let Some(ticket) = self.tickets.get(&id).cloned() else {
            return;
        };
        let Meaning::Guarded(presented) = &ticket.sent.meaning else {
            let story = format!("a mark without a resource: {}", ticket);
            return self.broken(breach::TOLD_AS_IT_IS, story);
        };
        match Token::parse(value) {
            Ok(mark) if ticket.fate == Fate::Forwarded => {
                let resource = &presented.resource;
                self.law(
                    &ticket,
                    &Event::Mark {
                        resource,
                        mark: Some(mark),
                    },
                );
            }
            _ => self.broken(
                breach::TOLD_AS_IT_IS,
                format!("a mark of no request: {}", ticket),
            ),
        }
    }

    /// A timer has fired, and nothing went wrong with it: whoever waited long enough was answered.
    pub fn after_tick(&mut self, waiting: &[TicketId], before: u64) {
        for id in waiting {
            let Some(ticket) = self.tickets.get(id) else {
                continue;
            };
            let due = ticket.fate == Fate::Open && ticket.end_came && !ticket.excused;
            if due && ticket.waits_until().is_some_and(|until| until <= before) {
                let story = format!("waited longer than it wanted: {}", ticket);
                return self.broken(breach::ONE_DECISION, story);
            }
        }
    }

    /// A request is over.
    pub fn close(&mut self, id: TicketId, now: u64) {
        let Some(ticket) = self.tickets.remove(&id) else {
            return;
        };
        self.believers.end_break(id, now);
        let due = ticket.headers_came
            && ticket.end_came
            && !ticket.excused
            && ticket.waits_until().is_none();
        if due && ticket.fate == Fate::Open {
            let story = format!("never answered: {}", ticket);
            self.broken(breach::ONE_DECISION, story);
        }
    }
}

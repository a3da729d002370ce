//! What is asked in a script, as the filter has it, and what it makes of an answer.

use crate::script::{Script, Step};
use fencegate::etcd::wire::{self, Keys, Page};
use fencegate_core::quorum::{Call, CallError, LeaseId, LockChange, Survey, Transaction};
use std::fmt::Debug;

pub const PREFIX: &str = "/fencegate/";

/// A step as the filter has it.
#[derive(Clone, Debug)]
pub enum Asked {
    /// A call of the core's.
    Call(Call),
    /// A page of leases.
    Page(Page<'static>),
    /// A token for a user.
    Login(&'static str, &'static str),
    /// Nothing of the filter's: what an operator or somebody else does.
    Else(&'static str, String),
}

/// A step with its circumstances.
#[derive(Clone, Debug)]
pub struct Asking {
    pub name: &'static str,
    pub prefix: &'static str,
    pub resource: &'static str,
    pub before: Option<&'static str>,
    pub headers: Vec<&'static str>,
    pub asked: Asked,
}

impl Asking {
    /// About the resource `job:1`, unless said otherwise.
    pub fn new(name: &'static str, asked: Asked) -> Self {
        Self {
            name,
            prefix: PREFIX,
            resource: "job:1",
            before: None,
            headers: Vec::new(),
            asked,
        }
    }

    pub fn call(name: &'static str, call: Call) -> Self {
        Self::new(name, Asked::Call(call))
    }

    pub fn transact(name: &'static str, transaction: Transaction) -> Self {
        Self::call(name, Call::Transact(transaction))
    }

    pub fn grant(name: &'static str, lease: u64, seconds: u64) -> Self {
        Self::call(name, Call::Grant(LeaseId(lease), seconds))
    }

    pub fn keep_alive(name: &'static str, lease: u64) -> Self {
        Self::call(name, Call::KeepAlive(LeaseId(lease)))
    }

    pub fn revoke(name: &'static str, lease: u64) -> Self {
        Self::call(name, Call::Revoke(LeaseId(lease)))
    }

    pub fn survey(name: &'static str, init: u64, since: u64) -> Self {
        Self::call(name, Call::Survey(Survey { init, since }))
    }

    pub fn of(mut self, resource: &'static str) -> Self {
        self.resource = resource;
        self
    }

    pub fn before(mut self, before: &'static str) -> Self {
        self.before = Some(before);
        self
    }

    pub fn header(mut self, header: &'static str) -> Self {
        self.headers.push(header);
        self
    }

    pub fn keys(&self) -> Keys<'static> {
        Keys {
            prefix: self.prefix,
            resource: self.resource,
        }
    }

    fn request(&self) -> (String, String) {
        let (path, body) = match &self.asked {
            Asked::Call(call) => wire::request(call, &self.keys()),
            Asked::Page(page) => page.request(&self.keys()),
            Asked::Login(user, password) => wire::login(user, password),
            Asked::Else(path, body) => (*path, body.clone()),
        };
        (path.to_owned(), body)
    }

    /// What the filter makes of an answer; `None` where it is not its own to read.
    pub fn made_of(&self, status: u16, body: &[u8]) -> Option<Result<String, CallError>> {
        fn told<T: Debug>(result: Result<T, CallError>) -> Option<Result<String, CallError>> {
            Some(result.map(|what| format!("{what:?}")))
        }
        match &self.asked {
            Asked::Call(call) => told(wire::reply(call, &self.keys(), status, body)),
            Asked::Page(page) => told(page.reply(&self.keys(), status, body)),
            // Which token it is differs from time to time.
            Asked::Login(..) => told(wire::login_token(status, body).map(|_| "a token")),
            Asked::Else(..) => None,
        }
    }

    /// The step as text, with the answer that was recorded for it.
    pub fn step(&self, recorded: &Script) -> Step {
        let same = |step: &&Step| step.name == self.name;
        let recorded = recorded.steps.iter().find(same);
        let (path, request) = self.request();
        let (status, answer) = recorded
            .map(|step| (step.status, step.answer.clone()))
            .unwrap_or_default();
        Step {
            name: self.name.to_owned(),
            before: self.before.map(str::to_owned),
            headers: self.headers.iter().copied().map(str::to_owned).collect(),
            told: self.told(status, answer.as_bytes()),
            path,
            request,
            status,
            answer,
        }
    }

    fn told(&self, status: u16, body: &[u8]) -> String {
        let wants_login = match wire::wants_login(status, body) {
            true => ", and wants a login",
            false => "",
        };
        match self.made_of(status, body) {
            None => String::new(),
            Some(Ok(told)) => told,
            Some(Err(error)) => format!("{error:?}{wants_login}"),
        }
    }
}

/// A transaction that changes nothing while init was last put at `init`.
pub fn reading(init: u64) -> Transaction {
    Transaction {
        init,
        mark_at: None,
        lock_since: None,
        mark: None,
        lock: LockChange::Keep,
    }
}

/// The same, with a mark put where it was last put at `mark_at`.
pub fn putting(init: u64, mark_at: u64, mark: &str) -> Transaction {
    Transaction {
        mark_at: Some(mark_at),
        mark: Some(mark.as_bytes().to_vec()),
        ..reading(init)
    }
}

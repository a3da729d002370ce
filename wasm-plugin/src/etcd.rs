//! The authority `etcd`: marks and leases in a store that many proxies share.
//!
//! ```text
//!   check, ask --> worker --steps of the core--> calls --> etcd (HTTP, through the proxy)
//!                   |  ^                                    |
//!                   |  \-------- answers <------------------/
//!                   |--> records    what this worker knows of each resource
//!                   |--> board      what the workers of this proxy share: init, versions, who reads next
//!                   \--> finished   what is said to requests that are held
//! ```
//! [`wire`] is how etcd is asked and how its answers are read; it knows neither when nor why. What is
//! decided, the core decides.
//!
//! A request is answered from memory where that is fresh; then no call is made and nothing is shared.

mod answers;
mod asks;
mod board;
mod calls;
mod records;
mod setup;
mod surveys;
mod ticks;
mod versions;
mod watch;
pub mod wire;
mod worker;

pub use asks::{Finished, Paged, Said};

use crate::config::{EtcdSettings, Settings};
use crate::host::{CallId, Host, HostError};
use answers::Answer;
use asks::{Ask, Kind, State};
use core::cell::{Cell, RefCell};
use core::time::Duration;
use fencegate_core::check::{Access, Presented};
use fencegate_core::moment::Moment;
use fencegate_core::quorum::{Bearer, Standing, Wanted};
use fencegate_core::verdict::{Fault, Verdict};
use fencegate_core::window::{Instants, Question, Whose};
use setup::{Env, Setup};
use worker::{Begun, Worker};

/// The authority as one filter on one worker has it.
#[derive(Debug)]
pub struct Etcd {
    setup: Setup,
    worker: RefCell<Worker>,
    /// Whether it wants to be called often.
    awake: Cell<bool>,
}

impl Etcd {
    /// What the settings need. `root` is the filter's own context.
    ///
    /// # Errors
    /// The host lacks counters or random numbers.
    pub fn set_up(
        host: &dyn Host,
        root: u32,
        settings: &Settings,
        etcd: &EtcdSettings,
    ) -> Result<Self, HostError> {
        Ok(Self {
            setup: Setup::new(host, root, settings, etcd)?,
            worker: RefCell::new(Worker::new((host.random()?, host.random()?))),
            awake: Cell::new(false),
        })
    }

    /// Judges a request of `context`. `None`: etcd is asked, and what it says is told later.
    pub fn check(
        &self,
        host: &dyn Host,
        context: u32,
        resource: &str,
        (presented, access, whose): (Presented<'_>, Access, Whose),
    ) -> Option<Verdict> {
        let env = self.env(host);
        let (Ok(mut worker), Ok(arrived)) = (self.worker.try_borrow_mut(), env.clocks()) else {
            return Some(Fault::Unreachable.into());
        };
        self.awake.set(true);
        worker.busy = Some(arrived.mono);
        let question = Question {
            presented,
            access,
            whose,
            arrived,
        };
        match worker.decide(&env, resource, &question, arrived) {
            Some(verdict) => Some(verdict),
            None => check_later(&env, &mut worker, context, resource, question),
        }
    }

    /// Asks for something in the name of `context`; what etcd says is told later. An acquire may wait
    /// until the lease is given back, for so long.
    pub fn ask(
        &self,
        host: &dyn Host,
        context: u32,
        resource: &str,
        wanted: Wanted,
        wait: Duration,
    ) {
        self.ask_with(host, context, |env, worker, now| {
            let begun = Begun {
                asker: context,
                resource: resource.to_owned(),
                kind: Kind::Call,
                until: (!wait.is_zero()).then(|| now.mono.after(wait)),
            };
            worker.begin(env, begun, wanted, now);
        });
    }

    /// Asks for a page of leases in the name of `context`; what etcd says is told later.
    pub fn ask_for_page(&self, host: &dyn Host, context: u32, after: Option<String>, limit: u32) {
        self.ask_with(host, context, |_, worker, now| {
            let number = worker.asks.number();
            let ask = Ask {
                asker: Some(context),
                resource: String::new(),
                kind: Kind::Call,
                begun: now.mono,
                patience: None,
                state: State::Waits(now.mono),
            };
            worker.ask_for_page(number, ask, (after, limit));
        });
    }

    fn ask_with(
        &self,
        host: &dyn Host,
        context: u32,
        begin: impl FnOnce(&Env<'_>, &mut Worker, Instants),
    ) {
        let env = self.env(host);
        let Ok(mut worker) = self.worker.try_borrow_mut() else {
            return;
        };
        let worker = &mut *worker;
        self.awake.set(true);
        worker.recall(&env);
        match env.clocks() {
            Ok(now) => {
                worker.busy = Some(now.mono);
                begin(&env, worker, now);
                send(&env, worker, Some(context), now);
            }
            Err(_) => worker.finished.push(Finished {
                asker: context,
                said: Said::Undecided(Fault::Unreachable),
                at: Moment::default(),
                late: false,
            }),
        }
    }

    /// Whether a newer configuration is known to be in force. Requests that no record decides do not
    /// ask etcd.
    ///
    /// # Errors
    /// [`Fault::Superseded`].
    pub fn not_superseded(&self) -> Result<(), Fault> {
        let Ok(worker) = self.worker.try_borrow() else {
            return Ok(());
        };
        match worker.board.heard.standing(&self.setup.terms) {
            Standing::Refused(fault @ Fault::Superseded) => Err(fault),
            _ => Ok(()),
        }
    }

    /// The call of this number is answered, with headers or without.
    pub fn on_answer(&self, host: &dyn Host, id: CallId, has_headers: bool) {
        let env = self.env(host);
        let Ok(mut worker) = self.worker.try_borrow_mut() else {
            return;
        };
        let worker = &mut *worker;
        let answer = Answer::read(&env, has_headers);
        // Without a clock nothing can be said of it; deadlines end what waits.
        if let Ok(now) = env.clocks() {
            worker.answered(&env, id, &answer, now);
            if worker.watch.sees_change(&env, &worker.board.heard) {
                worker.publish(&env);
            }
            send(&env, worker, None, now);
        }
    }

    /// Time passes.
    pub fn on_tick(&self, host: &dyn Host) {
        let env = self.env(host);
        let Ok(mut worker) = self.worker.try_borrow_mut() else {
            return;
        };
        let worker = &mut *worker;
        let cas = worker.recall(&env);
        if let Ok(now) = env.clocks() {
            worker.watch.sees_change(&env, &worker.board.heard);
            worker.look_around(&env, now);
            worker.elect(&env, cas, now);
            send(&env, worker, None, now);
            let idle =
                worker.asks.is_empty() && worker.calls.is_idle() && worker.finished.is_empty();
            self.awake.set(!idle || worker.is_busy(now.mono));
        }
    }

    /// The request of this context is gone: whatever is said to it, nobody hears.
    pub fn forget(&self, host: &dyn Host, context: u32) {
        let env = self.env(host);
        if let Ok(mut worker) = self.worker.try_borrow_mut() {
            worker.forget(context);
            worker.finished.retain(|it| it.asker != context);
            if let Ok(now) = env.clocks() {
                send(&env, &mut worker, None, now);
            }
        }
    }

    /// What was said since, and is to be told.
    pub fn take_finished(&self) -> Vec<Finished> {
        match self.worker.try_borrow_mut() {
            Ok(mut worker) => core::mem::take(&mut worker.finished),
            Err(_) => Vec::new(),
        }
    }

    /// These could not be told yet.
    pub fn tell_later(&self, not_told: Vec<Finished>) {
        if let Ok(mut worker) = self.worker.try_borrow_mut() {
            let late = |it| Finished { late: true, ..it };
            worker.finished.extend(not_told.into_iter().map(late));
        }
    }

    /// Whether it wants to be called often.
    #[must_use]
    pub const fn is_awake(&self) -> bool {
        self.awake.get()
    }

    const fn env<'a>(&'a self, host: &'a dyn Host) -> Env<'a> {
        Env {
            host,
            setup: &self.setup,
        }
    }
}

/// Judges by what the other workers know, or asks.
fn check_later(
    env: &Env<'_>,
    worker: &mut Worker,
    context: u32,
    resource: &str,
    question: Question<'_>,
) -> Option<Verdict> {
    let mut now = question.arrived;
    if !worker.board.versions.is_fresh(now) {
        worker.recall(env);
        // The clocks last, after all that is judged by them.
        match env.clocks() {
            Ok(after) => now = after,
            Err(_) => return Some(Fault::Unreachable.into()),
        }
        if let Some(verdict) = worker.decide(env, resource, &question, now) {
            return Some(verdict);
        }
    }
    let wanted = Wanted::Check {
        bearer: Bearer {
            token: question.presented.token,
            holder: question.presented.holder.map(str::to_owned),
        },
        access: question.access,
        whose: question.whose,
    };
    let begun = Begun {
        asker: context,
        resource: resource.to_owned(),
        kind: Kind::Check,
        until: None,
    };
    worker.begin(env, begun, wanted, now);
    send(env, worker, Some(context), now);
    let at = worker.finished.iter().position(|it| it.asker == context)?;
    Some(worker.finished.swap_remove(at).said.verdict())
}

/// Sends what is to be sent, and returns to the context `back`.
fn send(env: &Env<'_>, worker: &mut Worker, back: Option<u32>, now: Instants) {
    let mut entered = None;
    loop {
        worker.survey_if_wanted(now.mono);
        let ready = worker.calls.take_ready(env.setup);
        if ready.is_empty() {
            break;
        }
        let root = env.setup.root;
        let entered = *entered.get_or_insert_with(|| env.host.enter_context(root).is_ok());
        for (way, again) in ready {
            let sent = match entered {
                true => worker.calls.send(env, (way, again), now),
                false => Err(way),
            };
            if let Err(way) = sent {
                worker.watch.fails(env, 0);
                worker.not_sent(env, way, now);
            }
        }
    }
    if let (Some(_), Some(back)) = (entered, back)
        && env.host.enter_context(back).is_err()
    {
        env.host.log(
            crate::host::Level::Error,
            "the proxy did not let a request be entered again",
        );
    }
}

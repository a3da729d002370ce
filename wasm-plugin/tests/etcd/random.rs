//! Two proxies with two workers each around one etcd, and whatever order of things: requests, answers that
//! come, come late, twice, broken off or never, clients that leave, time that passes. An observer outside
//! sees what was told and what went on, and knows the laws.

use crate::site::{Begun, JOB, PLACE, Site};
use crate::support::client::{Proxy, ROOT, Request};
use crate::support::host::Posted;
use crate::support::settings::etcd;
use fencegate_core::token::Token;
use proptest::prelude::*;
use proptest::test_runner::{TestError, TestRunner};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::time::Duration;

#[derive(Clone, Debug)]
enum Step {
    /// A holder asks for the lease, with a request id or without.
    Acquire {
        worker: usize,
        holder: usize,
        named: bool,
    },
    /// Somebody writes with a token that was told, under the name of its holder or another one.
    Write {
        worker: usize,
        token: usize,
        right: bool,
    },
    Renew {
        worker: usize,
        token: usize,
    },
    Release {
        worker: usize,
        token: usize,
        answered: bool,
    },
    Break {
        worker: usize,
    },
    /// etcd takes a call and its answer arrives.
    Deliver {
        worker: usize,
        call: usize,
    },
    /// etcd takes it, and the answer is kept back.
    Hold {
        worker: usize,
        call: usize,
    },
    /// An answer that was kept back arrives; it stays, to arrive again.
    Arrive {
        answer: usize,
    },
    /// etcd takes it or does not, and the answer is broken off or the proxy's own.
    Fail {
        worker: usize,
        call: usize,
        done: bool,
        headers: bool,
    },
    Tick {
        worker: usize,
    },
    /// All goes well for so many ticks.
    Well {
        ticks: usize,
    },
    Pass {
        millis: u64,
    },
    Leave {
        request: usize,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let (worker, pick) = (0..4_usize, 0..100_usize);
    prop_oneof![
        2 => (worker.clone(), 0..2_usize, any::<bool>())
            .prop_map(|(worker, holder, named)| Step::Acquire { worker, holder, named }),
        8 => (worker.clone(), 0..3_usize, prop::bool::weighted(0.9))
            .prop_map(|(worker, token, right)| Step::Write { worker, token, right }),
        1 => (worker.clone(), 0..3_usize)
            .prop_map(|(worker, token)| Step::Renew { worker, token }),
        1 => (worker.clone(), 0..3_usize, any::<bool>())
            .prop_map(|(worker, token, answered)| Step::Release { worker, token, answered }),
        1 => worker.clone().prop_map(|worker| Step::Break { worker }),
        10 => (worker.clone(), pick.clone())
            .prop_map(|(worker, call)| Step::Deliver { worker, call }),
        2 => (worker.clone(), pick.clone()).prop_map(|(worker, call)| Step::Hold { worker, call }),
        2 => pick.clone().prop_map(|answer| Step::Arrive { answer }),
        1 => (worker.clone(), pick.clone(), any::<bool>(), any::<bool>())
            .prop_map(|(worker, call, done, headers)| Step::Fail { worker, call, done, headers }),
        6 => worker.prop_map(|worker| Step::Tick { worker }),
        6 => prop_oneof![8 => 0..120_u64, 1 => 0..1500_u64, 1 => Just(6_000_u64)]
            .prop_map(|millis| Step::Pass { millis }),
        12 => (1..25_usize).prop_map(|ticks| Step::Well { ticks }),
        1 => pick.prop_map(|request| Step::Leave { request }),
    ]
}

/// A request that was begun.
struct Open {
    worker: usize,
    begun: Begun,
    what: What,
    gone: bool,
}

#[derive(Clone)]
enum What {
    Acquire(String),
    Write(Token, String),
    Other,
}

struct Run {
    site: Site,
    workers: Vec<Proxy>,
    calls: Vec<Vec<Posted>>,
    /// Answers that were kept back.
    answers: Vec<(usize, Posted, u16, Vec<u8>)>,
    open: Vec<Open>,
    /// What was told: tokens and their holders.
    told: Vec<(Token, String)>,
    /// The highest token that was told or admitted.
    highest: Option<Token>,
    last_id: usize,
    admitted: usize,
}

impl Run {
    fn new() -> Self {
        let site = Site::new();
        let mut workers = Vec::new();
        for _ in 0..2 {
            let proxy = site.ready();
            let other = Proxy::join(proxy.world(), &etcd());
            workers.extend([proxy, other]);
        }
        Self {
            site,
            calls: workers.iter().map(|_| Vec::new()).collect(),
            workers,
            answers: Vec::new(),
            open: Vec::new(),
            told: Vec::new(),
            highest: None,
            last_id: 0,
            admitted: 0,
        }
    }

    fn begin(&mut self, worker: usize, request: &Request, what: What) {
        let begun = self.site.begin(&self.workers[worker], request);
        self.open.push(Open {
            worker,
            begun,
            what,
            gone: false,
        });
    }

    fn told(&self, index: usize) -> (Token, String) {
        let newest = self
            .told
            .len()
            .checked_sub(1 + index % self.told.len().max(1));
        let made_up = (Token::new(1, 1).expect("a token"), "a".to_owned());
        newest.map_or(made_up, |at| self.told[at].clone())
    }

    fn call(&mut self, worker: usize, call: usize) -> Option<Posted> {
        let calls = &mut self.calls[worker];
        let at = call.checked_rem(calls.len())?;
        Some(calls.remove(at))
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Acquire {
                worker,
                holder,
                named,
            } => {
                let holder = ["a", "b"][holder].to_owned();
                self.last_id += 1;
                let mut body = json!({ "resource": JOB, "holder": holder, "ttl_ms": 3000 });
                if named {
                    body["request_id"] = json!(format!("id-{}", self.last_id / 2));
                }
                self.begin(
                    worker,
                    &Request::call("acquire", &body),
                    What::Acquire(holder),
                );
            }
            Step::Write {
                worker,
                token,
                right,
            } => {
                let (token, holder) = self.told(token);
                let holder = if right { holder } else { "x".to_owned() };
                let put = Request::put(PLACE, &token.to_string(), &holder);
                self.begin(worker, &put, What::Write(token, holder));
            }
            Step::Renew { worker, token } => self.own("renew", worker, token, json!({})),
            Step::Release {
                worker,
                token,
                answered,
            } => {
                self.own(
                    "release",
                    worker,
                    token,
                    json!({ "writes_answered": answered }),
                );
            }
            Step::Break { worker } => {
                let body = json!({ "resource": JOB });
                self.begin(worker, &Request::call("break", &body), What::Other);
            }
            Step::Deliver { worker, call } => {
                if let Some(call) = self.call(worker, call) {
                    self.site.deliver(&self.workers[worker], &call);
                }
            }
            Step::Hold { worker, call } => {
                if let Some(call) = self.call(worker, call) {
                    let (status, body) = self.site.answer_to(&call);
                    self.answers.push((worker, call, status, body));
                }
            }
            Step::Arrive { answer } => {
                if let Some(at) = answer.checked_rem(self.answers.len()) {
                    let (worker, call, status, body) = &self.answers[at];
                    self.workers[*worker].answer(call, Some((*status, body)));
                }
            }
            Step::Fail {
                worker,
                call,
                done,
                headers,
            } => {
                if let Some(call) = self.call(worker, call) {
                    if done {
                        let _ = self.site.answer_to(&call);
                    }
                    let answer = headers.then_some((504, &b"upstream request timeout"[..]));
                    self.workers[worker].answer(&call, answer);
                }
            }
            Step::Tick { worker } => self.workers[worker].tick(),
            Step::Well { ticks } => {
                for _ in 0..ticks {
                    self.go_well(Duration::from_millis(20));
                }
            }
            Step::Pass { millis } => self.site.advance(Duration::from_millis(millis)),
            Step::Leave { request } => {
                if let Some(at) = request.checked_rem(self.open.len()) {
                    let open = &mut self.open[at];
                    open.gone = true;
                    self.workers[open.worker].end(open.begun.context);
                }
            }
        }
        self.observe();
    }

    fn own(&mut self, name: &str, worker: usize, token: usize, more: Value) {
        let (token, holder) = self.told(token);
        let mut body = json!({ "resource": JOB, "holder": holder, "token": token.to_string() });
        for (name, value) in more.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        self.begin(worker, &Request::call(name, &body), What::Other);
    }

    /// Looks at what came out, and holds it against the laws.
    fn observe(&mut self) {
        for (worker, calls) in self.calls.iter_mut().enumerate() {
            calls.extend(self.workers[worker].take_posted());
        }
        let before = self.highest;
        let mut open = std::mem::take(&mut self.open);
        open.retain(|request| {
            let proxy = &self.workers[request.worker];
            let on = self.site.went_on(proxy, request.begun);
            let answer = self.site.answered(proxy, request.begun);
            assert!(!(on && answer.is_some()), "one_decision");
            let over = on || answer.is_some();
            match (&request.what, answer) {
                (What::Write(token, holder), None) if on => {
                    assert!(before <= Some(*token), "stale_never_admitted: {token}");
                    let bound = self.told.iter().find(|(told, _)| told == token);
                    assert_eq!(
                        bound.map(|(_, holder)| holder),
                        Some(holder),
                        "equal_token_one_holder"
                    );
                    self.highest = self.highest.max(Some(*token));
                    self.admitted += 1;
                }
                (What::Acquire(holder), Some(answer)) if answer.status == 201 => {
                    let body: Value = serde_json::from_slice(&answer.body).expect("JSON");
                    let text = body["token"].as_str().expect("a token");
                    let token = Token::parse(text.as_bytes()).expect("a token");
                    let again = self.told.iter().find(|(told, _)| *told == token);
                    match again {
                        Some((_, bound)) => assert_eq!(bound, holder, "equal_token_one_holder"),
                        None => {
                            assert!(before < Some(token), "tokens_only_rise: {token}");
                            self.told.push((token, holder.clone()));
                        }
                    }
                    self.highest = self.highest.max(Some(token));
                }
                _ => {}
            }
            if over && !request.gone {
                proxy.end(request.begun.context);
            }
            !over && !request.gone
        });
        self.open = open;
    }

    /// A while passes in which every call is answered.
    fn go_well(&mut self, span: Duration) {
        self.site.advance(span);
        for worker in 0..self.workers.len() {
            self.workers[worker].tick();
            self.observe();
            while let Some(call) = self.call(worker, 0) {
                self.site.deliver(&self.workers[worker], &call);
                self.observe();
            }
        }
    }

    /// Everything that is held is answered in the end, and a lease can be had.
    fn settle(&mut self) {
        for _ in 0..150 {
            self.go_well(Duration::from_millis(100));
        }
        assert_eq!(self.open.len(), 0, "somebody is held for ever");
        for worker in 0..self.workers.len() {
            let proxy = &self.workers[worker];
            let token = self.site.acquire(proxy, "z");
            assert_eq!(
                self.site.write(proxy, &token, "z"),
                0,
                "someone_can_acquire"
            );
            let own = json!({ "resource": JOB, "holder": "z", "token": token });
            assert_eq!(self.site.call(proxy, "release", own).0, 200);
        }
        for proxy in &self.workers {
            assert_eq!(proxy.host.current.get().min(ROOT), ROOT);
        }
    }
}

/// That the runs of these cases keep the laws; how much happened in them.
fn runs(cases: u32, slow_clocks: bool) -> Result<(usize, usize), TestError<Vec<Step>>> {
    let happened = RefCell::new((0, 0));
    let config = ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: if slow_clocks { 0 } else { 300 },
        ..ProptestConfig::with_cases(cases)
    };
    let mut runner = TestRunner::new(config);
    runner.run(&prop::collection::vec(step(), 0..300), |steps| {
        let mut run = Run::new();
        if slow_clocks {
            run.site.stop_clocks_of(0);
        }
        for step in &steps {
            run.step(step);
        }
        let mut happened = happened.borrow_mut();
        happened.0 += run.told.len();
        happened.1 += run.admitted;
        if !slow_clocks {
            run.settle();
        }
        Ok(())
    })?;
    Ok(happened.into_inner())
}

#[test]
fn any_order_of_anything_keeps_the_laws() {
    let (told, admitted) = runs(48, false).unwrap_or_else(|why| panic!("{why}"));
    println!("{told} grants were told, {admitted} writes admitted");
    assert!(
        told > 48 && admitted > 96,
        "{told} grants, {admitted} writes"
    );
}

/// The mistake that the window is there for: a proxy whose clocks stand still trusts what it knew for
/// ever. The same runs find it out.
#[test]
fn control_a_proxy_whose_clocks_stand_still() {
    let found = runs(500, true);
    let why = format!("{found:?}");
    assert!(why.contains("stale_never_admitted"), "{why}");
}

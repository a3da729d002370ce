//! Several proxies over one authority: steps the machine of the window, one message at a time.
//!
//! A request that asks is kept as its write and when it asked; its machine is stepped to there
//! again when the answer comes. The broken forms are steps that a driver gets wrong: what it reads
//! on its clocks, and from when it counts an answer.

use super::super::issuer::RATE;
use super::super::mechanism::{Check, Window, WindowFlaw};
use super::super::message::{Answer, Payload, Write};
use super::super::stage::Stage;
use super::super::told::Told;
use super::super::who::{Name, Who};
use super::super::world::{Waiting, WaitsOn};
use super::up;
use crate::check::{Access, Presented};
use crate::verdict::{Fault, Reason, Rejection, Verdict};
use crate::window::{Asked, Instants, Knowledge, Question, Reading, Step, Whose};

/// How often a request asks the authority at most.
const ASKS_MAX: u8 = 3;

impl Stage<'_> {
    /// What a proxy reads on its clocks, or takes itself to read.
    fn proxy_reads(&self, proxy: u8, window: Window) -> Instants {
        let proxy = self.world.proxies.get(usize::from(proxy));
        let clock = proxy.map(|it| it.clock);
        clock.map_or_else(Default::default, |clock| {
            let mono = clock.mono(self.world.now);
            let wall = match window.flaw {
                Some(WindowFlaw::MonotonicOnly) => mono,
                _ => clock.wall(self.world.now),
            };
            Instants { mono, wall }
        })
    }

    pub(super) fn judge_by_window(&mut self, proxy: u8, write: Write, window: Window) {
        let now = self.proxy_reads(proxy, window);
        let Some(it) = self.proxy(proxy) else {
            return;
        };
        let Some(question) = question(&write, now) else {
            // No token where one is required: in HTTP a 428.
            let mark = it.known.record.as_ref().map(|record| record.token);
            let reason = Reason::NoGrant;
            let verdict = Verdict::Reject(Rejection { reason, mark });
            self.follow(proxy, write, verdict, false);
            return;
        };
        let step = question.start(&it.known, RATE, ASKS_MAX, now);
        if let Step::Ask(_) = step {
            self.tell(Told::LooksUp(proxy, write));
        }
        self.goes_by(proxy, write, step, (now, ASKS_MAX));
    }

    /// Does the step. `asks` are how often the authority might be asked before it.
    fn goes_by(&mut self, proxy: u8, write: Write, step: Step<'_>, (now, asks): (Instants, u8)) {
        match step {
            Step::Done(verdict) => self.follow(proxy, write, verdict, false),
            Step::Ask(_) => {
                let on = WaitsOn::Authority {
                    sent: now,
                    asks_left: asks.saturating_sub(1),
                };
                if let Some(it) = self.proxy(proxy) {
                    it.waiting.push(Waiting { write, on });
                }
                let ask = Payload::Ask { asked: now };
                self.send(Who::Proxy(proxy), Who::Issuer, ask);
            }
            Step::Settling(_, until) => {
                // It is asked again, rather than kept waiting.
                let wait = up(until.since(now.mono));
                self.tell(Told::WriteWaits(proxy, write, wait));
                self.answer(proxy, write.by, write.seq, Answer::NotNow);
            }
            // Only tokens from elsewhere are raised here.
            Step::Raise(_) => self.follow(proxy, write, Fault::Unreachable.into(), false),
        }
    }

    /// Takes the authority's answer: to those who asked then, or to nobody any more.
    pub(super) fn learns(&mut self, proxy: u8, asked: Instants, reading: &Reading<Name>) {
        let Check::Window(window) = self.scenario.mechanism.check else {
            return;
        };
        let now = self.proxy_reads(proxy, window);
        let sent = match window.flaw {
            Some(WindowFlaw::CountedFromArrival) => now,
            _ => asked,
        };
        let Some(it) = self.proxy(proxy) else {
            return;
        };
        let known = &mut it.known;
        let mut steps = Vec::new();
        it.waiting.retain(|waiting| match waiting.on {
            WaitsOn::Authority {
                sent: then,
                asks_left,
            } if then == asked => {
                if let Some(asking) = asking(&waiting.write, sent, asks_left) {
                    let step = asking.answered(Ok(reading), known, RATE, now);
                    steps.push((waiting.write, step, asks_left));
                }
                false
            }
            _ => true,
        });
        if steps.is_empty() {
            let _ = it.known.learn(sent, reading, now);
        }
        let mark = it.known.record.as_ref().map(|record| record.token);
        let fresh = it.known.is_fresh(now);
        match steps
            .iter()
            .any(|(_, step, _)| matches!(step, Step::Ask(_)))
        {
            true => self.tell(Told::TooOld(proxy)),
            false if fresh => self.tell(Told::Learns(proxy, mark)),
            false => self.tell(Told::TooLate(Who::Proxy(proxy))),
        }
        self.aborts_at(proxy);
        for (write, step, asks_left) in steps {
            self.goes_by(proxy, write, step, (now, asks_left));
        }
    }
}

/// The question of a write; `None`: it has no token.
fn question(write: &Write, arrived: Instants) -> Option<Question<'static>> {
    Some(Question {
        presented: Presented {
            token: write.token?,
            holder: Some(Name::holder(write.by).text()),
        },
        access: Access::Write,
        whose: Whose::Ours,
        arrived,
    })
}

/// A request that asked at `sent`, and may ask so many times more: whoever knows nothing asks.
fn asking(write: &Write, sent: Instants, asks_left: u8) -> Option<Asked<'static>> {
    let nothing = Knowledge::<Name>::default();
    let asks = asks_left.saturating_add(1);
    match question(write, sent)?.start(&nothing, RATE, asks, sent) {
        Step::Ask(asking) => Some(asking.sent(sent)),
        _ => None,
    }
}

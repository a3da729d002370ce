//! Several proxies over one authority: each trusts what it knows for a window.
//!
//! This is the plain form, behind the two functions that the proxy calls; the machine of the same
//! name in core is to take its place.

use super::super::keeper::Keeper;
use super::super::mechanism::{Window, WindowFlaw};
use super::super::message::{Payload, Write};
use super::super::stage::Stage;
use super::super::told::Told;
use super::super::who::{Name, Who};
use super::super::world::Known;
use super::judge;
use crate::check::{Access, AfterExpiry, Judgement};
use crate::moment::Moment;
use crate::record::Record;
use crate::verdict::{Reason, Rejection, Verdict};
use core::time::Duration;

const OURS: Judgement = Judgement::Ours {
    after_expiry: AfterExpiry::AdmitUntilSuperseded,
};

/// How long a proxy trusts what it knows.
const fn trust(window: Window) -> Duration {
    Duration::from_millis(window.trust_ms as u64)
}

impl Stage<'_> {
    /// The monotonic and the wall clock of a proxy.
    fn proxy_reads(&self, proxy: u8) -> (Moment, Moment) {
        let clock = self
            .world
            .proxies
            .get(usize::from(proxy))
            .map(|it| it.clock);
        clock.map_or_else(Default::default, |clock| {
            (clock.mono(self.world.now), clock.wall(self.world.now))
        })
    }

    /// Whether knowledge of this age is still trusted.
    fn is_fresh(&self, proxy: u8, (mono, wall): (Moment, Moment), window: Window) -> bool {
        let now = self.proxy_reads(proxy);
        let by_mono = now.0.since(mono) < trust(window);
        // A wall clock that was set back says nothing of age: then nothing is fresh.
        let by_wall = now.1 >= wall && now.1.since(wall) < trust(window);
        by_mono && (by_wall || window.flaw == Some(WindowFlaw::MonotonicOnly))
    }

    pub(super) fn judge_by_window(&mut self, proxy: u8, write: Write, window: Window) {
        let known = self.world.proxies.get(usize::from(proxy));
        let known = known.and_then(|it| it.known.clone());
        if let Some(known) = known {
            let mark = known.record.as_ref().map(|record| record.token);
            // Below a known mark is stale at any age: marks only rise.
            if mark > write.token {
                let verdict = Verdict::Reject(Rejection {
                    reason: Reason::Stale,
                    mark,
                });
                self.follow(proxy, write, verdict, false);
                return;
            }
            let as_known = mark.is_some() && mark == write.token;
            if as_known && self.is_fresh(proxy, (known.mono, known.wall), window) {
                self.judge_by(proxy, write, known.record);
                return;
            }
        }
        self.tell(Told::LooksUp(proxy, write));
        if let Some(it) = self.proxy(proxy) {
            it.waiting.push(write);
        }
        self.ask_authority(proxy);
    }

    fn ask_authority(&mut self, proxy: u8) {
        let (asked, asked_wall) = self.proxy_reads(proxy);
        let ask = Payload::Ask { asked, asked_wall };
        self.send(Who::Proxy(proxy), Who::Issuer, ask);
    }

    fn judge_by(&mut self, proxy: u8, write: Write, record: Option<Record<Name>>) {
        let mut keeper = Keeper {
            record,
            ..Keeper::default()
        };
        let by = (write.by, write.token);
        let now = self.proxy_reads(proxy).0;
        let verdict = judge((&mut keeper, now), by, Access::Write, OURS);
        self.follow(proxy, write, verdict, false);
    }

    /// Takes the authority's answer: knowledge counts from when it was asked for.
    pub(super) fn learns(
        &mut self,
        proxy: u8,
        asked: (Moment, Moment),
        record: Option<Record<Name>>,
    ) {
        let super::Where::Window(window) = self.scenario.mechanism.check else {
            return;
        };
        let now = self.proxy_reads(proxy);
        let from_arrival = window.flaw == Some(WindowFlaw::CountedFromArrival);
        let (mono, wall) = if from_arrival { now } else { asked };
        if !self.is_fresh(proxy, (mono, wall), window) {
            self.tell(Told::TooOld(proxy));
            self.ask_authority(proxy);
            return;
        }
        self.tell(Told::Learns(proxy, record.as_ref().map(|it| it.token)));
        let Some(it) = self.proxy(proxy) else {
            return;
        };
        let older = it.known.as_ref().is_some_and(|known| {
            let mark = |record: &Option<Record<Name>>| record.as_ref().map(|it| it.token);
            mark(&known.record) > mark(&record)
        });
        if !older {
            it.known = Some(Known {
                record: record.clone(),
                mono,
                wall,
            });
        }
        let waiting = core::mem::take(&mut it.waiting);
        for write in waiting {
            self.judge_by(proxy, write, record.clone());
        }
    }
}

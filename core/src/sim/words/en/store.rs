//! What proxies and the store do with a write.

use super::super::super::dialect::Dialect;
use super::super::super::told::Told;
use super::super::super::who::{NOBODY, Who};
use super::super::Words;
use super::{English, capital, mark, name, report, secs, with};
use crate::verdict::Reason;

impl English {
    pub(super) fn at_the_store(self, told: &Told, dialect: Dialect) -> String {
        match *told {
            Told::Admits(who, write, now) => format!(
                "{} lets {}'s write through{} (the mark is {}).",
                capital(&self.who(who)),
                name(write.by),
                with(write.token, dialect),
                mark(now, dialect)
            ),
            Told::Rejects(who, write, Reason::Stale, now) => format!(
                "{} REJECTS {}'s write: {} < {} (stale).",
                capital(&self.who(who)),
                name(write.by),
                mark(write.token, dialect),
                mark(now, dialect)
            ),
            Told::Rejects(who, write, reason, now) => format!(
                "{} REJECTS {}'s write{}: {} (the mark is {}).",
                capital(&self.who(who)),
                name(write.by),
                with(write.token, dialect),
                reason.word(),
                mark(now, dialect)
            ),
            Told::CannotTell(who, write) => format!(
                "{} cannot tell, so {}'s write is not let through.",
                capital(&self.who(who)),
                name(write.by)
            ),
            Told::LooksUp(proxy, write) => format!(
                "{} looks up what is current before {}'s write goes on.",
                capital(&self.who(Who::Proxy(proxy))),
                name(write.by)
            ),
            Told::WriteWaits(proxy, write, ms) => format!(
                "{} cannot let {}'s write through yet: it is to be sent again, {} later at most.",
                capital(&self.who(Who::Proxy(proxy))),
                name(write.by),
                secs(ms)
            ),
            Told::SticksInProxy(proxy, by) => format!(
                "{}'s connection to the store takes nothing: {}'s write sticks in its buffers.",
                capital(&self.who(Who::Proxy(proxy))),
                name(by)
            ),
            Told::Aborts(proxy, by, false) => format!(
                "{} drops {}'s write: no byte of it has left.",
                capital(&self.who(Who::Proxy(proxy))),
                name(by)
            ),
            Told::Aborts(proxy, by, true) => format!(
                "{} resets {}'s write, but its bytes have left: nobody calls them back.",
                capital(&self.who(Who::Proxy(proxy))),
                name(by)
            ),
            Told::Seals(proxy, by) => format!(
                "{} sends {}'s write on, to be stored only if the report is still the same.",
                capital(&self.who(Who::Proxy(proxy))),
                name(by)
            ),
            Told::Learns(proxy, now) => format!(
                "{} learns that the mark is {}.",
                capital(&self.who(Who::Proxy(proxy))),
                mark(now, dialect)
            ),
            Told::TooOld(proxy) => format!(
                "The answer was so long on its way that {} asks again.",
                self.who(Who::Proxy(proxy))
            ),
            Told::ConditionFails(write) => format!(
                "The store REFUSES {}'s write: the report changed since it was looked at.",
                name(write.by)
            ),
            Told::Stores(by, _, over, halves) => {
                let over = over.filter(|other| *other != by);
                let over = over.map_or(String::new(), |other| {
                    format!(" over {}'s version", name(other))
                });
                format!(
                    "The store writes what {} sent{over}: the report is {}.",
                    name(by),
                    report(halves)
                )
            }
            Told::KnowsSequence(by, seq) => format!(
                "The store has {}'s write number {seq} already and drops the copy.",
                name(by)
            ),
            Told::Sticks(by) => format!("The store's disk stalls: {}'s write waits.", name(by)),
            Told::Raised(who, NOBODY, token) => format!(
                "{} raises the mark to {}.",
                capital(&self.who(who)),
                dialect.text(token)
            ),
            Told::Raised(who, by, token) => format!(
                "{} raises the mark to {} for {}.",
                capital(&self.who(who)),
                dialect.text(token),
                name(by)
            ),
            Told::NotRaised(who, by, token, now) => format!(
                "{} refuses {}'s claim of {}: the mark is {}.",
                capital(&self.who(who)),
                name(by),
                dialect.text(token),
                mark(now, dialect)
            ),
            _ => String::new(),
        }
    }
}

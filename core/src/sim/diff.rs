//! What differs between two states, as data.

use super::clock::Millis;
use super::laws::Law;
use super::message::{Half, MessageId};
use super::scenario::Scenario;
use super::who::Who;
use super::world::{Doing, Life, World};
use crate::token::Token;
use serde::{Deserialize, Serialize};

/// One difference: first how it was, then how it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Difference {
    /// True time.
    Now(Millis, Millis),
    /// Whether somebody runs.
    Life(Who, Life, Life),
    /// The token that a holder has.
    Token(u8, Option<Token>, Option<Token>),
    /// Whether a holder believes that it may write.
    Believes(u8, bool, bool),
    /// The line of a holder's script.
    Line(u8, u8, u8),
    /// What a holder does.
    Doing(u8, Doing, Doing),
    /// The mark that somebody keeps.
    Mark(Who, Option<Token>, Option<Token>),
    /// Whose the issuer's record is.
    Holder(Option<u8>, Option<u8>),
    /// The report.
    Report([Half; 2], [Half; 2]),
    /// Its version.
    Version(u16, u16),
    /// A message that is under way now.
    Sent(MessageId, Who, Who),
    /// A message that is not any more.
    Gone(MessageId, Who, Who),
    /// A law that does not hold any more.
    Broken(Law),
    /// A law that holds again.
    Holds(Law),
    /// Something else about somebody: a clock, a record, what it remembers.
    Other(Who),
}

/// Everything that differs.
#[must_use]
pub fn between(scenario: &Scenario, was: &World, is: &World) -> Vec<Difference> {
    let mut found = Vec::new();
    if was.now != is.now {
        found.push(Difference::Now(was.now, is.now));
    }
    services(was, is, &mut found);
    holders(scenario, was, is, &mut found);
    messages(was, is, &mut found);
    for (law, judge) in Law::ALL {
        match (judge(scenario, was).is_ok(), judge(scenario, is).is_ok()) {
            (true, false) => found.push(Difference::Broken(law)),
            (false, true) => found.push(Difference::Holds(law)),
            _ => {}
        }
    }
    found
}

fn services(was: &World, is: &World, found: &mut Vec<Difference>) {
    let mark = |world: &World, who| match who {
        Who::Issuer => world.issuer.keeper.mark(),
        Who::Store => world.store.keeper.mark().or(world.store.sealed),
        Who::Proxy(index) => {
            let proxy = world.proxies.get(usize::from(index));
            proxy.and_then(|proxy| proxy.keeper.mark())
        }
        Who::Holder(_) => None,
    };
    let proxies = (0_u8..)
        .zip(&is.proxies)
        .map(|(index, _)| Who::Proxy(index));
    for who in [Who::Issuer, Who::Store].into_iter().chain(proxies) {
        let from = found.len();
        let lives = (was.life(who), is.life(who));
        if let (Some(was), Some(is)) = lives
            && was != is
        {
            found.push(Difference::Life(who, was, is));
        }
        let marks = (mark(was, who), mark(is, who));
        if marks.0 != marks.1 {
            found.push(Difference::Mark(who, marks.0, marks.1));
        }
        match who {
            Who::Issuer => {
                let holders = (was.issuer.keeper.holder(), is.issuer.keeper.holder());
                if holders.0 != holders.1 {
                    found.push(Difference::Holder(holders.0, holders.1));
                }
            }
            Who::Store => {
                if was.store.halves != is.store.halves {
                    found.push(Difference::Report(was.store.halves, is.store.halves));
                }
                if was.store.version != is.store.version {
                    found.push(Difference::Version(was.store.version, is.store.version));
                }
            }
            _ => {}
        }
        let same = match who {
            Who::Issuer => was.issuer == is.issuer,
            Who::Store => was.store == is.store,
            Who::Proxy(index) => {
                let at = usize::from(index);
                was.proxies.get(at) == is.proxies.get(at)
            }
            Who::Holder(_) => true,
        };
        if !same && found.len() == from {
            found.push(Difference::Other(who));
        }
    }
}

fn holders(scenario: &Scenario, was: &World, is: &World, found: &mut Vec<Difference>) {
    let both = was.holders.iter().zip(&is.holders);
    for (index, (old, new)) in (0_u8..).zip(both) {
        let from = found.len();
        if old.life != new.life {
            found.push(Difference::Life(Who::Holder(index), old.life, new.life));
        }
        if old.token != new.token {
            found.push(Difference::Token(index, old.token, new.token));
        }
        let believes = (was.believes(scenario, index), is.believes(scenario, index));
        if believes.0 != believes.1 {
            found.push(Difference::Believes(index, believes.0, believes.1));
        }
        if old.line != new.line {
            found.push(Difference::Line(index, old.line, new.line));
        }
        if old.doing != new.doing {
            found.push(Difference::Doing(index, old.doing, new.doing));
        }
        if old != new && found.len() == from {
            found.push(Difference::Other(Who::Holder(index)));
        }
    }
}

fn messages(was: &World, is: &World, found: &mut Vec<Difference>) {
    let has = |world: &World, id| world.messages.iter().any(|message| message.id == id);
    for message in &is.messages {
        if !has(was, message.id) {
            found.push(Difference::Sent(message.id, message.from, message.to));
        }
    }
    for message in &was.messages {
        if !has(is, message.id) {
            found.push(Difference::Gone(message.id, message.from, message.to));
        }
    }
}

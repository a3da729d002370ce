//! A step in one short line, without a full stop.

use super::{English, spaced};
use crate::play::kind::Kind;
use crate::play::track::Track;
use crate::words::{Catalogue, Text};
use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::event::Accident;
use fencegate_core::sim::laws::Violation;
use fencegate_core::sim::told::{Explained, Told};
use fencegate_core::sim::who::{Name, Who};
use fencegate_core::token::Token;
use fencegate_core::verdict::Reason;

pub(super) fn headline(track: &Track, step: usize) -> String {
    let Some(event) = track.led_to(step) else {
        return English.text(Text::Beginning).into_owned();
    };
    let mut told = event.told.iter().rev();
    told.find_map(|told| line(track, step, event, told))
        .or_else(|| violated(track, step, event))
        .unwrap_or_else(|| {
            let dialect = track.scenario.dialect();
            let told = event.told.first().unwrap_or(&Told::Nothing);
            first_sentence(English.told(told, dialect))
        })
}

/// What an event broke that corrupts nothing yet.
fn violated(track: &Track, step: usize, event: &Explained) -> Option<String> {
    let law = event.broken.first()?;
    let name = |holder| Name::holder(holder).text();
    match law.judge(&track.scenario, track.world(step)).err()? {
        Violation::Believes(old, new) => Some(format!(
            "{} still thinks that it may write, and {} has the lease",
            name(old),
            name(new)
        )),
        Violation::Grants(first, second) if first.token == second.token => {
            let token = track.scenario.dialect().text(second.token?);
            let (first, second) = (name(first.holder), name(second.holder));
            Some(format!("{first} and {second} both have {token}"))
        }
        Violation::MarkFell(now, before) => {
            let dialect = track.scenario.dialect();
            let (now, before) = (dialect.text(now), dialect.text(before));
            Some(format!("The mark fell from {before} to {now}"))
        }
        Violation::NobodySince(at) => {
            let since = about(track.time(step) - at);
            Some(format!("Nobody has had the lease for {since}"))
        }
        _ => None,
    }
}

/// The first sentence of a text, without its full stop.
pub(super) fn first_sentence(mut text: String) -> String {
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let ends = matches!(bytes.get(at + 1), None | Some(b' '));
        if *byte == b'.' && ends {
            text.truncate(at);
            break;
        }
    }
    text
}

/// What has a pattern of its own.
fn line(track: &Track, step: usize, event: &Explained, told: &Told) -> Option<String> {
    match *told {
        Told::Stores(by, _, over, _) if corrupts(event) => {
            let writer = Name::holder(by).text();
            let whose = over.filter(|other| *other != by);
            let what = match whose {
                Some(other) => format!("overwrote {}'s report.pdf", Name::holder(other).text()),
                None => "wrote to report.pdf out of turn".to_owned(),
            };
            Some(match absence(track, step, by) {
                Some((Away::Paused, ms)) => {
                    format!("{writer} woke up after {} and {what}", about(ms))
                }
                Some((Away::Stalled, ms)) => {
                    format!("{writer}'s disk let go after {} and {what}", about(ms))
                }
                Some((Away::Cut, ms)) => format!("{writer}, cut off for {}, {what}", about(ms)),
                None => format!("{writer} {what}"),
            })
        }
        Told::Rejects(who, write, reason, mark) => {
            let dialect = track.scenario.dialect();
            let number = |token: Option<Token>| token.map_or("?".to_owned(), |it| dialect.text(it));
            let why = match reason {
                Reason::Stale => format!("{} < {}", number(write.token), number(mark)),
                _ => spaced(reason.word()),
            };
            let who = capital(&English.who(who));
            let by = Name::holder(write.by).text();
            Some(format!("{who} rejects {by}'s write: {why}"))
        }
        Told::ConditionFails(write) => Some(format!(
            "The store refuses {}'s write: the report changed in between",
            Name::holder(write.by).text()
        )),
        _ => None,
    }
}

fn corrupts(event: &Explained) -> bool {
    event.broken.iter().any(|law| Kind::is_of_the_data(*law))
}

/// What kept a writer from writing.
#[derive(Clone, Copy)]
enum Away {
    Paused,
    Stalled,
    Cut,
}

/// What kept a holder from writing before this step, and for how long: until it ended, or until now.
fn absence(track: &Track, step: usize, by: u8) -> Option<(Away, Millis)> {
    let me = Who::Holder(by);
    let mut until = track.time(step);
    for event in track.events[..step].iter().rev() {
        for told in &event.told {
            let Told::Befell(accident) = *told else {
                continue;
            };
            let away = match accident {
                Accident::Resume(who) | Accident::Unstall(who) if who == me => {
                    until = event.at;
                    continue;
                }
                Accident::Heal { from, to } if from == me || to == me => {
                    until = event.at;
                    continue;
                }
                Accident::Pause { who, .. } if who == me => Away::Paused,
                Accident::Stall(who) if who == me => Away::Stalled,
                Accident::Cut { from, to } if from == me || to == me => Away::Cut,
                _ => continue,
            };
            return Some((away, until - event.at));
        }
    }
    None
}

/// A length of time as one says it: "35 s", and "0.4 s" where it is short.
fn about(ms: Millis) -> String {
    if ms < 10_000 && ms % 1000 >= 100 {
        English.lasts(ms)
    } else {
        format!("{} s", (ms + 500) / 1000)
    }
}

fn capital(text: &str) -> String {
    let mut capital = text.to_owned();
    if let Some(first) = capital.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    capital
}

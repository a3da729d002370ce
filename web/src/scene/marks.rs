//! What happened at an instant, on somebody's lane.

use super::along::Along;
use super::lanes::{self, Lane};
use crate::play::kind::Kind;
use crate::play::track::Track;
use fencegate_core::sim::event::{Accident, What};
use fencegate_core::sim::message::{Half, Payload, Write};
use fencegate_core::sim::told::Told;
use fencegate_core::sim::who::Who;
use fencegate_core::token::Token;

/// What a mark means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A write was stored, and nothing was broken by it: what the report is now.
    Stored([Half; 2]),
    /// A write was stored that corrupts the data: what the report is now.
    Corrupted([Half; 2]),
    /// A write was let through.
    Admitted,
    /// A write was rejected: what it carried, and the mark.
    Rejected(Option<Token>, Option<Token>),
    /// The store's own condition failed.
    Refused,
    /// Somebody could not decide.
    Undecided,
    /// Something befell somebody that no bar shows.
    Fault(Accident),
    /// A law was broken here.
    Broken,
}

/// A mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// On whose lane.
    pub who: Who,
    /// Where.
    pub at_px: (i32, i32),
    /// What it means.
    pub meaning: Meaning,
    /// The step that it belongs to.
    pub step: usize,
}

/// Every mark of a track, in order.
#[must_use]
pub fn of(track: &Track, along: &Along<'_>, lanes: &[Lane]) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (step, event) in (1..).zip(&track.events) {
        let corrupts = corrupts(track, step);
        let mut put = |who, meaning| {
            marks.push(Mark {
                who,
                at_px: (along.step(step), lanes::y_of(lanes, who)),
                meaning,
                step,
            });
        };
        for told in &event.told {
            match meaning(told, corrupts) {
                // Where the store checks and stores, the tick says both.
                Some((Who::Store, Meaning::Admitted)) | None => {}
                Some((who, meaning)) => put(who, meaning),
            }
        }
        if !event.broken.is_empty() {
            put(event.who, Meaning::Broken);
        }
    }
    marks
}

const fn meaning(told: &Told, corrupts: bool) -> Option<(Who, Meaning)> {
    Some(match *told {
        Told::Stores(_, _, _, halves) if corrupts => (Who::Store, Meaning::Corrupted(halves)),
        Told::Stores(_, _, _, halves) => (Who::Store, Meaning::Stored(halves)),
        Told::Admits(who, ..) => (who, Meaning::Admitted),
        Told::Rejects(who, Write { token, .. }, _, mark) => (who, Meaning::Rejected(token, mark)),
        Told::ConditionFails(_) => (Who::Store, Meaning::Refused),
        Told::CannotTell(who, _) => (who, Meaning::Undecided),
        Told::Befell(accident) if !is_seen(accident) => {
            (accident.about()[0], Meaning::Fault(accident))
        }
        _ => return None,
    })
}

/// Whether a bar shows what befell somebody.
const fn is_seen(accident: Accident) -> bool {
    matches!(
        accident,
        Accident::Pause { .. }
            | Accident::Resume(_)
            | Accident::Crash(_)
            | Accident::Restart { .. }
    )
}

/// Whether a write that was stored at a step corrupted the data: a law about the data was broken,
/// or it came after a newer holder's.
fn corrupts(track: &Track, step: usize) -> bool {
    let Some(event) = track.led_to(step) else {
        return false;
    };
    event.broken.iter().any(|law| Kind::is_of_the_data(*law)) || is_late(track, step)
}

fn is_late(track: &Track, step: usize) -> bool {
    let before = track.world(step - 1);
    let What::Deliver(id) = track.log[step - 1].what else {
        return false;
    };
    let message = before.messages.iter().find(|message| message.id == id);
    message.is_some_and(|message| match &message.payload {
        Payload::Write(write) => write.turn < before.witness.landed,
        _ => false,
    })
}

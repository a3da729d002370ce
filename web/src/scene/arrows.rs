//! The messages: slanted lines from lane to lane.

use super::along::Along;
use super::lanes::{self, Lane};
use crate::play::track::Track;
use fencegate_core::sim::event::{MessageId, What};
use fencegate_core::sim::mechanism::Tokens;
use fencegate_core::sim::message::{Answer, Message, Payload};
use fencegate_core::sim::told::Told;
use fencegate_core::sim::who::Who;
use fencegate_core::token::Token;

/// What a message is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Something is asked for.
    Request,
    /// A write.
    Write,
    /// An answer that it was done.
    Answer,
    /// An answer that it was not.
    Refusal,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It arrived, at this step.
    Arrived(usize),
    /// It arrived at this step, and was a write that is not let through.
    Blocked(usize),
    /// It was lost, at this step.
    Lost(usize),
    /// It is under way when the story ends.
    UnderWay,
}

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// Its number.
    pub message: MessageId,
    /// From whom.
    pub from: Who,
    /// To whom.
    pub to: Who,
    /// Where it leaves.
    pub from_px: (i32, i32),
    /// Where it arrives.
    pub to_px: (i32, i32),
    /// What it is for.
    pub kind: Kind,
    /// The token that it carries where that matters; `Some(None)`: a write without one.
    pub token: Option<Option<Token>>,
    /// The step that sent it.
    pub sent: usize,
    /// How it ended.
    pub end: End,
}

impl Arrow {
    /// The step at which it was there no more.
    #[must_use]
    pub const fn ended(&self) -> Option<usize> {
        match self.end {
            End::Arrived(step) | End::Blocked(step) | End::Lost(step) => Some(step),
            End::UnderWay => None,
        }
    }
}

/// Every message of a track.
#[must_use]
pub fn of(track: &Track, along: &Along<'_>, lanes: &[Lane]) -> Vec<Arrow> {
    let (mut arrows, mut known) = (Vec::new(), 0);
    for (step, world) in track.worlds.iter().enumerate() {
        for message in &world.messages {
            if step > 0 && message.id >= known {
                arrows.push(arrow(track, along, lanes, message, step));
            }
        }
        known = world.next_message;
    }
    arrows
}

fn arrow(
    track: &Track,
    along: &Along<'_>,
    lanes: &[Lane],
    message: &Message,
    sent: usize,
) -> Arrow {
    let end = end(track, message.id, sent);
    let (x, y) = (along.step(sent), lanes::y_of(lanes, message.from));
    let to_y = lanes::y_of(lanes, message.to);
    let to_px = match end {
        End::Arrived(step) | End::Blocked(step) => (along.step(step), to_y),
        End::Lost(step) => (i32::midpoint(x, along.step(step)), i32::midpoint(y, to_y)),
        End::UnderWay => {
            let world = track.world(track.last());
            let way = part(to_y - y, message, world.now);
            (along.step(track.last()), y + way)
        }
    };
    // Where nobody looks at tokens, a grant's own number says nothing; a write without one does.
    let carried = track.scenario.mechanism.tokens != Tokens::None;
    let matters = |_: &Option<Token>| carried || matches!(message.payload, Payload::Write(_));
    Arrow {
        message: message.id,
        from: message.from,
        to: message.to,
        from_px: (x, y),
        to_px,
        kind: kind(&message.payload),
        token: token(&message.payload).filter(matters),
        sent,
        end,
    }
}

/// How much of a distance a message has behind it at a true time, if nothing comes between.
#[must_use]
pub fn part(distance: i32, message: &Message, now: u32) -> i32 {
    let whole = i64::from(message.due.saturating_sub(message.sent).max(1));
    let passed = i64::from(now.saturating_sub(message.sent)).min(whole);
    (i64::from(distance) * passed / whole) as i32
}

fn end(track: &Track, id: MessageId, sent: usize) -> End {
    for step in sent + 1..=track.last() {
        match track.log[step - 1].what {
            What::Lose(message) if message == id => return End::Lost(step),
            What::Deliver(message) | What::Duplicate(message) if message == id => {
                return arrived(&track.events[step - 1].told, step);
            }
            _ => {}
        }
    }
    End::UnderWay
}

fn arrived(told: &[Told], step: usize) -> End {
    let mut end = End::Arrived(step);
    for told in told {
        if matches!(told, Told::LostMessage(..)) {
            return End::Lost(step);
        }
        if is_blocked(told) {
            end = End::Blocked(step);
        }
    }
    end
}

/// Whether a write is not let through.
#[must_use]
const fn is_blocked(told: &Told) -> bool {
    matches!(
        told,
        Told::Rejects(..) | Told::ConditionFails(_) | Told::CannotTell(..)
    )
}

/// What a message is for.
#[must_use]
pub const fn kind(payload: &Payload) -> Kind {
    match payload {
        Payload::Write(_) => Kind::Write,
        Payload::Acquire { .. }
        | Payload::Renew { .. }
        | Payload::Release { .. }
        | Payload::Claim { .. }
        | Payload::Read { .. }
        | Payload::Ask { .. } => Kind::Request,
        Payload::Held { .. }
        | Payload::Over
        | Payload::Lost
        | Payload::NotNow
        | Payload::Claimed { raised: false, .. } => Kind::Refusal,
        Payload::Answer { answer, .. } if !matches!(answer, Answer::Stored { .. }) => Kind::Refusal,
        _ => Kind::Answer,
    }
}

/// The token that a message carries where that matters.
#[must_use]
pub const fn token(payload: &Payload) -> Option<Option<Token>> {
    match payload {
        Payload::Write(write) => Some(write.token),
        Payload::Granted { token, .. } | Payload::Claim { token, .. } => Some(Some(*token)),
        _ => None,
    }
}

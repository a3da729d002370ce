//! The messages: slanted lines from lane to lane.

use super::lanes::{self, Lane};
use crate::play::axis::Axis;
use crate::play::track::Track;
use fencegate_core::sim::event::MessageId;
use fencegate_core::sim::message::Payload;
use fencegate_core::sim::who::Who;
use fencegate_core::token::Token;

/// What a message is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// About the lease: asked, granted, renewed, given back.
    Lease,
    /// A look at the report or at the mark.
    Read,
    /// A write.
    Write,
    /// An answer that it was done.
    Done,
    /// An answer that it was refused.
    Refused,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It arrived, at this step.
    Arrived(usize),
    /// It was lost, at this step.
    Lost(usize),
    /// It is under way when the story ends.
    UnderWay,
}

/// A message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrow {
    /// Its number.
    pub message: MessageId,
    /// From whom.
    pub from: Who,
    /// To whom.
    pub to: Who,
    /// Where it leaves.
    pub from_px: (f64, f64),
    /// Where it arrives.
    pub to_px: (f64, f64),
    /// What it is for.
    pub kind: Kind,
    /// The token that it carries.
    pub token: Option<Token>,
    /// How it ended.
    pub end: End,
    /// The step that sent it.
    pub sent: usize,
}

/// Every message of a track.
#[must_use]
pub fn of(
    track: &Track,
    axis: &Axis,
    lanes: &[Lane],
    x_of_step: &impl Fn(usize) -> f64,
) -> Vec<Arrow> {
    let _ = (track, axis, x_of_step(0), lanes::y_of(lanes, Who::Store));
    Vec::new()
}

/// What a message is for.
#[must_use]
pub const fn kind(payload: &Payload) -> Kind {
    match payload {
        Payload::Write(_) => Kind::Write,
        _ => Kind::Lease,
    }
}

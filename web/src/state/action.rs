//! What a visitor can do, and what the page does by itself.

use super::open::{Chosen, Notice, Panel, Theme, View};
use crate::play::guard::Switch;
use crate::play::kind::Kind;
use crate::play::playhead::Speed;
use crate::play::range::Parameter;
use crate::play::subject::Subject;
use fencegate_core::sim::event::What;
use fencegate_core::sim::timeline::BranchId;

/// What can be done.
#[derive(Debug)]
pub enum Action {
    /// Show what a link names, or say why that cannot be; an empty one changes nothing.
    Follow(String),
    /// Play, or pause.
    Play(bool),
    /// So many milliseconds went by while it plays.
    Tick(f64),
    /// It is time for the next event, where motion is not wanted.
    Beat,
    /// A key was pressed, and whether with shift.
    Key(String, bool),
    /// One event on, or back.
    Step(Direction),
    /// Go to a place of the common order.
    Seek(usize),
    /// Go to the next event of a kind.
    Jump(Kind, Direction),
    /// Go to the first event that breaks a law.
    ToBroken,
    /// Go to a step of the run at this index.
    ToStep(usize, usize),
    /// Play at this speed.
    Speed(Speed),
    /// Open the menu of an actor or a message, or close it.
    Choose(Option<Chosen>),
    /// Let something happen here: it forks a branch.
    Befall(What),
    /// Show a branch.
    Branch(BranchId),
    /// Set a switch of the mechanism.
    Switch(Switch),
    /// Turn the check of tokens on, or off.
    Fence(bool),
    /// Undo every switch and slider.
    AsTold,
    /// Set a parameter.
    Set(Parameter, i32),
    /// Show this beside the others.
    Beside(Subject),
    /// Show another branch of the first run beside the others.
    BesideBranch(BranchId),
    /// Show the run at this index no more.
    Apart(usize),
    /// Show this on a narrow screen.
    View(View),
    /// Lay this over the page, or nothing.
    Panel(Option<Panel>),
    /// Use these colours.
    Theme(Theme),
    /// Be part of another page.
    Embed(bool),
    /// Tell the visitor, or stop telling.
    Notice(Option<Notice>),
}

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To what was.
    Back,
    /// To what follows.
    Forward,
}

//! What is open on the page, and what it tells the visitor.

use crate::link::LinkError;
use fencegate_core::sim::event::MessageId;
use fencegate_core::sim::who::Who;

/// Whose menu is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// An actor's.
    Actor(Who),
    /// A message's that is under way.
    Message(MessageId),
}

/// What a narrow screen shows: one at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The lanes over time.
    #[default]
    Lanes,
    /// The actors and what is between them.
    Nodes,
    /// The events as a table.
    Log,
}

/// What lies over the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    /// The keys.
    Keys,
    /// The link to this moment.
    Link,
}

/// The colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system has them.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// What the visitor should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The link could not be followed.
    BadLink(LinkError),
    /// The link to this moment would be too long.
    LinkTooLong,
    /// The link is in the clipboard.
    Copied,
    /// There is no such event from here.
    NoSuchEvent,
    /// There are as many edits as there may be.
    TooManyEdits,
    /// There are as many beside each other as there may be.
    TooManyBeside,
    /// With these switches the scenario cannot be played.
    CannotBePlayed,
}

impl Chosen {
    /// Whether it is a message, which may be gone at the next step.
    #[must_use]
    pub const fn is_message(self) -> bool {
        matches!(self, Self::Message(_))
    }
}

impl Theme {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    /// The choice after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }
}

impl View {
    /// Every view.
    pub const ALL: [Self; 3] = [Self::Lanes, Self::Nodes, Self::Log];
}

/// What the page is opened with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    /// What stands behind the `#` of its address.
    pub fragment: String,
    /// Whether it is part of another page.
    pub embedded: bool,
    /// The code of its language; empty: English.
    pub language: String,
    /// The colours that were chosen before.
    pub theme: Theme,
}

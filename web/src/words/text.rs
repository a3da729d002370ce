//! The fixed texts, by what they are for.

/// A fixed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// The name of the project.
    Name,
    /// What the page is, in a line.
    Lead,
    /// The button that plays.
    Play,
    /// The button that pauses.
    Pause,
    /// One event back.
    StepBack,
    /// One event on.
    StepForward,
    /// To the first event that breaks a law.
    ToBroken,
    /// The slider over time.
    Timeline,
    /// How fast.
    Speed,
    /// The button that turns the check of tokens on.
    TurnFencingOn,
    /// The button that turns it off.
    TurnFencingOff,
    /// The gallery.
    Stories,
    /// The lanes.
    Lanes,
    /// The picture of the actors.
    Nodes,
    /// The table of events.
    Log,
    /// The laws.
    Laws,
    /// A law that holds.
    Holds,
    /// A law that is broken.
    IsBroken,
}

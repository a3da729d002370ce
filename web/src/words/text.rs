//! The fixed texts, by what they are for.

/// A fixed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// The name of the project.
    Name,
    /// What the page is, in a line.
    Lead,
    /// Before anything happened.
    Beginning,
    /// The group of the player's buttons.
    Player,
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
    /// What opens the speeds and jumps.
    More,
    /// The link to this moment.
    Link,
    /// What the link does.
    LinkDoes,
    /// The button that turns the check of tokens on.
    TurnFencingOn,
    /// The button that turns it off.
    TurnFencingOff,
    /// What a narrow screen shows.
    Views,
    /// The lanes.
    Lanes,
    /// The picture of the actors.
    Nodes,
    /// The table of events.
    Log,
    /// A column: when.
    When,
    /// A column: who.
    Who,
    /// A column: what happened.
    What,
    /// A column: what it broke.
    Breaks,
    /// What an event broke.
    BreaksNow,
    /// The law at stake.
    AtStake,
    /// The laws.
    Laws,
    /// A column: the law.
    Law,
    /// A law that holds.
    Holds,
    /// The gallery.
    Stories,
    /// What the gallery is.
    StoriesLead,
    /// A variant that goes wrong.
    Broken,
    /// A variant that does not.
    Mended,
    /// A variant that breaks no law as it is told, and does at other instants.
    OnlyAsTold,
    /// The menus of what may happen.
    Faults,
    /// What that does.
    FaultsLead,
    /// The branches of what a visitor let happen.
    Branches,
    /// Shows something beside.
    Beside,
    /// The switches.
    Guard,
    /// A switch: where tokens are checked.
    CheckedAt,
    /// A check by a window.
    ByWindow,
    /// A check at the store by claims.
    ByClaim,
    /// A switch: the lease.
    Lease,
    /// A switch: whether grants wait.
    Drain,
    /// A switch: the store's own condition.
    Condition,
    /// A switch: whether holders stop by their timer.
    StopsAtExpiry,
    /// A switch: what holders do when they are refused.
    OnRefusal,
    /// A switch that is on.
    On,
    /// A switch that is off.
    Off,
    /// Undoes every switch and slider.
    AsTold,
    /// What is beside each other.
    Compare,
    /// What comparing does.
    CompareLead,
    /// Takes one away.
    Apart,
    /// The reading guide.
    Guide,
    /// The keys.
    Keys,
    /// The colours.
    Theme,
    /// As the system has them.
    ThemeSystem,
    /// Light.
    ThemeLight,
    /// Dark.
    ThemeDark,
    /// Closes a panel, a menu or a notice.
    Close,
    /// At the end of the page.
    Footer,
}

//! What the page says of itself: its keys and its notices.

use crate::link::LinkError;
use crate::state::keys::Key;
use crate::state::{Direction, Notice};

pub(super) fn notice(notice: &Notice) -> String {
    let text = match notice {
        Notice::BadLink(LinkError::Version(version)) => {
            return format!(
                "This link is of version {version}, which this page does not know yet. You see what was here before."
            );
        }
        Notice::BadLink(LinkError::NoStory(name)) => {
            return format!("There is no story named {name}. You see what was here before.");
        }
        Notice::BadLink(LinkError::TooLong) => "This link is too long to be one of this page's.",
        Notice::BadLink(LinkError::Damaged) => {
            "This link is damaged: a part of it may be missing. You see what was here before."
        }
        Notice::BadLink(LinkError::CannotBePlayed) => {
            "What this link names cannot be played. You see what was here before."
        }
        Notice::LinkTooLong => {
            "Too much was changed here for a link: it would be longer than every browser and chat carries. Take something away, or begin from the story as told."
        }
        Notice::Copied => "The link is copied.",
        Notice::NoSuchEvent => "There is none from here.",
        Notice::TooManyEdits => "There are as many branches as there may be.",
        Notice::TooManyBeside => "Four are beside each other already: take one away first.",
        Notice::CannotBePlayed => "With these switches the story cannot be played.",
    };
    text.to_owned()
}

pub(super) const fn key(key: Key) -> &'static str {
    match key {
        Key::PlayOrPause => "Play or pause",
        Key::Step(Direction::Back) => "One event back",
        Key::Step(Direction::Forward) => "One event on",
        Key::Fault(Direction::Back) => "To the fault before",
        Key::Fault(Direction::Forward) => "To the next fault",
        Key::Beginning => "To the beginning",
        Key::End => "To the end",
        Key::ToBroken => "To the first broken law",
        Key::Fence => "Fencing on or off",
        Key::Speed(_) => "Speed",
        Key::Link => "Link to this moment",
        Key::Theme => "Next colours",
        Key::Help => "These keys",
        Key::Close => "Close what is open",
    }
}

pub(super) fn cap(name: &str, shift: bool) -> String {
    let name = match name {
        " " => "Space",
        "ArrowLeft" => "\u{2190}",
        "ArrowRight" => "\u{2192}",
        name => name,
    };
    if shift {
        format!("Shift {name}")
    } else {
        name.to_owned()
    }
}

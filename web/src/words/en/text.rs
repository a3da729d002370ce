//! The fixed texts.

use crate::words::Text;

pub(super) const fn text(text: Text) -> &'static str {
    match text {
        Text::Name => "Fencegate",
        Text::Lead => {
            "Why a leader that only paused is worse than one that died, and what stops it: step by step."
        }
        Text::Beginning => "Nothing has happened yet",
        Text::Player => "Player",
        Text::Play => "Play",
        Text::Pause => "Pause",
        Text::StepBack => "One event back",
        Text::StepForward => "One event on",
        Text::ToBroken => "To the first broken law",
        Text::Timeline => "Time",
        Text::Speed => "Speed",
        Text::More => "More",
        Text::Link => "Link to this moment",
        Text::LinkDoes => {
            "It brings back this very moment, with every switch and every branch. It is kept nowhere but in the link itself."
        }
        Text::TurnFencingOn => "Turn fencing on",
        Text::TurnFencingOff => "Turn fencing off",
        Text::Views => "View",
        Text::Lanes => "Lanes",
        Text::Nodes => "Actors",
        Text::Log => "Events",
        Text::When => "When",
        Text::Who => "Who",
        Text::What => "What happened",
        Text::Breaks => "Breaks",
        Text::BreaksNow => "Broken by this:",
        Text::AtStake => "At stake:",
        Text::Laws => "Laws at this instant",
        Text::Law => "Law",
        Text::Holds => "holds",
        Text::Stories => "Stories",
        Text::StoriesLead => {
            "Each in its broken and its mended variants. All of them run on the same code."
        }
        Text::Broken => "broken",
        Text::Mended => "mended",
        Text::OnlyAsTold => "holds only as told",
        Text::Faults => "What shall befall whom?",
        Text::FaultsLead => "It happens now, in a branch of its own; the old future stays.",
        Text::Branches => "Branches",
        Text::Beside => "Beside it:",
        Text::Guard => "What guards the report?",
        Text::CheckedAt => "Tokens are checked",
        Text::ByWindow => "at several proxies, by a window",
        Text::ByClaim => "at the store, by claims",
        Text::Lease => "The lease is measured",
        Text::Drain => "A grant waits for writes under way",
        Text::Condition => "The store's own condition",
        Text::StopsAtExpiry => "Holders stop by their own timer",
        Text::OnRefusal => "Who is refused",
        Text::On => "yes",
        Text::Off => "no",
        Text::AsTold => "As the story tells it",
        Text::Compare => "Compare",
        Text::CompareLead => "Shown beside each other, up to four, and scrubbed together.",
        Text::Apart => "Take away",
        Text::Guide => "Leases and fencing: what to know, and what goes wrong",
        Text::Keys => "Keys",
        Text::Theme => "Colours",
        Text::ThemeSystem => "System",
        Text::ThemeLight => "Light",
        Text::ThemeDark => "Dark",
        Text::Close => "Close",
        Text::Footer => {
            "Decided in your browser by the code that runs in the proxy. Nothing is sent anywhere."
        }
    }
}

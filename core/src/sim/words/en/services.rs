//! What proxies, the store and the network do.

use super::super::super::told::Told;
use super::super::super::who::NOBODY;
use super::accidents;
use crate::verdict::Reason;

/// The sentence, of which [`super::super::gap::of`] knows the gaps.
pub(super) const fn text(told: &Told) -> &'static str {
    match told {
        Told::Passes(_) => "{0} passes it on.",
        Told::Admits(..) => "{0} lets {1}'s write through{2} (the mark is {3}).",
        Told::Rejects(_, _, Reason::Stale, _) => "{0} REJECTS {1}'s write: {4} < {3} (stale).",
        Told::Rejects(..) => "{0} REJECTS {1}'s write{2}: {5} (the mark is {3}).",
        Told::CannotTell(..) => "{0} cannot tell, so {1}'s write is not let through.",
        Told::LooksUp(..) => "{0} looks up what is current before {1}'s write goes on.",
        Told::WriteWaits(..) => {
            "{0} cannot let {1}'s write through yet: it is to be sent again, {2} later at most."
        }
        Told::SticksInProxy(..) => {
            "{0}'s connection to the store takes nothing: {1}'s write sticks in its buffers."
        }
        Told::Aborts(_, _, false) => "{0} drops {1}'s write: no byte of it has left.",
        Told::Aborts(..) => {
            "{0} resets {1}'s write, but its bytes have left: nobody calls them back."
        }
        Told::Seals(..) => {
            "{0} sends {1}'s write on, to be stored only if the report is still the same."
        }
        Told::Learns(..) => "{0} learns that the mark is {1}.",
        Told::TooOld(_) => "The answer was so long on its way that {0} asks again.",
        Told::ConditionFails(_) => {
            "The store REFUSES {0}'s write: the report changed since it was looked at."
        }
        Told::Stores(by, _, Some(over), _) if *over != *by => {
            "The store writes what {0} sent over {2}'s version: the report is {1}."
        }
        Told::Stores(..) => "The store writes what {0} sent: the report is {1}.",
        Told::KnowsSequence(..) => {
            "The store has {0}'s write number {1} already and drops the copy."
        }
        Told::Sticks(_) => "The store's disk stalls: {0}'s write waits.",
        Told::Raised(_, NOBODY, _) => "{0} raises the mark to {2}.",
        Told::Raised(..) => "{0} raises the mark to {2} for {1}.",
        Told::NotRaised(..) => "{0} refuses {1}'s claim of {2}: the mark is {3}.",
        Told::TooLate(_) => "An answer reaches {0} that nobody waits for any more.",
        Told::LostMessage(_, _, true) => "A message from {0} to {1} is lost: the link is cut.",
        Told::LostMessage(..) => "A message from {0} to {1} is lost.",
        Told::CameTwice(..) => "A message from {0} to {1} comes twice.",
        Told::Delayed(..) => "A message from {0} to {1} is held up for {2}.",
        Told::Befell(accident) => accidents::text(*accident),
        Told::StaysOff(_) => "{0} stays off: there is no process to wake up.",
        Told::Nothing => "Nothing comes of it.",
        _ => "",
    }
}

//! What a holder does, hears and believes.

use super::super::super::told::Told;
use crate::tenure::Why;

/// The sentence, of which [`super::super::gap::of`] knows the gaps.
pub(super) const fn text(told: &Told) -> Option<&'static str> {
    Some(match told {
        Told::Asks(_, false) => "{0} asks for the lease.",
        Told::Asks(..) => "{0} asks for the lease again.",
        Told::Gets(_, _, 0) => "{0} begins to think that it may write{1}.",
        Told::Gets(..) => "{0} gets the lease{1}, and may believe in it for {2}.",
        Told::ArrivedDead(_) => "The grant reached {0} too late.",
        Told::Waits(..) => "{0} waits {1}.",
        Told::Renews(_) => "{0} renews.",
        Told::Kept(_) => "{0} keeps its lease.",
        Told::Stops(_, _, Why::Abdicated) => {
            "{0}'s own clock says that its lease with {1} is over: it stops by itself."
        }
        Told::Stops(..) => "{0} hears that its lease with {1} is lost, and stops.",
        Told::Ignores(_) => "{0}'s lease is over, but {0} never looks at the clock.",
        Told::Picks(..) => "{0} takes {1} for its token: nobody issued it.",
        Told::Reads(_) => "{0} reads the report.",
        Told::Answers(_) => "The store shows {0} the report.",
        Told::Shows(..) => "{0} sees version {1}: {2}.",
        Told::Works(..) => "{0} works for {1}.",
        Told::StartsWriting(_, _, None) => "{0} starts to write {1}.",
        Told::StartsWriting(..) => "{0} looks at its lease ({2} left) and starts to write {1}.",
        Told::MayNotWrite(_) => "{0} looks at its lease: it is over, so nothing is written.",
        Told::BytesLeave(_, 0) => "{0}'s write leaves{1}.",
        Told::BytesLeave(..) => "{0}'s write leaves{1}, {2} after it should have.",
        Told::Learned(_) => "{0} hears that its write is stored.",
        Told::RefusedStops(_, Some(_)) => "{0} is refused ({1} is current) and stops.",
        Told::RefusedStops(..) => "{0} is refused and stops.",
        Told::RefusedRetries(_) => "{0} is refused and will send the same write again, blindly.",
        Told::RefusedPicks(..) => {
            "{0} is refused and takes {1} for its token, which nobody granted."
        }
        Told::RefusedRenounces(_) => "{0} is refused and begins anew, with a new lease.",
        Told::Repeats(_) => "{0} sends it again.",
        Told::GivesUp(_) => "{0} gives up.",
        Told::Claims(..) => "{0} claims the mark {1}.",
        Told::GoesUnfenced(_) => "{0} has no answer to its claim and goes on all the same.",
        Told::Fenced(_) => "{0} knows that everything older is fenced.",
        Told::Releases(_) => "{0} gives its lease back.",
        Told::GaveBack(_) => "{0} is rid of the lease.",
        Told::Woken(_) => "{0} is woken.",
        Told::Done(_) => "{0} is done.",
        _ => return None,
    })
}

//! What befalls somebody.

use super::super::super::event::{Accident, Native};
use super::super::super::who::Who;

/// The sentence. Its gaps: whom it befalls, or from whom and to whom; and by how much.
pub(super) const fn text(accident: Accident) -> &'static str {
    match accident {
        Accident::Pause {
            clock_stops: false, ..
        } => "{0} is paused. It does not notice.",
        Accident::Pause { .. } => "{0}'s machine is suspended, its clock with it.",
        Accident::Resume(_) => "{0} wakes up and goes on where it was.",
        Accident::Crash(_) => "{0} crashes.",
        Accident::Restart {
            with_memory: true, ..
        } => "{0} starts again, with what it knew.",
        Accident::Restart { .. } => "{0} starts again and knows nothing of before.",
        Accident::Cut { .. } => "From {0} to {1} nothing arrives any more.",
        Accident::Heal { .. } => "From {0} to {1} messages arrive again.",
        Accident::Slow { by_ms: 0, .. } => "From {0} to {1} messages are as fast as before.",
        Accident::Slow { .. } => "From {0} to {1} messages take {2} longer.",
        Accident::LoseNext { .. } => "The next message from {0} to {1} will be lost.",
        Accident::DuplicateNext { .. } => "The next message from {0} to {1} will come twice.",
        Accident::Stall(Who::Proxy(_)) => "{0}'s connection to the store takes nothing any more.",
        Accident::Unstall(Who::Proxy(_)) => "{0}'s connection to the store takes bytes again.",
        Accident::Stall(_) => "{0}'s disk does not answer any more.",
        Accident::Unstall(_) => "{0}'s disk goes on.",
        Accident::StepClock { by_ms: ..0, .. } => "{0}'s wall clock is set back by {2}.",
        Accident::StepClock { .. } => "{0}'s wall clock is set forward by {2}.",
        Accident::Drift { rate_ppm: ..0, .. } => {
            "{0}'s clock runs {2} millionths too slow from now on."
        }
        Accident::Drift { .. } => "{0}'s clock runs {2} millionths too fast from now on.",
        Accident::Snapshot => "A snapshot of the issuer is taken.",
        Accident::Restore => "The issuer is set back to its snapshot.",
        Accident::Break => "An operator ends the lease.",
        Accident::Native(native) => of_one_system(native),
    }
}

const fn of_one_system(native: Native) -> &'static str {
    match native {
        Native::AbortTransaction => {
            "The coordinator aborts the open transaction and raises the producer's epoch."
        }
        Native::CloseSession(_) => {
            "{2}'s session is closed: its ephemeral lock node is deleted at once."
        }
        Native::OtherKeys(_) => "{2} other keys are written: the revision rises by {2}.",
        Native::DeleteLeaseObject => "Somebody deletes the Lease object.",
        Native::FlushBuffers(_) => {
            "The path to {2}'s node comes back, and its buffers are flushed."
        }
    }
}

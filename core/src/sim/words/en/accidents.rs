//! What befalls somebody.

use super::super::super::event::{Accident, Native};
use super::super::super::who::Who;
use super::super::Words;
use super::{English, capital, name, secs};

impl English {
    pub(super) fn accident(self, accident: Accident) -> String {
        let who = |who| capital(&self.who(who));
        match accident {
            Accident::Pause {
                who: it,
                clock_stops: false,
            } => {
                format!("{} is paused. It does not notice.", who(it))
            }
            Accident::Pause { who: it, .. } => {
                format!("{}'s machine is suspended, its clock with it.", who(it))
            }
            Accident::Resume(it) => format!("{} wakes up and goes on where it was.", who(it)),
            Accident::Crash(it) => format!("{} crashes.", who(it)),
            Accident::Restart {
                who: it,
                with_memory: true,
            } => {
                format!("{} starts again, with what it knew.", who(it))
            }
            Accident::Restart { who: it, .. } => {
                format!("{} starts again and knows nothing of before.", who(it))
            }
            Accident::Cut { from, to } => format!(
                "From {} to {} nothing arrives any more.",
                self.who(from),
                self.who(to)
            ),
            Accident::Heal { from, to } => format!(
                "From {} to {} messages arrive again.",
                self.who(from),
                self.who(to)
            ),
            Accident::Slow { from, to, by_ms: 0 } => format!(
                "From {} to {} messages are as fast as before.",
                self.who(from),
                self.who(to)
            ),
            Accident::Slow { from, to, by_ms } => format!(
                "From {} to {} messages take {} longer.",
                self.who(from),
                self.who(to),
                secs(by_ms)
            ),
            Accident::LoseNext { from, to } => format!(
                "The next message from {} to {} will be lost.",
                self.who(from),
                self.who(to)
            ),
            Accident::DuplicateNext { from, to } => format!(
                "The next message from {} to {} will come twice.",
                self.who(from),
                self.who(to)
            ),
            Accident::Stall(it @ Who::Proxy(_)) => format!(
                "{}'s connection to the store takes nothing any more.",
                who(it)
            ),
            Accident::Unstall(it @ Who::Proxy(_)) => {
                format!("{}'s connection to the store takes bytes again.", who(it))
            }
            Accident::Stall(it) => format!("{}'s disk does not answer any more.", who(it)),
            Accident::Unstall(it) => format!("{}'s disk goes on.", who(it)),
            Accident::StepClock { who: it, by_ms } => format!(
                "{}'s wall clock is set {} {}.",
                who(it),
                if by_ms < 0 { "back by" } else { "forward by" },
                secs(by_ms.unsigned_abs())
            ),
            Accident::Drift { who: it, rate_ppm } => format!(
                "{}'s clock runs {} millionths too {} from now on.",
                who(it),
                rate_ppm.unsigned_abs(),
                if rate_ppm < 0 { "slow" } else { "fast" }
            ),
            Accident::Snapshot => "A snapshot of the issuer is taken.".to_owned(),
            Accident::Restore => "The issuer is set back to its snapshot.".to_owned(),
            Accident::Break => "An operator ends the lease.".to_owned(),
            Accident::Native(native) => native_event(native),
        }
    }
}

fn native_event(native: Native) -> String {
    match native {
        Native::AbortTransaction => {
            "The coordinator aborts the open transaction and raises the producer's epoch."
                .to_owned()
        }
        Native::CloseSession(by) => format!(
            "{}'s session is closed: its ephemeral lock node is deleted at once.",
            name(by)
        ),
        Native::OtherKeys(many) => {
            format!("{many} other keys are written: the revision rises by {many}.")
        }
        Native::DeleteLeaseObject => "Somebody deletes the Lease object.".to_owned(),
        Native::FlushBuffers(by) => format!(
            "The path to {}'s node comes back, and its buffers are flushed.",
            name(by)
        ),
    }
}

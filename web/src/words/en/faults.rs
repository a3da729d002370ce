//! What a visitor may let happen, as commands.

use super::English;
use super::headline::first_sentence;
use crate::words::Catalogue;
use fencegate_core::sim::dialect::Dialect;
use fencegate_core::sim::event::{Accident, Native, What};
use fencegate_core::sim::message::{Message, Payload};
use fencegate_core::sim::told::Told;
use fencegate_core::sim::who::{Name, Who};

pub(super) fn fault(what: What) -> String {
    let text = match what {
        What::Deliver(_) => "Let it arrive now",
        What::Lose(_) => "Lose it",
        What::Duplicate(_) => "Let it come twice",
        What::Delay { by_ms, .. } => return format!("Hold it up for {} s", by_ms / 1000),
        What::Timer(who) => return of("Let the next timer go off of", who),
        What::Accident(accident) => return accidents(accident),
    };
    text.to_owned()
}

/// A command about somebody.
fn of(command: &str, who: Who) -> String {
    format!("{command} {}", English.who(who))
}

fn between(command: &str, from: Who, to: Who) -> String {
    format!(
        "{command} from {} to {}",
        English.who(from),
        English.who(to)
    )
}

fn accidents(accident: Accident) -> String {
    match accident {
        Accident::Pause {
            who,
            clock_stops: false,
        } => of("Pause", who),
        Accident::Pause { who, .. } => of("Suspend the machine, and the clock with it, of", who),
        Accident::Resume(who) => of("Wake up", who),
        Accident::Crash(who) => of("Crash", who),
        Accident::Restart {
            who,
            with_memory: true,
        } => format!("{}, with what it knew", of("Start again", who)),
        Accident::Restart { who, .. } => format!("{}, with nothing", of("Start again", who)),
        Accident::Cut { from, to } => between("Cut the link", from, to),
        Accident::Heal { from, to } => between("Mend the link", from, to),
        Accident::Slow { from, to, .. } => between("Slow down the link", from, to),
        Accident::LoseNext { from, to } => between("Lose the next message", from, to),
        Accident::DuplicateNext { from, to } => between("Double the next message", from, to),
        Accident::Stall(who) => of("Stall the disk of", who),
        Accident::Unstall(who) => of("Let go the disk of", who),
        Accident::StepClock { who, by_ms } => format!(
            "Set the wall clock of {} {} by {} s",
            English.who(who),
            if by_ms < 0 { "back" } else { "forward" },
            by_ms.unsigned_abs() / 1000
        ),
        Accident::Drift { who, rate_ppm } => format!(
            "Make the clock of {} {} % too {}",
            English.who(who),
            rate_ppm.unsigned_abs() / 10_000,
            if rate_ppm < 0 { "slow" } else { "fast" }
        ),
        Accident::Snapshot => "Take a snapshot of the issuer".to_owned(),
        Accident::Restore => "Set the issuer back to its snapshot".to_owned(),
        Accident::Break => "End the lease as an operator".to_owned(),
        Accident::Native(native) => natives(native),
    }
}

fn natives(native: Native) -> String {
    match native {
        Native::AbortTransaction => "Abort the open transaction".to_owned(),
        Native::CloseSession(by) => of("Close the session of", Who::Holder(by)),
        Native::OtherKeys(many) => format!("Write {many} other keys"),
        Native::DeleteLeaseObject => "Delete the Lease object".to_owned(),
        Native::FlushBuffers(by) => of("Flush the buffers of", Who::Holder(by)),
    }
}

/// What a message is.
pub(super) fn message(message: &Message) -> String {
    let says = match &message.payload {
        Payload::Acquire { .. } => "request",
        Payload::Renew { .. } => "renewal",
        Payload::Release { .. } => "release",
        Payload::Granted { .. } => "grant",
        Payload::Claim { .. } => "claim",
        Payload::Read { .. } | Payload::Ask { .. } => "question",
        Payload::Shown { .. } => "report",
        Payload::Write(write) => {
            return format!(
                "{}'s write to {}",
                Name::holder(write.by).text(),
                English.who(message.to)
            );
        }
        _ => "answer",
    };
    format!(
        "{says} from {} to {}",
        English.who(message.from),
        English.who(message.to)
    )
}

/// What a branch was forked for, as what happened: "A crashes".
pub(super) fn befell(what: What) -> String {
    let text = match what {
        What::Accident(accident) => {
            let told = English.told(&Told::Befell(accident), Dialect::Fencegate);
            return first_sentence(told);
        }
        What::Deliver(_) => "a message arrives",
        What::Lose(_) => "a message is lost",
        What::Duplicate(_) => "a message comes twice",
        What::Delay { .. } => "a message is held up",
        What::Timer(who) => return of("a timer goes off of", who),
    };
    text.to_owned()
}

//! What an event says of itself: who, what and why, as data. The words are in [`super::words`].

use super::clock::Millis;
use super::event::Accident;
use super::law::Law;
use super::message::{Edit, Half, Write};
use super::scenario::Draft;
use super::who::Who;
use crate::tenure::Why;
use crate::token::Token;
use crate::verdict::Reason;
use serde::{Deserialize, Serialize};

/// One event, explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explained {
    /// When, in true time.
    pub at: Millis,
    /// Whose event it is.
    pub who: Who,
    /// What happened, and what followed at once.
    pub told: Vec<Told>,
    /// The law at stake.
    pub stake: Option<Law>,
    /// The laws that held before this event and do not hold after it.
    pub broken: Vec<Law>,
}

/// One thing that happened. Holders are numbers: 0 is A.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Told {
    /// A holder asks for the lease; whether once more.
    Asks(u8, bool),
    /// It is granted: whom, the token, how long, and whether that repeats an answer.
    Grants(u8, Token, Millis, bool),
    /// The grant waits before it is answered: whom, the token, for how long at most, how many
    /// older writes are under way.
    GrantWaits(u8, Token, Millis, u8),
    /// It is answered after all.
    GrantAnswered(u8, Token),
    /// Somebody holds it: who asked, who holds, and for how long at least.
    Held(u8, Option<u8>, Millis),
    /// Who asked is put in a queue behind the holder.
    Queued(u8),
    /// The issuer cannot say.
    NotNow(Who),
    /// The request's grant is over.
    GrantEnded(u8),
    /// A holder gets the lease: the token, and for how long it may believe.
    Gets(u8, Option<Token>, Millis),
    /// The grant came when it was over already.
    ArrivedDead(u8),
    /// A holder waits and asks again.
    Waits(u8, Millis),
    /// A holder renews.
    Renews(u8),
    /// The issuer keeps the lease.
    Keeps(u8, Millis),
    /// The issuer says that it is lost, and why.
    SaysLost(u8, Reason),
    /// The renewal arrived.
    Kept(u8),
    /// A holder's tenure ended, and why.
    Stops(u8, Token, Why),
    /// A holder that never looks at the clock goes on although its lease is over.
    Ignores(u8),
    /// A holder takes a number that nobody issued.
    Picks(u8, Token),
    /// A holder asks what is there.
    Reads(u8),
    /// The store shows it: to whom.
    Answers(u8),
    /// What is there: to whom, the version, the halves.
    Shows(u8, u16, [Half; 2]),
    /// A proxy passes something on.
    Passes(u8),
    /// A holder works for so long.
    Works(u8, Millis),
    /// A holder looked at its lease and starts to write: what, and what is left of the lease.
    StartsWriting(u8, Draft, Option<Millis>),
    /// A holder looked at its lease and may not write.
    MayNotWrite(u8),
    /// The bytes leave, so long after the look.
    BytesLeave(Write, Millis),
    /// Somebody lets a write through, and what the mark is.
    Admits(Who, Write, Option<Token>),
    /// Somebody refuses a write: why, and what the mark is.
    Rejects(Who, Write, Reason, Option<Token>),
    /// Somebody cannot decide.
    CannotTell(Who, Write),
    /// A proxy asks the authority, or the store, before it lets a write on.
    LooksUp(u8, Write),
    /// A proxy cannot let a write through yet, since older ones may be under way or others may trust
    /// older knowledge: it is to be sent again, so much later at most.
    WriteWaits(u8, Write, Millis),
    /// A proxy's connection to the store takes nothing: whose write sticks in its buffers.
    SticksInProxy(u8, u8),
    /// A proxy resets a write of a superseded token: whose, and whether it had left already.
    Aborts(u8, u8, bool),
    /// A proxy sends a write on, under the condition that nothing changed since it looked.
    Seals(u8, u8),
    /// A proxy learns the mark.
    Learns(u8, Option<Token>),
    /// The authority tells a proxy the mark.
    Tells(u8, Option<Token>),
    /// What it learned is too old to be trusted.
    TooOld(u8),
    /// The store's own condition fails.
    ConditionFails(Write),
    /// The write is stored: what it did, over whose version, and what the report is now.
    Stores(u8, [Edit; 2], Option<u8>, [Half; 2]),
    /// The store knows this sequence already.
    KnowsSequence(u8, u8),
    /// The disk does not answer: the write waits.
    Sticks(u8),
    /// A holder learns that its write is stored.
    Learned(u8),
    /// A holder is refused and stops.
    RefusedStops(u8, Option<Token>),
    /// A holder is refused and sends the same again.
    RefusedRetries(u8),
    /// A holder is refused and takes the next number.
    RefusedPicks(u8, Token),
    /// A holder is refused and begins anew.
    RefusedRenounces(u8),
    /// A holder had no answer and asks again.
    Repeats(u8),
    /// A holder gives up: too many tries.
    GivesUp(u8),
    /// A holder claims the mark.
    Claims(u8, Token),
    /// The mark is raised, and by whom.
    Raised(Who, u8, Token),
    /// The mark is higher already.
    NotRaised(Who, u8, Token, Option<Token>),
    /// A holder had no answer to its claim and goes on without.
    GoesUnfenced(u8),
    /// A holder's fence stands.
    Fenced(u8),
    /// A holder gives its lease back.
    Releases(u8),
    /// A holder hears that it gave the lease back.
    GaveBack(u8),
    /// It is given back.
    Released(u8),
    /// A watch fires for whoever is next.
    WatchFires(u8),
    /// A holder is woken.
    Woken(u8),
    /// A holder's script is done.
    Done(u8),
    /// An answer that nobody waits for any more.
    TooLate(Who),
    /// A message was lost: from whom, to whom, and whether the link is cut.
    LostMessage(Who, Who, bool),
    /// A message comes twice.
    CameTwice(Who, Who),
    /// A message is on its way for longer.
    Delayed(Who, Who, Millis),
    /// Something befell somebody.
    Befell(Accident),
    /// The operator's break, or the system's: whose lease ended, and the mark since.
    Broke(Option<u8>, Option<Token>),
    /// The plug of a machine will be pulled.
    WillPull(u8, Millis),
    /// It is pulled.
    Pulled(u8),
    /// The issuer hears that its own mark arrived.
    Marked,
    /// Somebody would wake up, and there is no process any more.
    StaysOff(Who),
    /// Nothing came of it.
    Nothing,
}

impl Told {
    /// The law that is at stake when this happens.
    #[must_use]
    pub const fn stake(&self) -> Option<Law> {
        Some(match self {
            Self::Grants(..) | Self::Picks(..) => Law::TokensOnlyRise,
            Self::GrantWaits(..)
            | Self::GrantAnswered(..)
            | Self::WriteWaits(..)
            | Self::SticksInProxy(..)
            | Self::Aborts(..) => Law::NoDualWrite,
            Self::Held(..) | Self::Queued(_) => Law::SomeoneCanAcquire,
            Self::Gets(..)
            | Self::ArrivedDead(_)
            | Self::Kept(_)
            | Self::Stops(..)
            | Self::Ignores(_)
            | Self::MayNotWrite(_)
            | Self::BytesLeave(..) => Law::HolderStopsInTime,
            Self::Admits(..)
            | Self::Rejects(_, _, Reason::Stale, _)
            | Self::Learns(..)
            | Self::TooOld(_) => Law::StaleNeverAdmitted,
            Self::Rejects(..) => Law::EqualTokenOneHolder,
            Self::CannotTell(..) => Law::UnknownIsNotEmpty,
            Self::Raised(..) | Self::NotRaised(..) | Self::Broke(..) => Law::MarkNeverFalls,
            Self::ConditionFails(_) => Law::SealedAtTheOrigin,
            Self::Stores(..) => Law::NoLostUpdate,
            _ => return None,
        })
    }
}

//! What goes into the gaps of a sentence: the same in every language.
//!
//! A language writes a gap as `{0}`, `{1}` and so on, by its number here, as often and in whatever
//! order it likes.

use super::super::clock::Millis;
use super::super::event::{Accident, Native};
use super::super::message::Half;
use super::super::scenario::Draft;
use super::super::told::Told;
use super::super::who::{NOBODY, Who};
use crate::token::Token;
use crate::verdict::Reason;

/// What goes into a gap.
#[derive(Clone, Copy, Debug)]
pub(super) enum Gap<'t> {
    /// Nothing: no sentence uses it.
    None,
    /// A holder.
    Holder(u8),
    /// Any actor.
    Who(Who),
    /// A token or a mark, or that there is none.
    Token(Option<&'t Token>),
    /// The token that somebody or something comes with, or that it comes without.
    With(Option<&'t Token>),
    /// A length of time.
    Time(Millis),
    /// A number.
    Number(u32),
    /// The report.
    Report([Half; 2]),
    /// What is written.
    Draft(Draft),
    /// Why somebody is refused.
    Reason(Reason),
}

/// Hands `fill` the gaps of what is told.
pub(super) fn of(told: &Told, fill: &dyn Fn(&[Gap<'_>]) -> String) -> String {
    use Gap::{Draft, Holder, Number, Reason, Report, Time, Token, With};
    let actor = |who: &Who| Gap::Who(*who);
    let proxy = |index: &u8| Gap::Who(Who::Proxy(*index));
    let holder = |index: &u8| Gap::Holder(*index);
    let time = |ms: &Millis| Gap::Time(*ms);
    match told {
        Told::Asks(by, _)
        | Told::Queued(by)
        | Told::GrantEnded(by)
        | Told::ArrivedDead(by)
        | Told::Renews(by)
        | Told::Kept(by)
        | Told::Ignores(by)
        | Told::Reads(by)
        | Told::Answers(by)
        | Told::MayNotWrite(by)
        | Told::Sticks(by)
        | Told::Learned(by)
        | Told::RefusedRetries(by)
        | Told::RefusedRenounces(by)
        | Told::Repeats(by)
        | Told::GivesUp(by)
        | Told::GoesUnfenced(by)
        | Told::Fenced(by)
        | Told::Releases(by)
        | Told::GaveBack(by)
        | Told::Released(by)
        | Told::WatchFires(by)
        | Told::Woken(by)
        | Told::Done(by)
        | Told::Pulled(by) => fill(&[holder(by)]),
        Told::NotNow(who) | Told::TooLate(who) | Told::StaysOff(who) => fill(&[actor(who)]),
        Told::Passes(index) | Told::TooOld(index) => fill(&[proxy(index)]),
        Told::Waits(by, ms)
        | Told::Works(by, ms)
        | Told::Keeps(by, ms)
        | Told::WillPull(by, ms) => fill(&[holder(by), time(ms)]),
        Told::GrantAnswered(by, token)
        | Told::Stops(by, token, _)
        | Told::Picks(by, token)
        | Told::RefusedPicks(by, token)
        | Told::Claims(by, token) => fill(&[holder(by), Token(Some(token))]),
        Told::RefusedStops(by, now) => fill(&[holder(by), Token(now.as_ref())]),
        Told::Broke(by, now) => fill(&[Holder(by.unwrap_or(NOBODY)), Token(now.as_ref())]),
        Told::Grants(by, token, ms, _) => fill(&[holder(by), Token(Some(token)), time(ms)]),
        Told::GrantWaits(by, _, ms, older) => {
            fill(&[holder(by), time(ms), Number((*older).into())])
        }
        Told::Held(by, other, ms) => fill(&[holder(by), Holder(other.unwrap_or(NOBODY)), time(ms)]),
        Told::Gets(by, token, ms) => fill(&[holder(by), With(token.as_ref()), time(ms)]),
        Told::SaysLost(by, reason) => fill(&[holder(by), Reason(*reason)]),
        Told::Shows(by, version, halves) => {
            fill(&[holder(by), Number((*version).into()), Report(*halves)])
        }
        Told::StartsWriting(by, draft, left) => {
            fill(&[holder(by), Draft(*draft), Time(left.unwrap_or(0))])
        }
        Told::BytesLeave(write, late) => {
            fill(&[holder(&write.by), With(write.token.as_ref()), time(late)])
        }
        Told::Admits(who, write, now) => fill(&[
            actor(who),
            holder(&write.by),
            With(write.token.as_ref()),
            Token(now.as_ref()),
        ]),
        Told::Rejects(who, write, reason, now) => fill(&[
            actor(who),
            holder(&write.by),
            With(write.token.as_ref()),
            Token(now.as_ref()),
            Token(write.token.as_ref()),
            Reason(*reason),
        ]),
        Told::CannotTell(who, write) => fill(&[actor(who), holder(&write.by)]),
        Told::LooksUp(index, write) => fill(&[proxy(index), holder(&write.by)]),
        Told::WriteWaits(index, write, ms) => fill(&[proxy(index), holder(&write.by), time(ms)]),
        Told::SticksInProxy(index, by) | Told::Aborts(index, by, _) | Told::Seals(index, by) => {
            fill(&[proxy(index), holder(by)])
        }
        Told::Learns(index, now) | Told::Tells(index, now) => {
            fill(&[proxy(index), Token(now.as_ref())])
        }
        Told::ConditionFails(write) => fill(&[holder(&write.by)]),
        Told::Stores(by, _, over, halves) => {
            fill(&[holder(by), Report(*halves), Holder(over.unwrap_or(NOBODY))])
        }
        Told::KnowsSequence(by, seq) => fill(&[holder(by), Number((*seq).into())]),
        Told::Raised(who, by, token) => fill(&[actor(who), holder(by), Token(Some(token))]),
        Told::NotRaised(who, by, token, now) => fill(&[
            actor(who),
            holder(by),
            Token(Some(token)),
            Token(now.as_ref()),
        ]),
        Told::LostMessage(from, to, _) | Told::CameTwice(from, to) => {
            fill(&[actor(from), actor(to)])
        }
        Told::Delayed(from, to, ms) => fill(&[actor(from), actor(to), time(ms)]),
        Told::Befell(accident) => {
            let [from, to] = accident.about();
            fill(&[actor(&from), actor(&to), of_accident(*accident)])
        }
        Told::Marked | Told::Nothing => fill(&[]),
    }
}

/// What an accident is measured with, or whom it befalls in its own system.
const fn of_accident(accident: Accident) -> Gap<'static> {
    match accident {
        Accident::Slow { by_ms, .. } => Gap::Time(by_ms),
        Accident::StepClock { by_ms, .. } => Gap::Time(by_ms.unsigned_abs()),
        Accident::Drift { rate_ppm, .. } => Gap::Number(rate_ppm.unsigned_abs()),
        Accident::Native(Native::OtherKeys(many)) => Gap::Number(many as u32),
        Accident::Native(Native::CloseSession(by) | Native::FlushBuffers(by)) => Gap::Holder(by),
        _ => Gap::None,
    }
}

//! The words in English.

mod accidents;
mod issuer;
mod store;

use super::super::clock::Millis;
use super::super::dialect::Dialect;
use super::super::laws::Law;
use super::super::message::Half;
use super::super::scenario::Draft;
use super::super::told::Told;
use super::super::who::{NOBODY, Name, Who};
use super::Words;
use crate::tenure::Why;
use crate::token::Token;
use std::borrow::Cow;

/// English.
#[derive(Clone, Copy, Debug, Default)]
pub struct English;

fn name(holder: u8) -> &'static str {
    if holder == NOBODY {
        "nobody"
    } else {
        Name::holder(holder).text()
    }
}

fn secs(ms: Millis) -> String {
    let whole = ms.checked_div(1_000).unwrap_or(0);
    let rest = ms.checked_rem(1_000).unwrap_or(0);
    if rest == 0 {
        format!("{whole} s")
    } else if whole == 0 {
        format!("{rest} ms")
    } else {
        format!("{whole}.{rest:03} s")
    }
}

fn report([first, second]: [Half; 2]) -> String {
    match (first, second) {
        (None, None) => "blank".to_owned(),
        (Some(by), Some(other)) if by == other => format!("whole, by {}", name(by)),
        (first, second) => {
            let half = |half: Half| half.map_or("blank", name);
            format!("first half {}, second half {}", half(first), half(second))
        }
    }
}

const fn draft(draft: Draft) -> &'static str {
    match draft {
        Draft::Whole => "the whole report",
        Draft::Half => "a report that ends in the middle",
        Draft::First => "the first half of the report",
        Draft::Second => "the second half of the report",
        Draft::Same => "the same bytes once more",
    }
}

fn mark(mark: Option<Token>, dialect: Dialect) -> String {
    mark.map_or_else(|| "nothing".to_owned(), |mark| dialect.text(mark))
}

fn with(token: Option<Token>, dialect: Dialect) -> String {
    token.map_or_else(
        || " without a token".to_owned(),
        |token| match dialect {
            Dialect::Fencegate => format!(" with token {token}"),
            other => format!(" with {}", other.text(token)),
        },
    )
}

impl Words for English {
    fn who(&self, who: Who) -> String {
        match who {
            Who::Issuer => "the issuer".to_owned(),
            Who::Store => "the store".to_owned(),
            Who::Proxy(index) => format!("proxy {}", index.saturating_add(1)),
            Who::Holder(index) => name(index).to_owned(),
        }
    }

    fn law(&self, law: Law) -> Cow<'static, str> {
        Cow::Borrowed(match law.of_histories() {
            Some(law) => law.sentence(),
            None => match law {
                Law::SealedAtTheOrigin => {
                    "A write that was let through and then delayed is refused by the store itself once a higher token wrote the same object."
                }
                Law::SomeoneCanAcquire => {
                    "Within lease, lock delay, drain, window and 2 s after a holder vanished, somebody is granted."
                }
                Law::NewestNotRefused => "The newest holder's write is never refused as too old.",
                Law::NoLostUpdate => "No write lands on a version that its writer never saw.",
                Law::ReportStaysWhole => {
                    "Whoever was replaced neither cuts a report that was whole nor mixes its halves with another's."
                }
                _ => "Once a newer holder's write landed, no older holder's write does.",
            },
        })
    }

    fn broken(&self, law: Law) -> String {
        format!("BROKEN: {}.", law.name())
    }

    fn only_as_told(&self, laws: &[Law]) -> String {
        let names: Vec<&str> = laws.iter().map(|law| law.name()).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!(
                "At other instants the same faults break {}.",
                names.join(", ")
            ),
        }
    }

    fn told(&self, told: &Told, dialect: Dialect) -> String {
        match *told {
            Told::Asks(by, false) => format!("{} asks for the lease.", name(by)),
            Told::Asks(by, true) => format!("{} asks for the lease again.", name(by)),
            Told::Grants(..)
            | Told::GrantWaits(..)
            | Told::GrantAnswered(..)
            | Told::Held(..)
            | Told::Queued(_)
            | Told::NotNow(_)
            | Told::GrantEnded(_)
            | Told::Keeps(..)
            | Told::SaysLost(..)
            | Told::Released(_)
            | Told::WatchFires(_)
            | Told::WillPull(..)
            | Told::Pulled(_)
            | Told::Tells(..)
            | Told::Broke(..) => self.issuer(told, dialect),
            Told::Gets(by, token, 0) => {
                format!(
                    "{} begins to think that it may write{}.",
                    name(by),
                    with(token, dialect)
                )
            }
            Told::Gets(by, token, ms) => format!(
                "{} gets the lease{}, and may believe in it for {}.",
                name(by),
                with(token, dialect),
                secs(ms)
            ),
            Told::ArrivedDead(by) => format!("The grant reached {} too late.", name(by)),
            Told::Waits(by, ms) => format!("{} waits {}.", name(by), secs(ms)),
            Told::Renews(by) => format!("{} renews.", name(by)),
            Told::Passes(proxy) => {
                format!("{} passes it on.", capital(&self.who(Who::Proxy(proxy))))
            }
            Told::Kept(by) => format!("{} keeps its lease.", name(by)),
            Told::Stops(by, token, Why::Abdicated) => format!(
                "{}'s own clock says that its lease with {} is over: it stops by itself.",
                name(by),
                dialect.text(token)
            ),
            Told::Stops(by, token, _) => format!(
                "{} hears that its lease with {} is lost, and stops.",
                name(by),
                dialect.text(token)
            ),
            Told::Ignores(by) => format!(
                "{}'s lease is over, but {} never looks at the clock.",
                name(by),
                name(by)
            ),
            Told::Picks(by, token) => format!(
                "{} takes {} for its token: nobody issued it.",
                name(by),
                dialect.text(token)
            ),
            Told::Reads(by) => format!("{} reads the report.", name(by)),
            Told::Answers(by) => format!("The store shows {} the report.", name(by)),
            Told::Shows(by, version, halves) => {
                format!("{} sees version {version}: {}.", name(by), report(halves))
            }
            Told::Works(by, ms) => format!("{} works for {}.", name(by), secs(ms)),
            Told::StartsWriting(by, what, None) => {
                format!("{} starts to write {}.", name(by), draft(what))
            }
            Told::StartsWriting(by, what, Some(left)) => format!(
                "{} looks at its lease ({} left) and starts to write {}.",
                name(by),
                secs(left),
                draft(what)
            ),
            Told::MayNotWrite(by) => format!(
                "{} looks at its lease: it is over, so nothing is written.",
                name(by)
            ),
            Told::BytesLeave(write, 0) => format!(
                "{}'s write leaves{}.",
                name(write.by),
                with(write.token, dialect)
            ),
            Told::BytesLeave(write, late) => format!(
                "{}'s write leaves{}, {} after it should have.",
                name(write.by),
                with(write.token, dialect),
                secs(late)
            ),
            Told::Learned(by) => format!("{} hears that its write is stored.", name(by)),
            Told::RefusedStops(by, Some(now)) => format!(
                "{} is refused ({} is current) and stops.",
                name(by),
                dialect.text(now)
            ),
            Told::RefusedStops(by, None) => format!("{} is refused and stops.", name(by)),
            Told::RefusedRetries(by) => format!(
                "{} is refused and will send the same write again, blindly.",
                name(by)
            ),
            Told::RefusedPicks(by, token) => format!(
                "{} is refused and takes {} for its token, which nobody granted.",
                name(by),
                dialect.text(token)
            ),
            Told::RefusedRenounces(by) => {
                format!("{} is refused and begins anew, with a new lease.", name(by))
            }
            Told::Repeats(by) => format!("{} sends it again.", name(by)),
            Told::GivesUp(by) => format!("{} gives up.", name(by)),
            Told::Claims(by, token) => {
                format!("{} claims the mark {}.", name(by), dialect.text(token))
            }
            Told::GoesUnfenced(by) => {
                format!(
                    "{} has no answer to its claim and goes on all the same.",
                    name(by)
                )
            }
            Told::Fenced(by) => format!("{} knows that everything older is fenced.", name(by)),
            Told::Releases(by) => format!("{} gives its lease back.", name(by)),
            Told::GaveBack(by) => format!("{} is rid of the lease.", name(by)),
            Told::Woken(by) => format!("{} is woken.", name(by)),
            Told::Done(by) => format!("{} is done.", name(by)),
            Told::TooLate(who) => format!(
                "An answer reaches {} that nobody waits for any more.",
                self.who(who)
            ),
            Told::LostMessage(from, to, cut) => format!(
                "A message from {} to {} is lost{}.",
                self.who(from),
                self.who(to),
                if cut { ": the link is cut" } else { "" }
            ),
            Told::CameTwice(from, to) => format!(
                "A message from {} to {} comes twice.",
                self.who(from),
                self.who(to)
            ),
            Told::Delayed(from, to, ms) => format!(
                "A message from {} to {} is held up for {}.",
                self.who(from),
                self.who(to),
                secs(ms)
            ),
            Told::Befell(accident) => self.accident(accident),
            Told::Marked => "The issuer hears that its mark is set.".to_owned(),
            Told::StaysOff(who) => format!(
                "{} stays off: there is no process to wake up.",
                capital(&self.who(who))
            ),
            Told::Nothing => "Nothing comes of it.".to_owned(),
            _ => self.at_the_store(told, dialect),
        }
    }
}

fn capital(text: &str) -> String {
    // Every name is of plain letters, and the tables of all others are large.
    let mut capital = text.to_owned();
    if let Some(first) = capital.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    capital
}

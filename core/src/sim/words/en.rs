//! The words in English.

mod accidents;
mod holder;
mod issuer;
mod services;

use super::super::clock::Millis;
use super::super::dialect::Dialect;
use super::super::laws::Law;
use super::super::message::Half;
use super::super::scenario::Draft;
use super::super::told::Told;
use super::super::who::{NOBODY, Name, Who};
use super::Words;
use super::gap::{self, Gap};
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

const fn draft(draft: Draft) -> &'static str {
    match draft {
        Draft::Whole => "the whole report",
        Draft::Half => "a report that ends in the middle",
        Draft::First => "the first half of the report",
        Draft::Second => "the second half of the report",
        Draft::Same => "the same bytes once more",
    }
}

fn report([first, second]: [Half; 2]) -> String {
    let half = |half: Half| half.map_or("blank", name);
    let (first, second) = (half(first), half(second));
    if first != second {
        format!("first half {first}, second half {second}")
    } else if first == "blank" {
        first.to_owned()
    } else {
        format!("whole, by {first}")
    }
}

/// One gap, filled.
fn fill(gap: Gap<'_>, dialect: Dialect) -> String {
    let word = match gap {
        Gap::None | Gap::Token(None) => "nothing",
        Gap::With(None) => " without a token",
        Gap::Holder(index) => name(index),
        Gap::Draft(what) => draft(what),
        Gap::Reason(reason) => reason.word(),
        Gap::Who(who) => return English.who(who),
        Gap::Token(Some(token)) => return dialect.text(*token),
        Gap::With(Some(token)) => {
            let kind = if dialect == Dialect::Fencegate {
                "token "
            } else {
                ""
            };
            return format!(" with {kind}{}", dialect.text(*token));
        }
        Gap::Time(ms) => return secs(ms),
        Gap::Number(number) => return number.to_string(),
        Gap::Report(halves) => return report(halves),
    };
    word.to_owned()
}

/// A sentence with its gaps filled. It begins with a capital.
fn sentence(text: &str, gaps: &[Gap<'_>], dialect: Dialect) -> String {
    let mut out = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let number = match letter {
            '{' => letters.next().and_then(|digit| digit.to_digit(10)),
            '}' => continue,
            _ => {
                out.push(letter);
                continue;
            }
        };
        let gap = number.and_then(|number| gaps.get(usize::try_from(number).ok()?));
        out.push_str(&fill(gap.copied().unwrap_or(Gap::None), dialect));
    }
    // Every name is of plain letters, and the tables of all others are large.
    if let Some(first) = out.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    out
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
        if names.is_empty() {
            return String::new();
        }
        let names = names.join(", ");
        format!("At other instants the same faults break {names}.")
    }

    fn told(&self, told: &Told, dialect: Dialect) -> String {
        let text = holder::text(told).or_else(|| issuer::text(told));
        let text = text.unwrap_or_else(|| services::text(told));
        gap::of(told, &|gaps| sentence(text, gaps, dialect))
    }
}

//! The page in English. The sentences about events are the core's.

mod faults;
mod guide;
mod headline;
mod page;
mod sign;
mod switches;
mod text;

use super::{Catalogue, Sign, Text};
use crate::play::guard::{LeaseKind, Place};
use crate::play::guide::Point;
use crate::play::kind::Kind;
use crate::play::playhead::Speed;
use crate::play::range::Parameter;
use crate::play::standing::Standing;
use crate::play::subject::Subject;
use crate::play::track::Track;
use crate::state::keys::Key;
use crate::state::{Direction, Notice};
use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::dialect::Dialect;
use fencegate_core::sim::event::What;
use fencegate_core::sim::laws::Law;
use fencegate_core::sim::mechanism::Condition;
use fencegate_core::sim::message::Message;
use fencegate_core::sim::scenario::{OnRefusal, Scenario};
use fencegate_core::sim::stories::Story;
use fencegate_core::sim::told::Told;
use fencegate_core::sim::who::Who;
use fencegate_core::sim::words::{self, Words};
use std::borrow::Cow;

/// English.
#[derive(Clone, Copy, Debug, Default)]
pub struct English;

impl Catalogue for English {
    fn who(&self, who: Who) -> String {
        words::English.who(who)
    }
    fn told(&self, told: &Told, dialect: Dialect) -> String {
        words::English.told(told, dialect)
    }
    fn law(&self, law: Law) -> Cow<'static, str> {
        words::English.law(law)
    }
    fn text(&self, text: Text) -> Cow<'static, str> {
        text::text(text).into()
    }
    fn title(&self, story: &Story) -> Cow<'static, str> {
        story.title.into()
    }
    fn lesson(&self, story: &Story) -> Cow<'static, str> {
        story.lesson.into()
    }
    fn variant(&self, variant: &Scenario) -> String {
        let name = &variant.name;
        let own = name.split_once('.').map_or(&**name, |(_, own)| own);
        spaced(own)
    }
    fn shows(&self, variant: &Scenario) -> String {
        variant.shows.clone()
    }
    fn subject(&self, subject: &Subject) -> String {
        switches::subject(subject)
    }
    fn headline(&self, track: &Track, step: usize) -> String {
        headline::headline(track, step)
    }
    fn lasts(&self, ms: Millis) -> String {
        format!("{}.{} s", ms / 1000, ms % 1000 / 100)
    }
    fn instant(&self, ms: Millis) -> String {
        format!("{}.{:03} s", ms / 1000, ms % 1000)
    }
    fn position(&self, track: &Track, step: usize) -> String {
        let now = self.lasts(track.time(step));
        format!("{now}, step {step} of {}", track.last())
    }
    fn moment(&self, track: &Track, step: usize) -> String {
        let headline = self.headline(track, step);
        format!("{}: {headline}", self.position(track, step))
    }
    fn law_name(&self, law: Law) -> String {
        spaced(law.name())
    }
    fn standing(&self, standing: Standing, at: Millis) -> String {
        let at = self.lasts(at);
        match standing {
            Standing::Holds => self.text(Text::Holds).into_owned(),
            Standing::Broken(_) => format!("broken since {at}"),
            Standing::Again(_) => format!("holds again, was broken at {at}"),
        }
    }
    fn breaks(&self, laws: usize) -> String {
        match laws {
            0 => "keeps every law".to_owned(),
            1 => "breaks one law".to_owned(),
            many => format!("breaks {many} laws"),
        }
    }
    fn jump(&self, kind: Kind, direction: Direction) -> String {
        let which = match direction {
            Direction::Back => "Previous",
            Direction::Forward => "Next",
        };
        let what = match kind {
            Kind::Grant => "grant",
            Kind::Write => "write",
            Kind::Rejection => "rejection",
            Kind::Fault => "fault",
            Kind::Broken => "broken law",
        };
        format!("{which} {what}")
    }
    fn speed(&self, speed: Speed) -> Cow<'static, str> {
        Cow::Borrowed(match speed {
            Speed::Quarter => "\u{bc}\u{d7}",
            Speed::Half => "\u{bd}\u{d7}",
            Speed::Usual => "1\u{d7}",
            Speed::Double => "2\u{d7}",
            Speed::Fourfold => "4\u{d7}",
        })
    }
    fn parameter(&self, parameter: Parameter) -> Cow<'static, str> {
        Cow::Borrowed(match parameter {
            Parameter::Lease => "Lease",
            Parameter::Pause => "Pause",
            Parameter::Drift => "Drift of the clock",
            Parameter::Delay => "A message takes",
        })
    }
    fn value(&self, parameter: Parameter, value: i32) -> String {
        let size = value.unsigned_abs();
        match parameter {
            Parameter::Drift => {
                let sign = if value < 0 { "-" } else { "" };
                format!("{sign}{}.{} %", size / 10_000, size % 10_000 / 1_000)
            }
            Parameter::Delay => format!("{size} ms"),
            Parameter::Lease | Parameter::Pause => self.lasts(size),
        }
    }
    fn place(&self, place: Place) -> Cow<'static, str> {
        switches::place(place).into()
    }
    fn lease_kind(&self, kind: LeaseKind) -> Cow<'static, str> {
        switches::lease_kind(kind).into()
    }
    fn condition(&self, condition: Condition) -> Cow<'static, str> {
        switches::condition(condition).into()
    }
    fn on_refusal(&self, what: OnRefusal) -> Cow<'static, str> {
        switches::on_refusal(what).into()
    }
    fn message(&self, message: &Message) -> String {
        faults::message(message)
    }
    fn fault(&self, what: What) -> String {
        faults::fault(what)
    }
    fn branch(&self, fork: Option<(Millis, What)>) -> String {
        fork.map_or_else(
            || "as told".to_owned(),
            |(at, what)| format!("{} at {}", faults::befell(what), self.lasts(at)),
        )
    }
    fn sign(&self, sign: Sign, dialect: Dialect) -> String {
        sign::of(sign, dialect)
    }
    fn notice(&self, notice: &Notice) -> String {
        page::notice(notice)
    }
    fn point(&self, point: Point) -> [Cow<'static, str>; 2] {
        guide::point(point).map(Cow::Borrowed)
    }
    fn key(&self, key: Key) -> String {
        match key {
            Key::Speed(speed) => format!("{} {}", page::key(key), self.speed(speed)),
            _ => page::key(key).to_owned(),
        }
    }
    fn cap(&self, name: &str, shift: bool) -> String {
        page::cap(name, shift)
    }
}

/// The words of a name, which signs join there.
fn spaced(name: &str) -> String {
    let space = |letter| match letter {
        '-' | '_' => ' ',
        letter => letter,
    };
    name.chars().map(space).collect()
}

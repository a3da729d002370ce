//! Every word of the page, in one catalogue. A language is one file: whoever adds one implements
//! [`Catalogue`] there, and lists it in [`of`].

mod en;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod pseudo;
mod sign;
mod text;

pub use en::English;
#[cfg(all(test, not(target_arch = "wasm32")))]
pub(crate) use pseudo::Pseudo;
pub use sign::Sign;
pub use text::Text;

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
use fencegate_core::sim::told::{Explained, Told};
use fencegate_core::sim::who::Who;
use std::borrow::Cow;

/// A language.
pub trait Catalogue {
    /// What an actor is called.
    fn who(&self, who: Who) -> String;
    /// One sentence for one thing that happened.
    fn told(&self, told: &Told, dialect: Dialect) -> String;
    /// What a law says.
    fn law(&self, law: Law) -> Cow<'static, str>;
    /// A fixed text.
    fn text(&self, text: Text) -> Cow<'static, str>;
    /// A story's title.
    fn title(&self, story: &Story) -> Cow<'static, str>;
    /// What a story teaches.
    fn lesson(&self, story: &Story) -> Cow<'static, str>;
    /// A variant in two or three words.
    fn variant(&self, variant: &Scenario) -> String;
    /// What a variant shows.
    fn shows(&self, variant: &Scenario) -> String;
    /// A variant and what the visitor changed about it, in some words.
    fn subject(&self, subject: &Subject) -> String;
    /// What the picture shows at a step, in one short line without a full stop: "A woke up after
    /// 35 s and overwrote B's report.pdf".
    fn headline(&self, track: &Track, step: usize) -> String;
    /// A length of time, or a time since the beginning.
    fn lasts(&self, ms: Millis) -> String;
    /// An instant, to the millisecond.
    fn instant(&self, ms: Millis) -> String;
    /// Where a step is: "36.0 s, step 7 of 9".
    fn position(&self, track: &Track, step: usize) -> String;
    /// The same, and its headline: "36.0 s, step 7 of 9: The store rejects A's write: 33 < 34".
    fn moment(&self, track: &Track, step: usize) -> String;
    /// The name of a law.
    fn law_name(&self, law: Law) -> String;
    /// How a law stands; the time is that of the step named there.
    fn standing(&self, standing: Standing, at: Millis) -> String;
    /// How many laws a run breaks.
    fn breaks(&self, laws: usize) -> String;
    /// To the next or the previous event of a kind.
    fn jump(&self, kind: Kind, direction: Direction) -> String;
    /// A speed.
    fn speed(&self, speed: Speed) -> Cow<'static, str>;
    /// A parameter.
    fn parameter(&self, parameter: Parameter) -> Cow<'static, str>;
    /// A parameter's value, with its unit.
    fn value(&self, parameter: Parameter, value: i32) -> String;
    /// Where tokens are checked.
    fn place(&self, place: Place) -> Cow<'static, str>;
    /// What kind of lease there is.
    fn lease_kind(&self, kind: LeaseKind) -> Cow<'static, str>;
    /// The store's own condition.
    fn condition(&self, condition: Condition) -> Cow<'static, str>;
    /// What holders do when they are refused.
    fn on_refusal(&self, what: OnRefusal) -> Cow<'static, str>;
    /// A message that is under way.
    fn message(&self, message: &Message) -> String;
    /// What a visitor may let happen, as a command.
    fn fault(&self, what: What) -> String;
    /// A branch: what it was forked for, or that it is the story as told.
    fn branch(&self, fork: Option<(Millis, What)>) -> String;
    /// What is written in the picture.
    fn sign(&self, sign: Sign, dialect: Dialect) -> String;
    /// What a visitor should know.
    fn notice(&self, notice: &Notice) -> String;
    /// A point of the reading guide: what is to be known, and why.
    fn point(&self, point: Point) -> [Cow<'static, str>; 2];
    /// What a key does.
    fn key(&self, key: Key) -> String;
    /// What stands on a key, and whether it is pressed with shift.
    fn cap(&self, name: &str, shift: bool) -> String;

    /// What happened, without what it broke.
    fn sentence(&self, event: &Explained, dialect: Dialect) -> String {
        let mut text = String::new();
        for told in &event.told {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&self.told(told, dialect));
        }
        if text.is_empty() {
            text = self.told(&Told::Nothing, dialect);
        }
        text
    }
}

/// A language as it is handed around.
pub type Tongue = &'static dyn Catalogue;

/// The language with this code, or English: the only one yet. The next one stands here.
#[must_use]
pub fn of(_code: &str) -> Tongue {
    &English
}

//! Every word of the page, in one catalogue. A language is one file: whoever adds one implements
//! [`Catalogue`] there, and lists it in [`of`].

mod en;
mod pseudo;
mod sign;
mod text;

pub use en::English;
pub use pseudo::Pseudo;
pub use sign::Sign;
pub use text::Text;

use crate::play::guard::{LeaseKind, Place};
use crate::play::kind::Kind;
use crate::play::range::Parameter;
use crate::play::track::Track;
use crate::state::Notice;
use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::dialect::Dialect;
use fencegate_core::sim::event::What;
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::stories::Story;
use fencegate_core::sim::words::Words;
use std::borrow::Cow;
use std::rc::Rc;

/// A language. The sentences about events are those of [`Words`].
pub trait Catalogue: Words {
    /// A fixed text.
    fn text(&self, text: Text) -> Cow<'static, str>;
    /// A story's title.
    fn title(&self, story: &Story) -> Cow<'static, str>;
    /// What a story teaches.
    fn lesson(&self, story: &Story) -> Cow<'static, str>;
    /// What a variant shows.
    fn shows(&self, variant: &Scenario) -> String;
    /// What the picture shows at a step, in one line: "A woke up after 35 s and overwrote B's report.pdf".
    fn headline(&self, track: &Track, step: usize) -> String;
    /// A length of time.
    fn lasts(&self, ms: Millis) -> String;
    /// Where the player is: "36.0 s, step 7 of 9: the store rejects A's write".
    fn moment(&self, track: &Track, step: usize) -> String;
    /// A kind of event.
    fn kind(&self, kind: Kind) -> Cow<'static, str>;
    /// A parameter.
    fn parameter(&self, parameter: Parameter) -> Cow<'static, str>;
    /// A parameter's value, with its unit.
    fn value(&self, parameter: Parameter, value: i32) -> String;
    /// Where tokens are checked.
    fn place(&self, place: Place) -> Cow<'static, str>;
    /// What kind of lease there is.
    fn lease_kind(&self, kind: LeaseKind) -> Cow<'static, str>;
    /// What a visitor may let happen, as a command.
    fn fault(&self, what: What) -> String;
    /// A branch: what it was forked for, or that it is the story as told.
    fn branch(&self, fork: Option<(Millis, What)>) -> String;
    /// What is written in the picture.
    fn sign(&self, sign: Sign, dialect: Dialect) -> String;
    /// What a visitor should know.
    fn notice(&self, notice: &Notice) -> String;
}

/// A language as it is handed around.
pub type Tongue = Rc<dyn Catalogue>;

/// The language with this code, or English.
#[must_use]
pub fn of(code: &str) -> Tongue {
    match code {
        "en-XA" => Rc::new(Pseudo(English)),
        _ => Rc::new(English),
    }
}

//! A language that is none: English between brackets, so that a test sees every text that does
//! not come from the catalogue.

use super::{Catalogue, Sign, Text};
use crate::play::guard::{LeaseKind, Place};
use crate::play::kind::Kind;
use crate::play::range::Parameter;
use crate::play::track::Track;
use crate::state::Notice;
use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::dialect::Dialect;
use fencegate_core::sim::event::What;
use fencegate_core::sim::laws::Law;
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::stories::Story;
use fencegate_core::sim::told::Told;
use fencegate_core::sim::who::Who;
use fencegate_core::sim::words::Words;
use std::borrow::Cow;

/// A language between brackets.
pub struct Pseudo<W>(pub W);

fn odd(text: &str) -> String {
    format!("⟦{text}⟧")
}

impl<W: Words> Words for Pseudo<W> {
    fn who(&self, who: Who) -> String {
        odd(&self.0.who(who))
    }
    fn told(&self, told: &Told, dialect: Dialect) -> String {
        odd(&self.0.told(told, dialect))
    }
    fn law(&self, law: Law) -> &'static str {
        self.0.law(law)
    }
    fn broken(&self, law: Law) -> String {
        odd(&self.0.broken(law))
    }
}

impl<W: Catalogue> Catalogue for Pseudo<W> {
    fn text(&self, text: Text) -> Cow<'static, str> {
        odd(&self.0.text(text)).into()
    }
    fn title(&self, story: &Story) -> Cow<'static, str> {
        odd(&self.0.title(story)).into()
    }
    fn lesson(&self, story: &Story) -> Cow<'static, str> {
        odd(&self.0.lesson(story)).into()
    }
    fn shows(&self, variant: &Scenario) -> String {
        odd(&self.0.shows(variant))
    }
    fn headline(&self, track: &Track, step: usize) -> String {
        odd(&self.0.headline(track, step))
    }
    fn lasts(&self, ms: Millis) -> String {
        odd(&self.0.lasts(ms))
    }
    fn moment(&self, track: &Track, step: usize) -> String {
        odd(&self.0.moment(track, step))
    }
    fn kind(&self, kind: Kind) -> Cow<'static, str> {
        odd(&self.0.kind(kind)).into()
    }
    fn parameter(&self, parameter: Parameter) -> Cow<'static, str> {
        odd(&self.0.parameter(parameter)).into()
    }
    fn value(&self, parameter: Parameter, value: i32) -> String {
        odd(&self.0.value(parameter, value))
    }
    fn place(&self, place: Place) -> Cow<'static, str> {
        odd(&self.0.place(place)).into()
    }
    fn lease_kind(&self, kind: LeaseKind) -> Cow<'static, str> {
        odd(&self.0.lease_kind(kind)).into()
    }
    fn fault(&self, what: What) -> String {
        odd(&self.0.fault(what))
    }
    fn branch(&self, fork: Option<(Millis, What)>) -> String {
        odd(&self.0.branch(fork))
    }
    fn sign(&self, sign: Sign, dialect: Dialect) -> String {
        odd(&self.0.sign(sign, dialect))
    }
    fn notice(&self, notice: &Notice) -> String {
        odd(&self.0.notice(notice))
    }
}

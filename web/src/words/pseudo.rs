//! A language that is none: English between brackets, so that a test sees every text that does
//! not come from the catalogue.

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
use std::borrow::Cow;

/// A language between brackets.
pub(crate) struct Pseudo<W>(pub(crate) W);

fn odd(text: &str) -> String {
    format!("⟦{text}⟧")
}

impl<W: Catalogue> Catalogue for Pseudo<W> {
    fn who(&self, who: Who) -> String {
        odd(&self.0.who(who))
    }
    fn told(&self, told: &Told, dialect: Dialect) -> String {
        odd(&self.0.told(told, dialect))
    }
    fn law(&self, law: Law) -> Cow<'static, str> {
        odd(&self.0.law(law)).into()
    }
    fn text(&self, text: Text) -> Cow<'static, str> {
        odd(&self.0.text(text)).into()
    }
    fn title(&self, story: &Story) -> Cow<'static, str> {
        odd(&self.0.title(story)).into()
    }
    fn lesson(&self, story: &Story) -> Cow<'static, str> {
        odd(&self.0.lesson(story)).into()
    }
    fn variant(&self, variant: &Scenario) -> String {
        odd(&self.0.variant(variant))
    }
    fn shows(&self, variant: &Scenario) -> String {
        odd(&self.0.shows(variant))
    }
    fn subject(&self, subject: &Subject) -> String {
        odd(&self.0.subject(subject))
    }
    fn headline(&self, track: &Track, step: usize) -> String {
        odd(&self.0.headline(track, step))
    }
    fn lasts(&self, ms: Millis) -> String {
        odd(&self.0.lasts(ms))
    }
    fn position(&self, track: &Track, step: usize) -> String {
        odd(&self.0.position(track, step))
    }
    fn moment(&self, track: &Track, step: usize) -> String {
        odd(&self.0.moment(track, step))
    }
    fn law_name(&self, law: Law) -> String {
        odd(&self.0.law_name(law))
    }
    fn standing(&self, standing: Standing, at: Millis) -> String {
        odd(&self.0.standing(standing, at))
    }
    fn breaks(&self, laws: usize) -> String {
        odd(&self.0.breaks(laws))
    }
    fn jump(&self, kind: Kind, direction: Direction) -> String {
        odd(&self.0.jump(kind, direction))
    }
    fn speed(&self, speed: Speed) -> Cow<'static, str> {
        odd(&self.0.speed(speed)).into()
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
    fn condition(&self, condition: Condition) -> Cow<'static, str> {
        odd(&self.0.condition(condition)).into()
    }
    fn on_refusal(&self, what: OnRefusal) -> Cow<'static, str> {
        odd(&self.0.on_refusal(what)).into()
    }
    fn message(&self, message: &Message) -> String {
        odd(&self.0.message(message))
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
    fn point(&self, point: Point) -> [Cow<'static, str>; 2] {
        self.0.point(point).map(|text| odd(&text).into())
    }
    fn instant(&self, ms: Millis) -> String {
        odd(&self.0.instant(ms))
    }
    fn key(&self, key: Key) -> String {
        odd(&self.0.key(key))
    }
    fn cap(&self, name: &str, shift: bool) -> String {
        odd(&self.0.cap(name, shift))
    }
}

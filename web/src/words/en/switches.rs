//! The switches of the mechanism, and what is made with them.

use super::English;
use crate::play::guard::{Guard, LeaseKind, Place};
use crate::play::subject::Subject;
use crate::words::Catalogue;
use fencegate_core::sim::mechanism::{Condition, Etag};
use fencegate_core::sim::scenario::OnRefusal;

pub(super) const fn place(place: Place) -> &'static str {
    match place {
        Place::Nowhere => "nowhere",
        Place::Proxy => "at the proxy",
        Place::ProxyAtFirstWrite => "at the proxy, from the first write on",
        Place::Store => "at the store",
    }
}

pub(super) const fn lease_kind(kind: LeaseKind) -> &'static str {
    match kind {
        LeaseKind::None => "not at all: there is none",
        LeaseKind::Service => "by the service",
        LeaseKind::Strict => "by the service, and its token ends with it",
        LeaseKind::EveryWall => "by everybody's wall clock",
    }
}

pub(super) const fn condition(condition: Condition) -> &'static str {
    match condition {
        Condition::None => "none: the last writer wins",
        Condition::AsRead(Etag::PerWrite) => "the ETag that its writer read",
        Condition::AsRead(Etag::ByContent) => "the same, made from the bytes",
        Condition::Sealed(Etag::PerWrite) => "sealed by the proxy",
        Condition::Sealed(Etag::ByContent) => "sealed, by an ETag made from the bytes",
    }
}

pub(super) const fn on_refusal(what: OnRefusal) -> &'static str {
    match what {
        OnRefusal::Stop => "stops",
        OnRefusal::Retry => "sends the same again",
        OnRefusal::NextToken => "takes the next number",
        OnRefusal::Renounce => "begins anew",
    }
}

/// "lock only, checked at the proxy, with drain".
pub(super) fn subject(subject: &Subject) -> String {
    let variants = subject.variants();
    let variant = variants.get(subject.variant);
    let mut text = variant.map_or_else(String::new, |variant| English.variant(variant));
    let guard = subject.guard;
    if let Some(at) = guard.check {
        text.push_str(", checked ");
        text.push_str(place(at));
    }
    if guard.drain == Some(true) {
        text.push_str(", with drain");
    }
    let told = Subject {
        guard: Guard {
            check: guard.check,
            drain: guard.drain,
            ..Guard::default()
        },
        ..Subject::told(subject.story, subject.variant)
    };
    if *subject != told {
        text.push_str(", changed");
    }
    text
}

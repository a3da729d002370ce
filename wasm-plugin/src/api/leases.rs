//! What is told of leases to those who look.

use crate::json::Object;
use core::time::Duration;
use fencegate_core::moment::{Moment, millis_down, millis_up};
use fencegate_core::quorum::Kept;
use fencegate_core::record::Record;
use fencegate_core::token::Token;

/// What is told of one resource.
#[derive(Clone, Copy, Debug)]
pub struct Lease<'a> {
    mark: Token,
    holder: Option<&'a str>,
    state: State,
    /// How much of the lease is left, where that is known.
    left: Option<Duration>,
    /// When somebody else may be granted, where that is known.
    free_in: Option<Duration>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Held,
    Expired,
    Released,
    /// Its tokens come from elsewhere.
    Marked,
}

impl State {
    const fn word(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Expired => "expired",
            Self::Released => "released",
            Self::Marked => "marked",
        }
    }

    /// `None`: there is no grant. `Some(released)`.
    const fn of(released: Option<bool>, held: bool) -> Self {
        match released {
            None => Self::Marked,
            Some(true) => Self::Released,
            Some(false) if held => Self::Held,
            Some(false) => Self::Expired,
        }
    }
}

impl<'a> Lease<'a> {
    /// Of a record whose times are on this proxy's clock.
    #[must_use]
    pub fn of_record(record: &'a Record<&str>, now: Moment) -> Self {
        let grant = record.grant.as_ref();
        let held = grant.filter(|grant| grant.is_held(now));
        Self {
            mark: record.token,
            holder: record.holder,
            state: State::of(grant.map(|grant| grant.released), held.is_some()),
            left: held.map(|grant| grant.ends.since(now)),
            free_in: grant.map(|grant| grant.free.since(now)),
        }
    }

    /// Of what a store keeps that ends leases by itself: when it will, it does not say.
    #[must_use]
    pub fn of_kept(kept: &'a Kept, locked: bool) -> Self {
        Self {
            mark: kept.token,
            holder: kept.holder.as_deref(),
            state: State::of(kept.grant.as_ref().map(|grant| grant.released), locked),
            left: None,
            free_in: (!locked && kept.grant.is_some()).then_some(Duration::ZERO),
        }
    }

    /// Writes what is told of it.
    pub fn write(&self, object: &mut Object<'_>, resource: &str, disclose: bool) {
        object.text("resource", resource);
        if disclose {
            object.plain_text("mark", self.mark);
        }
        if let Some(holder) = self.holder {
            object.text("holder", holder);
        }
        object.text("state", self.state.word());
        if let Some(left) = self.left {
            object.value("left_ms", millis_down(left));
        }
        if let Some(free_in) = self.free_in {
            object.value("free_in_ms", millis_up(free_in));
        }
    }
}

/// A list of leases, in JSON.
#[derive(Clone, Debug)]
pub struct Leases {
    /// Objects with commas between them.
    pub json: String,
    /// How many they are.
    pub count: usize,
    disclose: bool,
}

impl Leases {
    /// None yet.
    #[must_use]
    pub const fn new(disclose: bool) -> Self {
        Self {
            json: String::new(),
            count: 0,
            disclose,
        }
    }

    /// Writes one more.
    pub fn write(&mut self, resource: &str, lease: Lease<'_>) {
        if self.count > 0 {
            self.json.push(',');
        }
        self.count = self.count.saturating_add(1);
        let mut object = Object::begin(&mut self.json);
        lease.write(&mut object, resource, self.disclose);
        object.end();
    }
}

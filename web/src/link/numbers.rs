//! What a link carries, as numbers: small ones, so that a moment stays short.
//!
//! Derived code for the same would be many times as large; here each value is a row.

use crate::play::edit::Edit;
use crate::play::guard::{CONDITIONS, Guard, LeaseKind, Place};
use fencegate_core::sim::event::{Accident, Native, What};
use fencegate_core::sim::scenario::OnRefusal;
use fencegate_core::sim::who::Who;

/// Reads numbers one after the other; `None`: there is none, or it is too large for what it is.
pub(super) struct Reader<'n>(pub(super) &'n [u32]);

impl Reader<'_> {
    pub(super) fn next(&mut self) -> Option<u32> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(super) fn small<T: TryFrom<u32>>(&mut self) -> Option<T> {
        T::try_from(self.next()?).ok()
    }

    pub(super) fn signed(&mut self) -> Option<i32> {
        self.next().map(unfolded)
    }
}

/// A signed number as one that is small when it is near 0.
pub(super) const fn folded(number: i32) -> u32 {
    ((number << 1) ^ (number >> 31)).cast_unsigned()
}

const fn unfolded(number: u32) -> i32 {
    (number >> 1).cast_signed() ^ -((number & 1).cast_signed())
}

const REFUSALS: [OnRefusal; 4] = [
    OnRefusal::Stop,
    OnRefusal::Retry,
    OnRefusal::NextToken,
    OnRefusal::Renounce,
];
const SWITCHED: [bool; 2] = [false, true];

/// Which of `all` it is, counted from 1; 0 stands for none.
fn index<T: PartialEq>(all: &[T], one: Option<T>) -> u32 {
    let at = one.and_then(|one| all.iter().position(|other| *other == one));
    at.map_or(0, |at| u32::try_from(at + 1).unwrap_or(0))
}

/// The one of `all` with this index; too large a one is an error.
fn one<T: Copy>(all: &[T], index: u32) -> Option<Option<T>> {
    let Some(before) = index.checked_sub(1) else {
        return Some(None);
    };
    all.get(usize::try_from(before).ok()?).copied().map(Some)
}

pub(super) fn put_guard(guard: &Guard, out: &mut Vec<u32>) {
    out.extend([
        index(&Place::ALL, guard.check),
        index(&LeaseKind::ALL, guard.lease),
        index(&SWITCHED, guard.drain),
        index(&CONDITIONS, guard.condition),
        index(&SWITCHED, guard.stops_at_expiry),
        index(&REFUSALS, guard.on_refusal),
    ]);
}

pub(super) fn guard(from: &mut Reader<'_>) -> Option<Guard> {
    Some(Guard {
        check: one(&Place::ALL, from.next()?)?,
        lease: one(&LeaseKind::ALL, from.next()?)?,
        drain: one(&SWITCHED, from.next()?)?,
        condition: one(&CONDITIONS, from.next()?)?,
        stops_at_expiry: one(&SWITCHED, from.next()?)?,
        on_refusal: one(&REFUSALS, from.next()?)?,
    })
}

pub(super) fn put_edit(edit: &Edit, out: &mut Vec<u32>) {
    out.extend([edit.branch.into(), edit.step.into(), edit.at]);
    out.extend(what(edit.what));
}

pub(super) fn edit(from: &mut Reader<'_>) -> Option<Edit> {
    Some(Edit {
        branch: from.small()?,
        step: from.small()?,
        at: from.next()?,
        what: what_of(from)?,
    })
}

const HOLDERS: u32 = 8;
const PROXIES: u32 = 2;

fn who(who: Who) -> u32 {
    match who {
        Who::Issuer => 0,
        Who::Store => 1,
        Who::Proxy(index) => PROXIES + u32::from(index),
        Who::Holder(index) => HOLDERS + u32::from(index),
    }
}

fn who_of(from: &mut Reader<'_>) -> Option<Who> {
    Some(match from.next()? {
        0 => Who::Issuer,
        1 => Who::Store,
        number if number < HOLDERS => Who::Proxy(u8::try_from(number - PROXIES).ok()?),
        number => Who::Holder(u8::try_from(number - HOLDERS).ok()?),
    })
}

/// A kind and what goes with it, filled up with zeros.
fn what(it: What) -> [u32; 4] {
    match it {
        What::Deliver(message) => [0, message.into(), 0, 0],
        What::Lose(message) => [1, message.into(), 0, 0],
        What::Duplicate(message) => [2, message.into(), 0, 0],
        What::Delay { message, by_ms } => [3, message.into(), by_ms, 0],
        What::Timer(it) => [4, who(it), 0, 0],
        What::Accident(accident) => befalls(accident),
    }
}

fn befalls(accident: Accident) -> [u32; 4] {
    match accident {
        Accident::Pause {
            who: it,
            clock_stops,
        } => [5, who(it), clock_stops.into(), 0],
        Accident::Resume(it) => [6, who(it), 0, 0],
        Accident::Crash(it) => [7, who(it), 0, 0],
        Accident::Restart {
            who: it,
            with_memory,
        } => [8, who(it), with_memory.into(), 0],
        Accident::Cut { from, to } => [9, who(from), who(to), 0],
        Accident::Heal { from, to } => [10, who(from), who(to), 0],
        Accident::Slow { from, to, by_ms } => [11, who(from), who(to), by_ms],
        Accident::LoseNext { from, to } => [12, who(from), who(to), 0],
        Accident::DuplicateNext { from, to } => [13, who(from), who(to), 0],
        Accident::Stall(it) => [14, who(it), 0, 0],
        Accident::Unstall(it) => [15, who(it), 0, 0],
        Accident::StepClock { who: it, by_ms } => [16, who(it), folded(by_ms), 0],
        Accident::Drift { who: it, rate_ppm } => [17, who(it), folded(rate_ppm), 0],
        Accident::Snapshot => [18, 0, 0, 0],
        Accident::Restore => [19, 0, 0, 0],
        Accident::Break => [20, 0, 0, 0],
        Accident::Native(Native::AbortTransaction) => [21, 0, 0, 0],
        Accident::Native(Native::CloseSession(by)) => [22, by.into(), 0, 0],
        Accident::Native(Native::OtherKeys(many)) => [23, many.into(), 0, 0],
        Accident::Native(Native::DeleteLeaseObject) => [24, 0, 0, 0],
        Accident::Native(Native::FlushBuffers(by)) => [25, by.into(), 0, 0],
    }
}

fn what_of(from: &mut Reader<'_>) -> Option<What> {
    let (four, rest) = from.0.split_first_chunk::<4>()?;
    let (kind, mut own) = (four[0], Reader(&four[1..]));
    from.0 = rest;
    Some(match kind {
        0 => What::Deliver(own.small()?),
        1 => What::Lose(own.small()?),
        2 => What::Duplicate(own.small()?),
        3 => What::Delay {
            message: own.small()?,
            by_ms: own.next()?,
        },
        4 => What::Timer(who_of(&mut own)?),
        _ => What::Accident(accident_of(kind, &mut own)?),
    })
}

fn accident_of(kind: u32, own: &mut Reader<'_>) -> Option<Accident> {
    Some(match kind {
        5 => Accident::Pause {
            who: who_of(own)?,
            clock_stops: own.next()? > 0,
        },
        6 => Accident::Resume(who_of(own)?),
        7 => Accident::Crash(who_of(own)?),
        8 => Accident::Restart {
            who: who_of(own)?,
            with_memory: own.next()? > 0,
        },
        9..=13 => between(kind, who_of(own)?, who_of(own)?, own.next()?),
        14 => Accident::Stall(who_of(own)?),
        15 => Accident::Unstall(who_of(own)?),
        16 => Accident::StepClock {
            who: who_of(own)?,
            by_ms: own.signed()?,
        },
        17 => Accident::Drift {
            who: who_of(own)?,
            rate_ppm: own.signed()?,
        },
        18 => Accident::Snapshot,
        19 => Accident::Restore,
        20 => Accident::Break,
        21 => Accident::Native(Native::AbortTransaction),
        22 => Accident::Native(Native::CloseSession(own.small()?)),
        23 => Accident::Native(Native::OtherKeys(own.small()?)),
        24 => Accident::Native(Native::DeleteLeaseObject),
        25 => Accident::Native(Native::FlushBuffers(own.small()?)),
        _ => return None,
    })
}

const fn between(kind: u32, from: Who, to: Who, by_ms: u32) -> Accident {
    match kind {
        9 => Accident::Cut { from, to },
        10 => Accident::Heal { from, to },
        11 => Accident::Slow { from, to, by_ms },
        12 => Accident::LoseNext { from, to },
        _ => Accident::DuplicateNext { from, to },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_kind_of_event_comes_back() {
        for kind in 0..26 {
            for rest in [[0, 0, 0], [9, 1, 0], [8, 2, 5], [2, 11, 7]] {
                let numbers = [kind, rest[0], rest[1], rest[2]];
                let Some(read) = what_of(&mut Reader(&numbers)) else {
                    panic!("{numbers:?}");
                };
                let again = what(read);
                assert_eq!(again[0], kind, "{read:?}");
                assert_eq!(what_of(&mut Reader(&again)), Some(read));
            }
        }
        assert_eq!(what_of(&mut Reader(&[26, 0, 0, 0])), None);
        assert_eq!(what_of(&mut Reader(&[0, 70_000, 0, 0])), None);
        assert_eq!(what_of(&mut Reader(&[7, 1, 0])), None);
    }

    #[test]
    fn signed_numbers_come_back() {
        for number in [0, -1, 1, i32::MIN, i32::MAX, -60_000] {
            assert_eq!(unfolded(folded(number)), number);
        }
        assert_eq!(folded(-1), 1);
    }
}

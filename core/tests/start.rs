//! One start of the issuer: its epoch, when it opens, and that no token comes twice.

mod common;

use common::{ms, secs};
use fencegate_core::codec::Garbled;
use fencegate_core::moment::Moment;
use fencegate_core::start::{Start, StartError};
use std::time::Duration;

const NOW: Moment = Moment::from_nanos(77_000_000_000);

fn start(wall: Duration, random: u64) -> Start {
    Start::new(wall, NOW, random).expect("before the year 2106")
}

#[test]
fn no_token_before_the_second_it_is_named_for() {
    for (wall, epoch, closed) in [
        (secs(1000), 1001, secs(1)),
        (ms(1_000_001), 1001, ms(999)),
        (ms(1_000_999), 1001, ms(1)),
        (
            Duration::from_nanos(1_000_999_999_999),
            1001,
            Duration::from_nanos(1),
        ),
    ] {
        let start = start(wall, 0);
        let (token, _) = start.draw().expect("the first");
        assert_eq!(token.epoch(), epoch);
        assert_eq!(start.closed_for(Duration::ZERO, NOW), Some(closed));
        assert_eq!(start.closed_for(Duration::ZERO, NOW.after(closed)), None);
    }
}

#[test]
fn the_longer_of_quarantine_and_second_counts() {
    let start = start(ms(1_000_900), 0);
    for (quarantine, passed, closed) in [
        (Duration::ZERO, Duration::ZERO, Some(ms(100))),
        (ms(50), ms(60), Some(ms(40))),
        (secs(5), Duration::ZERO, Some(secs(5))),
        (secs(5), secs(4), Some(secs(1))),
        (secs(5), secs(5), None),
        (secs(5), secs(500), None),
    ] {
        assert_eq!(start.closed_for(quarantine, NOW.after(passed)), closed);
    }
}

#[test]
fn numbers_rise_from_the_random_base() {
    let mut start = start(secs(1000), 41);
    for number in 42..50 {
        let (token, next) = start.draw().expect("far from the end");
        assert_eq!((token.epoch(), token.number()), (1001, number));
        start = next;
    }
}

#[test]
fn the_base_leaves_room_for_every_grant() {
    let (token, _) = start(secs(1000), u64::MAX).draw().expect("the first");
    assert_eq!(token.number(), 1 << 62);
    let (token, _) = start(secs(1000), 1 << 63).draw().expect("the first");
    assert_eq!(token.number(), 1, "0 is not a token");
}

#[test]
fn a_repeated_second_with_another_base_repeats_no_token() {
    let first = start(secs(1000), 5).draw().expect("the first").0;
    let again = start(secs(1000), 9_000_000).draw().expect("the first").0;
    assert_eq!(first.epoch(), again.epoch());
    assert_ne!(first, again);
}

#[test]
fn the_last_second_is_in_2106() {
    let last = u64::from(u32::MAX) - 1;
    assert!(Start::new(secs(last), NOW, 0).is_ok());
    assert_eq!(
        Start::new(secs(last + 1), NOW, 0),
        Err(StartError::EpochOverflow)
    );
    assert_eq!(
        Start::new(Duration::MAX, NOW, 0),
        Err(StartError::EpochOverflow)
    );
}

#[test]
fn numbers_that_are_used_up_do_not_wrap() {
    // Nobody draws so many; the bytes are made by hand.
    let mut bytes = start(secs(1000), 0).encode();
    bytes[5..13].copy_from_slice(&(u64::MAX - 1).to_le_bytes());
    let body = bytes.len() - 8;
    let sum = fencegate_core::codec::checksum(&bytes[..body]);
    bytes[body..].copy_from_slice(&sum);
    let start = Start::decode(&bytes).expect("the checksum is right");
    let (token, next) = start.draw().expect("the last");
    assert_eq!(token.number(), u64::MAX);
    assert_eq!(next.draw(), Err(StartError::NumbersUsedUp));
}

#[test]
fn what_was_written_is_read_and_every_damage_is_seen() {
    let start = start(ms(1_000_250), 99);
    let bytes = start.encode();
    assert_eq!(Start::decode(&bytes), Ok(start));
    for at in 0..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[at / 8] ^= 1 << (at % 8);
        assert_eq!(Start::decode(&damaged), Err(Garbled), "bit {at}");
    }
    for len in 0..bytes.len() {
        assert_eq!(Start::decode(&bytes[..len]), Err(Garbled), "{len} bytes");
    }
    assert_eq!(
        Start::decode(&[bytes.as_slice(), b"x"].concat()),
        Err(Garbled)
    );
}

//! A record as bytes: everything comes back, every damage is seen.

mod common;

use common::token;
use fencegate_core::codec::{Garbled, NameTooLong, checksum, decode, encode};
use fencegate_core::moment::Moment;
use fencegate_core::record::{Grant, Record};
use std::time::Duration;

fn records() -> Vec<Record> {
    let grant = |request_id: Option<&str>, released| Grant {
        request_id: request_id.map(str::to_owned),
        ttl: Duration::from_secs(10),
        ends: Moment::from_nanos(11),
        free: Moment::from_nanos(u64::MAX),
        released,
    };
    let record = |holder: Option<&str>, grant| Record {
        token: token(42),
        holder: holder.map(str::to_owned),
        generation: 7,
        grant,
    };
    vec![
        record(None, None),
        record(Some("a"), None),
        record(Some("a"), Some(grant(None, false))),
        record(Some("a"), Some(grant(Some("id"), true))),
        record(None, Some(grant(None, true))),
    ]
}

fn bytes(resource: &str, record: &Record) -> Vec<u8> {
    let mut out = Vec::new();
    encode(resource, record, &mut out).expect("short names");
    out
}

/// The same bytes with a checksum that is right again.
fn with_sum(bytes: &[u8]) -> Vec<u8> {
    let body = &bytes[..bytes.len() - 8];
    [body, &checksum(body)].concat()
}

#[test]
fn what_was_written_is_read() {
    for record in records() {
        let bytes = bytes("job:1", &record);
        let (resource, read) = decode(&bytes).expect("nothing is damaged");
        assert_eq!((resource, read.to_owned()), ("job:1", record.clone()));
        assert_eq!(read, record.borrowed());
    }
}

#[test]
fn every_flipped_bit_is_seen() {
    for record in records() {
        let bytes = bytes("job:1", &record);
        for at in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[at / 8] ^= 1 << (at % 8);
            assert_eq!(decode(&damaged), Err(Garbled), "bit {at}");
        }
    }
}

#[test]
fn every_wrong_length_is_seen() {
    for record in records() {
        let bytes = bytes("job:1", &record);
        for len in 0..bytes.len() {
            assert_eq!(decode(&bytes[..len]), Err(Garbled), "{len} bytes");
        }
        let longer = [bytes.as_slice(), b"x"].concat();
        assert_eq!(decode(&longer), Err(Garbled));
        let mut between = bytes.clone();
        between.insert(bytes.len() - 8, b'x');
        assert_eq!(
            decode(&with_sum(&between)),
            Err(Garbled),
            "a right checksum is not enough"
        );
    }
}

#[test]
fn another_format_or_flag_is_not_guessed_at() {
    let good = bytes("job:1", &records()[2]);
    for (at, value) in [(0, 0), (0, 2), (0, 0xff), (1, 0x10), (1, 0xff)] {
        let mut other = good.clone();
        other[at] = value;
        assert_eq!(
            decode(&with_sum(&other)),
            Err(Garbled),
            "byte {at} is {value}"
        );
    }
}

#[test]
fn the_number_0_and_broken_text_are_garbled() {
    let good = bytes("job:1", &records()[1]);
    let mut zero = good.clone();
    zero[14..22].fill(0);
    assert_eq!(decode(&with_sum(&zero)), Err(Garbled));
    let mut text = good.clone();
    text[46] = 0xc0;
    assert_eq!(decode(&with_sum(&text)), Err(Garbled));
}

#[test]
fn nothing_is_written_for_a_name_that_is_too_long() {
    let mut out = b"before".to_vec();
    let long = "x".repeat(256);
    let mut record = records().remove(3);
    record.holder = Some(long.clone());
    assert_eq!(encode("r", &record, &mut out), Err(NameTooLong));
    record.holder = Some("a".to_owned());
    assert_eq!(
        encode(&"x".repeat(65_536), &record, &mut out),
        Err(NameTooLong)
    );
    if let Some(grant) = &mut record.grant {
        grant.request_id = Some(long);
    }
    assert_eq!(encode("r", &record, &mut out), Err(NameTooLong));
    assert_eq!(out, b"before");
}

#[test]
fn a_lease_longer_than_the_clock_ends_with_it() {
    let mut record = records().remove(2);
    if let Some(grant) = &mut record.grant {
        grant.ttl = Duration::MAX;
    }
    let bytes = bytes("r", &record);
    let (_, read) = decode(&bytes).expect("nothing is damaged");
    assert_eq!(
        read.grant.map(|grant| grant.ttl),
        Some(Duration::from_nanos(u64::MAX))
    );
}

//! What the store keeps, as bytes: everything comes back, every damage is seen.

use fencegate_core::codec::{Garbled, checksum};
use fencegate_core::quorum::{Init, Kept, KeptGrant, LeaseId, Number};
use fencegate_core::spent::Fingerprint;
use fencegate_core::token::Token;
use proptest::prelude::*;
use std::time::Duration;

const R: &str = "job:1";
/// The revision of the put.
const AT: u64 = 99;

fn init() -> impl Strategy<Value = Init> {
    let spans = (1..u32::MAX, 0..u32::MAX);
    let numbers = (any::<u64>(), any::<u32>(), any::<u32>(), any::<u64>());
    (numbers, spans).prop_map(
        |((cluster, epoch, generation, mapping), (trust, more))| Init {
            cluster,
            epoch,
            generation,
            mapping,
            trust: Duration::from_millis(trust.into()),
            wait: Duration::from_millis(trust.saturating_add(more).into()),
        },
    )
}

fn grant() -> impl Strategy<Value = KeptGrant> {
    let spans = (any::<u64>(), any::<u64>());
    (
        any::<u128>(),
        proptest::option::of("[a-z]{1,64}"),
        spans,
        any::<u64>(),
        any::<bool>(),
    )
        .prop_map(
            |(nonce, request_id, (ttl, delay), lease, released)| KeptGrant {
                nonce,
                request_id,
                ttl: Duration::from_nanos(ttl),
                lock_delay: Duration::from_nanos(delay),
                lease: LeaseId(lease),
                released,
            },
        )
}

fn kept() -> impl Strategy<Value = Kept> {
    let token = (any::<u32>(), 1..=u64::MAX);
    let spent = proptest::collection::vec(any::<[u8; 8]>(), 0..=8);
    let holder = proptest::option::of("[a-z]{1,128}");
    (
        token,
        holder,
        any::<u32>(),
        any::<bool>(),
        spent,
        proptest::option::of(grant()),
    )
        .prop_map(
            |((epoch, number), holder, generation, settled, spent, grant)| Kept {
                token: Token::new(epoch, number).expect("above 0"),
                holder,
                generation,
                settled,
                spent,
                grant,
            },
        )
}

fn bytes(kept: &Kept, number: Number) -> Vec<u8> {
    kept.encode(R, number).expect("short names")
}

/// The same bytes with a checksum that is right again.
fn with_sum(bytes: &[u8]) -> Vec<u8> {
    let body = &bytes[..bytes.len() - 8];
    [body, &checksum(body)].concat()
}

proptest! {
    #[test]
    fn what_was_kept_is_read(kept in kept()) {
        let read = Kept::decode(&bytes(&kept, Number::Restated), R, AT);
        prop_assert_eq!(read, Ok(kept.clone()));
        // The number of the put itself, where it is not told.
        let token = Token::new(kept.token.epoch(), AT).expect("above 0");
        let read = Kept::decode(&bytes(&kept, Number::OfThisPut), R, AT);
        prop_assert_eq!(read, Ok(Kept { token, ..kept }));
    }

    #[test]
    fn every_flipped_bit_of_what_was_kept_is_seen(kept in kept(), seed in any::<usize>()) {
        let sound = bytes(&kept, Number::Restated);
        let at = seed % (sound.len() * 8);
        let mut damaged = sound;
        damaged[at / 8] ^= 1 << (at % 8);
        prop_assert_eq!(Kept::decode(&damaged, R, AT), Err(Garbled), "bit {}", at);
    }

    #[test]
    fn every_other_length_is_seen(kept in kept(), len in any::<usize>()) {
        let sound = bytes(&kept, Number::Restated);
        prop_assert_eq!(Kept::decode(&sound[..len % sound.len()], R, AT), Err(Garbled));
        let mut longer = sound.clone();
        longer.insert(sound.len() - 8, b'x');
        prop_assert_eq!(Kept::decode(&with_sum(&longer), R, AT), Err(Garbled));
    }

    #[test]
    fn another_resources_record_is_garbled(kept in kept(), other in "[a-z]{1,20}") {
        prop_assume!(other != R);
        prop_assert_eq!(Kept::decode(&bytes(&kept, Number::Restated), &other, AT), Err(Garbled));
    }

    #[test]
    fn init_is_read_as_it_was_put_and_every_flipped_bit_is_seen(init in init()) {
        let sound = init.encode();
        prop_assert_eq!(Init::decode(&sound), Ok(init));
        for at in 0..sound.len() * 8 {
            let mut damaged = sound.clone();
            damaged[at / 8] ^= 1 << (at % 8);
            prop_assert_eq!(Init::decode(&damaged), Err(Garbled), "bit {}", at);
        }
        for len in 0..sound.len() {
            prop_assert_eq!(Init::decode(&sound[..len]), Err(Garbled));
        }
    }

    #[test]
    fn one_is_not_read_as_the_other(kept in kept(), init in init()) {
        prop_assert_eq!(Init::decode(&bytes(&kept, Number::Restated)), Err(Garbled));
        prop_assert_eq!(Kept::decode(&init.encode(), R, AT), Err(Garbled));
    }
}

#[test]
fn every_bit_of_one_record_counts() {
    let kept = Kept {
        token: Token::new(3, 42).expect("above 0"),
        holder: Some("worker-a".to_owned()),
        generation: 7,
        settled: true,
        spent: vec![[1; 8], [2; 8]],
        grant: Some(KeptGrant {
            nonce: 5,
            request_id: Some("id".to_owned()),
            ttl: Duration::from_secs(10),
            lock_delay: Duration::from_secs(1),
            lease: LeaseId(88),
            released: false,
        }),
    };
    let sound = bytes(&kept, Number::Restated);
    for at in 0..sound.len() * 8 {
        let mut damaged = sound.clone();
        damaged[at / 8] ^= 1 << (at % 8);
        assert_eq!(Kept::decode(&damaged, R, AT), Err(Garbled), "bit {at}");
    }
    // Another format is not guessed at.
    let mut other = sound;
    other[1] += 1;
    assert_eq!(Kept::decode(&with_sum(&other), R, AT), Err(Garbled));
}

#[test]
fn a_window_that_trusts_for_longer_than_it_waits_or_not_at_all_is_garbled() {
    let init = Init {
        cluster: 1,
        epoch: 1,
        generation: 1,
        mapping: 1,
        trust: Duration::from_millis(2),
        wait: Duration::from_millis(1),
    };
    assert_eq!(Init::decode(&init.encode()), Err(Garbled));
    let none = Init {
        trust: Duration::ZERO,
        ..init
    };
    assert_eq!(Init::decode(&none.encode()), Err(Garbled));
}

#[test]
fn the_oldest_spent_request_goes_first() {
    let mut kept = Kept {
        token: Token::new(0, 1).expect("above 0"),
        holder: None,
        generation: 1,
        settled: false,
        spent: Vec::new(),
        grant: None,
    };
    for id in 0..10_u8 {
        kept = kept.spending(Some(Fingerprint([id; 8]))).spending(None);
    }
    let expected: Vec<_> = (2..10).map(|id| [id; 8]).collect();
    assert_eq!(kept.spent, expected);
}

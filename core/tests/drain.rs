//! Drain, case by case and by random histories: counts, the bound, the bytes, and the answers.

mod common;

use common::{ACQUIRE, EXTERNAL, by, external, secs, token, write};
use fencegate_core::check::{Access, Check};
use fencegate_core::codec::Garbled;
use fencegate_core::drain::{
    Answer, Both, COUNT_MAX, CountIn, CountOut, Counted, CountedIn, Drain, DrainedCheck,
    DrainedGrant, DrainedVerdict, FLIGHTS_MAX, Grants, Outlook, Plain, Put, Unresolved, decode,
    encode,
};
use fencegate_core::drive::{Authority, drive};
use fencegate_core::lease::{Acquire, Acquired, Break, NotGranted};
use fencegate_core::machine::NotStored;
use fencegate_core::moment::Moment;
use fencegate_core::token::Token;
use fencegate_core::verdict::{Fault, Reason, Verdict};
use proptest::prelude::*;
use std::time::Duration;

const BOUND: Duration = Duration::from_secs(30);

/// One resource at a proxy that drains.
#[derive(Default)]
struct Proxy {
    world: common::World,
    bytes: Vec<u8>,
    /// What the bytes say.
    drain: Drain,
}

impl Authority for Proxy {
    type Change = Put;
    type Version = u64;

    fn now(&self) -> Moment {
        self.world.now
    }

    fn load(&mut self) -> Result<(Both<'_>, u64), Fault> {
        self.drain = match self.bytes.is_empty() {
            true => Drain::default(),
            false => decode(&self.bytes).map_err(|Garbled| Fault::Garbled)?,
        };
        let cell = self.world.cells.entry("r".to_owned()).or_default();
        let both = Both {
            seen: cell.seen("r")?,
            drain: &self.drain,
        };
        Ok((both, cell.version))
    }

    fn draw(&mut self) -> Result<Token, Fault> {
        let (token, next) = self.world.start.draw().map_err(|_| Fault::IssuerBehind)?;
        self.world.start = next;
        Ok(token)
    }

    fn store(&mut self, put: &Put, version: &u64) -> Result<(), NotStored> {
        let now = self.world.now;
        let cell = self.world.cells.entry("r".to_owned()).or_default();
        if cell.version != *version {
            return Err(NotStored::Conflict);
        }
        match &put.change {
            Some(change) => cell.put("r", change, now),
            None => cell.version += 1,
        }
        self.bytes.clear();
        encode(&put.drain, &mut self.bytes);
        Ok(())
    }
}

impl Proxy {
    fn drain(&mut self) -> Drain {
        self.load().expect("readable").0.drain.clone()
    }

    fn count_in(&mut self, token: Token) -> CountedIn {
        drive(
            self,
            CountIn {
                token,
                bound: BOUND,
            },
            0,
        )
    }

    fn count_out(&mut self, token: Token) -> Counted {
        drive(self, CountOut { token }, 0)
    }

    fn grant(&mut self, holder: &'static str) -> Grants {
        let acquire = Acquire { holder, ..ACQUIRE };
        drive(self, DrainedGrant::new(acquire, "id", BOUND), 0)
    }

    #[track_caller]
    fn granted(&mut self, holder: &'static str) -> Token {
        match self.grant(holder) {
            Grants::Answered(acquired) => common::granted(acquired).token,
            other => panic!("granted, but {other:?}"),
        }
    }

    #[track_caller]
    fn draining(&mut self, holder: &'static str) -> Duration {
        match self.grant(holder) {
            Grants::Draining { retry_after } => retry_after,
            other => panic!("draining, but {other:?}"),
        }
    }

    fn check(&mut self, check: Check<'static>) -> DrainedVerdict {
        let drained = DrainedCheck {
            check,
            bound: BOUND,
        };
        drive(self, drained, 0)
    }
}

#[test]
fn a_grant_waits_for_older_writes_and_its_lease_starts_with_the_answer() {
    let mut proxy = Proxy::default();
    let first = proxy.granted("a");
    assert_eq!(proxy.count_in(first), CountedIn::In);
    proxy.world.pass(secs(10));
    assert_eq!(proxy.draining("b"), BOUND);
    proxy.world.pass(secs(4));
    assert_eq!(proxy.draining("b"), secs(26));
    assert_eq!(
        drive(&mut proxy, Plain(write("a", first)), 0),
        rejected(Reason::Stale, proxy.mark())
    );
    assert_eq!(proxy.count_out(first), Counted::Out);
    let Grants::Answered(Acquired::Granted { leased, .. }) = proxy.grant("b") else {
        panic!("nothing older is under way");
    };
    assert_eq!(leased.left, secs(10));
    let admitted = drive(&mut proxy, Plain(write("b", leased.token)), 0);
    assert!(common::admits(admitted));
}

fn rejected(reason: Reason, mark: Token) -> Verdict {
    Verdict::Reject(fencegate_core::verdict::Rejection {
        reason,
        mark: Some(mark),
    })
}

impl Proxy {
    fn mark(&mut self) -> Token {
        let record = self.load().expect("readable").0.seen.record;
        record.expect("there is one").token
    }
}

#[test]
fn an_unresolved_write_holds_a_grant_up_until_the_bound_from_its_raise() {
    let mut proxy = Proxy::default();
    let first = proxy.granted("a");
    assert_eq!(proxy.count_in(first), CountedIn::In);
    assert_eq!(
        drive(&mut proxy, Unresolved { token: first }, 0),
        Counted::Out
    );
    proxy.world.pass(secs(1_000));
    assert_eq!(proxy.draining("b"), BOUND);
    proxy.world.pass(secs(29));
    assert_eq!(proxy.draining("b"), secs(1));
    proxy.world.pass(secs(1));
    proxy.granted("b");
    assert!(proxy.drain().flights().is_empty());
    // Its answer comes in the end, and takes nobody's count.
    assert_eq!(proxy.count_out(first), Counted::Out);
}

#[test]
fn a_pending_grant_is_nobody_elses_and_ends_with_its_request() {
    let mut proxy = Proxy::default();
    let first = proxy.granted("a");
    proxy.count_in(first);
    proxy.world.pass(secs(10));
    proxy.draining("b");
    let pending = proxy.mark();
    let guessed = drive(&mut proxy, Plain(write("b", pending)), 0);
    assert_eq!(guessed, rejected(Reason::Released, pending));
    let Grants::Answered(Acquired::NotGranted(NotGranted::Held { retry_after, .. })) =
        proxy.grant("c")
    else {
        panic!("held for b");
    };
    assert_eq!(retry_after, secs(40));
    // b never comes back.
    proxy.world.pass(secs(40));
    proxy.granted("c");
    let late = proxy.grant("b");
    assert_eq!(
        late,
        Grants::Answered(Acquired::NotGranted(NotGranted::GrantEnded))
    );
}

#[test]
fn a_break_supersedes_as_well() {
    let mut proxy = Proxy::default();
    let first = proxy.granted("a");
    proxy.count_in(first);
    let broken = Break {
        resource: "r",
        lock_delay: Duration::ZERO,
        generation: 1,
    };
    drive(&mut proxy, Plain(broken), 0);
    proxy.world.pass(secs(29));
    assert_eq!(proxy.draining("b"), secs(1));
}

#[test]
fn what_is_superseded_gets_no_count() {
    let mut proxy = Proxy::default();
    let first = proxy.granted("a");
    proxy.world.pass(secs(10));
    let second = proxy.granted("b");
    assert_eq!(proxy.count_in(first), CountedIn::Superseded(second));
    assert_eq!(proxy.count_in(second), CountedIn::In);
}

#[test]
fn counts_saturate_and_places_are_limited() {
    let mut proxy = Proxy::default();
    for _ in 0..u32::from(COUNT_MAX) + 2 {
        assert_eq!(proxy.count_in(token(1)), CountedIn::In);
    }
    assert_eq!(proxy.count_out(token(1)), Counted::Out);
    assert_eq!(proxy.drain().flights()[0].open, COUNT_MAX);
    for number in 2..=FLIGHTS_MAX as u64 {
        assert_eq!(proxy.count_in(token(number)), CountedIn::In);
    }
    let one_more = proxy.count_in(token(1_000));
    assert_eq!(one_more, CountedIn::Undecided(Fault::Full));
}

#[test]
fn only_a_complete_answer_of_the_origin_to_the_only_attempt_ends_a_write() {
    for bits in 0..8_u32 {
        let answer = Answer {
            from_origin: bits & 1 != 0,
            complete: bits & 2 != 0,
            attempts: if bits & 4 != 0 { 1 } else { 2 },
        };
        assert_eq!(answer.ends(), bits == 7, "{answer:?}");
    }
}

#[test]
fn the_first_higher_external_write_drains_and_so_does_the_next_one() {
    let mut proxy = Proxy::default();
    proxy.count_in(token(1));
    assert!(matches!(
        proxy.check(external("a", token(1))),
        DrainedVerdict::Decided(Verdict::Admit(_))
    ));
    for _ in 0..2 {
        proxy.count_in(token(2));
        let waits = proxy.check(external("b", token(2)));
        assert_eq!(waits, DrainedVerdict::Draining { retry_after: BOUND });
    }
    let read = Check {
        presented: by("b", token(2)),
        access: Access::Read,
        judgement: EXTERNAL,
        generation: 1,
    };
    assert!(matches!(
        proxy.check(read),
        DrainedVerdict::Decided(Verdict::Admit(_))
    ));
    proxy.count_out(token(1));
    assert!(matches!(
        proxy.check(external("b", token(2))),
        DrainedVerdict::Decided(Verdict::Admit(_))
    ));
}

#[test]
fn every_flipped_bit_is_seen() {
    let mut proxy = Proxy::default();
    for number in 1..4 {
        proxy.count_in(token(number));
    }
    proxy.check(external("b", token(3)));
    let bytes = proxy.bytes.clone();
    let drain = decode(&bytes).expect("undamaged");
    assert_eq!(drain.flights().len(), 3);
    for at in 0..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[at / 8] ^= 1 << (at % 8);
        assert_eq!(decode(&damaged), Err(Garbled), "bit {at}");
    }
    for len in 0..bytes.len() {
        assert_eq!(decode(&bytes[..len]), Err(Garbled));
    }
}

#[derive(Clone, Copy, Debug)]
enum Line {
    In(u64),
    Out(u64),
    Lost(u64),
    Raise(u64),
    Pass(u64),
}

fn line() -> impl Strategy<Value = Line> {
    let number = 1..6_u64;
    prop_oneof![
        number.clone().prop_map(Line::In),
        number.clone().prop_map(Line::Out),
        number.clone().prop_map(Line::Lost),
        number.prop_map(Line::Raise),
        (0..20_u64).prop_map(Line::Pass),
    ]
}

proptest! {
    /// The counts against plain lists of writes, each with the time when it was superseded.
    #[test]
    fn every_history_is_counted_as_a_plain_list_counts_it(lines in prop::collection::vec(line(), 0..60)) {
        let mut proxy = Proxy::default();
        let (mut writes, mut mark) = (Vec::<(u64, bool, Option<Moment>)>::new(), 0);
        for line in lines {
            match line {
                Line::In(number) => {
                    let counted = proxy.count_in(token(number));
                    prop_assert_eq!(counted == CountedIn::In, number >= mark);
                    if number >= mark {
                        writes.push((number, false, None));
                    }
                }
                Line::Out(number) | Line::Lost(number) => {
                    let at = writes.iter().position(|(other, lost, _)| *other == number && !lost);
                    let lost = matches!(line, Line::Lost(_));
                    // A write is counted out once; afterwards its flight is unresolved or not.
                    if let Some(at) = at {
                        match lost {
                            true => writes[at].1 = true,
                            false => { writes.remove(at); }
                        }
                        match lost {
                            true => drive(&mut proxy, Unresolved { token: token(number) }, 0),
                            false => proxy.count_out(token(number)),
                        };
                    }
                }
                Line::Raise(number) => {
                    proxy.check(external("a", token(number)));
                    mark = mark.max(number);
                    for (own, _, superseded) in &mut writes {
                        if *own < mark {
                            *superseded = superseded.or(Some(proxy.world.now));
                        }
                    }
                }
                Line::Pass(seconds) => proxy.world.pass(secs(seconds)),
            }
            let now = proxy.world.now;
            let busy = writes.iter().any(|(own, _, superseded)| {
                *own < mark && superseded.is_some_and(|at| now < at.after(BOUND))
            });
            if mark > 0 {
                let outlook = proxy.drain().outlook(token(mark), BOUND, now);
                prop_assert_eq!(matches!(outlook, Outlook::Until(_)), busy);
            }
            let bytes = proxy.bytes.clone();
            if !bytes.is_empty() {
                let mut again = Vec::new();
                encode(&proxy.drain(), &mut again);
                prop_assert_eq!(again, bytes);
            }
        }
    }
}

//! Every sentence, in every form that it can take, is the one in `golden/sentences.txt`.

use fencegate_core::sim::dialect::Dialect;
use fencegate_core::sim::event::{Accident, Native};
use fencegate_core::sim::message::{Edit, Write};
use fencegate_core::sim::scenario::Draft;
use fencegate_core::sim::told::Told;
use fencegate_core::sim::who::{NOBODY, Who};
use fencegate_core::sim::words::{English, Words};
use fencegate_core::tenure::Why;
use fencegate_core::token::Token;
use fencegate_core::verdict::Reason;
use std::fmt::Write as _;
use std::path::PathBuf;

const PROXY: Who = Who::Proxy(0);
const STORE: Who = Who::Store;
const FROM: Who = Who::Issuer;
const TO: Who = Who::Holder(1);

fn token(number: u64) -> Token {
    Token::new(2, number).expect("not 0")
}

fn write(token: Option<Token>) -> Write {
    Write {
        by: 0,
        turn: 1,
        token,
        seq: 3,
        edits: [Edit::Keep; 2],
        base: None,
        if_match: None,
        start: 0,
    }
}

/// What the lease service says and does.
fn of_leases() -> Vec<Told> {
    let old = token(7);
    vec![
        Told::Asks(0, false),
        Told::Asks(0, true),
        Told::Grants(0, old, 1_500, false),
        Told::Grants(0, old, 1_500, true),
        Told::GrantWaits(1, old, 2_000, 0),
        Told::GrantWaits(1, old, 2_000, 3),
        Told::GrantAnswered(1, old),
        Told::Held(1, Some(0), 20),
        Told::Held(1, Some(NOBODY), 20),
        Told::Held(1, None, 20),
        Told::Queued(1),
        Told::NotNow(FROM),
        Told::NotNow(PROXY),
        Told::GrantEnded(1),
        Told::Keeps(0, 1_001),
        Told::SaysLost(0, Reason::Released),
        Told::Released(0),
        Told::WatchFires(1),
        Told::WillPull(0, 3_000),
        Told::Pulled(0),
        Told::Tells(1, Some(old)),
        Told::Tells(1, None),
        Told::Broke(Some(0), Some(old)),
        Told::Broke(Some(0), None),
        Told::Broke(None, Some(old)),
        Told::Broke(None, None),
        Told::Marked,
    ]
}

/// What a holder does.
fn of_holders() -> Vec<Told> {
    let old = token(7);
    let mut all = vec![
        Told::Gets(0, Some(old), 0),
        Told::Gets(0, None, 0),
        Told::Gets(0, Some(old), 9_890),
        Told::Gets(0, None, 9_890),
        Told::ArrivedDead(0),
        Told::Waits(0, 120),
        Told::Renews(0),
        Told::Passes(1),
        Told::Kept(0),
        Told::Stops(0, old, Why::Abdicated),
        Told::Stops(0, old, Why::Lost),
        Told::Ignores(0),
        Told::Picks(0, old),
        Told::Reads(0),
        Told::Answers(0),
        Told::Shows(0, 3, [None, None]),
        Told::Shows(0, 3, [Some(0), Some(0)]),
        Told::Shows(0, 3, [Some(0), Some(1)]),
        Told::Shows(0, 3, [Some(0), None]),
        Told::Works(0, 1_000),
        Told::MayNotWrite(0),
        Told::BytesLeave(write(Some(old)), 0),
        Told::BytesLeave(write(None), 0),
        Told::BytesLeave(write(Some(old)), 4_500),
        Told::Learned(0),
        Told::RefusedStops(0, Some(old)),
        Told::RefusedStops(0, None),
        Told::RefusedRetries(0),
        Told::RefusedPicks(0, old),
        Told::RefusedRenounces(0),
        Told::Repeats(0),
        Told::GivesUp(0),
        Told::Claims(0, old),
        Told::GoesUnfenced(0),
        Told::Fenced(0),
        Told::Releases(0),
        Told::GaveBack(0),
        Told::Woken(0),
        Told::Done(0),
        Told::TooLate(TO),
        Told::TooLate(PROXY),
    ];
    let drafts = [
        Draft::Whole,
        Draft::Half,
        Draft::First,
        Draft::Second,
        Draft::Same,
    ];
    for draft in drafts {
        all.push(Told::StartsWriting(0, draft, None));
        all.push(Told::StartsWriting(0, draft, Some(800)));
    }
    all
}

/// What proxies and the store do.
fn of_services() -> Vec<Told> {
    let (old, new) = (token(7), token(8));
    let by_a = write(Some(old));
    let mut all = vec![
        Told::Admits(PROXY, by_a, Some(old)),
        Told::Admits(STORE, write(None), None),
        Told::Rejects(STORE, write(None), Reason::Stale, None),
        Told::CannotTell(STORE, by_a),
        Told::LooksUp(0, by_a),
        Told::WriteWaits(0, by_a, 2_500),
        Told::SticksInProxy(0, 1),
        Told::Aborts(0, 1, false),
        Told::Aborts(0, 1, true),
        Told::Seals(0, 1),
        Told::Learns(0, Some(old)),
        Told::Learns(0, None),
        Told::TooOld(0),
        Told::ConditionFails(by_a),
        Told::Stores(0, [Edit::Keep; 2], None, [Some(0), None]),
        Told::Stores(0, [Edit::Keep; 2], Some(0), [Some(0), Some(0)]),
        Told::Stores(0, [Edit::Keep; 2], Some(1), [Some(0), Some(0)]),
        Told::KnowsSequence(0, 3),
        Told::Sticks(0),
        Told::Raised(PROXY, 0, old),
        Told::Raised(STORE, NOBODY, old),
        Told::NotRaised(STORE, 0, old, Some(new)),
        Told::NotRaised(STORE, 0, old, None),
    ];
    for reason in Reason::ALL {
        all.push(Told::Rejects(PROXY, by_a, reason, Some(new)));
    }
    all
}

/// What befalls somebody, and the network.
fn of_faults() -> Vec<Told> {
    let mut all = vec![
        Told::LostMessage(FROM, TO, false),
        Told::LostMessage(FROM, TO, true),
        Told::CameTwice(FROM, TO),
        Told::Delayed(FROM, TO, 4_800),
        Told::StaysOff(FROM),
        Told::StaysOff(TO),
        Told::Nothing,
    ];
    let (from, to) = (FROM, TO);
    let links = [
        Accident::Cut { from, to },
        Accident::Heal { from, to },
        Accident::Slow { from, to, by_ms: 0 },
        Accident::Slow { from, to, by_ms: 5 },
        Accident::LoseNext { from, to },
        Accident::DuplicateNext { from, to },
        Accident::Snapshot,
        Accident::Restore,
        Accident::Break,
        Accident::Native(Native::AbortTransaction),
        Accident::Native(Native::CloseSession(0)),
        Accident::Native(Native::OtherKeys(5)),
        Accident::Native(Native::DeleteLeaseObject),
        Accident::Native(Native::FlushBuffers(1)),
    ];
    all.extend(links.map(Told::Befell));
    for who in [FROM, STORE, PROXY, TO] {
        let actors = [
            Accident::Pause {
                who,
                clock_stops: false,
            },
            Accident::Pause {
                who,
                clock_stops: true,
            },
            Accident::Resume(who),
            Accident::Crash(who),
            Accident::Restart {
                who,
                with_memory: true,
            },
            Accident::Restart {
                who,
                with_memory: false,
            },
            Accident::Stall(who),
            Accident::Unstall(who),
            Accident::StepClock { who, by_ms: 60_000 },
            Accident::StepClock { who, by_ms: -1_250 },
            Accident::Drift { who, rate_ppm: 40 },
            Accident::Drift { who, rate_ppm: -40 },
        ];
        all.extend(actors.map(Told::Befell));
    }
    all
}

#[test]
fn every_sentence_is_as_its_golden_file_says() {
    let all = [of_leases(), of_holders(), of_services(), of_faults()].concat();
    let mut is = String::new();
    for told in &all {
        let plain = English.told(told, Dialect::Fencegate);
        let _ = writeln!(is, "{plain}");
        for dialect in [Dialect::Kafka, Dialect::ZooKeeper, Dialect::Etcd] {
            let text = English.told(told, dialect);
            if text != plain {
                let _ = writeln!(is, "    {text}");
            }
        }
    }
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/sentences.txt");
    if std::env::var_os("FENCEGATE_RENEW").is_some() {
        std::fs::write(&file, &is).expect("a golden file can be written");
    }
    let was = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        was == is,
        "FENCEGATE_RENEW=1 writes {} anew: read the difference",
        file.display()
    );
}

//! The mended mechanisms under faults that nobody planned: whatever befalls whom, in whatever
//! order messages come, their laws hold. And a broken one is found by the same dice.

use fencegate_core::sim::dialect::Dialect;
use fencegate_core::sim::event::{Accident, Event, What};
use fencegate_core::sim::laws::{self, Law};
use fencegate_core::sim::mechanism::{
    AfterExpiryForm, Check, Condition, Etag, Issuer, LeaseClock, Lock, Mechanism, Tokens, Window,
};
use fencegate_core::sim::scenario::{Draft, HolderPlan, Net, OnRefusal, Op, Scenario, VERSION};
use fencegate_core::sim::timeline::Timeline;
use fencegate_core::sim::who::Who;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

/// Gets a lease, reads, writes twice and gives it back, and all of that again.
fn worker() -> HolderPlan {
    let put = Op::Put {
        draft: Draft::Whole,
        flush_ms: 300,
    };
    let turn = [
        Op::Acquire,
        Op::Read,
        Op::Work { ms: 500 },
        put,
        put,
        Op::Release,
    ];
    HolderPlan {
        on_refusal: OnRefusal::Renounce,
        comes_back: true,
        ..HolderPlan::new(turn.repeat(3))
    }
}

fn scenario(check: Check, proxies: u8) -> Scenario {
    let mut holders = vec![worker(), worker().starting(700), worker().starting(900)];
    for (via, holder) in (0..).zip(&mut holders) {
        holder.via = if proxies == 0 { 0 } else { via % proxies };
    }
    Scenario {
        version: VERSION,
        name: "faults".to_owned(),
        shows: "Whatever happens.".to_owned(),
        holders,
        proxies,
        mechanism: Mechanism {
            lock: Lock::Lease {
                ttl_ms: 5_000,
                lock_delay_ms: 0,
                clock: LeaseClock::Service,
                after_expiry: AfterExpiryForm::AdmitUntilSuperseded,
            },
            tokens: Tokens::Granted,
            named: true,
            issuer: Issuer::Durable,
            check,
            condition: Condition::None,
            drain_ms: None,
            abort: false,
            stonith_ms: None,
            dialect: Dialect::Fencegate,
            first_token: 1,
        },
        net: Net {
            delay_ms: 10,
            jitter_ms: 200,
            lost_per_mille: 30,
            twice_per_mille: 30,
        },
        accidents: Vec::new(),
        breaks: Vec::new(),
        only_as_told: Vec::new(),
        ends_ms: 90_000,
    }
}

/// What may befall anybody: clocks stay within what holders allow for.
fn accident() -> impl Strategy<Value = Accident> {
    let who = prop_oneof![
        (0..3_u8).prop_map(Who::Holder),
        Just(Who::Issuer),
        Just(Who::Store),
        Just(Who::Proxy(0)),
    ];
    prop_oneof![
        3 => who.clone().prop_map(|who| Accident::Pause { who, clock_stops: false }),
        3 => who.clone().prop_map(Accident::Resume),
        1 => who.clone().prop_map(|who| Accident::Restart { who, with_memory: false }),
        1 => (who.clone(), -600_000..600_000_i32)
            .prop_map(|(who, by_ms)| Accident::StepClock { who, by_ms }),
        1 => (who.clone(), -450..450_i32)
            .prop_map(|(who, rate_ppm)| Accident::Drift { who, rate_ppm }),
        1 => who.clone().prop_map(Accident::Stall),
        1 => who.clone().prop_map(Accident::Unstall),
        1 => (who.clone(), Just(Who::Issuer)).prop_map(|(from, to)| Accident::Cut { from, to }),
        1 => (Just(Who::Issuer), who.clone()).prop_map(|(from, to)| Accident::Cut { from, to }),
        2 => (who.clone(), Just(Who::Issuer)).prop_map(|(from, to)| Accident::Heal { from, to }),
        2 => (Just(Who::Issuer), who.clone()).prop_map(|(from, to)| Accident::Heal { from, to }),
        2 => any::<bool>().prop_map(|is_slow| Accident::Slow {
            from: Who::Proxy(0),
            to: Who::Store,
            by_ms: if is_slow { 8_000 } else { 0 },
        }),
        1 => (who, 0..8_000_u32, any::<bool>()).prop_map(|(who, by_ms, there)| {
            let (from, to) = if there { (who, Who::Store) } else { (Who::Issuer, who) };
            Accident::Slow { from, to, by_ms }
        }),
    ]
}

/// A time after the last deed, and what happens then.
type Deeds = Vec<(u32, Accident)>;

/// The first law of `watched` that breaks.
fn fails(scenario: &Scenario, seed: u64, deeds: &Deeds, watched: &[Law]) -> Option<Law> {
    let mut timeline = Timeline::new(scenario.clone(), seed).expect("it can be played");
    let mut deeds = deeds.iter().scan(0_u32, |at, (after, accident)| {
        *at += after;
        Some((*at, *accident))
    });
    let mut next = deeds.next();
    for _ in 0..3_000 {
        let proposed = timeline.proposed(0);
        let event = match (next, proposed) {
            (Some((at, accident)), proposed) if proposed.is_none_or(|it| at <= it.at) => {
                next = deeds.next();
                let what = What::Accident(accident);
                Event { at, what }
            }
            (_, Some(proposed)) => proposed,
            (_, None) => break,
        };
        timeline.take(0, event);
        let world = timeline.branches()[0].end();
        let broken = laws::broken(scenario, world).find(|(law, _)| watched.contains(law));
        if let Some((law, _)) = broken {
            return Some(law);
        }
    }
    None
}

fn deeds() -> impl Strategy<Value = Deeds> {
    prop::collection::vec((0..4_000_u32, accident()), 0..24)
}

/// What a check before the store keeps, whatever happens.
const CHECKED: [Law; 6] = [
    Law::TokensOnlyRise,
    Law::MarkNeverFalls,
    Law::StaleNeverAdmitted,
    Law::EqualTokenOneHolder,
    Law::HolderStopsInTime,
    Law::NewestNotRefused,
];

/// What a check at the store keeps besides.
const AT_THE_STORE: [Law; 7] = [
    Law::TokensOnlyRise,
    Law::MarkNeverFalls,
    Law::StaleNeverAdmitted,
    Law::EqualTokenOneHolder,
    Law::HolderStopsInTime,
    Law::NewestNotRefused,
    Law::NoDualWrite,
];

fn holds(scenario: &Scenario, watched: &[Law]) {
    let config = Config {
        cases: 96,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new(config)
        .run(&(any::<u64>(), deeds()), |(seed, deeds)| {
            match fails(scenario, seed, &deeds, watched) {
                None => Ok(()),
                Some(law) => Err(TestCaseError::fail(format!("{} is broken", law.name()))),
            }
        })
        .unwrap_or_else(|error| panic!("{error}"));
}

/// Whether the same dice find a broken law, within so many throws.
fn is_found(scenario: &Scenario, law: Law) -> bool {
    let mut runner = TestRunner::deterministic();
    (0..2_000).any(|seed| {
        let tree = deeds().new_tree(&mut runner).expect("deeds can be made");
        let deeds = proptest::strategy::ValueTree::current(&tree);
        fails(scenario, seed, &deeds, &[law]) == Some(law)
    })
}

#[test]
fn a_check_at_the_issuing_proxy_holds() {
    holds(&scenario(Check::Proxy, 1), &CHECKED);
}

#[test]
fn a_check_at_the_issuing_proxy_holds_over_restarts_without_memory() {
    let mut scenario = scenario(Check::Proxy, 1);
    scenario.mechanism.issuer = Issuer::Memory;
    let watched = [
        Law::TokensOnlyRise,
        Law::StaleNeverAdmitted,
        Law::EqualTokenOneHolder,
        Law::NewestNotRefused,
    ];
    holds(&scenario, &watched);
}

#[test]
fn a_check_at_the_store_holds() {
    holds(&scenario(Check::Store, 0), &AT_THE_STORE);
}

#[test]
fn a_drain_at_the_only_proxy_holds() {
    let mut scenario = scenario(Check::Proxy, 1);
    // Longer than any write is under way here, also where the store stalls or stands still: a bound
    // that a write can outlast is no bound, and then the search finds the dual write.
    scenario.mechanism.drain_ms = Some(2 * scenario.ends_ms);
    holds(&scenario, &[Law::NoDualWrite, Law::StaleNeverAdmitted]);
}

#[test]
fn a_seal_at_the_store_holds() {
    let mut scenario = scenario(Check::Proxy, 1);
    scenario.mechanism.condition = Condition::Sealed(Etag::PerWrite);
    let sealed = [
        Law::SealedAtTheOrigin,
        Law::NoDualWrite,
        Law::MarkNeverFalls,
    ];
    holds(&scenario, &sealed);
}

const KEPT: Window = Window {
    trust_ms: 1_500,
    wait_ms: 1_600,
    flaw: None,
};

#[test]
fn two_proxies_and_a_window_hold() {
    holds(&scenario(Check::Window(KEPT), 2), &CHECKED);
}

#[test]
fn the_same_dice_find_what_is_broken() {
    let unchecked = scenario(Check::Nowhere, 0);
    assert!(is_found(&unchecked, Law::NoDualWrite), "unchecked");
    let late = is_found(&scenario(Check::Proxy, 1), Law::NoDualWrite);
    assert!(late, "a straggler");
    let not_waited = Window { wait_ms: 0, ..KEPT };
    let told_at_once = is_found(
        &scenario(Check::Window(not_waited), 2),
        Law::StaleNeverAdmitted,
    );
    assert!(told_at_once, "a window that nobody waits for");
}

//! Small scenarios that the tests of the search share.
#![allow(dead_code)]

use fencegate_core::sim::dialect::Dialect;
use fencegate_core::sim::event::Accident;
use fencegate_core::sim::laws::Law;
use fencegate_core::sim::mechanism::{
    AfterExpiryForm, Check, Condition, Issuer, LeaseClock, Lock, Mechanism, Tokens, Window,
};
use fencegate_core::sim::scenario::{Draft, HolderPlan, Net, Op, Scenario, VERSION};
use fencegate_core::sim::search::{Bounds, Kind, Network, Question, Search};
use fencegate_core::sim::who::Who;

pub(crate) const PUT: Op = Op::Put {
    draft: Draft::Whole,
    flush_ms: 0,
};

/// The laws that the mended design keeps whatever happens; `no_dual_write` only with a drain, a
/// lock delay, a seal or a check at the store.
pub(crate) const KEPT: [Law; 7] = [
    Law::TokensOnlyRise,
    Law::MarkNeverFalls,
    Law::StaleNeverAdmitted,
    Law::EqualTokenOneHolder,
    Law::UnknownIsNotEmpty,
    Law::HolderStopsInTime,
    Law::NewestNotRefused,
];

pub(crate) fn mechanism(check: Check) -> Mechanism {
    Mechanism {
        lock: lock(3_000, LeaseClock::Service),
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
    }
}

pub(crate) const fn lock(ttl_ms: u32, clock: LeaseClock) -> Lock {
    Lock::Lease {
        ttl_ms,
        lock_delay_ms: 0,
        clock,
        after_expiry: AfterExpiryForm::AdmitUntilSuperseded,
    }
}

/// Trusted for less than a grant waits.
pub(crate) const fn window() -> Window {
    Window {
        trust_ms: 1_500,
        wait_ms: 1_600,
        flaw: None,
    }
}

/// Holders with one script, at these proxies, and no delay: everything that is sent at an instant
/// may come in any order.
pub(crate) fn scenario(name: &str, script: &[Op], vias: &[u8], mechanism: Mechanism) -> Scenario {
    let plan = |via: &u8| HolderPlan {
        via: *via,
        tries: 0,
        renews: false,
        ..HolderPlan::new(script.to_vec())
    };
    let proxies = vias.iter().max().map_or(0, |most| most + 1);
    Scenario {
        version: VERSION,
        name: name.to_owned(),
        shows: "Small, to be searched.".to_owned(),
        holders: vias.iter().map(plan).collect(),
        proxies,
        mechanism,
        net: Net {
            delay_ms: 0,
            ..Net::default()
        },
        accidents: Vec::new(),
        breaks: Vec::new(),
        only_as_told: Vec::new(),
        ends_ms: 120_000,
    }
}

pub(crate) fn bounds(scenario: &Scenario, faults: u8, kinds: &[Kind]) -> Bounds {
    let calm = Bounds {
        tokens: u8::try_from(scenario.holders.len()).expect("few"),
        messages: 8,
        faults,
        ..Bounds::calm(scenario)
    };
    kinds
        .iter()
        .fold(calm, |bounds, kind| bounds.with(*kind, scenario))
}

pub(crate) fn any_order(scenario: &Scenario, messages: u8) -> Bounds {
    Bounds {
        messages,
        network: Network::Asynchronous,
        ..bounds(scenario, 0, &[])
    }
}

pub(crate) fn question(scenario: Scenario, bounds: Bounds, laws: &[Law]) -> Question {
    Question {
        version: VERSION,
        scenario,
        bounds,
        laws: laws.to_vec(),
    }
}

pub(crate) fn search(question: &Question) -> Search {
    let Question {
        scenario,
        bounds,
        laws,
        ..
    } = question;
    Search::new(scenario, bounds.clone(), laws)
        .unwrap_or_else(|error| panic!("{}: {error:?}", scenario.name))
}

pub(crate) const fn pause(holder: u8) -> Accident {
    Accident::Pause {
        who: Who::Holder(holder),
        clock_stops: false,
    }
}

/// The mended design, three holders, two proxies, one issuer: each part under whatever faults it
/// promises to bear.
pub(crate) fn mended(faults: u8) -> Vec<Question> {
    let all = [Kind::Pauses, Kind::Delays, Kind::Losses, Kind::Doubles];
    let vias = [0, 1, 0];
    let plain = [Op::Acquire, PUT, Op::Release];
    let claims = [Op::Acquire, Op::Fence { insists: true }, PUT, Op::Release];
    let of = |name: &str, script: &[Op], mechanism, laws: &[Law]| {
        let scenario = scenario(name, script, &vias, mechanism);
        let bounds = bounds(&scenario, faults, &all);
        question(scenario, bounds, laws)
    };
    let drain = Mechanism {
        drain_ms: Some(20_000),
        ..mechanism(Check::Proxy)
    };
    let drained = |name: &str, vias: &[u8]| {
        let scenario = scenario(name, &plain, vias, drain);
        let kinds = [Kind::Pauses, Kind::Losses, Kind::Doubles];
        let mut bounds = bounds(&scenario, faults, &kinds);
        // A write that comes later than the bound is outside of what a drain promises.
        let late = (0..scenario.proxies).map(|proxy| Accident::Slow {
            from: Who::Proxy(proxy),
            to: Who::Store,
            by_ms: 5_000,
        });
        bounds.accidents.extend(late);
        let kept = [&KEPT[..], &[Law::NoDualWrite]].concat();
        question(scenario, bounds, &kept)
    };
    let kept_and = |law| [&KEPT[..], &[law]].concat();
    vec![
        of("check", &plain, mechanism(Check::Proxy), &KEPT),
        of(
            "claims",
            &claims,
            mechanism(Check::StoreByClaim),
            &kept_and(Law::NoDualWrite),
        ),
        of("window", &plain, mechanism(Check::Window(window())), &KEPT),
        drained("drain", &[0, 0, 0]),
        // Two doors into the one process that keeps the record and the counts.
        drained("doors", &vias),
    ]
}

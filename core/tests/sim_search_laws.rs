//! Every law, broken by one switch: the search finds it, and with the switch as it should be it
//! finds nothing within the same bounds, and exhausts them.

mod sim_search;

use fencegate_core::sim::dialect::Dialect;
use fencegate_core::sim::event::{Accident, Native};
use fencegate_core::sim::laws::Law;
use fencegate_core::sim::mechanism::{
    Check, Condition, Etag, Issuer, LeaseClock, Lock, Mechanism, Tokens, WindowFlaw,
};
use fencegate_core::sim::scenario::{Draft, HolderPlan, Op, Scenario};
use fencegate_core::sim::search::{Bounds, Kind, Verdict};
use fencegate_core::sim::who::Who;
use sim_search::{PUT, bounds, lock, mechanism, question, scenario, search, window};

const PLAIN: [Op; 3] = [Op::Acquire, PUT, Op::Release];
const READS: [Op; 4] = [Op::Acquire, Op::Read, PUT, Op::Release];
const STATES_MAX: usize = 400_000;

/// Found when broken, and exhausted when whole.
#[track_caller]
fn tells_apart(law: Law, broken: Scenario, whole: Scenario, bounds: Bounds) {
    let wrong = question(broken, bounds.clone(), &[law]);
    let mut wrong = search(&wrong).capped(STATES_MAX);
    let Verdict::Found(found) = wrong.run() else {
        panic!("{} is not found broken: {:?}", law.name(), wrong.progress());
    };
    let right = question(whole, bounds, &[law]);
    let mut right = search(&right).capped(STATES_MAX);
    match right.run() {
        Verdict::Exhausted { states, depth } => println!(
            "{}: broken in {} events; whole: {states} states, depth {depth}",
            law.name(),
            found.trace.len()
        ),
        other => panic!("{} whole: {other:?}", law.name()),
    }
}

fn two(mechanism: Mechanism, script: &[Op]) -> Scenario {
    let proxies = u8::from(mechanism.check.is_at_a_proxy());
    let mut scenario = scenario("two", script, &[0, 0], mechanism);
    scenario.proxies = proxies;
    scenario
}

fn with(scenario: &Scenario, change: impl Fn(&mut HolderPlan)) -> Scenario {
    let mut scenario = scenario.clone();
    scenario.holders.iter_mut().for_each(change);
    scenario
}

#[test]
fn tokens_only_rise_when_a_restore_raises_the_epoch() {
    let of = |issuer| {
        let check = mechanism(Check::Store);
        two(Mechanism { issuer, ..check }, &PLAIN)
    };
    let (broken, whole) = (of(Issuer::Durable), of(Issuer::DurableWithEpoch));
    let bounds = bounds(&broken, 2, &[Kind::Restores]);
    tells_apart(Law::TokensOnlyRise, broken, whole, bounds);
}

#[test]
fn mark_never_falls_when_it_is_kept() {
    let broken = two(mechanism(Check::ProxyAtFirstWrite), &PLAIN);
    let whole = two(mechanism(Check::Proxy), &PLAIN);
    let kinds = [Kind::ProxyRestarts, Kind::Delays];
    let bounds = bounds(&broken, 2, &kinds);
    tells_apart(Law::MarkNeverFalls, broken, whole, bounds);
}

#[test]
fn unknown_is_not_empty_when_the_mark_is_kept() {
    let broken = two(mechanism(Check::ProxyAtFirstWrite), &PLAIN);
    let whole = two(mechanism(Check::Proxy), &PLAIN);
    let bounds = bounds(&broken, 1, &[Kind::ProxyRestarts]);
    tells_apart(Law::UnknownIsNotEmpty, broken, whole, bounds);
}

#[test]
fn stale_is_never_admitted_when_somebody_checks() {
    let broken = two(mechanism(Check::Nowhere), &PLAIN);
    let whole = two(mechanism(Check::Store), &PLAIN);
    let bounds = bounds(&broken, 1, &[Kind::Pauses, Kind::Delays]);
    tells_apart(Law::StaleNeverAdmitted, broken, whole, bounds);
}

#[test]
fn stale_is_never_admitted_when_the_mark_is_claimed_at_the_acquire() {
    // Claimed before the first write, and by the write.
    let broken = two(mechanism(Check::StoreByClaim), &PLAIN);
    let claims = [Op::Acquire, Op::Fence { insists: true }, PUT, Op::Release];
    let whole = two(mechanism(Check::StoreByClaim), &claims);
    let bounds = bounds(&broken, 1, &[Kind::Pauses, Kind::Delays]);
    tells_apart(Law::NoDualWrite, broken, whole, bounds);
}

#[test]
fn stale_is_never_admitted_when_every_form_of_the_window_is_kept() {
    let of = |window, vias| {
        let check = mechanism(Check::Window(window));
        // Late in its lease, so that what a proxy learns then is trusted beyond the lease's end.
        let script = [Op::Acquire, Op::Work { ms: 1_800 }, PUT, PUT];
        scenario("window", &script, vias, check)
    };
    let vias = &[0, 1];
    let whole = of(window(), vias);
    let mut not_waited = window();
    not_waited.wait_ms = 0;
    let mut two_windows = window();
    two_windows.trust_ms *= 4;
    let flawed = |flaw| {
        let mut window = window();
        window.flaw = Some(flaw);
        window
    };
    let suspended = [Kind::Pauses, Kind::Delays, Kind::ProxySuspensions];
    for (broken, faults, kinds) in [
        (not_waited, 1, &suspended[..2]),
        (two_windows, 1, &suspended[..2]),
        (flawed(WindowFlaw::ResumedAtOnce), 1, &suspended[..2]),
        (flawed(WindowFlaw::CountedFromArrival), 2, &suspended[..2]),
        (flawed(WindowFlaw::MonotonicOnly), 2, &suspended[..]),
    ] {
        let bounds = bounds(&whole, faults, kinds);
        println!("{broken:?}");
        let broken = of(broken, vias);
        tells_apart(Law::StaleNeverAdmitted, broken, whole.clone(), bounds);
    }
}

#[test]
fn equal_token_has_one_holder_when_holders_are_named() {
    let of = |named| {
        let check = mechanism(Check::Store);
        let picked = Mechanism {
            tokens: Tokens::Picked,
            named,
            lock: Lock::None,
            ..check
        };
        two(picked, &[Op::PickToken, PUT])
    };
    let bounds = bounds(&of(true), 0, &[]);
    tells_apart(Law::EqualTokenOneHolder, of(false), of(true), bounds);
}

#[test]
fn holder_stops_in_time_when_it_looks_at_its_clock() {
    let whole = two(mechanism(Check::Proxy), &PLAIN);
    let broken = with(&whole, |plan| plan.stops_at_expiry = false);
    let bounds = bounds(&whole, 1, &[Kind::Pauses, Kind::Delays]);
    tells_apart(Law::HolderStopsInTime, broken, whole, bounds);
}

#[test]
fn holder_stops_in_time_when_it_allows_for_what_clocks_may_differ() {
    let of = |rate_error_ppm| {
        let mut plain = mechanism(Check::Proxy);
        plain.lock = lock(30_000, LeaseClock::Service);
        let work = [Op::Acquire, Op::Work { ms: 60_000 }, PUT];
        with(&two(plain, &work), |plan| {
            plan.rate_error_ppm = rate_error_ppm;
        })
    };
    let drift = Accident::Drift {
        who: Who::Holder(0),
        rate_ppm: -20_000,
    };
    let bounds = Bounds {
        accidents: vec![drift],
        ..bounds(&of(0), 1, &[])
    };
    tells_apart(Law::HolderStopsInTime, of(0), of(25_000), bounds);
}

#[test]
fn sealed_at_the_origin_when_every_write_has_its_own_etag() {
    let of = |etag| {
        let check = mechanism(Check::Proxy);
        let sealed = Mechanism {
            condition: Condition::Sealed(etag),
            ..check
        };
        let same = Op::Put {
            draft: Draft::Same,
            flush_ms: 0,
        };
        let mut scenario = two(sealed, &[Op::Acquire, PUT, PUT]);
        scenario.holders[1].script = vec![Op::Acquire, Op::Read, same];
        scenario
    };
    let bounds = bounds(&of(Etag::PerWrite), 1, &[Kind::Delays]);
    let (broken, whole) = (of(Etag::ByContent), of(Etag::PerWrite));
    tells_apart(Law::SealedAtTheOrigin, broken, whole, bounds);
}

#[test]
fn someone_can_acquire_when_whoever_waits_asks_again_by_itself_in_time() {
    let of = |dialect| {
        let check = mechanism(Check::Store);
        two(Mechanism { dialect, ..check }, &PLAIN)
    };
    let (broken, whole) = (of(Dialect::ZooKeeper), of(Dialect::Fencegate));
    let bounds = bounds(&whole, 1, &[Kind::Losses]);
    tells_apart(Law::SomeoneCanAcquire, broken, whole, bounds);
}

#[test]
fn someone_can_acquire_in_time_after_the_last_fault_however_many_there_were() {
    let of = |clock| {
        let mut check = mechanism(Check::Store);
        check.lock = lock(3_000, clock);
        two(check, &PLAIN)
    };
    // Whoever sleeps through a grant of its own, wakes up and sleeps again keeps the other one
    // waiting for two leases. That breaks nothing; a clock that is a minute ahead does.
    let (broken, whole) = (of(LeaseClock::EveryWall), of(LeaseClock::Service));
    let kinds = [Kind::Pauses, Kind::ClockSteps];
    let bounds = bounds(&whole, 2, &kinds);
    tells_apart(Law::SomeoneCanAcquire, broken, whole, bounds);
}

#[test]
fn newest_is_not_refused_when_the_incarnation_is_part_of_the_token() {
    let of = |with_incarnation| {
        let check = mechanism(Check::Store);
        let dialect = Dialect::Kubernetes { with_incarnation };
        let counting = Mechanism {
            dialect,
            first_token: 5,
            ..check
        };
        two(counting, &[Op::Acquire, PUT])
    };
    let bounds = Bounds {
        accidents: vec![Accident::Native(Native::DeleteLeaseObject)],
        ..bounds(&of(true), 1, &[])
    };
    tells_apart(Law::NewestNotRefused, of(false), of(true), bounds);
}

#[test]
fn no_update_is_lost_when_the_grant_itself_raises_the_mark() {
    let drained = |check| Mechanism {
        drain_ms: Some(20_000),
        ..mechanism(check)
    };
    let broken = two(drained(Check::ProxyAtFirstWrite), &READS);
    let whole = two(drained(Check::Proxy), &READS);
    let bounds = bounds(&broken, 1, &[Kind::Pauses]);
    tells_apart(Law::NoLostUpdate, broken, whole, bounds);
}

#[test]
fn the_report_stays_whole_when_somebody_checks() {
    let half = Op::Put {
        draft: Draft::Half,
        flush_ms: 0,
    };
    let of = |check| {
        let mut scenario = two(mechanism(check), &[Op::Acquire, PUT]);
        scenario.holders[0].script = vec![Op::Acquire, half];
        // One late message does not keep A from being first.
        scenario.holders[1].starts_ms = 5_000;
        scenario
    };
    let bounds = bounds(&of(Check::Store), 1, &[Kind::Delays]);
    tells_apart(
        Law::ReportStaysWhole,
        of(Check::Nowhere),
        of(Check::Store),
        bounds,
    );
}

#[test]
fn the_report_stays_whole_when_only_the_newest_holder_leaves_it_half() {
    let half = Op::Put {
        draft: Draft::Half,
        flush_ms: 0,
    };
    let of = |halves: usize| {
        let mut scenario = two(mechanism(Check::Nowhere), &[Op::Acquire, PUT]);
        scenario.holders[halves].script = vec![Op::Acquire, half];
        // One late message does not keep A from being first.
        scenario.holders[1].starts_ms = 5_000;
        scenario
    };
    let bounds = bounds(&of(0), 1, &[Kind::Delays]);
    tells_apart(Law::ReportStaysWhole, of(0), of(1), bounds);
}

#[test]
fn no_older_write_lands_late_when_a_grant_waits_for_the_drain() {
    let of = |drain_ms| {
        let check = mechanism(Check::Proxy);
        two(Mechanism { drain_ms, ..check }, &PLAIN)
    };
    // A write that comes later than the bound is outside of what a drain promises.
    let late = Accident::Slow {
        from: Who::Proxy(0),
        to: Who::Store,
        by_ms: 5_000,
    };
    let bounds = Bounds {
        accidents: vec![late],
        ..bounds(&of(None), 2, &[Kind::Doubles])
    };
    tells_apart(Law::NoDualWrite, of(None), of(Some(20_000)), bounds.clone());
    tells_apart(Law::NoDualWrite, of(Some(1_000)), of(Some(20_000)), bounds);
}

//! Makes a day from a seed.

use crate::abi::FAILURES;
use crate::ask::{
    Ask, METHODS, METHODS_READING, NO_NAMES, NO_TOKENS, ODDITIES, Owned, Pick, Sent, Who,
};
use crate::configuration::TTL_MS;
use crate::day::{CallFault, Callback, Day, Fault, Setting, Step, Update};
use crate::shared::{Dialect, Spoil};
use fastrand::Rng;

/// How many requests a day has at least.
pub const REQUESTS_MIN: usize = 200;
/// How many resources clients ask for.
const JOBS: u8 = 5;
const HOLDERS: u8 = 4;
/// The last host call at which something goes wrong; an acquire makes about twenty.
const CALLS: u16 = 22;

/// The day of this seed.
#[must_use]
pub fn day(seed: u64) -> Day {
    let mut rng = Rng::with_seed(seed);
    let rng = &mut rng;
    let setting = setting(rng);
    // How often things go wrong differs from day to day: a day on which little works shows little.
    let mood = Mood {
        call_faults: rng.u8(2..30),
        turns: rng.u8(2..40),
        events: rng.u8(2..25),
    };
    let mut steps = Vec::new();
    let mut requests = 0;
    while requests < REQUESTS_MIN {
        if chance(rng, mood.events) {
            steps.push(event(rng, &setting));
        } else {
            requests += 1;
            steps.push(request(rng, &setting, &mood));
        }
    }
    Day { setting, steps }
}

/// How often things go wrong, in percent.
struct Mood {
    call_faults: u8,
    turns: u8,
    events: u8,
}

fn chance(rng: &mut Rng, percent: u8) -> bool {
    rng.u8(..100) < percent
}

fn setting(rng: &mut Rng) -> Setting {
    Setting {
        dialect: Dialect::ALL[rng.usize(..3)],
        workers: rng.u8(2..=4),
        external: chance(rng, 33),
        resources: [1, 17, 40, 64][rng.usize(..4)],
        lock_delay_ms: [0, 0, 500, 3_000][rng.usize(..4)],
        strict: chance(rng, 30),
        reads_fenced: chance(rng, 50),
        disclose: chance(rng, 85),
        random: rng.u64(..),
    }
}

fn request(rng: &mut Rng, setting: &Setting, mood: &Mood) -> Step {
    let ask = ask(rng, setting.external);
    let script = script(rng, &ask);
    Step::Request {
        worker: rng.u8(..setting.workers),
        ask,
        script,
        faults: faults(rng, mood),
    }
}

fn ask(rng: &mut Rng, external: bool) -> Ask {
    let resource = rng.u8(..JOBS);
    match rng.u8(..100) {
        0..22 if !external => Ask::Acquire {
            resource,
            holder: rng.u8(..HOLDERS),
            ttl_ms: if chance(rng, 4) {
                7
            } else {
                rng.u32(TTL_MS.0..20_000)
            },
            request_id: chance(rng, 40).then(|| rng.u8(..6)),
            expect: chance(rng, 15),
            wait_ms: if chance(rng, 25) {
                rng.u32(1..21_000)
            } else {
                0
            },
        },
        0..44 => Ask::Owned {
            call: owned(rng),
            resource,
            who: who(rng),
            token: pick(rng),
        },
        44..47 => Ask::Break(resource),
        47..50 => Ask::Lease(resource),
        50..51 => Ask::Leases,
        51..52 => Ask::Ready,
        52..55 => Ask::Free,
        55..58 => Ask::Observed {
            resource,
            token: sent(rng),
        },
        58..64 => Ask::Odd {
            resource,
            oddity: rng.u8(..ODDITIES),
        },
        _ => Ask::Guarded {
            resource,
            who: who(rng),
            token: sent(rng),
            method: match chance(rng, 25) {
                true => rng.u8(..METHODS_READING as u8),
                false => rng.u8(METHODS_READING as u8..METHODS.len() as u8),
            },
        },
    }
}

fn owned(rng: &mut Rng) -> Owned {
    [
        Owned::Renew,
        Owned::Renew,
        Owned::Release,
        Owned::ReleaseUnanswered,
        Owned::Claim,
    ][rng.usize(..5)]
}

fn who(rng: &mut Rng) -> Who {
    match rng.u8(..20) {
        0..2 => Who::Other(rng.u8(..HOLDERS)),
        2 => Who::Nobody,
        3 => Who::NoName(rng.u8(..NO_NAMES.len() as u8)),
        _ => Who::Owner,
    }
}

fn pick(rng: &mut Rng) -> Pick {
    match rng.u8(..20) {
        0..4 => Pick::Older(rng.u8(1..5)),
        4..7 => Pick::Above(rng.u16(..40)),
        7 => Pick::Below(rng.u16(..40)),
        8 => Pick::Of(rng.u8(..JOBS)),
        9 if chance(rng, 20) => Pick::NextEpoch,
        _ => Pick::Newest,
    }
}

fn sent(rng: &mut Rng) -> Sent {
    match rng.u8(..30) {
        0 => Sent::None,
        1 => Sent::Two(pick(rng), pick(rng)),
        2 => Sent::NoToken(rng.u8(..NO_TOKENS.len() as u8)),
        _ => Sent::One(pick(rng)),
    }
}

fn has_body(ask: &Ask) -> bool {
    !matches!(ask, Ask::Lease(_) | Ask::Leases | Ask::Ready)
}

/// The callbacks of a request: mostly as they should be.
fn script(rng: &mut Rng, ask: &Ask) -> Vec<Callback> {
    use Callback::{Answer, Body, Create, Delete, Headers, Hold, Trailers};
    if !has_body(ask) {
        return vec![Create, Headers(true), Answer, Delete];
    }
    if matches!(ask, Ask::Acquire { wait_ms: 1.., .. }) && chance(rng, 70) {
        return vec![
            Create,
            Headers(false),
            Body(100, true),
            Hold,
            Answer,
            Delete,
        ];
    }
    match rng.u8(..40) {
        0..24 => vec![Create, Headers(false), Body(100, true), Answer, Delete],
        24 => vec![
            Create,
            Headers(false),
            Body(40, false),
            Body(100, true),
            Answer,
            Delete,
        ],
        25 => vec![
            Create,
            Headers(false),
            Body(100, false),
            Trailers,
            Answer,
            Delete,
        ],
        26 => vec![
            Create,
            Headers(false),
            Hold,
            Body(100, true),
            Answer,
            Delete,
        ],
        27 => vec![
            Create,
            Headers(false),
            Body(50, false),
            Hold,
            Body(100, true),
            Answer,
            Delete,
        ],
        28 => vec![
            Create,
            Hold,
            Headers(false),
            Body(100, true),
            Hold,
            Answer,
            Delete,
        ],
        // The client leaves.
        29 => vec![Create, Headers(false), Delete],
        30 => vec![Create, Delete],
        // Late and twice.
        31 => vec![
            Create,
            Headers(false),
            Headers(false),
            Body(100, true),
            Body(100, true),
            Answer,
            Answer,
            Delete,
        ],
        32 => vec![
            Create,
            Create,
            Headers(false),
            Body(100, true),
            Create,
            Headers(false),
            Body(100, true),
            Delete,
            Delete,
        ],
        33 => vec![
            Create,
            Headers(false),
            Body(100, true),
            Delete,
            Headers(false),
            Body(100, true),
            Trailers,
            Answer,
        ],
        34 => vec![
            Create,
            Headers(false),
            Body(100, true),
            Trailers,
            Body(100, true),
            Hold,
            Headers(true),
            Delete,
        ],
        // In an odd order.
        35 => vec![
            Create,
            Headers(false),
            Trailers,
            Body(100, true),
            Answer,
            Delete,
        ],
        36 => vec![Create, Body(100, true), Headers(false), Trailers, Delete],
        37 => vec![
            Answer,
            Create,
            Trailers,
            Headers(false),
            Body(100, true),
            Delete,
        ],
        // Dropped.
        38 => vec![Headers(false), Body(100, true), Delete],
        _ => vec![Create, Headers(true), Answer, Delete],
    }
}

fn faults(rng: &mut Rng, mood: &Mood) -> Vec<CallFault> {
    let mut faults = Vec::new();
    while chance(rng, mood.turns) {
        faults.push(CallFault {
            at: rng.u16(..CALLS),
            fault: Fault::Turn(rng.u8(1..4)),
        });
    }
    while chance(rng, mood.call_faults) {
        faults.push(CallFault {
            at: rng.u16(..CALLS),
            fault: fault(rng),
        });
    }
    faults
}

fn fault(rng: &mut Rng) -> Fault {
    match rng.u8(..12) {
        0..4 => Fault::Refuse(status(rng)),
        4..6 => Fault::Deny(status(rng)),
        6 => Fault::Nothing,
        7 => Fault::Cut(rng.u16(..)),
        8 => Fault::Flip(rng.u16(..)),
        9 => Fault::Wait(rng.u32(..15_000)),
        _ => Fault::Die,
    }
}

fn status(rng: &mut Rng) -> u32 {
    FAILURES[rng.usize(..FAILURES.len())]
}

fn event(rng: &mut Rng, setting: &Setting) -> Step {
    let worker = rng.u8(..setting.workers);
    let few = Mood {
        call_faults: 10,
        turns: 25,
        events: 0,
    };
    match rng.u8(..40) {
        0..10 => Step::Time(rng.u32(..12_000)),
        10 => Step::Time(rng.u32(60_001..3_600_000)),
        11..14 => Step::Wall(rng.i32(-100_000..100_000)),
        14..20 => Step::Tick {
            worker,
            faults: faults(rng, &few),
        },
        20..29 => Step::Resume {
            worker,
            pick: rng.u8(..),
            faults: faults(rng, &few),
        },
        29..31 => Step::Spoil {
            pick: rng.u16(..),
            spoil: spoil(rng),
        },
        31..34 => Step::Heal,
        34..36 => Step::Kill(worker),
        36..38 => Step::Configure {
            worker,
            update: update(rng),
            faults: faults(rng, &few),
        },
        38 => Step::Retire(worker),
        _ => Step::Restart,
    }
}

fn spoil(rng: &mut Rng) -> Spoil {
    match rng.u8(..5) {
        0 => Spoil::Drop,
        1 => Spoil::Empty,
        2 => Spoil::Flip(rng.u16(..)),
        3 => Spoil::Cut(rng.u16(..)),
        _ => Spoil::Swap,
    }
}

fn update(rng: &mut Rng) -> Update {
    Update {
        generation: [0, 0, 0, 1, 1, -1][rng.usize(..6)],
        mapping: rng.u8(..2),
        resources: chance(rng, 15).then(|| rng.u32(1..80)),
        broken: chance(rng, 10),
    }
}

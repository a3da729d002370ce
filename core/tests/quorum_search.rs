//! The authority of many proxies, exhaustively: 2 proxies, 2 holders, 1 resource, every call and
//! every answer a step. And for each rule a world without it, in which the search breaks a law.

mod explore;
mod quorum_race;
mod quorum_world;

use explore::{finds, holds};
use quorum_race::{Expiry, Flaw, Job, Looks, Setup, World};

const A: Job = Job::Acquire("a", None);
const B: Job = Job::Acquire("b", None);
const B1: Job = Job::Acquire("b", Some("1"));

const PLAIN: Setup = Setup {
    jobs: &[A, B],
    looks: Looks::AtOnce,
    losses: 0,
    copies: 0,
    restarts: 0,
    reloads: 0,
    wipes: 0,
    expiry: Expiry::AnyTime,
    ttl: 1_000,
    flaw: None,
};

fn probe(what: &str, world: &World) {
    let start = std::time::Instant::now();
    holds(what, world, 1);
    println!("    {:?}", start.elapsed());
}

#[test]
fn p1() {
    probe(
        "takeover, looks at once",
        &World::after_the_first_job(PLAIN),
    );
}
#[test]
fn p2() {
    probe(
        "takeover, slow",
        &World::after_the_first_job(Setup {
            looks: Looks::Slow,
            expiry: Expiry::AnyTime,
            ..PLAIN
        }),
    );
}
#[test]
fn p3() {
    probe(
        "race, loss",
        &World::new(Setup {
            looks: Looks::None,
            losses: 1,
            ..PLAIN
        }),
    );
}
#[test]
fn p4() {
    probe(
        "race, copy",
        &World::new(Setup {
            looks: Looks::None,
            copies: 1,
            ..PLAIN
        }),
    );
}
#[test]
fn p5() {
    probe(
        "release",
        &World::after_the_first_job(Setup {
            jobs: &[A, Job::Release(0), B],
            expiry: Expiry::Never,
            ..PLAIN
        }),
    );
}
#[test]
fn p5b() {
    probe(
        "release, any, no looks, copy",
        &World::after_the_first_job(Setup {
            jobs: &[A, Job::Release(0), B],
            looks: Looks::None,
            copies: 1,
            ..PLAIN
        }),
    );
}
#[test]
fn p6() {
    probe(
        "break",
        &World::after_the_first_job(Setup {
            jobs: &[A, Job::Break],
            ..PLAIN
        }),
    );
}
#[test]
fn p6b() {
    probe(
        "break, B",
        &World::after_the_first_job(Setup {
            jobs: &[A, Job::Break, B],
            looks: Looks::None,
            ..PLAIN
        }),
    );
}
#[test]
fn p6c() {
    probe(
        "break, renew",
        &World::after_the_first_job(Setup {
            jobs: &[A, Job::Break, Job::Renew(0)],
            looks: Looks::None,
            losses: 1,
            ..PLAIN
        }),
    );
}
#[test]
fn p7() {
    probe(
        "same id",
        &World::after_the_first_job(Setup {
            jobs: &[A, B1, B1],
            looks: Looks::None,
            losses: 1,
            ..PLAIN
        }),
    );
}
#[test]
fn p8() {
    probe(
        "restart",
        &World::after_the_first_job(Setup {
            restarts: 1,
            ..PLAIN
        }),
    );
}
#[test]
fn p9() {
    probe(
        "reload",
        &World::after_the_first_job(Setup {
            reloads: 1,
            ..PLAIN
        }),
    );
}
#[test]
fn p10() {
    probe(
        "wipe",
        &World::after_the_first_job(Setup { wipes: 1, ..PLAIN }),
    );
}
#[test]
fn p11() {
    probe(
        "in time",
        &World::new(Setup {
            looks: Looks::None,
            expiry: Expiry::InTime,
            ttl: 3,
            ..PLAIN
        }),
    );
}
#[test]
fn p12() {
    probe(
        "in time, renew",
        &World::after_the_first_job(Setup {
            jobs: &[A, Job::Renew(0), B],
            looks: Looks::None,
            expiry: Expiry::InTime,
            ttl: 3,
            ..PLAIN
        }),
    );
}

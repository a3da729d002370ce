//! The rows of the table, and what is done to etcd in each.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use fencegate_tests::etcd::{Etcd, Options, Restored};
use serde_json::json;

use super::scene::{Scene, Seen, fleet, only};

/// What is answered meanwhile.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cell {
    /// This, each time.
    Is(u16, &'static str),
    /// It passes, or this is answered for a moment.
    PassesOr(&'static str),
}

impl Cell {
    pub(crate) fn text(self) -> String {
        match self {
            Self::Is(200, _) => "pass".to_owned(),
            Self::Is(status, reason) => format!("{status} `{reason}`"),
            Self::PassesOr(reason) => format!("pass, or 503 `{reason}` for a moment"),
        }
    }

    fn allows(self, seen: &Seen) -> bool {
        match self {
            Self::Is(status, reason) => *seen == only(status, reason),
            Self::PassesOr(reason) => seen
                .iter()
                .all(|(status, why)| *status == 200 || (*status == 503 && why == reason)),
        }
    }
}

/// A row of the table.
pub(crate) struct Row {
    pub(crate) wrong: &'static str,
    pub(crate) current: Cell,
    pub(crate) stale: Cell,
    pub(crate) acquire: Cell,
    pub(crate) until: &'static str,
    pub(crate) test: &'static str,
}

const AWAY: &str = "authority_unavailable";
const REPLACED: &str = "authority_replaced";
const STALE: Cell = Cell::Is(412, "stale");
const REFUSED: Cell = Cell::Is(503, AWAY);
const SHORTLY: Cell = Cell::PassesOr(AWAY);
const ITSELF: &str = "by itself, when there is a new leader";

macro_rules! rows {
    ($($test:ident: $wrong:literal, $current:expr, $stale:expr, $acquire:expr, $until:expr;)*) => {
        /// All rows.
        pub(crate) const ROWS: &[Row] = &[$(Row {
            wrong: $wrong,
            current: $current,
            stale: $stale,
            acquire: $acquire,
            until: $until,
            test: stringify!($test),
        }),*];
    };
}

rows! {
    leader_killed: "the leader is killed", SHORTLY, STALE, SHORTLY, ITSELF;
    leader_stopped: "the leader hangs", SHORTLY, STALE, SHORTLY, ITSELF;
    leader_cut_off: "the leader is cut off from the others, not from its clients", SHORTLY, STALE, SHORTLY, ITSELF;
    no_quorum: "two of three members are gone", REFUSED, STALE, REFUSED, "one of them is back";
    all_gone: "all members are gone", REFUSED, STALE, REFUSED, "two of them are back";
    slow_disk: "the disks take seconds for each write", SHORTLY, STALE, REFUSED, "they are fast again";
    quota_full: "the store is full", Cell::Is(200, ""), STALE, REFUSED, "there is room (compact, defragment, disarm)";
    garbage: "something else answers in its place", REFUSED, STALE, REFUSED, "etcd does";
    login_lost: "the password was changed", REFUSED, STALE, REFUSED, "it is changed back";
    wiped: "everything under the prefix was deleted", Cell::Is(503, "missing"), STALE, Cell::Is(503, "missing"), "`fencegate init`; then holders acquire anew";
    restored: "a backup was restored as a new cluster", Cell::Is(503, REPLACED), Cell::Is(503, REPLACED), Cell::Is(503, REPLACED), "`fencegate reseed`; then holders acquire anew";
    rolled_back: "all disks were rolled back, the cluster is the same", Cell::Is(503, REPLACED), Cell::Is(503, REPLACED), Cell::Is(503, REPLACED), "`fencegate reseed`; then holders acquire anew";
    other_window: "an Envoy starts with another `window_ms` than the prefix has", Cell::Is(503, "window_mismatch"), Cell::Is(503, "window_mismatch"), Cell::Is(503, "window_mismatch"), "`fencegate window`, or another configuration";
    other_cluster: "an Envoy starts on a copy of the prefix in another cluster", Cell::Is(503, REPLACED), Cell::Is(503, REPLACED), Cell::Is(503, REPLACED), "`fencegate reseed` there; then holders acquire anew";
}

fn row(test: &str) -> &'static Row {
    ROWS.iter().find(|row| row.test == test).expect("a row")
}

/// Acts a row: breaks etcd, looks as long as `looks` times, mends it, and waits until `mended` is seen.
fn act(test: &str, scene: &mut Scene, breaks: impl FnOnce(&mut Etcd)) {
    breaks(&mut scene.etcd);
    let row = row(test);
    if let Cell::Is(status, reason) = row.current {
        // What is still trusted runs out first.
        scene.until(&only(status, reason), Scene::current);
    }
    for _ in 0..3 {
        for (what, cell, seen) in [
            ("the holder's writes", row.current, scene.current()),
            ("a stale write", row.stale, scene.stale()),
            ("acquire", row.acquire, scene.acquire()),
        ] {
            assert!(cell.allows(&seen), "{test}: {what}: {seen:?}");
        }
        assert_eq!(scene.read(), 2, "{test}: reads pass");
    }
}

/// All is well again for the same holder, and leases are granted.
fn is_over(scene: &mut Scene) {
    scene.until(&only(200, ""), Scene::current);
    scene.until(&only(412, "stale"), Scene::stale);
    scene.until(&only(200, ""), Scene::acquire);
}

/// No token of before is good any more, and leases are granted.
fn begins_anew(scene: &mut Scene) {
    scene.until(&only(200, ""), Scene::acquire);
    for seen in [scene.current(), scene.stale()] {
        assert!(seen.iter().all(|(status, _)| *status == 412), "{seen:?}");
    }
    let issuer = &scene.fleet.proxies[0].issuer;
    let grant = issuer
        .acquire_patiently("job:1", "B", 60_000)
        .expect("a grant");
    scene.holder = grant;
    scene.until(&only(200, ""), Scene::current);
    scene.until(&only(412, "stale"), Scene::stale);
}

#[test]
fn leader_killed() {
    let mut scene = Scene::open(Options::of(3));
    let mut gone = 0;
    act("leader_killed", &mut scene, |etcd| {
        gone = etcd.wait_for_leader(&[]).expect("a leader");
        etcd.kill(gone).expect("killed");
    });
    is_over(&mut scene);
    scene.etcd.restart(gone).expect("started");
    is_over(&mut scene);
}

#[test]
fn leader_stopped() {
    let mut scene = Scene::open(Options::of(3));
    let mut stopped = 0;
    act("leader_stopped", &mut scene, |etcd| {
        stopped = etcd.wait_for_leader(&[]).expect("a leader");
        etcd.stop(stopped).expect("stopped");
    });
    is_over(&mut scene);
    scene.etcd.resume(stopped).expect("going on");
    is_over(&mut scene);
}

#[test]
fn leader_cut_off() {
    let mut scene = Scene::open(Options::of(3));
    let mut lonely = 0;
    act("leader_cut_off", &mut scene, |etcd| {
        lonely = etcd.wait_for_leader(&[]).expect("a leader");
        etcd.cut_off(lonely);
    });
    is_over(&mut scene);
    scene.etcd.reconnect(lonely);
    is_over(&mut scene);
}

#[test]
fn no_quorum() {
    let mut scene = Scene::open(Options::of(3));
    act("no_quorum", &mut scene, |etcd| {
        for member in [0, 1] {
            etcd.kill(member).expect("killed");
        }
    });
    scene.etcd.restart(0).expect("started");
    is_over(&mut scene);
}

#[test]
fn all_gone() {
    let mut scene = Scene::open(Options::of(3));
    act("all_gone", &mut scene, |etcd| {
        for member in 0..3 {
            etcd.kill(member).expect("killed");
        }
    });
    for member in [1, 2] {
        scene.etcd.restart(member).expect("started");
    }
    is_over(&mut scene);
}

#[test]
fn slow_disk() {
    let mut scene = Scene::open(Options {
        slow_disk: true,
        ..Options::of(3)
    });
    let slow = |etcd: &Etcd, delay| {
        for member in 0..3 {
            etcd.slow_down(member, delay).expect("another pace");
        }
    };
    act("slow_disk", &mut scene, |etcd| {
        slow(etcd, Duration::from_secs(3))
    });
    slow(&scene.etcd, Duration::ZERO);
    is_over(&mut scene);
}

#[test]
fn quota_full() {
    let mut scene = Scene::open(Options {
        quota_bytes: Some(4 << 20),
        ..Options::of(3)
    });
    act("quota_full", &mut scene, |etcd| {
        let large = vec![0; 1 << 19];
        while etcd.put("/somebody/else", &large).is_ok() {}
    });
    scene.etcd.make_room().expect("room");
    is_over(&mut scene);
}

#[test]
fn garbage() {
    let mut scene = Scene::open(Options::of(1));
    let address = scene.etcd.address(0);
    act("garbage", &mut scene, |etcd| {
        etcd.kill(0).expect("killed");
        std::thread::spawn(move || babble(address));
    });
    // The one that babbles leaves the port when it is asked to.
    Quiet::ask(address);
    scene.etcd.restart(0).expect("started");
    is_over(&mut scene);
}

/// Says "Quiet, please!" to whoever babbles.
struct Quiet;

impl Quiet {
    const WORD: &str = "QUIET";

    fn ask(address: std::net::SocketAddr) {
        let mut stream = std::net::TcpStream::connect(address).expect("somebody who babbles");
        stream
            .write_all(Self::WORD.as_bytes())
            .expect("listened to");
        let _ = stream.read_to_end(&mut Vec::new());
    }
}

/// Answers every request with 200 and something else than etcd would say.
fn babble(address: std::net::SocketAddr) {
    let listener = TcpListener::bind(address).expect("the port of the one that is gone");
    let bodies = [
        "",
        "{}",
        "{\"header\":{}}",
        "<html>welcome</html>",
        "{\"succeeded\":true}",
        "[1,2",
    ];
    for (stream, body) in listener.incoming().zip(bodies.iter().cycle()) {
        let Ok(mut stream) = stream else { continue };
        let mut asked = [0; 4096];
        let len = stream.read(&mut asked).unwrap_or(0);
        if asked[..len].starts_with(Quiet::WORD.as_bytes()) {
            return;
        }
        let answer = format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        let _ = stream.write_all(answer.as_bytes());
    }
}

#[test]
fn login_lost() {
    let etcd = Etcd::start(3).expect("an etcd");
    etcd.operate(&["init"]).expect("an init");
    let [root, user] = etcd
        .switch_users_on("/fencegate/", "/fencegate0")
        .expect("users");
    let fleet = fleet(&etcd, |policy| {
        policy["authority"]["etcd"]["auth"] =
            json!({ "user": user.name, "password": user.password });
    });
    let mut scene = Scene::enter(etcd, fleet);
    act("login_lost", &mut scene, |etcd| {
        etcd.change_password(&root, &user, "another")
            .expect("changed");
    });
    scene
        .etcd
        .change_password(&root, &user, &user.password)
        .expect("changed back");
    is_over(&mut scene);
    for proxy in &scene.fleet.proxies {
        assert!(
            !proxy.envoy.log().contains(&user.password),
            "a secret in a log"
        );
    }
}

#[test]
fn wiped() {
    let mut scene = Scene::open(Options::of(3));
    act("wiped", &mut scene, |etcd| {
        etcd.delete("/fencegate/").expect("deleted")
    });
    scene.etcd.operate(&["init"]).expect("an init");
    begins_anew(&mut scene);
}

fn restored_as(test: &str, restored: Restored) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("backup");
    let etcd = Etcd::start(3).expect("an etcd");
    etcd.operate(&["init"]).expect("an init");
    etcd.save(0, &file).expect("a backup");
    let fleet = fleet(&etcd, |_| ());
    let mut scene = Scene::enter(etcd, fleet);
    act(test, &mut scene, |etcd| {
        etcd.restore(&file, restored).expect("restored")
    });
    scene.etcd.operate(&["reseed"]).expect("a reseed");
    begins_anew(&mut scene);
}

#[test]
fn restored() {
    restored_as("restored", Restored::AsAnother);
}

#[test]
fn rolled_back() {
    restored_as("rolled_back", Restored::AsItself);
}

#[test]
fn other_window() {
    let mut scene = Scene::open(Options::of(3));
    let good = std::mem::replace(
        &mut scene.fleet,
        fleet(&scene.etcd, |policy| {
            policy["authority"]["etcd"]["window_ms"] = json!(400);
        }),
    );
    act("other_window", &mut scene, |_| ());
    let log = scene.fleet.proxies[0].envoy.log();
    assert!(
        log.contains("400") && log.contains("250"),
        "the log names both windows"
    );
    scene
        .etcd
        .operate(&["window", "400ms"])
        .expect("another window");
    is_over(&mut scene);
    // Those that were there before follow.
    scene.fleet = good;
    is_over(&mut scene);
}

#[test]
fn other_cluster() {
    let mut scene = Scene::open(Options::of(3));
    let init = scene.etcd.value("/fencegate/init").expect("an init");
    let copy = Etcd::start(1).expect("another etcd");
    copy.put("/fencegate/init", &init).expect("a copy");
    scene.fleet = fleet(&copy, |_| ());
    scene.etcd = copy;
    act("other_cluster", &mut scene, |_| ());
    scene.etcd.operate(&["reseed"]).expect("a reseed");
    begins_anew(&mut scene);
}

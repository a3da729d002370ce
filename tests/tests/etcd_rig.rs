//! What the tests do to an etcd really happens to it: killed, stopped, cut off, slowed down, filled,
//! put back, behind TLS, with users.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use base64ct::{Base64, Encoding};
use fencegate_tests::etcd::{Etcd, Options, Restored, User, call_with, call_within};
use fencegate_tests::http::Answer;
use serde_json::{Value, json};

const TRANSACT: &str = "/v3/kv/txn";
const PUT: &str = "/v3/kv/put";
const RANGE: &str = "/v3/kv/range";

fn base64(text: &str) -> String {
    Base64::encode_string(text.as_bytes())
}

fn putting(key: &str, value: &str) -> Value {
    json!({ "key": base64(key), "value": base64(value) })
}

fn put(etcd: &Etcd, member: usize, key: &str, value: &str) -> Answer {
    etcd.call(member, PUT, &putting(key, value))
        .expect("an answer")
}

/// What a member says is under a key, in a reading that takes a majority.
fn value(etcd: &Etcd, member: usize, key: &str) -> Option<String> {
    let body = json!({ "key": base64(key) });
    let answer = etcd.call(member, RANGE, &body).expect("an answer").json();
    let value = answer["kvs"][0]["value"].as_str()?;
    let bytes = Base64::decode_vec(value).expect("base64");
    Some(String::from_utf8(bytes).expect("text"))
}

fn header(answer: &Value, name: &str) -> u64 {
    let number = answer["header"][name].as_str().expect("a number");
    number.parse().expect("a number")
}

fn revision(etcd: &Etcd) -> u64 {
    let answer = etcd.call(0, RANGE, &json!({ "key": base64("any") }));
    header(&answer.expect("an answer").json(), "revision")
}

fn other_than(etcd: &Etcd, member: usize) -> usize {
    (member + 1) % etcd.nodes()
}

#[test]
fn two_clusters_know_nothing_of_each_other() {
    let start = Instant::now();
    let one = Etcd::start(3).expect("an etcd");
    println!("three members served after {:?}", start.elapsed());
    let other = Etcd::start(1).expect("an etcd");
    for member in 0..3 {
        assert_eq!(put(&one, member, "a", &member.to_string()).status, 200);
    }
    for member in 0..3 {
        assert_eq!(value(&one, member, "a").as_deref(), Some("2"));
    }
    assert_eq!(value(&other, 0, "a"), None);
    let cluster = |etcd: &Etcd| header(&put(etcd, 0, "b", "").json(), "cluster_id");
    assert_ne!(cluster(&one), cluster(&other));
}

#[test]
fn nothing_is_left_of_a_cluster_also_after_a_panic() {
    let seen = std::sync::Mutex::new(Vec::new());
    let failed = std::panic::catch_unwind(|| {
        let etcd = Etcd::start(3).expect("an etcd");
        etcd.stop(0).expect("frozen");
        let mut seen = seen.lock().expect("one thread");
        seen.extend(etcd.addresses());
        drop(seen);
        panic!("on purpose");
    });
    assert!(failed.is_err());
    let seen = seen.into_inner().expect("one thread");
    assert_eq!(seen.len(), 3);
    for address in seen {
        let answer = call_within(address, RANGE, &json!({}), Duration::from_millis(300));
        let gone = std::io::ErrorKind::ConnectionRefused;
        assert_eq!(answer.expect_err("nobody").kind(), gone);
    }
}

#[test]
fn after_the_leader_is_killed_another_one_leads_and_it_comes_back_with_what_it_knew() {
    let mut etcd = Etcd::start(3).expect("an etcd");
    let first = etcd.wait_for_leader(&[]).expect("a leader");
    put(&etcd, first, "a", "before");
    etcd.kill(first).expect("killed");
    let start = Instant::now();
    let second = etcd.wait_for_leader(&[first]).expect("a leader");
    println!("another one led after {:?}", start.elapsed());
    assert_ne!(first, second);
    assert_eq!(value(&etcd, second, "a").as_deref(), Some("before"));
    put(&etcd, second, "a", "meanwhile");
    etcd.restart(first).expect("started");
    etcd.wait_until_ready().expect("ready");
    assert_eq!(value(&etcd, first, "a").as_deref(), Some("meanwhile"));
}

#[test]
fn a_frozen_leader_answers_nothing_and_goes_on_as_a_follower() {
    let mut etcd = Etcd::start(3).expect("an etcd");
    let first = etcd.wait_for_leader(&[]).expect("a leader");
    etcd.stop(first).expect("frozen");
    let short = Duration::from_millis(300);
    let asked = call_within(etcd.control(first), RANGE, &json!({ "key": "YQ==" }), short);
    assert!(asked.is_err(), "{asked:?}");
    let second = etcd.wait_for_leader(&[first]).expect("a leader");
    assert_eq!(put(&etcd, second, "a", "meanwhile").status, 200);
    etcd.resume(first).expect("going on");
    etcd.wait_until_ready().expect("ready");
    assert_eq!(value(&etcd, first, "a").as_deref(), Some("meanwhile"));
    assert_ne!(etcd.wait_for_leader(&[]).expect("a leader"), first);
}

/// A leader that was cut off and has not noticed, and one of the others, which has a new leader.
fn cut_off(etcd: &Etcd) -> (usize, usize) {
    let old = etcd.wait_for_leader(&[]).expect("a leader");
    assert_eq!(put(etcd, old, "token", "2").status, 200);
    etcd.cut_off(old);
    let new = etcd.wait_for_leader(&[old]).expect("a leader");
    assert_eq!(put(etcd, new, "token", "4").status, 200);
    (old, new)
}

/// Compares the token, and reads it where `reads` says so.
fn compare(etcd: &Etcd, member: usize, token: &str, reads: bool) -> Result<Answer, String> {
    let (key, value) = (base64("token"), base64(token));
    let compare = json!([{ "key": key, "target": "VALUE", "result": "EQUAL", "value": value }]);
    let read = json!([{ "request_range": { "key": key } }]);
    let body = match reads {
        true => json!({ "compare": compare, "success": read, "failure": read }),
        false => json!({ "compare": compare }),
    };
    let limit = Duration::from_millis(1500);
    call_within(etcd.control(member), TRANSACT, &body, limit).map_err(|why| why.to_string())
}

#[test]
fn a_member_that_is_cut_off_answers_no_transaction_that_reads() {
    let mut etcd = Etcd::start(3).expect("an etcd");
    let (old, new) = cut_off(&etcd);
    let asked = compare(&etcd, old, "2", true);
    assert!(
        !asked.as_ref().is_ok_and(|answer| answer.status == 200),
        "{asked:?}"
    );
    let good = compare(&etcd, new, "4", true).expect("an answer");
    assert_eq!(good.json()["succeeded"], true, "{}", good.body_text());
    // When it has noticed that nobody is there, it says so as soon as it is asked.
    let start = Instant::now();
    while etcd
        .status(old)
        .is_none_or(|status| status["leader"].is_string())
    {
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "it never notices"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    let hasleader = ["Grpc-Metadata-hasleader: true".to_owned()];
    let start = Instant::now();
    let body = json!({ "key": base64("token") }).to_string();
    let asked = call_with(etcd.control(old), RANGE, &body, &hasleader).expect("an answer");
    assert_eq!(asked.status, 503, "{}", asked.body_text());
    assert!(start.elapsed() < Duration::from_secs(3), "not after 7 s");
    // Nor does a write get through.
    let limit = Duration::from_millis(1000);
    let written = call_within(etcd.control(old), PUT, &putting("token", "3"), limit);
    assert!(written.is_err(), "{written:?}");

    // It learns what it missed. The write that nobody waits for any more may be done all the same.
    etcd.reconnect(old);
    etcd.wait_until_ready().expect("ready");
    let token = value(&etcd, old, "token").expect("a token");
    assert!(["4", "3"].contains(&token.as_str()), "{token}");
}

/// Why every transaction of ours reads: this one lies.
#[test]
fn a_member_that_is_cut_off_answers_a_transaction_that_reads_nothing() {
    let etcd = Etcd::start(3).expect("an etcd");
    let (old, _) = cut_off(&etcd);
    let lie = compare(&etcd, old, "2", false).expect("an answer");
    assert_eq!((lie.status, &lie.json()["succeeded"]), (200, &json!(true)));
}

#[test]
fn a_follower_that_is_cut_off_disturbs_nobody_and_catches_up() {
    let mut etcd = Etcd::start(3).expect("an etcd");
    let leader = etcd.wait_for_leader(&[]).expect("a leader");
    let follower = other_than(&etcd, leader);
    etcd.cut_off(follower);
    for number in 0..20 {
        assert_eq!(put(&etcd, leader, "a", &number.to_string()).status, 200);
    }
    assert!(!etcd.serves(follower));
    etcd.reconnect(follower);
    etcd.wait_until_ready().expect("ready");
    assert_eq!(value(&etcd, follower, "a").as_deref(), Some("19"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_slow_disk_delays_writes_and_not_readings() {
    let mut options = Options::of(1);
    options.slow_disk = true;
    let mut etcd = Etcd::start_with(options).expect("an etcd");
    let timed = |etcd: &Etcd, path: &str| {
        let start = Instant::now();
        let answer = etcd.call(0, path, &putting("a", "b")).expect("an answer");
        assert_eq!(answer.status, 200, "{}", answer.body_text());
        start.elapsed()
    };
    let slow = Duration::from_millis(300);
    assert!(timed(&etcd, PUT) < slow);
    etcd.slow_down(0, slow).expect("slow");
    assert!(timed(&etcd, PUT) >= slow);
    let read = (0..5).map(|_| {
        let start = Instant::now();
        assert_eq!(value(&etcd, 0, "a").as_deref(), Some("b"));
        start.elapsed()
    });
    let fastest = read.min().expect("five");
    assert!(fastest < slow, "{fastest:?}");
    etcd.slow_down(0, Duration::ZERO).expect("fast");
    std::thread::sleep(2 * slow);
    assert!(timed(&etcd, PUT) < slow);
    // And after a restart as well.
    etcd.kill(0).expect("killed");
    etcd.restart(0).expect("started");
    etcd.wait_until_ready().expect("ready");
    etcd.slow_down(0, slow).expect("slow");
    assert!(timed(&etcd, PUT) >= slow);
}

#[test]
fn a_restored_snapshot_is_the_same_cluster_with_lower_revisions_or_another_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("snapshot");
    let mut etcd = Etcd::start(3).expect("an etcd");
    put(&etcd, 0, "a", "saved");
    etcd.save(0, &file).expect("saved");
    for number in 0..10 {
        put(&etcd, 0, "a", &number.to_string());
    }
    let (before, cluster) = (revision(&etcd), cluster_of(&etcd));

    etcd.restore(&file, Restored::AsItself).expect("restored");
    assert_eq!(value(&etcd, 2, "a").as_deref(), Some("saved"));
    assert!(revision(&etcd) < before, "{} < {before}", revision(&etcd));
    assert_eq!(cluster_of(&etcd), cluster, "nothing else tells");

    etcd.restore(&file, Restored::AsAnother).expect("restored");
    assert_eq!(value(&etcd, 1, "a").as_deref(), Some("saved"));
    assert_ne!(cluster_of(&etcd), cluster);
}

fn cluster_of(etcd: &Etcd) -> u64 {
    let answer = etcd.call(0, RANGE, &json!({ "key": base64("any") }));
    header(&answer.expect("an answer").json(), "cluster_id")
}

#[test]
fn with_users_on_only_a_good_token_is_served() {
    let etcd = Etcd::start(1).expect("an etcd");
    put(&etcd, 0, "/fencegate/a", "1");
    put(&etcd, 0, "other", "1");
    let [root, proxy] = etcd
        .switch_users_on("/fencegate/", "/fencegate0")
        .expect("on");
    let read = |token: &str, key: &str| {
        let header = format!("Authorization: {token}");
        let body = json!({ "key": base64(key) }).to_string();
        let answer = call_with(etcd.control(0), RANGE, &body, &[header]);
        answer.expect("an answer").status
    };
    let token = etcd.token(&proxy).expect("a token");
    assert_eq!(read(&token, "/fencegate/a"), 200);
    assert_eq!(read(&token, "other"), 403);
    assert_eq!(read("made.up", "/fencegate/a"), 401);
    etcd.change_password(&root, &proxy, "another")
        .expect("changed");
    assert_eq!(read(&token, "/fencegate/a"), 401, "the old token is over");
    etcd.token(&proxy).expect_err("the old password is over");
    let changed = User {
        password: "another".to_owned(),
        ..proxy
    };
    let token = etcd.token(&changed).expect("a token");
    assert_eq!(read(&token, "/fencegate/a"), 200);
}

#[test]
fn behind_tls_only_a_client_with_a_certificate_is_served() {
    let mut options = Options::of(1);
    options.tls = true;
    let etcd = Etcd::start_with(options).expect("an etcd");
    put(&etcd, 0, "a", "by the tests");
    let files = etcd.certificates().expect("certificates");
    let get = |arguments: &[(&str, &Path)]| {
        let mut command = Command::new(etcdctl());
        command.env("ETCDCTL_API", "3");
        command.args(["--endpoints", &format!("https://{}", etcd.address(0))]);
        command.args(["--command-timeout", "2s", "--dial-timeout", "2s"]);
        for (name, file) in arguments {
            command.arg(format!("--{name}")).arg(file);
        }
        let output = command.args(["get", "a"]).output().expect("etcdctl");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let trust = ("cacert", files.authority.as_path());
    let mine = [trust, ("cert", &files.client), ("key", &files.client_key)];
    assert_eq!(get(&mine), "a\nby the tests\n");
    assert_eq!(get(&[trust]), "");
    let plain = call_within(etcd.address(0), RANGE, &json!({}), Duration::from_secs(2));
    assert!(!plain.is_ok_and(|answer| answer.status == 200));
}

fn etcdctl() -> PathBuf {
    let etcd = std::env::var_os("FENCEGATE_ETCD").expect("FENCEGATE_ETCD");
    PathBuf::from(etcd).with_file_name("etcdctl")
}

/// So its refusal of a write does not say that nothing was done.
#[test]
#[cfg(target_os = "linux")]
fn a_full_store_refuses_a_write_that_it_has_done() {
    let mut options = Options::of(1);
    options.slow_disk = true;
    options.quota_bytes = Some(60_000);
    let etcd = Etcd::start_with(options).expect("an etcd");
    etcd.slow_down(0, Duration::from_millis(200)).expect("slow");
    let filler = "x".repeat(2000);
    let mut refused = Vec::new();
    std::thread::scope(|scope| {
        let each = (0..60).map(|number| {
            let (etcd, filler) = (&etcd, &filler);
            std::thread::sleep(Duration::from_millis(20));
            scope.spawn(move || (number, put(etcd, 0, &format!("{number}"), filler).status))
        });
        let each: Vec<_> = each.collect();
        for writer in each {
            let (number, status) = writer.join().expect("written");
            if status == 429 {
                refused.push(number);
            }
        }
    });
    let done: Vec<i32> = refused
        .iter()
        .copied()
        .filter(|number| value(&etcd, 0, &number.to_string()).is_some())
        .collect();
    println!("refused: {refused:?}, and done all the same: {done:?}");
    assert!(!refused.is_empty());
    assert!(!done.is_empty());
}

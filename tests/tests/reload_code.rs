//! What marks and leases outlive, second part: new code, broken code, another `vm_id`, a listener that
//! is still being drained. The first part is `reload.rs`; `docs/reloads.md` lists all of it.

use std::fs;
use std::path::PathBuf;

use fencegate_tests::config::{Config, FENCED};
use fencegate_tests::envoy::{Envoy, Options, Pushed, shipped_plugin};
use fencegate_tests::http::{Answer, Connection};
use fencegate_tests::issuer::{Grant, Issuer};
use fencegate_tests::rig::{Rig, write};
use serde_json::json;
use tempfile::TempDir;

const PATH: &str = "/jobs/1/report.pdf";

fn example() -> Config {
    Config::example("fencegate").expect("the example")
}

fn dynamic(config: Config) -> Rig {
    let options = Options {
        dynamic: true,
        ..Options::default()
    };
    Rig::start_with(config, options).expect("a fenced store")
}

fn put(envoy: &Envoy, grant: &Grant) -> Answer {
    let address = envoy.address(FENCED).expect("the listener");
    let request = write(PATH, &grant.token, &grant.holder);
    request.send_to(address).expect("an answer")
}

fn issuer(rig: &Rig) -> Issuer {
    Issuer::at(rig.envoy.address(FENCED).expect("the listener"))
}

fn push(rig: &Rig, config: &Config) -> Pushed {
    let config = config.clone().with_store(rig.origin.address());
    rig.envoy.push(&config).expect("Envoy's word")
}

fn push_code(rig: &Rig, config: &Config, code: &Code) -> Pushed {
    let config = config.clone().with_store(rig.origin.address());
    rig.envoy
        .push_code(&config, &code.path)
        .expect("Envoy's word")
}

/// A compiled filter in a folder of its own.
struct Code {
    path: PathBuf,
    _folder: TempDir,
}

fn code(bytes: &[u8]) -> Code {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("filter.wasm");
    fs::write(&path, bytes).expect("written");
    Code {
        path,
        _folder: folder,
    }
}

fn shipped() -> Vec<u8> {
    fs::read(shipped_plugin().expect("the filter")).expect("its bytes")
}

fn old_and_new(rig: &Rig) -> (Grant, Grant) {
    let old = rig.grant("job:1", "worker-a", 1000);
    rig.issuer.release(&old, true).expect("an answer");
    (old, rig.grant("job:1", "worker-b", 60_000))
}

fn assert_as_before(rig: &Rig, old: &Grant, new: &Grant, told: &str) {
    let answer = put(&rig.envoy, old);
    let seen = (answer.status, answer.reason());
    assert_eq!(
        seen,
        (412, "stale".to_owned()),
        "{told}: {}",
        answer.body_text()
    );
    let answer = put(&rig.envoy, new);
    assert!(
        [200, 201].contains(&answer.status),
        "{told}: {}",
        answer.body_text()
    );
    let held = issuer(rig).acquire("job:1", "worker-c", 1000);
    assert_eq!(held.expect("an answer").status, 409, "{told}: still held");
}

/// Something changes in the listener, so that Envoy builds it anew.
fn changed(seconds: u32) -> Config {
    let idle = json!(format!("{seconds}s"));
    example().with_connection_manager(|manager| manager["stream_idle_timeout"] = idle.clone())
}

#[test]
fn new_code_keeps_marks_and_leases() {
    let rig = dynamic(example());
    let (old, new) = old_and_new(&rig);
    // A custom section named "x": the same filter to a reader, other code to Envoy.
    let mut other = shipped();
    other.extend_from_slice(&[0, 3, 1, b'x', b'!']);
    let other = code(&other);
    assert_eq!(push_code(&rig, &changed(29), &other), Pushed::Accepted);
    assert_as_before(&rig, &old, &new, "new code");
    assert_eq!(push(&rig, &changed(28)), Pushed::Accepted);
    assert_as_before(&rig, &old, &new, "the code of before");
}

#[test]
fn bad_code_leaves_the_old_filter_serving() {
    let rig = dynamic(example());
    let (old, new) = old_and_new(&rig);
    let shipped = shipped();
    let cases: [(&str, Vec<u8>); 4] = [
        ("nothing", Vec::new()),
        ("no wasm", b"this is no wasm".to_vec()),
        ("half of it", shipped[..shipped.len() / 2].to_vec()),
        // A valid module that exports nothing.
        ("no filter", b"\0asm\x01\0\0\0".to_vec()),
    ];
    for (number, (what, bytes)) in cases.into_iter().enumerate() {
        let pushed = push_code(&rig, &changed(10 + number as u32), &code(&bytes));
        assert!(matches!(pushed, Pushed::Rejected(_)), "{what}: {pushed:?}");
        assert_as_before(&rig, &old, &new, what);
    }
}

/// Another `vm_id` is another memory. With our issuer that is a restart: nothing of before is good.
#[test]
fn another_vm_id_refuses_every_older_token() {
    let rig = dynamic(example());
    let (old, new) = old_and_new(&rig);
    assert_eq!(push(&rig, &example().with_vm_id("other")), Pushed::Accepted);
    for grant in [&old, &new] {
        let answer = put(&rig.envoy, grant);
        let refused = [(412, "no_grant"), (503, "starting")];
        let seen = (answer.status, answer.reason());
        assert!(
            refused.contains(&(seen.0, &seen.1)),
            "{}",
            answer.body_text()
        );
    }
    let grant = issuer(&rig).acquire_patiently("job:1", "worker-c", 60_000);
    assert_eq!(put(&rig.envoy, &grant.expect("a grant")).status, 201);
}

/// And the memory of before is still there, kept by the keeper: who changes the `vm_id` back finds
/// the holder of then. So a `vm_id` is never changed while anybody may write.
#[test]
fn the_vm_id_of_before_still_has_its_holder() {
    let rig = dynamic(example());
    let (_, new) = old_and_new(&rig);
    assert_eq!(push(&rig, &example().with_vm_id("other")), Pushed::Accepted);
    let meanwhile = issuer(&rig).acquire_patiently("job:1", "worker-c", 60_000);
    let meanwhile = meanwhile.expect("a grant");
    assert_eq!(put(&rig.envoy, &meanwhile).status, 201);
    assert_eq!(push(&rig, &example()), Pushed::Accepted);
    let answer = put(&rig.envoy, &new);
    assert_eq!(
        answer.status, 200,
        "two holders, one after the other: documented"
    );
    assert!(put(&rig.envoy, &meanwhile).status >= 400);
}

#[test]
fn with_external_tokens_another_vm_id_starts_over_as_the_configuration_says() {
    let external = Config::example("external").expect("the example");
    let rig = dynamic(external.clone());
    let put = |token: &str| {
        let address = rig.envoy.address(FENCED).expect("the listener");
        let request = write(PATH, token, "worker-a");
        request.send_to(address).expect("an answer").status
    };
    assert_eq!((put("42"), put("41")), (201, 412));
    assert_eq!(push(&rig, &external.with_vm_id("other")), Pushed::Accepted);
    assert_eq!(put("41"), 200, "cold_start: admits_the_first_token_seen");
}

#[test]
fn without_the_keeper_a_filter_that_is_taken_away_and_given_back_refuses_every_older_token() {
    let config = example().without_keeper();
    let rig = dynamic(config.clone());
    let (old, new) = old_and_new(&rig);
    assert_eq!(
        push(&rig, &config.clone().without_listeners()),
        Pushed::Accepted
    );
    rig.envoy.wait_until_drained().expect("no listener is left");
    assert_eq!(push(&rig, &config), Pushed::Accepted);
    for grant in [&old, &new] {
        let answer = put(&rig.envoy, grant);
        let refused = [(412, "stale"), (412, "no_grant"), (503, "starting")];
        let seen = (answer.status, answer.reason());
        assert!(
            refused.contains(&(seen.0, &seen.1)),
            "{}",
            answer.body_text()
        );
    }
    let grant = issuer(&rig).acquire_patiently("job:1", "worker-c", 60_000);
    assert_eq!(put(&rig.envoy, &grant.expect("a grant")).status, 201);
}

/// A connection that is open before the push goes on being served by the old listener.
fn on_the_old_listener(rig: &Rig, connection: &mut Connection, grant: &Grant) -> (u16, String) {
    // Where only the filters change, Envoy drains the old ones and keeps the listener.
    let draining = rig
        .envoy
        .counter("listener_manager.total_filter_chains_draining");
    assert!(draining.expect("stats") > 0);
    let request = write(PATH, &grant.token, &grant.holder);
    let answer = connection.exchange(&request).expect("an answer");
    (answer.status, answer.reason())
}

#[test]
fn a_listener_that_is_being_drained_shares_the_marks() {
    let rig = dynamic(example());
    let old = rig.grant("job:1", "worker-a", 60_000);
    let mut connection = Connection::open(rig.address).expect("a connection");
    let first = write(PATH, &old.token, &old.holder);
    assert_eq!(connection.exchange(&first).expect("an answer").status, 201);
    assert_eq!(push(&rig, &changed(29)), Pushed::Accepted);
    issuer(&rig).release(&old, true).expect("an answer");
    let new = issuer(&rig).acquire_patiently("job:1", "worker-b", 60_000);
    let new = new.expect("a grant");
    let seen = on_the_old_listener(&rig, &mut connection, &old);
    assert_eq!(seen, (412, "stale".to_owned()));
    assert_eq!(put(&rig.envoy, &new).status, 200);
}

#[test]
fn a_listener_that_is_being_drained_refuses_once_a_higher_generation_judges() {
    let rig = dynamic(example());
    let old = rig.grant("job:1", "worker-a", 60_000);
    let mut connection = Connection::open(rig.address).expect("a connection");
    let first = write(PATH, &old.token, &old.holder);
    assert_eq!(connection.exchange(&first).expect("an answer").status, 201);
    let newer = example().with_policy(|policy| policy["generation"] = json!(2));
    assert_eq!(push(&rig, &newer), Pushed::Accepted);
    // The first request that the new filter judges puts the new generation in force.
    assert!(put(&rig.envoy, &old).status >= 400);
    let seen = on_the_old_listener(&rig, &mut connection, &old);
    assert_eq!(seen, (503, "superseded".to_owned()));
}

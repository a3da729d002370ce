//! A hot restart: two processes of one Envoy at the same time, each with a memory of its own. Unsafe
//! with marks in memory, shown here; every example says `--disable-hot-restart`.

use std::net::TcpListener;

use fencegate_tests::config::{Config, FENCED};
use fencegate_tests::envoy::{Envoy, HotRestart, Options};
use fencegate_tests::http::Connection;
use fencegate_tests::issuer::Issuer;
use fencegate_tests::origin::Origin;
use fencegate_tests::rig::write;
use serde_json::json;

const PATH: &str = "/jobs/1/report.pdf";

fn options(base_id: u32, epoch: u32) -> Options {
    Options {
        hot_restart: Some(HotRestart { base_id, epoch }),
        ..Options::default()
    }
}

/// A port that is free now.
fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    listener.local_addr().expect("an address").port()
}

#[test]
fn the_two_processes_of_a_hot_restart_have_marks_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let origin = Origin::start(folder.path()).expect("a store");
    let port = free_port();
    let config = Config::example("fencegate")
        .expect("the example")
        .with_store(origin.address());
    let config = config.with(|bootstrap| {
        let listener = &mut bootstrap["static_resources"]["listeners"][0];
        listener["address"]["socket_address"]["port_value"] = json!(port);
    });
    let base_id = std::process::id() % 30_000;
    let first = Envoy::start_with(&config, options(base_id, 0)).expect("an Envoy");
    let address = first.address(FENCED).expect("a listener");
    let old_issuer = Issuer::at(address);
    old_issuer.wait_until_ready().expect("ready");
    let old = old_issuer
        .acquire_patiently("job:1", "worker-a", 60_000)
        .expect("a grant");
    let mut kept = Connection::open(address).expect("a connection");
    let by_old = write(PATH, &old.token, &old.holder);
    assert_eq!(kept.exchange(&by_old).expect("an answer").status, 201);

    let second = Envoy::start_with(&config, options(base_id, 1)).expect("the next Envoy");
    let new_issuer = Issuer::at(second.address(FENCED).expect("a listener"));
    new_issuer.wait_until_ready().expect("ready");
    let new = new_issuer
        .acquire_patiently("job:1", "worker-b", 60_000)
        .expect("a second lease");
    let by_new = write(PATH, &new.token, &new.holder);
    assert_eq!(by_new.send_to(address).expect("an answer").status, 200);
    // The old process still serves the connection that it has.
    let answer = kept.exchange(&by_old).expect("an answer");
    assert_eq!(
        answer.status,
        200,
        "a stale write was admitted: {}",
        answer.body_text()
    );
    // The new one refuses it.
    assert_eq!(by_old.send_to(address).expect("an answer").status, 412);
    drop(second);
}

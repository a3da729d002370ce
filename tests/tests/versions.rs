//! The story, and the core of the contract, on the Envoys before the pinned one. `FENCEGATE_ENVOYS`
//! names them (`./setup envoys` gets them, `make test` sets it); everything else runs on the pinned one.

use std::path::{Path, PathBuf};
use std::process::Command;

use fencegate_tests::config::Config;
use fencegate_tests::envoy::{Options, Pushed, other_binaries, trap_plugin, validate_with};
use fencegate_tests::http::Request;
use fencegate_tests::rig::{Rig, bare_write, write};
use fencegate_tests::story::{Settings, tell};
use fencegate_tests::wire::Wire;
use serde_json::json;

const PATH: &str = "/jobs/1/report.pdf";

fn on(binary: &Path) -> Options {
    Options {
        binary: Some(binary.to_owned()),
        ..Options::default()
    }
}

fn version(binary: &Path) -> String {
    let said = Command::new(binary)
        .arg("--version")
        .output()
        .expect("an Envoy that runs");
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let version = said.rsplit("version: ").next().unwrap_or_default();
    let version = version.split('/').nth(1).unwrap_or_default();
    version.to_owned()
}

/// The binaries, or nothing to do, said aloud.
fn binaries() -> Vec<PathBuf> {
    let found = other_binaries();
    if found.is_none() {
        println!(
            "FENCEGATE_ENVOYS names no other Envoys: ./setup envoys gets them. Nothing was tried."
        );
    }
    found.unwrap_or_default()
}

#[test]
fn the_contract_holds_on_earlier_envoys() {
    for binary in binaries() {
        println!("Envoy {}", version(&binary));
        for example in ["fencegate", "external", "hardened", "upstream"] {
            let config = Config::example(example).expect("the example");
            let judged = validate_with(&config, &on(&binary)).expect("an Envoy that judges");
            assert_eq!(judged, Ok(()), "{example} on {}", binary.display());
            let rig = Rig::start_with(config, on(&binary)).expect("a fenced store");
            if example == "external" {
                external(&rig);
            } else {
                ours(&rig);
            }
        }
    }
}

fn ours(rig: &Rig) {
    rig.refused(&bare_write(PATH), 428, "token_required");
    rig.refused(&write(PATH, "1.1", "worker-a"), 412, "no_grant");
    let old = rig.grant("job:1", "worker-a", 1000);
    assert_eq!(rig.write(PATH, &old).status, 201);
    rig.refused(&write(PATH, &old.token, "worker-b"), 409, "held_by_another");
    rig.issuer.release(&old, true).expect("an answer");
    rig.refused(&write(PATH, &old.token, "worker-a"), 412, "released");
    let new = rig.grant("job:1", "worker-b", 60_000);
    rig.refused(&write(PATH, &old.token, "worker-a"), 412, "stale");
    rig.refused(
        &write(PATH, "4294967295.1", "worker-b"),
        403,
        "never_issued",
    );
    let twice = write(PATH, &new.token, "worker-b").header("Fencing-Token", &new.token);
    rig.refused(&twice, 400, "ambiguous");
    let early = write(PATH, &new.token, "worker-b").header("Early-Data", "1");
    rig.refused(&early, 425, "too_early");
    let held = rig
        .issuer
        .acquire("job:1", "worker-a", 1000)
        .expect("an answer");
    assert_eq!((held.status, held.reason().as_str()), (409, "held"));
    assert_eq!(
        rig.issuer.renew(&new, 60_000).expect("an answer").status,
        200
    );
    let answer = Wire::Http2.send(rig.address, &write(PATH, &new.token, "worker-b"));
    let answer = answer.expect("an answer");
    assert_eq!(
        (answer.status, answer.text("fencing-token-mark")),
        (200, Some(new.token.clone()))
    );
    let grpc = Request::new("POST", PATH)
        .header("Host", "store.example")
        .header("Content-Type", "application/grpc")
        .body([0, 0, 0, 0, 0]);
    let answer = Wire::Http2.send(rig.address, &grpc).expect("an answer");
    assert_eq!(answer.text("grpc-status").as_deref(), Some("9"));
}

fn external(rig: &Rig) {
    assert_eq!(rig.send(&write(PATH, "42", "worker-a")).status, 201);
    rig.refused(&write(PATH, "41", "worker-a"), 412, "stale");
    rig.refused(&write(PATH, "42", "worker-b"), 409, "held_by_another");
    assert_eq!(
        rig.issuer
            .claim("job:1", "worker-b", "43")
            .expect("an answer")
            .status,
        200
    );
    rig.refused(&write(PATH, "42", "worker-a"), 412, "stale");
}

#[test]
fn the_story_ends_well_on_earlier_envoys() {
    let worker = Path::new(env!("CARGO_BIN_EXE_worker"));
    let programs = worker.parent().expect("a folder");
    for binary in binaries() {
        let settings = Settings::quick(programs.to_owned()).with_envoy(binary);
        let mut transcript = Vec::new();
        let outcome = tell(&settings, &mut transcript, None).expect("a story");
        assert_eq!(outcome.verdict(), Ok(()));
    }
}

#[test]
fn marks_outlive_reloads_and_traps_on_earlier_envoys() {
    for binary in binaries() {
        let options = Options {
            dynamic: true,
            plugin: Some(trap_plugin().expect("a filter that traps")),
            concurrency: 1,
            ..on(&binary)
        };
        let config = Config::example("fencegate").expect("the example");
        let rig = Rig::start_with(config.clone(), options).expect("a fenced store");
        let old = rig.grant("job:1", "worker-a", 1000);
        rig.issuer.release(&old, true).expect("an answer");
        let new = rig.grant("job:1", "worker-b", 60_000);
        let changed = config.clone().with_store(rig.origin.address());
        let changed = changed.with_connection_manager(|manager| {
            manager["stream_idle_timeout"] = json!("29s");
        });
        assert_eq!(
            rig.envoy.push(&changed).expect("Envoy's word"),
            Pushed::Accepted
        );
        let address = rig.envoy.address("fenced").expect("a listener");
        let send = |request: &Request| request.send_to(address).expect("an answer");
        assert_eq!(send(&write(PATH, &old.token, "worker-a")).reason(), "stale");
        let trapped = send(&bare_write(PATH).header("x-trap", "before"));
        assert!(trapped.status >= 500, "{}", trapped.status);
        std::thread::sleep(std::time::Duration::from_millis(1200));
        assert_eq!(send(&write(PATH, &old.token, "worker-a")).reason(), "stale");
        assert_eq!(send(&write(PATH, &new.token, "worker-b")).status, 201);
        assert_eq!(rig.reached(), 1);
    }
}

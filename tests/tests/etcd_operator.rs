//! What an operator does, on a real etcd: make an authority, look at it, change its window, begin anew
//! after a backup was restored.

use std::time::{Duration, Instant};

use clap::Parser;
use fencegate_core::quorum::Init;
use fencegate_operator::{Arguments, run};
use fencegate_tests::etcd::{Etcd, EtcdError, Options, Restored};

fn said(result: Result<String, EtcdError>) -> String {
    match result {
        Ok(said) => said,
        Err(error) => error.to_string(),
    }
}

fn made(options: Options) -> Etcd {
    let etcd = Etcd::start_with(options).expect("an etcd");
    etcd.operate(&["init", "--window", "250ms"])
        .expect("an init");
    etcd
}

fn init(etcd: &Etcd) -> Init {
    let value = etcd.value("/fencegate/init").expect("a value");
    Init::decode(&value).expect("an init")
}

#[test]
fn an_authority_is_made_once_and_its_status_is_told() {
    let etcd = Etcd::start(1).expect("an etcd");
    let nothing = said(etcd.operate(&["status"]));
    assert!(nothing.contains("run `fencegate init` first"), "{nothing}");

    let made = said(etcd.operate(&["init", "--window", "300ms"]));
    assert!(made.contains("window 300 ms"), "{made}");
    let before = init(&etcd);
    let again = etcd.operate(&["init", "--window", "1s"]);
    assert!(again.is_err(), "{again:?}");
    assert!(said(again).contains("is there already"));
    assert_eq!(init(&etcd), before, "nothing was changed");

    let status = said(etcd.operate(&["status"]));
    for part in [
        "window      300 ms",
        "generation  none in force yet",
        "resources   0",
    ] {
        assert!(status.contains(part), "{part} in:\n{status}");
    }
    // Another prefix is another authority.
    let other = said(etcd.operate(&["--prefix", "/other/", "init"]));
    assert!(other.starts_with("made /other/init"), "{other}");
}

#[test]
fn an_authority_that_lost_its_init_is_not_made_anew_by_mistake() {
    let etcd = made(Options::of(1));
    etcd.put("/fencegate/m/job:1", b"a mark").expect("a put");
    etcd.delete("/fencegate/init").expect("a deletion");
    let refused = said(etcd.operate(&["init"]));
    assert!(
        refused.contains("1 marks under /fencegate/ and no init"),
        "{refused}"
    );
    assert!(etcd.value("/fencegate/init").is_none());
}

#[test]
fn the_window_shrinks_and_grows_in_steps_that_are_safe() {
    let etcd = made(Options::of(3));
    let start = Instant::now();
    let told = said(etcd.operate(&["window", "100ms"]));
    assert!(
        start.elapsed() >= Duration::from_millis(250),
        "it sat the old wait out: {told}"
    );
    let steps: Vec<&str> = told.lines().collect();
    assert_eq!(steps[0], "trust for 100 ms, wait for 250 ms", "{told}");
    assert!(steps[1].starts_with("waiting for 2"), "{told}");
    assert_eq!(steps[2], "trust for 100 ms, wait for 100 ms", "{told}");
    let now = init(&etcd);
    assert_eq!(
        (now.trust, now.wait),
        (Duration::from_millis(100), Duration::from_millis(100))
    );

    let told = said(etcd.operate(&["window", "1s"]));
    let steps: Vec<&str> = told.lines().collect();
    assert_eq!(steps[0], "trust for 100 ms, wait for 1000 ms", "{told}");
    assert_eq!(steps[1], "trust for 1000 ms, wait for 1000 ms", "{told}");
    assert!(said(etcd.operate(&["window", "1s"])).contains("the window is 1000 ms"));
}

#[test]
fn a_change_of_the_window_that_was_given_up_is_gone_on_with() {
    let etcd = made(Options::of(1));
    let half = Init {
        trust: Duration::from_millis(100),
        ..init(&etcd)
    };
    etcd.put("/fencegate/init", &half.encode()).expect("a put");
    assert!(said(etcd.operate(&["status"])).contains("a change is under way"));
    etcd.operate(&["window", "100ms"]).expect("a change");
    assert!(said(etcd.operate(&["status"])).contains("window      100 ms"));
}

#[test]
fn after_a_restore_status_says_so_and_reseed_begins_a_higher_epoch() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("backup");
    let mut etcd = made(Options::of(3));
    etcd.save(0, &file).expect("a backup");
    let before = init(&etcd);
    etcd.restore(&file, Restored::AsAnother)
        .expect("a restored etcd");

    let status = etcd.operate(&["status"]);
    assert!(status.is_err(), "{status:?}");
    assert!(said(status).contains("run `fencegate reseed`"));
    let told = said(etcd.operate(&["reseed"]));
    assert!(
        told.contains("every token granted before is refused"),
        "{told}"
    );
    let after = init(&etcd);
    assert!(after.epoch > before.epoch, "{before:?} {after:?}");
    assert_ne!(after.cluster, before.cluster);
    assert!(etcd.operate(&["status"]).is_ok());
    // Twice in one second is two epochs.
    etcd.operate(&["reseed"]).expect("one more");
    assert!(init(&etcd).epoch > after.epoch);
}

#[test]
fn what_is_in_the_way_is_told_with_its_mend() {
    let etcd = made(Options::of(1));
    for (command, sentence) in [
        (
            &["--prefix", "fencegate", "status"][..],
            "with a slash at both ends",
        ),
        (&["window", "5ms"], "give 10 ms to 60 s"),
        (&["window", "soon"], "write it like 250ms or 2s"),
        (&["--user", "me", "status"], "--password-file"),
        (&["--ca", "/nowhere", "status"], "/nowhere"),
        (&["--cert", "/nowhere", "status"], "--key"),
    ] {
        let result = etcd.operate(command);
        assert!(result.is_err(), "{command:?}");
        let told = said(result);
        assert!(told.contains(sentence), "{command:?}: {told}");
    }
    let nobody = ["fencegate", "--endpoints", "http://127.0.0.1:1", "status"];
    let nobody = Arguments::try_parse_from(nobody).expect("arguments");
    let told = run(&nobody, |_| ())
        .expect_err("nobody is there")
        .to_string();
    assert!(told.contains("no member of etcd answers"), "{told}");
    etcd.put("/fencegate/init", b"something else")
        .expect("a put");
    assert!(said(etcd.operate(&["status"])).contains("not Fencegate's, or is damaged"));
}

#[test]
fn an_etcd_with_tls_and_users_lets_the_operator_in() {
    let tls = Etcd::start_with(Options {
        tls: true,
        ..Options::of(1)
    })
    .expect("an etcd");
    let made = said(tls.operate(&["init"]));
    assert!(made.starts_with("made /fencegate/init"), "{made}");

    let etcd = Etcd::start(1).expect("an etcd");
    let [_, user] = etcd
        .switch_users_on("/fencegate/", "/fencegate0")
        .expect("users");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("password");
    let file = file.to_str().expect("a plain path");
    std::fs::write(file, format!("{}\n", user.password)).expect("a file");
    let named = ["--user", &user.name, "--password-file", file, "init"];
    let told = said(etcd.operate(&named));
    assert!(told.starts_with("made /fencegate/init"), "{told}");
    assert!(
        etcd.operate(&["status"]).is_err(),
        "nobody comes in without a name"
    );
    std::fs::write(file, "another\n").expect("a file");
    let told = said(etcd.operate(&["--user", &user.name, "--password-file", file, "status"]));
    assert!(
        told.contains("refuses") && !told.contains("another"),
        "{told}"
    );
}

//! The wall clock is stepped to and fro under a real Envoy: no lease ends early or late, no token
//! comes twice, and after a restart in the past no older token is good.
//!
//! A library of our own (`examples/wall_clock.rs`) shifts the wall clock of the Envoy alone, by what a
//! file says, and leaves the monotonic clock as it is.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fencegate_tests::config::{Config, FENCED};
use fencegate_tests::envoy::{Envoy, Options};
use fencegate_tests::issuer::{Grant, Issuer};
use fencegate_tests::origin::Origin;
use fencegate_tests::rig::write;
use tempfile::TempDir;

const PATH: &str = "/jobs/1/report.pdf";

struct Clocked {
    library: PathBuf,
    folder: TempDir,
    origin: Origin,
}

struct Running {
    envoy: Envoy,
    issuer: Issuer,
    shift: PathBuf,
}

fn clocked() -> Clocked {
    // The tests lie in `deps`, beside `examples`.
    let program = std::env::current_exe().expect("this test's path");
    let built = program
        .parent()
        .and_then(Path::parent)
        .expect("the build's folder");
    let library = built.join("examples/libwall_clock.so");
    assert!(
        library.is_file(),
        "not built: cargo build -p fencegate-tests --release --examples"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let origin = Origin::start(&folder.path().join("objects")).expect("a store");
    Clocked {
        library,
        folder,
        origin,
    }
}

impl Clocked {
    /// An Envoy whose wall clock is shifted by so many seconds.
    fn start(&self, seconds: i64) -> Running {
        let shift = self.folder.path().join("shift");
        step(&shift, seconds);
        let set = |name: &str, value: &Path| (name.to_owned(), value.display().to_string());
        let options = Options {
            environment: vec![
                set("LD_PRELOAD", &self.library),
                set("FENCEGATE_WALL_SHIFT", &shift),
            ],
            ..Options::default()
        };
        let config = Config::example("fencegate").expect("the example");
        let config = config.with_store(self.origin.address());
        let envoy = Envoy::start_with(&config, options).expect("an Envoy");
        let issuer = Issuer::at(envoy.address(FENCED).expect("a listener"));
        issuer.wait_until_ready().expect("ready");
        Running {
            envoy,
            issuer,
            shift,
        }
    }
}

impl Running {
    fn put(&self, grant: &Grant) -> (u16, String) {
        let address = self.envoy.address(FENCED).expect("a listener");
        let request = write(PATH, &grant.token, &grant.holder);
        let answer = request.send_to(address).expect("an answer");
        (answer.status, answer.reason())
    }

    fn grant(&self, holder: &str, ttl_ms: u64) -> Grant {
        let grant = self.issuer.acquire_patiently("job:1", holder, ttl_ms);
        grant.expect("a grant")
    }

    fn is_held(&self) -> bool {
        let answer = self.issuer.acquire("job:1", "somebody", 1000);
        answer.expect("an answer").status == 409
    }

    /// What Envoy itself takes for the time, in seconds, by the date of an answer's log line.
    fn wall_year(&self) -> String {
        let answer = self.issuer.ready().expect("an answer");
        let date = answer.text("date").expect("a date");
        date.split(' ').nth(3).unwrap_or_default().to_owned()
    }
}

fn step(file: &Path, seconds: i64) {
    // In one step: a file that is half written would be read as no shift.
    let new = file.with_extension("new");
    fs::write(&new, seconds.to_string()).expect("the shift");
    fs::rename(new, file).expect("the shift");
}

const YEAR: i64 = 366 * 24 * 3600;

#[test]
fn a_step_of_the_wall_clock_neither_ends_nor_prolongs_a_lease() {
    let clocked = clocked();
    let running = clocked.start(0);
    let now = running.wall_year();
    let long = running.grant("worker-a", 60_000);
    for seconds in [3600, YEAR, -3600, -YEAR, 0] {
        step(&running.shift, seconds);
        std::thread::sleep(Duration::from_millis(600));
        println!("{seconds} s: Envoy is in {}", running.wall_year());
        assert!(running.is_held(), "{seconds}");
        assert!([200, 201].contains(&running.put(&long).0), "{seconds}");
        let renewed = running.issuer.renew(&long, 60_000).expect("an answer");
        assert_eq!(renewed.status, 200);
        let left = renewed.json()["ttl_ms"].as_u64().expect("a number");
        assert!((59_000..=60_000).contains(&left), "{seconds}: {left}");
    }
    step(&running.shift, 2 * YEAR);
    std::thread::sleep(Duration::from_millis(600));
    assert_ne!(running.wall_year(), now, "the clock was really stepped");
    running.issuer.release(&long, true).expect("an answer");

    // And an end comes when it should, however far back the clock goes.
    let mut before = long;
    for seconds in [YEAR, -YEAR, 0] {
        let start = Instant::now();
        let short = running.grant("worker-b", 1000);
        step(&running.shift, seconds);
        let next = running.grant("worker-c", 1000);
        let waited = start.elapsed();
        assert!(
            waited >= Duration::from_millis(950),
            "{seconds}: {waited:?}"
        );
        assert!(
            waited < Duration::from_millis(3000),
            "{seconds}: {waited:?}"
        );
        let number = |grant: &Grant| {
            let (epoch, number) = grant.token.split_once('.').expect("two parts");
            (
                epoch.parse::<u64>().expect("digits"),
                number.parse::<u64>().expect("digits"),
            )
        };
        assert!(number(&before) < number(&short) && number(&short) < number(&next));
        assert_eq!(running.put(&short), (412, "stale".to_owned()));
        running.issuer.release(&next, true).expect("an answer");
        before = next;
    }
}

#[test]
fn after_a_restart_in_the_past_no_older_token_is_good() {
    let clocked = clocked();
    let running = clocked.start(0);
    let old = running.grant("worker-a", 60_000);
    assert_eq!(running.put(&old).0, 201);
    drop(running);
    for seconds in [-3600, -1] {
        let running = clocked.start(seconds);
        assert_eq!(running.put(&old), (412, "no_grant".to_owned()), "{seconds}");
        let new = running.grant("worker-b", 60_000);
        assert_ne!(new.token, old.token);
        let refused = running.put(&old);
        assert!([403, 412].contains(&refused.0), "{seconds}: {refused:?}");
        assert_eq!(running.put(&new).0, 200);
    }
    assert_eq!(clocked.origin.journal().with_token(&old.token).count(), 1);
}

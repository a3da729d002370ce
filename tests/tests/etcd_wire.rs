//! The recorded conversations with etcd are true: a real one, asked the same again, answers the same.
//!
//! They lie beside the filter's tests, which show that the filter asks so and understands the
//! answers. So both halves meet in these texts, and nothing of the filter is needed here.
//! `make recordings` records them anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fencegate_tests::etcd::{Etcd, Options, call_with};
use fencegate_tests::http::Answer;
use serde_json::Value;

#[path = "../../wasm-plugin/tests/etcd_wire/script.rs"]
#[allow(unreachable_pub, reason = "another crate's test has the same file")]
mod script;

use script::{Script, Step};

fn file(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wasm-plugin/tests/etcd_wire");
    folder.join(format!("{name}.txt"))
}

fn cluster(script: &Script) -> Etcd {
    let number = |name| Some(script.option(name)?.parse::<u64>().expect("a number"));
    let mut options = Options::of(number("nodes").unwrap_or(1) as usize);
    options.quota_bytes = number("quota");
    Etcd::start_with(options).expect("an etcd")
}

/// Asks a real etcd what a script asks, and compares the answers, or writes them into it.
fn play(name: &str) {
    let mut script = Script::parse(&fs::read_to_string(file(name)).expect("a script"));
    let renew = std::env::var_os("FENCEGATE_RENEW").is_some();
    let mut etcd = cluster(&script);
    let version = etcd.version().expect("a version");
    let recorded = script.option("etcd").expect("a version").to_owned();
    let mut tokens = Vec::new();
    for step in &mut script.steps {
        prepare(step, &mut etcd);
        let answer = ask(step, &etcd, &tokens);
        tokens.extend(answer.json()["token"].as_str().map(str::to_owned));
        let text = answer.body_text().trim().to_owned();
        let same = answer.status == step.status && lasting(&text) == lasting(&step.answer);
        if renew && !same {
            (step.status, step.answer) = (answer.status, text);
            continue;
        }
        let about = format!(
            "{name}: {}: etcd {version} answered\n{text}\netcd {recorded} had answered\n{}",
            step.name, step.answer
        );
        assert!(same, "{about}");
    }
    if renew {
        script.options[0] = format!("etcd {version}");
        fs::write(file(name), script.print()).expect("written");
    }
}

fn prepare(step: &Step, etcd: &mut Etcd) {
    let Some(before) = &step.before else {
        return;
    };
    match before.strip_prefix("wait ") {
        Some(millis) => std::thread::sleep(Duration::from_millis(millis.parse().expect("ms"))),
        None => {
            assert_eq!(before, "kill the others");
            for member in 1..etcd.nodes() {
                etcd.kill(member).expect("killed");
            }
            // Until it has noticed, it waits for them.
            while !knows_of_no_leader(etcd) {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

fn knows_of_no_leader(etcd: &Etcd) -> bool {
    // What is 0 is left out.
    let status = etcd.status(0);
    status.is_some_and(|status| status["leader"].as_str().unwrap_or("0") == "0")
}

fn ask(step: &Step, etcd: &Etcd, tokens: &[String]) -> Answer {
    let mut headers = step.headers.clone();
    for (index, token) in tokens.iter().enumerate() {
        let name = format!("$TOKEN{}", index + 1);
        for header in &mut headers {
            *header = header.replace(&name, token);
        }
    }
    call_with(etcd.control(0), &step.path, &step.request, &headers).expect("an answer")
}

/// An answer without what differs from cluster to cluster.
fn lasting(text: &str) -> Value {
    let mut answer = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    forget(&mut answer);
    answer
}

fn forget(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| {
                !["cluster_id", "member_id", "raft_term", "token"].contains(&name.as_str())
            });
            fields.values_mut().for_each(forget);
        }
        Value::Array(items) => items.iter_mut().for_each(forget),
        _ => {}
    }
}

#[test]
fn transactions_see_their_own_puts_and_commit_nothing_on_a_wiped_prefix() {
    play("transactions");
}

#[test]
fn leases_run_out_and_take_the_lock_with_them() {
    play("leases");
}

#[test]
fn a_survey_brings_what_was_put_since_and_pages_follow_each_other() {
    play("survey");
}

#[test]
fn users_are_asked_for_a_token_that_is_good() {
    play("users");
}

#[test]
fn a_full_store_still_answers_readings() {
    play("quota");
}

#[test]
fn one_member_of_three_answers_nothing() {
    play("no-quorum");
}

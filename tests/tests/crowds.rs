//! Many requests that are answered at one moment. The proxy carries out what one callback of the filter
//! answers one answer inside the other, and its stack holds some hundreds of them.

use std::time::Duration;

use fencegate_tests::config::Config;
use fencegate_tests::http::Connection;
use fencegate_tests::rig::Rig;

const CALLS: usize = 1000;

#[test]
fn a_thousand_calls_whose_bodies_never_come_are_all_told_so_and_no_filter_dies() {
    let rig = Rig::start(Config::example("fencegate").expect("the example")).expect("a store");
    let head = rig.issuer.request("POST", "acquire").body("{}").head();
    let mut calls: Vec<Connection> = (0..CALLS)
        .map(|_| {
            let patience = Duration::from_secs(30);
            Connection::open_within(rig.address, patience).expect("a connection")
        })
        .collect();
    for call in &mut calls {
        call.send(&head).expect("sent");
    }
    for call in &mut calls {
        let answer = call.receive("POST").expect("an answer");
        let seen = (answer.status, answer.reason());
        assert_eq!(seen, (408, "timeout".to_owned()), "{}", answer.body_text());
    }
    let stats = rig
        .envoy
        .admin("/stats?filter=wasm.*(vm_reload|vm_fail|runtime_error)");
    let stats = stats.expect("stats");
    assert!(
        stats.lines().all(|line| line.ends_with(": 0")),
        "a filter died:\n{stats}\n{}",
        rig.envoy.log_tail()
    );
}

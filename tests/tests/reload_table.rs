//! `docs/reloads.md`: what marks and leases outlive, each row with the test that shows it.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use fencegate_tests::tables::is_fresh;

const HEAD: &str = "# Reloads and restarts\n\n\
    What becomes of marks and leases when Envoy gets something new, each row shown on a real Envoy by\n\
    the tests that it names. The table is made by `tests/tests/reload_table.rs`, which fails when it\n\
    is stale or names a test that does not exist; `FENCEGATE_RENEW=1 cargo test -p fencegate-tests\n\
    --release --test reload_table` writes it anew.\n\n\
    *Kept*: a stale token stays stale, the holder goes on, the lease is still held. *Refused*: every\n\
    older token is refused, and holders acquire again. *Unsafe*: two holders can be admitted, so it\n\
    is never done while anybody may write.\n\n\
    | what happens | marks and leases | and | shown by |\n|---|---|---|---|\n";

/// What happens, what becomes of marks and leases, what else is to be said, the tests.
const ROWS: [(&str, &str, &str, &[&str]); 20] = [
    (
        "another configuration, the same `vm_id`",
        "kept",
        "also while writers are at work",
        &[
            "reload.rs::a_new_configuration_keeps_marks_and_leases",
            "hammer.rs::no_stale_write_is_admitted_while_configurations_come_and_go",
        ],
    ),
    (
        "a configuration that is refused",
        "kept",
        "the old filter goes on; the log has a sentence that says why",
        &["reload.rs::a_rejected_configuration_leaves_the_old_one_serving"],
    ),
    (
        "the keeper's configuration in the filter's place",
        "kept",
        "nothing passes until it is mended",
        &["reload.rs::a_filter_with_the_keepers_configuration_lets_nothing_pass"],
    ),
    (
        "new code, the same `vm_id`",
        "kept",
        "and back to the code of before",
        &["reload_code.rs::new_code_keeps_marks_and_leases"],
    ),
    (
        "code that is none, half of it, or no filter",
        "kept",
        "the old filter goes on",
        &["reload_code.rs::bad_code_leaves_the_old_filter_serving"],
    ),
    (
        "a listener that is being drained",
        "kept",
        "its old connections are judged by the same marks",
        &["reload_code.rs::a_listener_that_is_being_drained_shares_the_marks"],
    ),
    (
        "other rules and a higher `generation`",
        "refused",
        "leases are granted after a wait; the old mapping and the new one never meet",
        &["reload.rs::a_new_generation_supersedes_the_old_filter_and_waits_before_it_grants"],
    ),
    (
        "the same, on a connection of the listener before",
        "refused",
        "503 `superseded` as soon as the new one has judged once",
        &[
            "reload_code.rs::a_listener_that_is_being_drained_refuses_once_a_higher_generation_judges",
        ],
    ),
    (
        "other rules and the same `generation`",
        "kept",
        "refused: the old rules stay in force, or nothing passes",
        &["reload.rs::the_same_generation_with_other_rules_is_refused"],
    ),
    (
        "back to a lower `generation`",
        "kept",
        "refused, or answers 503 `superseded`",
        &["reload.rs::a_new_generation_supersedes_the_old_filter_and_waits_before_it_grants"],
    ),
    (
        "the filter is taken away and given back, with the keeper",
        "kept",
        "",
        &[
            "reload.rs::a_filter_that_is_taken_away_and_given_back_finds_its_marks_through_the_keeper",
        ],
    ),
    (
        "the same without the keeper, our tokens",
        "refused",
        "as after a restart",
        &[
            "reload_code.rs::without_the_keeper_a_filter_that_is_taken_away_and_given_back_refuses_every_older_token",
        ],
    ),
    (
        "the same without the keeper, external tokens",
        "unsafe",
        "the marks are gone: the first token that comes is admitted",
        &["limits.rs::without_the_keeper_a_removed_listener_takes_the_marks_along"],
    ),
    (
        "another `vm_id`, our tokens",
        "refused",
        "as after a restart",
        &["reload_code.rs::another_vm_id_refuses_every_older_token"],
    ),
    (
        "and back to the `vm_id` of before",
        "unsafe",
        "the keeper still has the holder of then",
        &["reload_code.rs::the_vm_id_of_before_still_has_its_holder"],
    ),
    (
        "another `vm_id`, external tokens",
        "unsafe",
        "the marks start over, as `cold_start` says",
        &[
            "reload_code.rs::with_external_tokens_another_vm_id_starts_over_as_the_configuration_says",
        ],
    ),
    (
        "the filter fails (a trap)",
        "kept",
        "503 until it is there again; what waited beside it ends by its time limit",
        &[
            "traps.rs::what_waits_beside_a_trap_ends_in_time_and_the_worker_comes_back",
            "traps.rs::nothing_passes_unfenced_while_workers_trap_and_come_back",
            "traps.rs::a_mark_that_was_raised_before_the_trap_is_kept",
        ],
    ),
    (
        "a restart, our tokens",
        "refused",
        "new tokens are higher than every older one",
        &["reload.rs::after_a_restart_every_older_token_is_refused_and_new_ones_are_higher"],
    ),
    (
        "a restart, external tokens",
        "unsafe",
        "the marks start over, as `cold_start` says",
        &["limits.rs::external_marks_are_gone_after_a_restart_as_the_configuration_says"],
    ),
    (
        "a hot restart",
        "unsafe",
        "the old process admits by its own marks while it drains: start with `--disable-hot-restart`",
        &["hot_restart.rs::the_two_processes_of_a_hot_restart_have_marks_of_their_own"],
    ),
];

#[test]
fn the_table_of_reloads_is_fresh_and_every_test_in_it_exists() {
    let mut page = HEAD.to_owned();
    for (what, becomes, and, tests) in ROWS {
        let mut shown = Vec::new();
        for test in tests {
            let (file, name) = test.split_once("::").expect("file::name");
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
            let text = fs::read_to_string(folder.join(file)).expect("a file of tests");
            assert!(text.contains(&format!("fn {name}(")), "no test {test}");
            shown.push(format!("`tests/tests/{test}`"));
        }
        writeln!(
            page,
            "| {what} | {becomes} | {and} | {} |",
            shown.join(", ")
        )
        .expect("text");
    }
    is_fresh("reloads.md", &page);
}

//! What every answer has, and short ways to say which one is expected.

use crate::support::client::{Outcome, Proxy, Request};
use serde_json::{Value, json};

/// A place that the rule of the tests guards, for `job:1`.
pub const PLACE: &str = "/jobs/1/report.pdf";
pub const JOB: &str = "job:1";

pub const PROBLEM_FIELDS: [&str; 11] = [
    "type",
    "title",
    "status",
    "reason",
    "detail",
    "resource",
    "presented",
    "current",
    "retryable",
    "retry_after_ms",
    "outcome",
];

/// That the filter answered with this problem, in the documented form; its body.
pub fn problem(outcome: &Outcome, status: u16, reason: &str) -> Value {
    let body = outcome.json();
    assert_eq!(
        (outcome.status(), body["reason"].as_str()),
        (status, Some(reason)),
        "{outcome:?}"
    );
    assert_eq!(
        outcome.header("content-type").as_deref(),
        Some("application/problem+json")
    );
    assert_eq!(outcome.header("cache-control").as_deref(), Some("no-store"));
    assert_eq!(
        outcome.header("x-content-type-options").as_deref(),
        Some("nosniff")
    );
    assert_eq!(body["type"], format!("urn:fencegate:{reason}"));
    assert_eq!(body["status"], status);
    assert_eq!(body["outcome"], "not_applied");
    assert!(
        body["title"]
            .as_str()
            .is_some_and(|title| title.ends_with('.')),
        "{body}"
    );
    assert!(body["retryable"].is_boolean(), "{body}");
    assert_eq!(
        outcome.header("fencing-token-mark").as_deref(),
        body["current"].as_str()
    );
    let seconds = outcome
        .header("retry-after")
        .map(|text| text.parse::<u64>());
    assert_eq!(
        seconds.is_some(),
        !body["retry_after_ms"].is_null(),
        "{body}"
    );
    assert!(
        seconds.is_some() || status != 503,
        "503 says when to come again"
    );
    for field in body.as_object().expect("an object").keys() {
        assert!(
            PROBLEM_FIELDS.contains(&field.as_str()),
            "{field} is not documented"
        );
    }
    plain(outcome);
    body
}

/// That nothing in an answer could be taken for another header, or for markup.
pub fn plain(outcome: &Outcome) {
    let answer = outcome.answer().expect("an answer");
    for (name, value) in &answer.headers {
        assert!(
            value.bytes().all(|byte| (b' '..0x7f).contains(&byte)),
            "{name}: {value:?}"
        );
    }
    assert!(
        !answer.body.iter().any(|byte| b"<>&\r\n".contains(byte)),
        "{answer:?}"
    );
}

/// That a guarded request was forwarded, and its answer tells this mark.
pub fn admitted(outcome: &Outcome, mark: &str) {
    assert!(outcome.is_forwarded(), "{outcome:?}");
    assert_eq!(outcome.told.as_deref(), Some(mark));
    let decision = outcome.decision.as_ref().expect("a decision in the log");
    assert_eq!(decision["decision"], "admitted");
    assert_eq!(outcome.counted["fencegate_admitted_total"], 1);
}

/// That a request went on and nothing was made of it.
pub fn passed(outcome: &Outcome) {
    assert!(outcome.is_forwarded(), "{outcome:?}");
    assert_eq!((&outcome.told, &outcome.decision), (&None, &None));
    assert!(outcome.counted.is_empty(), "{outcome:?}");
}

/// That the log and the counters have one refusal, and no admission.
pub fn counted(outcome: &Outcome, decision: &str, reason: &str) {
    let verb = if decision == "observed" {
        "observed"
    } else {
        "rejected"
    };
    let counter = format!("fencegate_{verb}_{reason}_total");
    assert_eq!(json!(outcome.counted), json!({ counter: 1 }));
    let logged = outcome.decision.as_ref().expect("a decision in the log");
    assert_eq!(
        (&logged["decision"], &logged["reason"]),
        (&json!(decision), &json!(reason))
    );
    assert_eq!(logged["generation"], 1);
}

/// A token whose number is `by` above that of `token`.
pub fn above(token: &str, by: u64) -> String {
    let (epoch, number) = token.split_once('.').expect("one of ours");
    format!("{epoch}.{}", number.parse::<u64>().expect("a number") + by)
}

pub fn release(proxy: &Proxy, holder: &str, token: &str) {
    let body = json!({ "resource": JOB, "holder": holder, "token": token });
    proxy.call("release", &body, 200);
}

pub fn write(proxy: &Proxy, token: &str, holder: &str) -> Outcome {
    proxy.send(&Request::put(PLACE, token, holder))
}

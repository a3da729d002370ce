//! Where requests go: one table for each question that the policy answers.

#[path = "policy_support/mod.rs"]
mod support;

use fencegate_core::policy::{
    AfterExpiry, Guarded, Mode, Policy, Refused, Route, RuleConfig, Unmatched,
};
use fencegate_core::request::{Access, Request};
use fencegate_core::token::Token;
use support::{policy, raw, request, rule};

/// Two hosts with rules; `open.example` and others have none.
fn rules() -> Vec<RuleConfig> {
    vec![
        rule(
            "store.example www.store.example",
            "/jobs/{job}/{*rest}",
            "job:{job}",
            "",
        ),
        rule(
            "store.example",
            "/ledger/{name}",
            "ledger:{name}",
            r#", "reads": "fence", "after_expiry": "refuse""#,
        ),
        rule(
            "seen.example",
            "/jobs/{job}/{*rest}",
            "job:{job}",
            r#", "token": "observe""#,
        ),
    ]
}

fn both() -> Policy {
    policy(&rules())
}

/// What became of a request, in few words: `pass`, `unmatched`, `job:1`, `read ledger:1`,
/// `ambiguous`; what is only observed has a question mark.
fn outcome(policy: &Policy, request: &Request<'_>) -> String {
    let mark = |mode| if mode == Mode::Observe { "?" } else { "" };
    match policy.route(request) {
        Route::Unguarded => "pass".into(),
        Route::Unmatched => "unmatched".into(),
        Route::Refused(Refused { refusal, mode, .. }) => {
            format!("{}{}", refusal.reason().name(), mark(mode))
        }
        Route::Guarded(Guarded {
            resource,
            access: Access::Read,
            mode,
            ..
        }) => format!("read {resource}{}", mark(mode)),
        Route::Guarded(Guarded { resource, mode, .. }) => format!("{resource}{}", mark(mode)),
    }
}

/// Each line: method, host, path, headers as `name=value`, and after `->` the outcome. `-` is nothing.
fn check(policy: &Policy, table: &str) {
    for line in table
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
    {
        let (sent, wanted) = line.split_once(" -> ").expect(line);
        let mut words = sent
            .split_whitespace()
            .map(|word| if word == "-" { "" } else { word });
        let [method, host, path] = [(); 3].map(|()| words.next().expect(line));
        let headers: Vec<_> = words
            .map(|word| word.split_once('=').expect(line))
            .collect();
        let request = request(method, host, path.as_bytes(), &headers);
        assert_eq!(outcome(policy, &request), wanted, "{line}");
    }
}

const TOKEN: &[(&str, &str)] = &[("fencing-token", "42")];

#[test]
fn a_guarded_request_comes_with_all_that_its_judgement_needs() {
    let headers = [("fencing-token", "2.41"), ("fencing-holder", "worker-a")];
    let write = request("PUT", "store.example", b"/jobs/1/x", &headers);
    let wanted = Guarded {
        resource: "job:1".into(),
        access: Access::Write,
        mode: Mode::Required,
        after_expiry: AfterExpiry::AdmitUntilSuperseded,
        token: Token::new(2, 41).unwrap(),
        holder: Some("worker-a"),
    };
    assert_eq!(both().route(&write), Route::Guarded(wanted));
    let read = request("GET", "store.example", b"/ledger/7", TOKEN);
    let wanted = Guarded {
        resource: "ledger:7".into(),
        access: Access::Read,
        mode: Mode::Required,
        after_expiry: AfterExpiry::Refuse,
        token: Token::new(0, 42).unwrap(),
        holder: None,
    };
    assert_eq!(both().route(&read), Route::Guarded(wanted));
}

#[test]
fn reads_and_writes() {
    check(
        &both(),
        "
        PUT store.example /jobs/1 fencing-token=42 -> job:1
        DELETE store.example /jobs/1/a/b fencing-token=42 -> job:1
        PUT www.store.example /jobs/1/a/b fencing-token=42 -> job:1
        PUT store.example /jobs fencing-token=42 -> pass
        PUT store.example /other/1 -> pass
        PUT open.example /jobs/1 -> pass
        PUT store.example /jobs/1 -> token_required
        GET store.example /jobs/1 -> pass
        GET store.example /jobs/1 fencing-token=nonsense -> pass
        GET store.example /jobs/1 fencing_token=1 -> pass
        GET store.example /ledger/1 -> token_required
        GET store.example /ledger/1 fencing-token=42 -> read ledger:1
        GET store.example /ledger/1 fencing-token=x -> malformed
        get store.example /jobs/1 -> token_required
        GET store.example /jobs/1 x-http-method-override=PUT -> token_required
        GET store.example /jobs/1?_method=DELETE -> token_required
        GET store.example /jobs/1?_method=DELETE fencing-token=42 -> job:1
        OPTIONS store.example * -> pass
        ",
    );
}

#[test]
fn the_order_of_refusals() {
    check(
        &both(),
        "
        PUT store.example /jobs/1 early-data=1 -> too_early
        PUT store.example /jobs/1 early-data=1 fencing-token=42 -> too_early
        PUT store.example /jobs/1 early-data=1 fencing-token=x -> malformed
        PUT store.example /jobs/1 early-data=1 fencing-token=1,2 -> ambiguous
        PUT store.example /jobs/1 early-data=1 fencing-holder=a{b -> malformed
        PUT store.example /jobs/1 fencing-holder= -> malformed
        PUT store.example /jobs/1 early-data=1 upgrade=x -> cannot_be_fenced
        PUT store.example /jobs/1/.. early-data=1 -> ambiguous
        P(T store.example /jobs/1 fencing-token=42 -> malformed
        - store.example /jobs/1 fencing-token=42 -> malformed
        GET store.example /jobs/1 early-data=1 -> pass
        GET store.example /ledger/1 early-data=1 fencing-token=42 -> read ledger:1
        PUT open.example /jobs/1 early-data=1 fencing-token=x -> pass
        ",
    );
}

#[test]
fn what_could_be_guarded_is_never_unmatched() {
    check(
        &both(),
        "
        PUT store.example /x/../jobs/1 fencing-token=42 -> ambiguous
        PUT store.example /other//x -> ambiguous
        PUT open.example /x/../jobs/1 -> pass
        // One rule of this host fences reads, no rule of the other does.
        GET store.example /x/../jobs/1 fencing-token=42 -> ambiguous
        GET www.store.example /x/../jobs/1 -> pass
        PUT www.store.example /x/../jobs/1 -> ambiguous
        GET www.store.example /x/../jobs/1?_method=PUT -> ambiguous
        PUT seen.example /x/../jobs/1 -> ambiguous?
        // With an ambiguous host any rule could apply.
        PUT a@open.example /anything -> ambiguous
        GET open.example,store.example /anything -> ambiguous
        PUT - /anything -> ambiguous
        PUT store.example * -> ambiguous
        ",
    );
    let writes_only = policy(&[rule("store.example", "/jobs/{job}", "{job}", "")]);
    check(
        &writes_only,
        "
        GET a@b /anything -> pass
        PUT a@b /anything -> ambiguous
        ",
    );
    let everywhere = policy(&[rule("*", "/jobs/{job}", "{job}", "")]);
    check(
        &everywhere,
        "
        PUT open.example /x/../jobs/1 -> ambiguous
        PUT open.example /jobs/1 fencing-token=42 -> 1
        PUT [::1]:80 /jobs/1 fencing-token=42 -> 1
        ",
    );
}

#[test]
fn two_of_a_pseudo_header() {
    let double = [
        (":method", &b"PUT"[..]),
        (":authority", b"store.example"),
        (":path", b"/other"),
        (":path", b"/jobs/1"),
    ];
    assert_eq!(outcome(&both(), &raw(&double)), "ambiguous");
    let methods = [
        (":method", &b"GET"[..]),
        (":method", b"GET"),
        (":authority", b"store.example"),
        (":path", b"/jobs/1"),
    ];
    assert_eq!(outcome(&both(), &raw(&methods)), "ambiguous");
    let hosts = [
        (":method", &b"PUT"[..]),
        (":authority", b"open.example"),
        ("host", b"store.example"),
        (":path", b"/jobs/1"),
    ];
    assert_eq!(outcome(&both(), &raw(&hosts)), "ambiguous");
}

#[test]
fn unmatched_requests_can_be_rejected() {
    let strict = Policy::build(&rules(), Unmatched::Reject).unwrap();
    check(
        &strict,
        "
        PUT store.example /other fencing-token=42 -> unmatched
        GET store.example /other -> unmatched
        PUT open.example /x//y -> unmatched
        PUT store.example /jobs/1 fencing-token=42 -> job:1
        GET store.example /jobs/1 -> pass
        // It could be a place that no rule matches, which neither passes for reads nor is only observed.
        GET www.store.example /x//y -> ambiguous
        PUT seen.example /x//y -> ambiguous
        COPY store.example /jobs/1 destination=/other fencing-token=1 -> unmatched
        MOVE store.example /other destination=/jobs/1 fencing-token=1 -> unmatched
        ",
    );
}

#[test]
fn tunnels_cannot_be_fenced() {
    check(
        &both(),
        "
        GET store.example /jobs/1 upgrade=websocket -> cannot_be_fenced
        PUT store.example /jobs/1 upgrade=websocket fencing-token=1 -> cannot_be_fenced
        GET store.example /x/../jobs/1 upgrade=websocket -> ambiguous
        GET www.store.example /x/../jobs/1 upgrade=websocket -> ambiguous
        GET store.example /other upgrade=websocket -> pass
        CONNECT store.example:443 /other -> cannot_be_fenced
        CONNECT store.example /jobs/1 :protocol=websocket -> cannot_be_fenced
        CONNECT store.example /other :protocol=websocket -> pass
        CONNECT open.example:443 / -> pass
        CONNECT seen.example:443 / -> cannot_be_fenced?
        OPTIONS store.example * upgrade=x -> ambiguous
        ",
    );
    let connect = [
        (":method", &b"CONNECT"[..]),
        (":authority", b"store.example:443"),
    ];
    assert_eq!(outcome(&both(), &raw(&connect)), "cannot_be_fenced");
    let connect = [
        (":method", &b"CONNECT"[..]),
        (":authority", b"open.example:443"),
    ];
    assert_eq!(outcome(&both(), &raw(&connect)), "pass");
}

#[test]
fn writes_to_several_objects_cannot_be_fenced() {
    check(
        &both(),
        "
        POST store.example /?delete fencing-token=42 -> cannot_be_fenced
        POST store.example /bucket?x=1&delete= fencing-token=42 -> cannot_be_fenced
        POST store.example /jobs/1?delete fencing-token=42 -> cannot_be_fenced
        POST store.example /a//b?%64elete fencing-token=42 -> cannot_be_fenced
        GET store.example /other?delete -> pass
        POST open.example /?delete -> pass
        POST a@b /?delete -> ambiguous
        POST seen.example /?delete -> cannot_be_fenced?
        POST store.example /?comp=batch fencing-token=42 -> cannot_be_fenced
        PUT store.example /other x-ms-rename-source=/jobs/1 -> cannot_be_fenced
        ",
    );
}

#[test]
fn a_destination_is_judged_with_the_path() {
    const fn to(value: &'static str) -> [(&'static str, &'static str); 2] {
        [("destination", value), ("fencing-token", "42")]
    }
    let table: [(&str, &str, &str, &str); 20] = [
        ("store.example", "/jobs/1/a", "/jobs/1/b", "job:1"),
        (
            "store.example",
            "/jobs/1/a",
            "http://store.example/jobs/1/b",
            "job:1",
        ),
        (
            "store.example",
            "/jobs/1/a",
            "https://STORE.example.:443/%6aobs/%31/b",
            "job:1",
        ),
        // Another host of the same rule: the same resource either way.
        (
            "store.example",
            "/jobs/1/a",
            "http://www.store.example/jobs/1/b",
            "job:1",
        ),
        ("store.example", "/jobs/1/a", "/other", "job:1"),
        ("store.example", "/other", "/jobs/1/a", "job:1"),
        ("store.example", "/other", "/another", "pass"),
        (
            "store.example",
            "/jobs/1/a",
            "/jobs/2/a",
            "cannot_be_fenced",
        ),
        (
            "store.example",
            "/jobs/1/a",
            "/ledger/1",
            "cannot_be_fenced",
        ),
        ("store.example", "/jobs/1/a", "/x/../jobs/1/b", "ambiguous"),
        ("store.example", "/jobs/1/a", "jobs/1/b", "ambiguous"),
        ("store.example", "/jobs/1/a", "", "ambiguous"),
        (
            "store.example",
            "/other",
            "http://a@store.example/jobs/1",
            "ambiguous",
        ),
        // A store may ignore the host and write to its own /jobs/1.
        (
            "store.example",
            "/other",
            "http://open.example/jobs/1",
            "job:1",
        ),
        (
            "open.example",
            "/other",
            "http://store.example/jobs/1",
            "job:1",
        ),
        ("open.example", "/other", "/jobs/1", "pass"),
        ("open.example", "/other", "http://open.example/a;b", "pass"),
        (
            "store.example",
            "/other",
            "http://seen.example/ledger/1",
            "ledger:1",
        ),
        // The stricter mode holds for both.
        (
            "seen.example",
            "/jobs/1/a",
            "http://store.example/jobs/1/b",
            "job:1",
        ),
        (
            "seen.example",
            "/jobs/1/a",
            "/jobs/2/b",
            "cannot_be_fenced?",
        ),
    ];
    for (host, path, destination, wanted) in table {
        for method in ["MOVE", "COPY"] {
            let headers = to(destination);
            let request = request(method, host, path.as_bytes(), &headers);
            assert_eq!(
                outcome(&both(), &request),
                wanted,
                "{method} {host} {path} -> {destination}"
            );
        }
        // A destination means nothing to other methods.
        let headers = to(destination);
        let put = request("PUT", host, b"/jobs/3", &headers);
        let alone = request("PUT", host, b"/jobs/3", TOKEN);
        assert_eq!(outcome(&both(), &put), outcome(&both(), &alone));
    }
    // The path is ambiguous but only observed; the destination is not.
    let headers = to("http://store.example/jobs/1");
    let mixed = request("MOVE", "seen.example", b"/x//y", &headers);
    assert_eq!(outcome(&both(), &mixed), "ambiguous");
    // Two hosts, two resources for one destination.
    let split = policy(&[
        rule("a", "/{x}", "a:{x}", ""),
        rule("b", "/{x}", "b:{x}", ""),
    ]);
    let headers = to("http://b/1");
    let Route::Refused(refused) = split.route(&request("COPY", "a", b"/", &headers)) else {
        panic!("not refused")
    };
    assert_eq!(refused.refusal.reason().name(), "ambiguous");
}

#[test]
fn what_is_only_observed_says_so() {
    check(
        &both(),
        "
        PUT seen.example /jobs/1 fencing-token=42 -> job:1?
        PUT seen.example /jobs/1 -> token_required?
        PUT seen.example /jobs/1 fencing-token=x -> malformed?
        PUT seen.example /jobs/1 early-data=1 -> too_early?
        GET seen.example /jobs/1 -> pass
        ",
    );
    let missing = request("PUT", "seen.example", b"/jobs/1", &[]);
    let Route::Refused(refused) = both().route(&missing) else {
        panic!("not refused")
    };
    assert_eq!(refused.resource.as_deref(), Some("job:1"));
}

#[test]
fn a_path_that_makes_no_resource_is_malformed() {
    let policy = policy(&[
        rule("a", "/jobs/{job}", "job:{job}", ""),
        rule("a", "/tree/{*rest}", "{rest}", ""),
    ]);
    let path = |len: usize| format!("/jobs/{}", "a".repeat(len));
    let put = |path: &str| outcome(&policy, &request("PUT", "a", path.as_bytes(), TOKEN));
    assert_eq!(put(&path(252)), format!("job:{}", "a".repeat(252)));
    assert_eq!(put(&path(253)), "malformed");
    // An encoded byte takes three.
    assert_eq!(
        put(&format!("/jobs/{}", "%20".repeat(84))),
        format!("job:{}", "%20".repeat(84))
    );
    assert_eq!(put(&format!("/jobs/{}", ":".repeat(85))), "malformed");
    assert_eq!(put("/tree"), "malformed");
    assert_eq!(put("/tree/a%20b/c/"), "a%20b/c");
    assert_eq!(put(&format!("/tree{}", "/abc".repeat(2000))), "malformed");
}

//! What looks nearly like an answer: from a store that is none, or a gateway on the way.

use crate::asked::{Asking, putting, reading};
use base64ct::{Base64, Encoding};
use fencegate::etcd::wire::{self, GROUPS, Keys, Page, group};
use fencegate_core::quorum::CallError;
use proptest::prelude::*;
use serde_json::{Value, json};

/// An answer to [`reading`] of `job:1`, which is good.
fn good() -> Value {
    let pair = |key: &str| json!({ "key": key, "create_revision": "3", "mod_revision": "4", "lease": "5", "value": "eA==" });
    let range = |key: &str| json!({ "response_range": { "kvs": [pair(key)], "count": "1" } });
    json!({
        "header": { "cluster_id": "1", "revision": "9", "raft_term": "7" },
        "succeeded": true,
        "responses": [range(MARK), range(LOCK), range(VERSION)],
    })
}

const MARK: &str = "L2ZlbmNlZ2F0ZS9tL2pvYjox";
const LOCK: &str = "L2ZlbmNlZ2F0ZS9sL2pvYjox";
const VERSION: &str = "L2ZlbmNlZ2F0ZS92LzE3OA==";

fn made_of(answer: &Value) -> Result<String, CallError> {
    let asking = Asking::transact("", reading(2));
    let made = asking.made_of(200, answer.to_string().as_bytes());
    made.expect("it is the filter's to read")
}

#[test]
fn what_is_not_exactly_what_was_asked_for_is_no_answer() {
    assert_eq!(
        made_of(&good()).as_deref(),
        Ok(
            "Answer(Answer { committed: true, cluster: 1, header: 9, term: 7, init: None, \
             mark: Some(Value { bytes: [120], at: 4 }), \
             lock: Some(Lock { since: 3, lease: LeaseId(5) }), version: 4 })"
        )
    );
    let first = "/responses/0/response_range";
    for (place, value) in [
        ("/header", json!({})),
        ("/header/cluster_id", json!("0")),
        ("/header/revision", json!("0")),
        ("/header/revision", json!("-1")),
        ("/header/revision", json!("+9")),
        ("/header/revision", json!("18446744073709551616")),
        ("/header/revision", json!(9)),
        ("/header/raft_term", json!("-7")),
        ("/header/raft_term", json!(7)),
        ("/succeeded", json!("true")),
        // Not committed: then init must have been read.
        ("/succeeded", json!(false)),
        ("/responses", json!([])),
        ("/responses/0", json!({ "response_put": {} })),
        (first, json!({ "kvs": [{}] })),
        ("/responses/1", good()["responses"][0].clone()),
        ("/responses/0/response_range/kvs/0/key", json!(LOCK)),
        ("/responses/0/response_range/kvs/0/value", json!("eA")),
        ("/responses/0/response_range/kvs/0/value", json!("e-==")),
        ("/responses/0/response_range/kvs/0/mod_revision", json!("0")),
        (
            "/responses/1/response_range/kvs/0/create_revision",
            json!("0"),
        ),
        ("/responses/2/response_range/kvs/0/mod_revision", json!("0")),
    ] {
        let mut answer = good();
        *answer.pointer_mut(place).expect("a place") = value;
        assert_eq!(
            made_of(&answer),
            Err(CallError::Unknown),
            "{place}: {answer}"
        );
    }
    for copied in ["/responses", "/responses/0/response_range/kvs"] {
        let mut answer = good();
        let list = answer.pointer_mut(copied).and_then(Value::as_array_mut);
        let list = list.expect("a list");
        list.push(list[0].clone());
        assert_eq!(made_of(&answer), Err(CallError::Unknown), "{copied}");
    }
}

/// A member that was just started may not know it. What it reads is as good; a keepalive is not.
#[test]
fn without_a_term_a_keepalive_is_none_and_a_reading_is_of_no_term() {
    let mut answer = good();
    answer["header"] = json!({ "cluster_id": "1", "revision": "9" });
    let told = made_of(&answer).expect("an answer");
    assert!(told.contains("term: 0"), "{told}");
    let asking = Asking::keep_alive("", 5);
    for (term, good) in [
        (Some("7"), Ok("KeptAlive(Some(7))")),
        (Some("0"), Err(CallError::Unknown)),
        (Some("x"), Err(CallError::Unknown)),
        (None, Err(CallError::Unknown)),
    ] {
        let mut header = json!({ "cluster_id": "1", "revision": "9" });
        if let Some(term) = term {
            header["raft_term"] = json!(term);
        }
        let answer = json!({ "result": { "header": header, "ID": "5", "TTL": "10" } });
        let made = asking.made_of(200, answer.to_string().as_bytes());
        let made = made.expect("it is the filter's to read");
        assert_eq!(made.as_deref(), good.as_ref().copied(), "{term:?}");
    }
}

/// A writing transaction says of its writes what it says of its reads: that they are there.
#[test]
fn writes_that_are_missing_from_an_answer_make_it_none() {
    let asking = Asking::transact("", putting(2, 0, "x"));
    let mut answer = good();
    let made = |answer: &Value| asking.made_of(200, answer.to_string().as_bytes());
    assert_eq!(made(&answer), Some(Err(CallError::Unknown)));
    let responses = answer["responses"].as_array_mut().expect("a list");
    let done = json!({ "response_put": { "header": { "revision": "9" } } });
    responses.splice(0..0, [done.clone(), done]);
    assert!(matches!(made(&answer), Some(Ok(_))));
}

/// What a later etcd adds does no harm.
#[test]
fn what_nobody_asked_for_is_passed_over() {
    let mut answer = good();
    let odd = json!({ "a": [1, -2.5e-3, "x", null, true, false, {}], "succeeded": false });
    answer["later"] = odd.clone();
    answer["header"]["later"] = odd.clone();
    answer["responses"][0]["response_range"]["kvs"][0]["later"] = odd;
    assert_eq!(made_of(&answer), made_of(&good()));
}

/// Only what etcd itself says for sure is a refusal.
#[test]
fn refused_is_only_what_was_surely_not_done() {
    let asking = Asking::transact("", putting(2, 0, "x"));
    let says = |code: u32, message: &str| json!({ "code": code, "message": message }).to_string();
    let (missing, exists) = (
        "etcdserver: requested lease not found",
        "etcdserver: lease already exists",
    );
    for (status, body, meaning) in [
        (
            400,
            says(3, "etcdserver: duplicate key given"),
            CallError::Refused,
        ),
        (
            401,
            says(16, "etcdserver: invalid auth token"),
            CallError::Refused,
        ),
        (
            403,
            says(7, "etcdserver: permission denied"),
            CallError::Refused,
        ),
        (404, says(5, missing), CallError::NoSuchLease),
        (412, says(9, exists), CallError::LeaseExists),
        (400, says(9, exists), CallError::LeaseExists),
        // It may be full because of this very write.
        (
            429,
            says(8, "etcdserver: mvcc: database space exceeded"),
            CallError::Unknown,
        ),
        (503, says(14, "etcdserver: no leader"), CallError::Unknown),
        (
            504,
            says(4, "context deadline exceeded"),
            CallError::Unknown,
        ),
        (408, says(1, "context canceled"), CallError::Unknown),
        (
            500,
            says(2, "etcdserver: request timed out"),
            CallError::Unknown,
        ),
        // A time limit that was asked for, told in two ways.
        (
            500,
            says(2, "context deadline exceeded"),
            CallError::Unknown,
        ),
        // The proxy's own words, or those of somebody on the way.
        (503, "upstream connect error".to_owned(), CallError::Unknown),
        (404, "404 page not found".to_owned(), CallError::Unknown),
        (403, "RBAC: access denied".to_owned(), CallError::Unknown),
        (400, "{}".to_owned(), CallError::Unknown),
        (
            400,
            r#"{"error":{"code":3}}"#.to_owned(),
            CallError::Unknown,
        ),
        (200, says(5, missing), CallError::Unknown),
        (500, says(5, missing), CallError::Unknown),
    ] {
        let made = asking.made_of(status, body.as_bytes());
        assert_eq!(made, Some(Err(meaning)), "{status} {body}");
    }
}

#[test]
fn a_token_that_is_no_header_value_is_none() {
    for (token, good) in [
        ("abc.12", true),
        ("", false),
        ("a\r\nb", false),
        ("a b", false),
        ("\u{e9}", false),
    ] {
        let body = json!({ "header": {}, "token": token }).to_string();
        let made = wire::login_token(200, body.as_bytes());
        assert_eq!(made.is_ok(), good, "{token:?}");
    }
}

#[test]
fn groups_never_change() {
    // Other numbers here would be another schema: proxies of two versions would not see each other's
    // changes.
    for (resource, known) in [
        ("job:1", 0x178),
        ("job:a", 0x0c3),
        ("job:b", 0x034),
        ("tree:\u{e9}/x", 0x028),
    ] {
        assert_eq!(
            group(resource),
            known,
            "{resource:?}: {:03x}",
            group(resource)
        );
    }
}

proptest! {
    #[test]
    fn names_stand_in_keys_as_they_are(resource in "\\PC{0,40}", prefix in "/[a-z\u{e9}/]{0,10}") {
        let keys = Keys { prefix: &prefix, resource: &resource };
        let call = fencegate_core::quorum::Call::Transact(putting(1, 0, "x"));
        let (_, body) = wire::request(&call, &keys);
        let body: Value = serde_json::from_str(&body)
            .map_err(|why| TestCaseError::fail(format!("{why}: {body}")))?;
        let key = |place: &str| {
            let key = body.pointer(place).and_then(Value::as_str).expect("a key");
            String::from_utf8(Base64::decode_vec(key).expect("base64")).expect("text")
        };
        prop_assert_eq!(key("/compare/0/key"), format!("{prefix}init"));
        prop_assert_eq!(key("/compare/1/key"), format!("{prefix}m/{resource}"));
        prop_assert_eq!(key("/success/0/request_put/key"), format!("{prefix}m/{resource}"));
        let version = format!("{prefix}v/{:03x}", group(&resource));
        prop_assert_eq!(key("/success/1/request_put/key"), version);
        prop_assert_eq!(key("/success/3/request_range/key"), format!("{prefix}l/{resource}"));
        prop_assert!(group(&resource) < GROUPS);
    }

    /// Against the usual library, which is as strict.
    #[test]
    fn values_are_read_as_they_are_or_not_at_all(
        text in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..20).prop_map(|bytes| Base64::encode_string(&bytes)),
            "[A-Za-z0-9+/]{0,8}={0,3}",
            "([A-D=]{4}){0,3}",
            "\\PC{0,8}",
        ],
    ) {
        let mut answer = good();
        *answer.pointer_mut("/responses/0/response_range/kvs/0/value").expect("a place") = json!(text);
        let right = Base64::decode_vec(&text).ok();
        match made_of(&answer) {
            Ok(told) => {
                let told = told.contains(&format!("bytes: {:?}", right.expect("they read it")));
                prop_assert!(told);
            }
            Err(_) => prop_assert_eq!(right, None),
        }
    }

    /// The pages of all names, one after the other, leave none out and show none twice.
    #[test]
    fn pages_follow_each_other(begin in "[a-c\u{e9}]{0,2}", after in "[a-c\u{e9}]{0,3}", name in "[a-c\u{e9}]{0,3}") {
        let page = Page { init: 1, begin: &begin, after: Some(&after), limit: 7 };
        let (_, body) = page.request(&Keys { prefix: "/p/", resource: "" });
        let body: Value = serde_json::from_str(&body).expect("JSON");
        for (index, folder) in ["m", "l"].iter().enumerate() {
            let range = &body["success"][index]["request_range"];
            let bytes = |field: &str| Base64::decode_vec(range[field].as_str().expect("a key"));
            let (from, to) = (bytes("key").expect("base64"), bytes("range_end").expect("base64"));
            let key = format!("/p/{folder}/{name}").into_bytes();
            let within = from <= key && key < to;
            prop_assert_eq!(within, name.starts_with(&begin) && name > after);
            prop_assert_eq!(&range["limit"], "7");
        }
    }
}

//! Calls as the gateway takes them.

use super::base64;
use super::keys::{Keys, Span};
use crate::json::{List, Object};
use fencegate_core::quorum::{Call, LeaseId, LockChange, PutInit, Survey, Transaction};

pub(super) const TRANSACT: &str = "/v3/kv/txn";

/// A call's path and body. `keys` names the resource of a transaction.
#[must_use]
pub fn request(call: &Call, keys: &Keys<'_>) -> (&'static str, String) {
    let mut body = String::new();
    let mut object = Object::begin(&mut body);
    let path = match call {
        Call::Transact(transaction) => {
            transact(&mut object, transaction, keys);
            TRANSACT
        }
        Call::Survey(survey) => {
            survey_versions(&mut object, *survey, keys);
            TRANSACT
        }
        Call::PutInit(PutInit { over, bytes }) => {
            compare_init(&mut object, *over, keys).end();
            let mut success = object.list("success");
            put(&mut success, &keys.init(), &base64::encode(bytes), None);
            read(&mut success, &keys.init());
            success.end();
            let mut failure = object.list("failure");
            read(&mut failure, &keys.init());
            failure.end();
            TRANSACT
        }
        Call::Grant(LeaseId(lease), seconds) => {
            object.plain_text("ID", lease).plain_text("TTL", seconds);
            "/v3/lease/grant"
        }
        Call::KeepAlive(LeaseId(lease)) => {
            object.plain_text("ID", lease);
            "/v3/lease/keepalive"
        }
        Call::Revoke(LeaseId(lease)) => {
            object.plain_text("ID", lease);
            "/v3/lease/revoke"
        }
    };
    object.end();
    (path, body)
}

fn transact(object: &mut Object<'_>, transaction: &Transaction, keys: &Keys<'_>) {
    let (mark, lock, version) = (keys.mark(), keys.lock(), keys.version());
    let mut compare = compare_init(object, transaction.init, keys);
    if let Some(at) = transaction.mark_at {
        equal(&mut compare, &mark, "MOD", "mod_revision", at);
    }
    if let Some(since) = transaction.lock_since {
        equal(&mut compare, &lock, "CREATE", "create_revision", since);
    }
    compare.end();
    let mut success = object.list("success");
    if let Some(bytes) = &transaction.mark {
        put(&mut success, &mark, &base64::encode(bytes), None);
        put(&mut success, &version, "", None);
    }
    match transaction.lock {
        LockChange::Keep => {}
        LockChange::Put(lease) => put(&mut success, &lock, "", Some(lease)),
        LockChange::Delete => delete(&mut success, &lock),
    }
    // Behind the puts, which they see.
    for key in [&mark, &lock, &version] {
        read(&mut success, key);
    }
    success.end();
    let mut failure = object.list("failure");
    for key in [&keys.init(), &mark, &lock, &version] {
        read(&mut failure, key);
    }
    failure.end();
}

fn survey_versions(object: &mut Object<'_>, survey: Survey, keys: &Keys<'_>) {
    compare_init(object, survey.init, keys).end();
    let mut success = object.list("success");
    read_span(&mut success, &keys.versions(), |range| {
        range.value("keys_only", true);
        range.plain_text("min_mod_revision", survey.since);
    });
    success.end();
    let mut failure = object.list("failure");
    read(&mut failure, &keys.init());
    failure.end();
}

/// Begins the comparisons with the one that every transaction has.
pub(super) fn compare_init<'a>(
    object: &'a mut Object<'_>,
    revision: u64,
    keys: &Keys<'_>,
) -> List<'a> {
    let mut compare = object.list("compare");
    equal(&mut compare, &keys.init(), "MOD", "mod_revision", revision);
    compare
}

fn equal(compare: &mut List<'_>, key: &str, target: &str, field: &str, revision: u64) {
    let mut object = compare.object();
    object
        .plain_text("key", key)
        .plain_text("target", target)
        .plain_text("result", "EQUAL")
        .plain_text(field, revision);
    object.end();
}

fn put(list: &mut List<'_>, key: &str, value: &str, lease: Option<LeaseId>) {
    let mut operation = list.object();
    let mut put = operation.object("request_put");
    put.plain_text("key", key).plain_text("value", value);
    if let Some(LeaseId(lease)) = lease {
        put.plain_text("lease", lease);
    }
    put.end();
    operation.end();
}

fn delete(list: &mut List<'_>, key: &str) {
    let mut operation = list.object();
    let mut range = operation.object("request_delete_range");
    range.plain_text("key", key);
    range.end();
    operation.end();
}

/// Reads one key.
pub(super) fn read(list: &mut List<'_>, key: &str) {
    let mut operation = list.object();
    let mut range = operation.object("request_range");
    range.plain_text("key", key);
    range.end();
    operation.end();
}

/// Reads all keys of a span, with what `more` says of how.
pub(super) fn read_span(list: &mut List<'_>, span: &Span, more: impl FnOnce(&mut Object<'_>)) {
    let mut operation = list.object();
    let mut range = operation.object("request_range");
    range
        .plain_text("key", &span.from)
        .plain_text("range_end", &span.to);
    more(&mut range);
    range.end();
    operation.end();
}

//! Configurations for tests, as JSON to be changed.

use serde_json::{Value, json};

/// A filter that issues tokens itself, with room for one bucket.
pub fn ours() -> Value {
    json!({
        "generation": 1,
        "authority": { "memory": { "resources": 16 } },
        "issuer": { "fencegate": {
            "path": "/fence/v1", "access": "anyone", "break_access": "anyone",
            "listener_drain_ms": 0,
        } },
        "rules": [rule("/jobs/{job}/{*rest}", "job:{job}", json!({}))],
    })
}

/// A filter for tokens from elsewhere.
pub fn external() -> Value {
    let mut config = ours();
    config["issuer"] = json!({ "external": {
        "path": "/fence/v1", "access": "anyone", "cold_start": "admits_the_first_token_seen",
    } });
    config
}

/// A filter that issues tokens itself and keeps them in etcd.
pub fn etcd() -> Value {
    let mut config = ours();
    config["authority"] = json!({ "etcd": { "cluster": "etcd", "prefix": "/fg/" } });
    config["issuer"]["fencegate"]["lock_delay_ms"] = json!(0);
    config["issuer"]["fencegate"]["ttl_ms"] = json!({ "min": 2000 });
    config
}

/// A filter for tokens from elsewhere, whose marks are in etcd.
pub fn etcd_external() -> Value {
    let mut config = without(external(), "/issuer/external/cold_start");
    config["authority"] = etcd()["authority"].clone();
    config
}

/// A rule for any host; the fields of `more` are added.
pub fn rule(path: &str, resource: &str, more: Value) -> Value {
    let mut rule = json!({
        "match": { "authority": ["*"], "path": path }, "resource": resource,
    });
    for (name, value) in more.as_object().expect("an object") {
        rule[name] = value.clone();
    }
    rule
}

/// The same configuration with a value put at a JSON pointer.
#[must_use]
pub fn with(mut config: Value, pointer: &str, value: Value) -> Value {
    let (parent, name) = pointer.rsplit_once('/').expect("a JSON pointer");
    let parent = config.pointer_mut(parent).expect("a place");
    match parent {
        Value::Array(items) => items[name.parse::<usize>().expect("an index")] = value,
        _ => parent[name] = value,
    }
    config
}

/// The same configuration without the value at a JSON pointer.
#[must_use]
pub fn without(mut config: Value, pointer: &str) -> Value {
    let (parent, name) = pointer.rsplit_once('/').expect("a JSON pointer");
    let parent = config.pointer_mut(parent).and_then(Value::as_object_mut);
    assert!(parent.expect("a place").remove(name).is_some(), "{pointer}");
    config
}

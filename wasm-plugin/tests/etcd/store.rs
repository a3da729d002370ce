//! A small etcd: as much of its JSON gateway as is called, written from its documentation and apart
//! from the filter. One store, no members, no failures: those are the site's.

use base64ct::{Base64, Encoding};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// A key's value.
#[derive(Clone, Debug)]
pub struct Entry {
    pub value: Vec<u8>,
    pub created: u64,
    pub modified: u64,
    pub lease: u64,
}

/// The store.
#[derive(Clone, Debug)]
pub struct Store {
    pub cluster: u64,
    pub revision: u64,
    pub keys: BTreeMap<Vec<u8>, Entry>,
    /// Leases: their length in seconds and when they end.
    pub leases: BTreeMap<u64, (u64, Duration)>,
    /// The leader's term.
    pub term: u64,
    /// The user's password, where there are users.
    pub password: Option<String>,
    /// The token that is good.
    pub token: u64,
    pub now: Duration,
}

fn number(value: &Value) -> u64 {
    match value {
        Value::String(text) => text.parse().expect("a number"),
        Value::Number(number) => number.as_u64().expect("a number"),
        Value::Null => 0,
        other => panic!("no number: {other}"),
    }
}

fn bytes(value: &Value) -> Vec<u8> {
    match value.as_str() {
        Some(text) => Base64::decode_vec(text).expect("base64"),
        None => Vec::new(),
    }
}

impl Store {
    pub fn new() -> Self {
        Self {
            cluster: 77,
            revision: 1,
            keys: BTreeMap::new(),
            leases: BTreeMap::new(),
            term: 2,
            password: None,
            token: 0,
            now: Duration::ZERO,
        }
    }

    /// Puts a key, as an operator would.
    pub fn put(&mut self, key: &str, value: &[u8]) -> u64 {
        self.revision += 1;
        self.put_at(key.as_bytes(), value, 0);
        self.revision
    }

    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.keys.get(key.as_bytes())
    }

    fn put_at(&mut self, key: &[u8], value: &[u8], lease: u64) {
        let modified = self.revision;
        let created = self.keys.get(key).map_or(modified, |entry| entry.created);
        let value = value.to_vec();
        let entry = Entry {
            value,
            created,
            modified,
            lease,
        };
        self.keys.insert(key.to_vec(), entry);
    }

    fn expire(&mut self) {
        let now = self.now;
        let over = self.leases.iter().filter(|(_, (_, ends))| *ends <= now);
        let over: Vec<u64> = over.map(|(lease, _)| *lease).collect();
        for lease in over {
            self.end(lease);
        }
    }

    fn end(&mut self, lease: u64) {
        self.leases.remove(&lease);
        let before = self.keys.len();
        self.keys.retain(|_, entry| entry.lease != lease);
        if self.keys.len() != before {
            self.revision += 1;
        }
    }

    /// Answers a call.
    pub fn answer(&mut self, path: &str, authorization: Option<&str>, body: &[u8]) -> (u16, Value) {
        self.expire();
        let body: Value = serde_json::from_slice(body).expect("a call is JSON");
        if path == "/v3/auth/authenticate" {
            return self.login(&body);
        }
        if self.password.is_some() {
            match authorization {
                None => return refused(400, 3, "etcdserver: user name is empty"),
                Some(token) if token != self.token_text() => {
                    return refused(401, 16, "etcdserver: invalid auth token");
                }
                Some(_) => {}
            }
        }
        match path {
            "/v3/kv/txn" => self.transact(&body),
            "/v3/lease/grant" => self.grant(number(&body["ID"]), number(&body["TTL"])),
            "/v3/lease/keepalive" => self.keep_alive(number(&body["ID"])),
            "/v3/lease/revoke" => self.revoke(number(&body["ID"])),
            other => panic!("no such path: {other}"),
        }
    }

    pub fn token_text(&self) -> String {
        format!("secret-token.{}", self.token)
    }

    fn login(&mut self, body: &Value) -> (u16, Value) {
        if self.password.as_deref() != body["password"].as_str() {
            return refused(
                400,
                3,
                "etcdserver: authentication failed, invalid user ID or password",
            );
        }
        let token = self.token_text();
        (200, json!({ "header": self.header(), "token": token }))
    }

    fn header(&self) -> Value {
        let [cluster, revision, term] =
            [self.cluster, self.revision, self.term].map(|it| it.to_string());
        json!({ "cluster_id": cluster, "revision": revision, "raft_term": term })
    }

    fn grant(&mut self, lease: u64, seconds: u64) -> (u16, Value) {
        if self.leases.contains_key(&lease) {
            return refused(400, 9, "etcdserver: lease already exists");
        }
        let ends = self.now + Duration::from_secs(seconds);
        self.leases.insert(lease, (seconds, ends));
        let (id, ttl) = (lease.to_string(), seconds.to_string());
        (
            200,
            json!({ "header": self.header(), "ID": id, "TTL": ttl }),
        )
    }

    fn keep_alive(&mut self, lease: u64) -> (u16, Value) {
        let mut result = json!({ "header": self.header(), "ID": lease.to_string() });
        let now = self.now;
        if let Some((seconds, ends)) = self.leases.get_mut(&lease) {
            *ends = now + Duration::from_secs(*seconds);
            result["TTL"] = json!(seconds.to_string());
        }
        (200, json!({ "result": result }))
    }

    fn revoke(&mut self, lease: u64) -> (u16, Value) {
        if !self.leases.contains_key(&lease) {
            return refused(404, 5, "etcdserver: requested lease not found");
        }
        self.end(lease);
        (200, json!({ "header": self.header() }))
    }

    fn transact(&mut self, body: &Value) -> (u16, Value) {
        let list = |name: &str| body[name].as_array().cloned().unwrap_or_default();
        let holds = list("compare").iter().all(|compare| self.holds(compare));
        let operations = list(if holds { "success" } else { "failure" });
        for operation in &operations {
            let lease = number(&operation["request_put"]["lease"]);
            if lease != 0 && !self.leases.contains_key(&lease) {
                return refused(404, 5, "etcdserver: requested lease not found");
            }
        }
        if operations
            .iter()
            .any(|operation| operation["request_range"].is_null())
        {
            self.revision += 1;
        }
        let responses: Vec<Value> = operations.iter().map(|it| self.operate(it)).collect();
        let mut answer = json!({ "header": self.header(), "responses": responses });
        if holds {
            answer["succeeded"] = json!(true);
        }
        (200, answer)
    }

    fn holds(&self, compare: &Value) -> bool {
        assert_eq!(compare["result"], "EQUAL");
        let entry = self.keys.get(&bytes(&compare["key"]));
        match compare["target"].as_str() {
            Some("MOD") => {
                number(&compare["mod_revision"]) == entry.map_or(0, |entry| entry.modified)
            }
            Some("CREATE") => {
                number(&compare["create_revision"]) == entry.map_or(0, |entry| entry.created)
            }
            other => panic!("no such target: {other:?}"),
        }
    }

    fn operate(&mut self, operation: &Value) -> Value {
        let (kind, about) = one(operation);
        let key = bytes(&about["key"]);
        match kind {
            "request_put" => {
                self.put_at(&key, &bytes(&about["value"]), number(&about["lease"]));
                json!({ "response_put": { "header": { "revision": self.revision.to_string() } } })
            }
            "request_delete_range" => {
                self.keys.remove(&key);
                json!({ "response_delete_range": {
                    "header": { "revision": self.revision.to_string() }, "deleted": "1" } })
            }
            "request_range" => self.range(&key, about),
            other => panic!("no such operation: {other}"),
        }
    }

    fn range(&self, key: &[u8], about: &Value) -> Value {
        let end = bytes(&about["range_end"]);
        let since = number(&about["min_mod_revision"]);
        let limit = usize::try_from(number(&about["limit"])).expect("a limit");
        let inside = |other: &[u8]| match end.is_empty() {
            true => other == key,
            false => other >= key && other < &end[..],
        };
        let mut found: Vec<Value> = self
            .keys
            .iter()
            .filter(|(key, entry)| inside(key) && entry.modified >= since)
            .map(|(key, entry)| pair(key, entry, about["keys_only"] == true))
            .collect();
        let more = limit > 0 && found.len() > limit;
        if more {
            found.truncate(limit);
        }
        let mut range = json!({ "header": { "revision": self.revision.to_string() } });
        if !found.is_empty() {
            range["kvs"] = found.into();
        }
        if more {
            range["more"] = json!(true);
        }
        json!({ "response_range": range })
    }
}

fn one(operation: &Value) -> (&str, &Value) {
    let mut members = operation.as_object().into_iter().flatten();
    let (kind, about) = members.next().expect("an operation");
    assert!(members.next().is_none(), "one operation: {operation}");
    (kind, about)
}

fn pair(key: &[u8], entry: &Entry, key_only: bool) -> Value {
    let mut pair = Map::new();
    let mut text = |name: &str, value: String| pair.insert(name.into(), value.into());
    text("key", Base64::encode_string(key));
    text("create_revision", entry.created.to_string());
    text("mod_revision", entry.modified.to_string());
    text("version", "1".to_owned());
    if !key_only && !entry.value.is_empty() {
        text("value", Base64::encode_string(&entry.value));
    }
    if entry.lease != 0 {
        text("lease", entry.lease.to_string());
    }
    pair.into()
}

fn refused(status: u16, code: u32, message: &str) -> (u16, Value) {
    (
        status,
        json!({ "error": message, "code": code, "message": message }),
    )
}

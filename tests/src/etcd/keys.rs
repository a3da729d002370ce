//! Keys and values, past every proxy: what a mishap, or somebody else's program, does to them.

use std::io;

use base64ct::{Base64, Encoding};
use serde_json::{Value, json};

use super::Etcd;

/// How many puts etcd takes in one transaction.
const PUTS_MAX: usize = 128;

impl Etcd {
    /// The value of a key; `None`: there is none, or nobody answers.
    pub fn value(&self, key: &str) -> Option<Vec<u8>> {
        let answer = self
            .done("/v3/kv/range", &json!({ "key": encode(key.as_bytes()) }))
            .ok()?;
        let value = answer["kvs"][0]["value"].as_str()?;
        Base64::decode_vec(value).ok()
    }

    /// Puts a value.
    ///
    /// # Errors
    /// When etcd does not.
    pub fn put(&self, key: &str, value: &[u8]) -> io::Result<()> {
        let body = json!({ "key": encode(key.as_bytes()), "value": encode(value) });
        self.done("/v3/kv/put", &body).map(drop)
    }

    /// Puts many values.
    ///
    /// # Errors
    /// When etcd does not put one of them.
    pub fn put_all(&self, values: &[(String, Vec<u8>)]) -> io::Result<()> {
        for some in values.chunks(PUTS_MAX) {
            let puts = some.iter().map(|(key, value)| {
                json!({ "request_put": { "key": encode(key.as_bytes()), "value": encode(value) } })
            });
            let body = json!({ "success": puts.collect::<Vec<_>>() });
            self.done("/v3/kv/txn", &body)?;
        }
        Ok(())
    }

    /// Deletes a key, or all that begin with it where it ends with a slash.
    ///
    /// # Errors
    /// When etcd does not.
    pub fn delete(&self, key: &str) -> io::Result<()> {
        let mut body = json!({ "key": encode(key.as_bytes()) });
        if let Some(before) = key.strip_suffix('/') {
            // The character after the slash.
            body["range_end"] = json!(encode(format!("{before}0").as_bytes()));
        }
        self.done("/v3/kv/deleterange", &body).map(drop)
    }

    /// Makes room in a full store, as etcd's documentation says: history goes, then what it took on the
    /// disks, then the alarm.
    ///
    /// # Errors
    /// When etcd does not do one of the steps.
    pub fn make_room(&self) -> io::Result<()> {
        let now = self.done("/v3/kv/range", &json!({ "key": encode(b"any") }))?;
        let revision = &now["header"]["revision"];
        let compact = json!({ "revision": revision, "physical": true });
        self.done("/v3/kv/compaction", &compact)?;
        for member in 0..self.nodes() {
            self.call(member, "/v3/maintenance/defragment", &json!({}))?;
        }
        let alarms = self.done("/v3/maintenance/alarm", &json!({ "action": "GET" }))?;
        for alarm in alarms["alarms"].as_array().into_iter().flatten() {
            let off = json!({ "action": "DEACTIVATE", "memberID": alarm["memberID"], "alarm": alarm["alarm"] });
            self.done("/v3/maintenance/alarm", &off)?;
        }
        Ok(())
    }

    /// The lease of etcd's that a key is attached to; `None`: there is no such key, or nobody answers.
    pub fn lease_of(&self, key: &str) -> Option<u64> {
        let asked = json!({ "key": encode(key.as_bytes()), "keys_only": true });
        let answer = self.done("/v3/kv/range", &asked).ok()?;
        answer["kvs"][0]["lease"].as_str()?.parse().ok()
    }

    /// The seconds that a lease of etcd's was granted for, and those that are left.
    ///
    /// # Errors
    /// When etcd does not say.
    pub fn time_to_live(&self, lease: u64) -> io::Result<[i64; 2]> {
        let answer = self.done("/v3/lease/timetolive", &json!({ "ID": lease.to_string() }))?;
        let seconds = |name: &str| answer[name].as_str().and_then(|text| text.parse().ok());
        match [seconds("grantedTTL"), seconds("TTL")] {
            [Some(granted), Some(left)] => Ok([granted, left]),
            _ => Err(io::Error::other(answer.to_string())),
        }
    }

    /// How many leases of etcd's there are, attached to a key or not.
    ///
    /// # Errors
    /// When etcd does not say.
    pub fn leases(&self) -> io::Result<usize> {
        let answer = self.done("/v3/lease/leases", &json!({}))?;
        Ok(answer["leases"].as_array().map_or(0, Vec::len))
    }

    /// Calls the first member that serves.
    fn done(&self, path: &str, body: &Value) -> io::Result<Value> {
        let member = (0..self.nodes()).find(|&member| self.serves(member));
        let member = member.ok_or_else(|| io::Error::other("no member serves"))?;
        let answer = self.call(member, path, body)?;
        match answer.status {
            200 => Ok(answer.json()),
            _ => Err(io::Error::other(format!("{path}: {}", answer.body_text()))),
        }
    }
}

fn encode(bytes: &[u8]) -> String {
    Base64::encode_string(bytes)
}

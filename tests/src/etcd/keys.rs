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

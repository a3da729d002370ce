//! etcd's JSON gateway, as far as an operator needs it: read a value, replace it under its revision.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use base64ct::{Base64, Encoding};
use serde_json::{Value, json};
use ureq::Agent;
use ureq::tls::{Certificate, ClientCert, PemItem, PrivateKey, RootCerts, TlsConfig, parse_pem};

/// Longer than an etcd that elects a new leader needs.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where etcd is, and what it wants to see.
#[derive(Clone, Debug)]
pub(crate) struct Door {
    /// Members, each asked in turn until one answers.
    pub(crate) endpoints: Vec<String>,
    /// Whom to trust, in a PEM file.
    pub(crate) ca: Option<PathBuf>,
    /// A certificate and its key, in PEM files.
    pub(crate) certificate: Option<(PathBuf, PathBuf)>,
    /// A user and its password.
    pub(crate) user: Option<(String, String)>,
}

/// Why etcd did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GatewayError {
    /// A file cannot be used.
    #[error("{0}: {1}")]
    File(PathBuf, String),
    /// No member answered.
    #[error("no member of etcd answers; what each said: {0}")]
    NoAnswer(String),
    /// A member said no.
    #[error("etcd refuses {call} with {status}: {said}")]
    Refused {
        call: &'static str,
        status: u16,
        said: String,
    },
    /// What came is no answer to the question.
    #[error("this is no answer of an etcd to {0}: is the endpoint right?")]
    Garbled(&'static str),
}

/// A value as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The bytes.
    pub(crate) bytes: Vec<u8>,
    /// The revision of its last put.
    pub(crate) revision: u64,
}

/// What a range of keys looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Which cluster answered.
    pub(crate) cluster: u64,
    /// Its revision.
    pub(crate) revision: u64,
    /// How many keys there are.
    pub(crate) count: u64,
    /// The first value.
    pub(crate) first: Option<Found>,
}

/// A way in.
pub(crate) struct Gateway {
    agent: Agent,
    endpoints: Vec<String>,
    token: Option<String>,
}

impl Gateway {
    /// Opens the way: reads the certificates, and logs in where there is a user.
    pub(crate) fn open(door: &Door) -> Result<Self, GatewayError> {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .proxy(None)
            .tls_config(tls(door)?)
            .build();
        let mut gateway = Self {
            agent: config.into(),
            endpoints: door.endpoints.clone(),
            token: None,
        };
        if let Some((name, password)) = &door.user {
            let asked = json!({ "name": name, "password": password });
            let answer = gateway.call("/v3/auth/authenticate", &asked)?;
            let token = answer["token"].as_str();
            gateway.token = Some(
                token
                    .ok_or(GatewayError::Garbled("authenticate"))?
                    .to_owned(),
            );
        }
        Ok(gateway)
    }

    /// Reads one value.
    pub(crate) fn read(&self, key: &str) -> Result<Answer, GatewayError> {
        self.range(json!({ "key": encode(key.as_bytes()) }))
    }

    /// Counts the keys that begin with `prefix`.
    pub(crate) fn count(&self, prefix: &str) -> Result<u64, GatewayError> {
        let end = after_all(prefix);
        let asked = json!({ "key": encode(prefix.as_bytes()), "range_end": encode(&end), "count_only": true });
        Ok(self.range(asked)?.count)
    }

    fn range(&self, asked: Value) -> Result<Answer, GatewayError> {
        let answer = self.call("/v3/kv/range", &asked)?;
        let header = &answer["header"];
        let (cluster, revision) = (number(&header["cluster_id"]), number(&header["revision"]));
        let first = match &answer["kvs"][0] {
            Value::Null => None,
            kv => Some(Found {
                bytes: bytes(&kv["value"]).ok_or(GatewayError::Garbled("range"))?,
                revision: number(&kv["mod_revision"]),
            }),
        };
        match (cluster, revision) {
            (0, _) | (_, 0) => Err(GatewayError::Garbled("range")),
            _ => Ok(Answer {
                cluster,
                revision,
                count: number(&answer["count"]),
                first,
            }),
        }
    }

    /// Puts a value if the last put of it was at `revision` (0: if there is none); whether it was.
    pub(crate) fn replace(
        &self,
        key: &str,
        value: &[u8],
        revision: u64,
    ) -> Result<bool, GatewayError> {
        let (key, value) = (encode(key.as_bytes()), encode(value));
        let asked = json!({
            "compare": [{ "key": key, "target": "MOD", "result": "EQUAL", "mod_revision": revision.to_string() }],
            "success": [{ "request_put": { "key": key, "value": value } }],
            "failure": [{ "request_range": { "key": key } }],
        });
        let answer = self.call("/v3/kv/txn", &asked)?;
        // A field that is false is left out.
        match (&answer["header"], answer["succeeded"].as_bool()) {
            (Value::Null, _) => Err(GatewayError::Garbled("txn")),
            (_, succeeded) => Ok(succeeded.unwrap_or(false)),
        }
    }

    fn call(&self, path: &'static str, asked: &Value) -> Result<Value, GatewayError> {
        let mut said = Vec::new();
        for endpoint in &self.endpoints {
            let url = format!("{}{path}", endpoint.trim_end_matches('/'));
            let mut request = self
                .agent
                .post(&url)
                .header("Grpc-Metadata-hasleader", "true");
            if let Some(token) = &self.token {
                request = request.header("Authorization", token);
            }
            let answer = request.send_json(asked).and_then(|mut answer| {
                let status = answer.status().as_u16();
                Ok((status, answer.body_mut().read_to_string()?))
            });
            match answer {
                Ok((200, body)) => {
                    return serde_json::from_str(&body).map_err(|_| GatewayError::Garbled(path));
                }
                // This member is not well; another one may be.
                Ok((status @ 500.., body)) => {
                    said.push(format!("{endpoint}: {status} {}", short(&body)))
                }
                Ok((status, body)) => {
                    let said = short(&body);
                    let call = path;
                    return Err(GatewayError::Refused { call, status, said });
                }
                Err(error) => said.push(format!("{endpoint}: {error}")),
            }
        }
        Err(GatewayError::NoAnswer(said.join("; ")))
    }
}

fn tls(door: &Door) -> Result<TlsConfig, GatewayError> {
    let mut config = TlsConfig::builder();
    if let Some(file) = &door.ca {
        config = config.root_certs(RootCerts::new_with_certs(&certificates(file)?));
    }
    if let Some((file, key_file)) = &door.certificate {
        let key = PrivateKey::from_pem(&read(key_file)?)
            .map_err(|error| GatewayError::File(key_file.clone(), error.to_string()))?;
        let certificate = ClientCert::new_with_certs(&certificates(file)?, key);
        config = config.client_cert(Some(certificate));
    }
    Ok(config.build())
}

fn certificates(file: &PathBuf) -> Result<Vec<Certificate<'static>>, GatewayError> {
    let pem = read(file)?;
    let found: Vec<_> = parse_pem(&pem)
        .filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            _ => None,
        })
        .collect();
    match found.is_empty() {
        true => Err(GatewayError::File(
            file.clone(),
            "there is no certificate in it".into(),
        )),
        false => Ok(found),
    }
}

fn read(file: &PathBuf) -> Result<Vec<u8>, GatewayError> {
    fs::read(file).map_err(|error: io::Error| GatewayError::File(file.clone(), error.to_string()))
}

/// The key behind all that begin with `prefix`.
fn after_all(prefix: &str) -> Vec<u8> {
    let mut end = prefix.as_bytes().to_vec();
    while let Some(last) = end.pop() {
        if let Some(next) = last.checked_add(1) {
            end.push(next);
            return end;
        }
    }
    // Behind every key.
    vec![0]
}

/// The gateway writes 64-bit numbers as texts and leaves zeros out.
fn number(value: &Value) -> u64 {
    value
        .as_str()
        .and_then(|text| text.parse().ok())
        .unwrap_or(0)
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::Null => Some(Vec::new()),
        value => Base64::decode_vec(value.as_str()?).ok(),
    }
}

/// What a member said, cut to a line.
fn short(body: &str) -> String {
    body.chars().filter(|c| !c.is_control()).take(200).collect()
}

fn encode(bytes: &[u8]) -> String {
    Base64::encode_string(bytes)
}

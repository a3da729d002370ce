//! Makes the bytes of a request from what a client asks and knows.

use crate::ask::{Ask, METHODS, METHODS_READING, NO_NAMES, NO_TOKENS, Owned, Pick, Sent, Who};
use crate::known::Known;
use fencegate_core::check::Access;
use fencegate_core::token::Token;
use serde_json::{Value, json};

/// The path of the lease API.
pub const API: &str = "/fence/v1";

/// A request as it comes to the proxy.
#[derive(Clone, Debug, Default)]
pub struct Composed {
    /// Names and values.
    pub headers: Vec<(Vec<u8>, Vec<u8>)>,
    /// The body.
    pub body: Vec<u8>,
    /// What it means.
    pub meaning: Meaning,
}

/// What a request means: what would follow if it went on to the origin, or succeeded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Meaning {
    /// It must never reach the origin.
    #[default]
    Never,
    /// No rule guards it, or one that only observes: it passes.
    Free,
    /// It reaches the origin if this is admitted.
    Guarded(Presented),
    /// A lease is asked for.
    Acquire {
        /// Of what.
        resource: String,
        /// For whom.
        holder: String,
        /// Under which id.
        request_id: Option<String>,
        /// How long it would wait.
        wait_ms: u32,
    },
    /// A lease is renewed, or a token claimed.
    Confirm(Presented),
    /// A lease is given back.
    Release(Presented),
    /// A lease is broken.
    Break(String),
    /// A mark is looked at.
    Look(String),
}

impl Meaning {
    /// The resource that it is about, if it is about one.
    #[must_use]
    pub fn resource(&self) -> Option<&str> {
        match self {
            Self::Guarded(presented) | Self::Confirm(presented) | Self::Release(presented) => {
                Some(&presented.resource)
            }
            Self::Acquire { resource, .. } | Self::Break(resource) | Self::Look(resource) => {
                Some(resource)
            }
            Self::Never | Self::Free => None,
        }
    }
}

/// What a request presents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presented {
    /// For which resource.
    pub resource: String,
    /// Which token.
    pub token: Token,
    /// For which holder.
    pub holder: Option<String>,
    /// Whether it writes.
    pub access: Access,
}

/// What the filter that gets a request does with it, as far as its configuration says.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Which mapping it has.
    pub mapping: u8,
    /// Whether reads are judged.
    pub reads_fenced: bool,
}

/// The resource of a job under a mapping.
#[must_use]
pub fn resource(mapping: u8, job: u8) -> String {
    format!("{}:j{job}", prefix(mapping))
}

/// What resources are called under a mapping.
#[must_use]
pub const fn prefix(mapping: u8) -> &'static str {
    if mapping == 0 { "job" } else { "task" }
}

/// The name of a holder.
#[must_use]
pub fn holder(number: u8) -> String {
    format!("worker-{number}")
}

/// Makes the request.
#[must_use]
pub fn compose(ask: &Ask, rules: Rules, known: &Known) -> Composed {
    let name = |job: u8| resource(rules.mapping, job);
    match *ask {
        Ask::Acquire {
            resource,
            holder: number,
            ttl_ms,
            request_id,
            expect,
            wait_ms,
        } => {
            let (resource, holder) = (name(resource), holder(number));
            let request_id = request_id.map(|id| format!("id-{id}"));
            let mut body = json!({ "resource": resource, "holder": holder, "ttl_ms": ttl_ms });
            if let Some(id) = &request_id {
                body["request_id"] = json!(id);
            }
            if expect {
                let mark = known.pick(&resource, Pick::Newest);
                body["expect_mark"] = json!(mark.to_string());
            }
            if wait_ms > 0 {
                body["wait_ms"] = json!(wait_ms);
            }
            call(
                "acquire",
                &body,
                Meaning::Acquire {
                    resource,
                    holder,
                    request_id,
                    wait_ms,
                },
            )
        }
        Ask::Owned {
            call: owned,
            resource,
            who,
            token,
        } => own(owned, known, &name(resource), who, token, &name),
        Ask::Break(job) => call(
            "break",
            &json!({ "resource": name(job) }),
            Meaning::Break(name(job)),
        ),
        Ask::Lease(job) => look(&format!("/leases/{}", name(job)), Meaning::Look(name(job))),
        Ask::Leases => look("/leases?limit=10", Meaning::Never),
        Ask::Ready => look("/ready", Meaning::Never),
        Ask::Guarded {
            resource,
            who,
            token,
            method,
        } => {
            let method = METHODS[usize::from(method) % METHODS.len()];
            guarded(rules, known, resource, who, token, method)
        }
        Ask::Observed { resource, token } => {
            let mut sent = plain("PUT", &format!("/seen/j{resource}"), Meaning::Free);
            put_tokens(&mut sent.headers, known, &name(resource), token, &name);
            sent
        }
        Ask::Free => plain("PUT", "/free/of/charge", Meaning::Free),
        Ask::Odd { resource, oddity } => {
            crate::odd::compose(oddity, resource, &name(resource), known)
        }
    }
}

/// A request with the least of headers.
pub(crate) fn plain(method: &str, path: &str, meaning: Meaning) -> Composed {
    let headers = [
        (":method", method),
        (":path", path),
        (":authority", "store.example"),
        (":scheme", "http"),
        ("user-agent", "a client"),
    ];
    Composed {
        headers: headers
            .iter()
            .map(|(n, v)| (n.as_bytes().to_vec(), v.as_bytes().to_vec()))
            .collect(),
        body: b"data".to_vec(),
        meaning,
    }
}

fn call(name: &str, body: &Value, meaning: Meaning) -> Composed {
    Composed {
        body: body.to_string().into_bytes(),
        ..plain("POST", &format!("{API}/{name}"), meaning)
    }
}

fn look(path: &str, meaning: Meaning) -> Composed {
    Composed {
        body: Vec::new(),
        ..plain("GET", &format!("{API}{path}"), meaning)
    }
}

fn token_of(known: &Known, resource: &str, pick: Pick, name: &dyn Fn(u8) -> String) -> Token {
    match pick {
        Pick::Of(job) => known.pick(&name(job), Pick::Newest),
        pick => known.pick(resource, pick),
    }
}

/// A name, or the bytes that are none.
fn named(
    who: Who,
    known: &Known,
    resource: &str,
    token: Token,
) -> Result<Option<String>, &'static [u8]> {
    match who {
        Who::Owner => Ok(Some(
            known.owner(resource, token).unwrap_or_else(|| holder(0)),
        )),
        Who::Other(number) => Ok(Some(holder(number))),
        Who::Nobody => Ok(None),
        Who::NoName(at) => Err(NO_NAMES[usize::from(at) % NO_NAMES.len()]),
    }
}

fn own(
    owned: Owned,
    known: &Known,
    resource: &str,
    who: Who,
    pick: Pick,
    name: &dyn Fn(u8) -> String,
) -> Composed {
    let token = token_of(known, resource, pick, name);
    let mut body = json!({ "resource": resource, "token": token.to_string() });
    let holder = match named(who, known, resource, token) {
        Ok(holder) => holder,
        Err(bytes) => {
            body["holder"] = json!(String::from_utf8_lossy(bytes));
            return call("claim", &body, Meaning::Never);
        }
    };
    if let Some(holder) = &holder {
        body["holder"] = json!(holder);
    }
    let presented = Presented {
        resource: resource.to_owned(),
        token,
        holder,
        access: Access::Write,
    };
    match owned {
        Owned::Renew => call("renew", &body, Meaning::Confirm(presented)),
        Owned::Claim => call("claim", &body, Meaning::Confirm(presented)),
        Owned::Release => call("release", &body, Meaning::Release(presented)),
        Owned::ReleaseUnanswered => {
            body["writes_answered"] = json!(false);
            call("release", &body, Meaning::Release(presented))
        }
    }
}

fn guarded(rules: Rules, known: &Known, job: u8, who: Who, token: Sent, method: &str) -> Composed {
    let name = |job: u8| resource(rules.mapping, job);
    let reading = METHODS[..METHODS_READING].contains(&method);
    let mut sent = plain(method, &format!("/jobs/j{job}/part"), Meaning::Never);
    let picked = put_tokens(&mut sent.headers, known, &name(job), token, &name);
    let judged_by = picked.unwrap_or_else(|| known.pick(&name(job), Pick::Newest));
    let holder = match named(who, known, &name(job), judged_by) {
        Ok(holder) => holder,
        Err(bytes) => {
            sent.headers
                .push((b"fencing-holder".to_vec(), bytes.to_vec()));
            if reading && !rules.reads_fenced {
                sent.meaning = Meaning::Free;
            }
            return sent;
        }
    };
    if let Some(holder) = &holder {
        sent.headers
            .push((b"fencing-holder".to_vec(), holder.clone().into_bytes()));
    }
    let access = if reading { Access::Read } else { Access::Write };
    sent.meaning = match picked {
        _ if reading && !rules.reads_fenced => Meaning::Free,
        Some(token) => Meaning::Guarded(Presented {
            resource: name(job),
            token,
            holder,
            access,
        }),
        None => Meaning::Never,
    };
    sent
}

/// Adds the token headers; the token, where it is a single one that can be read.
fn put_tokens(
    headers: &mut Vec<(Vec<u8>, Vec<u8>)>,
    known: &Known,
    resource: &str,
    token: Sent,
    name: &dyn Fn(u8) -> String,
) -> Option<Token> {
    let mut put =
        |header: &str, value: &[u8]| headers.push((header.as_bytes().to_vec(), value.to_vec()));
    let text = |pick| token_of(known, resource, pick, name);
    match token {
        Sent::None => None,
        Sent::One(pick) => {
            let token = text(pick);
            put("fencing-token", token.to_string().as_bytes());
            Some(token)
        }
        Sent::Two(first, second) => {
            put("fencing-token", text(first).to_string().as_bytes());
            put("fencing-token", text(second).to_string().as_bytes());
            None
        }
        Sent::NoToken(at) => {
            put(
                "fencing-token",
                NO_TOKENS[usize::from(at) % NO_TOKENS.len()],
            );
            None
        }
    }
}

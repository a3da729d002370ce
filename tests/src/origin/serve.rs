//! The origin's HTTP side: a request becomes journal entries and at most one store operation.
//!
//! The whole body is read first; then one lock is taken, the conditions are judged against the
//! version that is there, and the write is applied, all under that lock. So a conditional write is
//! atomic and a body that never ends is never applied.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{ETAG, HOST, HeaderName, HeaderValue, IF_MATCH, LOCATION};
use hyper::{HeaderMap, Method, Request, Response, StatusCode};

use super::conditions::Conditions;
use super::journal::{self, Journal};
use super::store::{Store, Version};

/// The longest delay that a request may ask for.
const DELAY_MAX: Duration = Duration::from_secs(5);
/// The largest body, in bytes.
const BODY_BYTES_MAX: usize = 128 * 1024 * 1024;

pub(super) struct Shared {
    pub(super) store: Mutex<Store>,
    pub(super) journal: Mutex<Journal>,
}

type Answer = Response<Full<Bytes>>;

/// Takes a lock; a panic elsewhere while it was held is no reason to stop recording.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers one request of the data port.
pub(super) async fn answer(
    shared: Arc<Shared>,
    request: Request<Incoming>,
) -> Result<Answer, hyper::Error> {
    let (head, mut body) = request.into_parts();
    let target = head
        .uri
        .path_and_query()
        .map_or_else(String::new, ToString::to_string);
    let lines = all_headers(&head.headers);
    let sequence = lock(&shared.journal).begin(head.method.to_string(), target, lines);

    let mut received = Vec::new();
    while let Some(frame) = body.frame().await {
        // An error means that the client went away: the entry stays incomplete, nothing is applied.
        let Some(bytes) = frame?.into_data().ok() else {
            continue;
        };
        lock(&shared.journal).body_arrived(sequence, &bytes);
        if received.len() + bytes.len() <= BODY_BYTES_MAX {
            received.extend_from_slice(&bytes);
        }
    }
    lock(&shared.journal).body_ended(sequence);
    tokio::time::sleep(delay(&head.headers)).await;
    if let Some(answer) = redirect(&head.headers, head.uri.path()) {
        lock(&shared.journal).answered(sequence, answer.status().as_u16());
        return Ok(answer);
    }

    let work = Arc::clone(&shared);
    let asked = Asked {
        sequence,
        method: head.method,
        path: head.uri.path().to_owned(),
        headers: head.headers,
        body: received,
    };
    let done = tokio::task::spawn_blocking(move || apply(&work, asked)).await;
    let answer = done
        .map_err(io::Error::other)
        .and_then(|answer| answer)
        .unwrap_or_else(failed);
    lock(&shared.journal).answered(sequence, answer.status().as_u16());
    Ok(answer)
}

/// Answers one request of the control port: the journal, whole.
pub(super) fn control(shared: &Shared, request: &Request<Incoming>) -> Answer {
    if request.uri().path() != "/journal" {
        return plain(StatusCode::NOT_FOUND, "the control port has /journal\n");
    }
    match serde_json::to_vec(&*lock(&shared.journal)) {
        Ok(text) => Response::new(Full::from(text)),
        Err(error) => failed(error.into()),
    }
}

struct Asked {
    sequence: usize,
    method: Method,
    path: String,
    headers: HeaderMap,
    body: Vec<u8>,
}

fn apply(shared: &Shared, asked: Asked) -> io::Result<Answer> {
    let Ok(conditions) = Conditions::read(&asked.headers) else {
        return Ok(plain(
            StatusCode::BAD_REQUEST,
            "a condition cannot be read\n",
        ));
    };
    let mut store = lock(&shared.store);
    let current = store.find(&asked.path).cloned();
    let tag = current.as_ref().map(|version| entity_tag(version.version));
    let holds = conditions.hold(tag.as_deref());
    match (&asked.method, current) {
        (&Method::GET | &Method::HEAD | &Method::DELETE, None) if holds => {
            Ok(plain(StatusCode::NOT_FOUND, "no such object\n"))
        }
        (&Method::GET | &Method::HEAD, Some(version)) => read(&store, &asked, &version, holds),
        (&Method::GET | &Method::HEAD | &Method::PUT | &Method::DELETE, _) if !holds => Ok(plain(
            StatusCode::PRECONDITION_FAILED,
            "the store's own condition failed\n",
        )),
        (&Method::PUT, current) => {
            if asked.body.len() > BODY_BYTES_MAX {
                return Ok(plain(StatusCode::PAYLOAD_TOO_LARGE, "too large\n"));
            }
            let version = store.put(&asked.path, kept_headers(&asked.headers), &asked.body)?;
            let status = if current.is_some() {
                StatusCode::OK
            } else {
                StatusCode::CREATED
            };
            Ok(written(shared, asked.sequence, version, status))
        }
        (&Method::DELETE, _) => {
            let version = store.delete(&asked.path, kept_headers(&asked.headers))?;
            Ok(written(
                shared,
                asked.sequence,
                version,
                StatusCode::NO_CONTENT,
            ))
        }
        _ => Ok(plain(
            StatusCode::METHOD_NOT_ALLOWED,
            "GET, HEAD, PUT and DELETE only\n",
        )),
    }
}

fn read(store: &Store, asked: &Asked, version: &Version, holds: bool) -> io::Result<Answer> {
    if !holds {
        let status = match asked.headers.contains_key(IF_MATCH) {
            true => StatusCode::PRECONDITION_FAILED,
            false => StatusCode::NOT_MODIFIED,
        };
        return Ok(with_version(plain(status, ""), version.version));
    }
    // hyper leaves a HEAD's body out and keeps its length.
    let mut answer = with_version(
        Response::new(Full::from(store.body(version)?)),
        version.version,
    );
    for (name, value) in &version.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(io::Error::other)?;
        let value = HeaderValue::from_bytes(&journal::bytes(value)).map_err(io::Error::other)?;
        answer.headers_mut().append(name, value);
    }
    Ok(answer)
}

/// Called under the store's lock, so that the journal's order is the order of the versions.
fn written(shared: &Shared, sequence: usize, version: u64, status: StatusCode) -> Answer {
    lock(&shared.journal).applied(sequence, version);
    with_version(plain(status, ""), version)
}

fn entity_tag(version: u64) -> String {
    format!("\"v{version}\"")
}

fn with_version(mut answer: Answer, version: u64) -> Answer {
    let value =
        |text: &str| HeaderValue::from_str(text).expect("digits and quotes are a header value");
    answer
        .headers_mut()
        .insert(ETAG, value(&entity_tag(version)));
    answer
        .headers_mut()
        .insert("x-origin-version", value(&version.to_string()));
    answer
}

fn plain(status: StatusCode, text: &'static str) -> Answer {
    let mut answer = Response::new(Full::from(text));
    *answer.status_mut() = status;
    answer
}

fn failed(error: io::Error) -> Answer {
    let mut answer = Response::new(Full::from(format!("the store failed: {error}\n")));
    *answer.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    answer
}

fn all_headers(headers: &HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| (name.to_string(), journal::text(value.as_bytes())))
        .collect()
}

/// What an object keeps of the request that wrote it.
fn kept_headers(headers: &HeaderMap) -> Vec<(String, String)> {
    let mut kept = all_headers(headers);
    kept.retain(|(name, _)| {
        name == "fencing-token" || name == "content-type" || name.starts_with("x-meta-")
    });
    kept
}

fn delay(headers: &HeaderMap) -> Duration {
    let asked = headers
        .get("x-origin-delay-ms")
        .and_then(|value| value.to_str().ok()?.parse().ok());
    Duration::from_millis(asked.unwrap_or(0)).min(DELAY_MAX)
}

/// Sends whoever asks for it somewhere else, until he comes there.
fn redirect(headers: &HeaderMap, path: &str) -> Option<Answer> {
    let to = headers.get("x-origin-redirect-to")?;
    if to.as_bytes() == path.as_bytes() {
        return None;
    }
    let host = headers.get(HOST)?.to_str().ok()?;
    let location = format!("http://{host}{}", to.to_str().ok()?);
    let mut answer = plain(StatusCode::TEMPORARY_REDIRECT, "");
    let location = HeaderValue::from_str(&location).ok()?;
    answer.headers_mut().insert(LOCATION, location);
    Some(answer)
}

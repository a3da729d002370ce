//! The blows with tokens of the proxy's own issuer: writers share a lease, take it over from each
//! other, and go on writing with what they had.
//!
//! All tokens of one start of the issuer have one epoch, so their numbers order them.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use serde_json::json;

use super::{Resource, Writer};
use crate::issuer::Grant;

/// What the writers know of one resource's leases.
#[derive(Default)]
pub(super) struct Holding {
    now: Mutex<Option<Grant>>,
    before: Mutex<Option<Grant>>,
}

pub(super) fn strike(writer: &mut Writer<'_>) -> io::Result<()> {
    let (number, resource) = writer.hot();
    let floor = resource.floor.load(Ordering::SeqCst);
    let now = read(&resource.ours.now);
    let before = read(&resource.ours.before);
    match (writer.dice.u32(..100), now, before) {
        (0..55, Some(grant), _) | (55..85, Some(grant), None) => {
            write(writer, number, &grant, &grant.holder, floor)
        }
        (0..85, _, Some(grant)) => write(writer, number, &grant, &grant.holder, floor),
        (85..89, Some(grant), _) => write_as_stranger(writer, number, &grant),
        (89..92, Some(grant), _) => write_beyond(writer, number, &grant, floor),
        (_, now, _) => take_over(writer, number, resource, now),
    }
}

fn write(
    writer: &mut Writer<'_>,
    number: u64,
    grant: &Grant,
    holder: &str,
    floor: u64,
) -> io::Result<()> {
    if writer.write(number, &grant.token, holder)? {
        writer.admitted(number, ordinal(&grant.token), floor);
    }
    Ok(())
}

fn write_as_stranger(writer: &mut Writer<'_>, number: u64, grant: &Grant) -> io::Result<()> {
    if writer.write(number, &grant.token, "stranger")? {
        writer.violation(format!(
            "resource {number}: {} was admitted for a stranger",
            grant.token
        ));
    }
    Ok(())
}

/// A token far above everything that was granted: nobody may write with it.
fn write_beyond(writer: &mut Writer<'_>, number: u64, grant: &Grant, floor: u64) -> io::Result<()> {
    let epoch = grant.token.split('.').next().unwrap_or("0");
    let token = format!("{epoch}.{}", floor + 1_000_000_000);
    if writer.write(number, &token, &grant.holder)? {
        writer.violation(format!(
            "resource {number}: {token} was admitted and had never been granted"
        ));
    }
    Ok(())
}

/// Releases what is held, if anything is, and acquires under a new name; the others go on writing
/// with the old token meanwhile.
fn take_over(
    writer: &mut Writer<'_>,
    number: u64,
    resource: &Resource,
    seen: Option<Grant>,
) -> io::Result<()> {
    if let Some(old) = seen {
        let body = json!({
            "resource": old.resource, "holder": old.holder, "token": old.token, "writes_answered": true,
        });
        writer.call("release", &body)?;
        replace(&resource.ours.before, Some(old));
        replace(&resource.ours.now, None);
    }
    let holder = format!("worker-{}-{}", writer.number, writer.report.requests);
    let body = json!({ "resource": format!("job:{}", writer.field.name(number)), "holder": holder, "ttl_ms": writer.field.target.ttl_ms });
    let answer = writer.call("acquire", &body)?;
    if let Some(grant) = answer.as_ref().and_then(Grant::from_answer) {
        writer.report.raised += 1;
        writer.raise(number, ordinal(&grant.token));
        replace(&resource.ours.now, Some(grant));
    }
    Ok(())
}

fn ordinal(token: &str) -> u64 {
    token
        .rsplit('.')
        .next()
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

fn read(grant: &Mutex<Option<Grant>>) -> Option<Grant> {
    grant.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn replace(grant: &Mutex<Option<Grant>>, new: Option<Grant>) {
    *grant.lock().unwrap_or_else(PoisonError::into_inner) = new;
}

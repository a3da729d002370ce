//! The blows with tokens from elsewhere: rising, equal and falling ones, and claims.
//!
//! A token belongs to the holder that its number names, so equal tokens are equal holders; now and
//! then a stranger comes with a token that was answered to its owner already.

use std::io;
use std::sync::atomic::Ordering;

use serde_json::json;

use super::Writer;

pub(super) fn strike(writer: &mut Writer<'_>) -> io::Result<()> {
    let (number, resource) = writer.hot();
    let floor = resource.floor.load(Ordering::SeqCst);
    let rising = || resource.drawn.fetch_add(1, Ordering::SeqCst) + 1;
    match writer.dice.u32(..100) {
        0..35 => write(writer, number, rising(), floor),
        35..60 => write(writer, number, floor.max(1), floor),
        60..90 => {
            let below = writer.dice.u64(1..4);
            write(writer, number, floor.saturating_sub(below).max(1), floor)
        }
        90..95 if floor > 0 => write_as_stranger(writer, number, floor),
        _ => claim(writer, number, rising()),
    }
}

fn write(writer: &mut Writer<'_>, resource: u64, token: u64, floor: u64) -> io::Result<()> {
    if writer.write(resource, &token.to_string(), &owner(token))? {
        writer.admitted(resource, token, floor);
    }
    Ok(())
}

/// The floor was answered to its owner, so it is bound to it: nobody else may write with it.
fn write_as_stranger(writer: &mut Writer<'_>, resource: u64, floor: u64) -> io::Result<()> {
    if writer.write(resource, &floor.to_string(), "stranger")? {
        writer.violation(format!(
            "resource {resource}: {floor} was admitted for a stranger"
        ));
    }
    Ok(())
}

fn claim(writer: &mut Writer<'_>, resource: u64, token: u64) -> io::Result<()> {
    let body = json!({
        "resource": format!("job:{}", writer.field.name(resource)),
        "holder": owner(token),
        "token": token.to_string(),
    });
    if writer
        .call("claim", &body)?
        .is_some_and(|answer| answer.status < 300)
    {
        writer.report.raised += 1;
        writer.raise(resource, token);
    }
    Ok(())
}

fn owner(token: u64) -> String {
    format!("worker-{}", token % 5)
}

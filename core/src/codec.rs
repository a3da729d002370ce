//! A record as bytes, and back.
//!
//! Whatever does not verify is *garbled*: an answer of its own, never "no record". The full
//! resource name is part of the bytes, so a record found in another's place is seen as such.
//!
//! ```text
//!   format 1 | flags 1 | holder len 1 | request id len 1 | resource len 2 | generation 4
//!   | epoch 4 | number 8 | ttl 8 | ends 8 | free 8 | resource | holder | request id | checksum 8
//! ```
//! Integers are little-endian, times in nanoseconds, the checksum covers everything before it.

use crate::moment::{Moment, nanos};
use crate::record::{Grant, Record};
use crate::token::Token;
use core::hash::Hasher;
use core::time::Duration;
use siphasher::sip::SipHasher13;

const FORMAT: u8 = 1;
const HAS_GRANT: u8 = 1;
const RELEASED: u8 = 2;
const HAS_HOLDER: u8 = 4;
const HAS_REQUEST_ID: u8 = 8;
const ALL_FLAGS: u8 = HAS_GRANT | RELEASED | HAS_HOLDER | HAS_REQUEST_ID;

/// The bytes are not what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Garbled;

/// A name longer than its length field can tell; [`crate::name`] admits none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameTooLong;

/// A checksum over `bytes`. It finds damage and mix-ups, not malice: whoever can write to an
/// authority needs no forged record.
#[must_use]
pub fn checksum(bytes: &[u8]) -> [u8; 8] {
    let mut hasher =
        SipHasher13::new_with_keys(0x6665_6e63_6567_6174, u64::from_le_bytes(*b"e.record"));
    hasher.write(bytes);
    hasher.finish().to_le_bytes()
}

/// Appends the record of `resource` to `out`.
///
/// # Errors
/// A name that is too long; `out` is then as it was.
pub fn encode<T: AsRef<str>>(
    resource: &str,
    record: &Record<T>,
    out: &mut Vec<u8>,
) -> Result<(), NameTooLong> {
    let holder = record.holder.as_ref().map_or("", AsRef::as_ref);
    let grant = record.grant.as_ref();
    let request_id = grant.and_then(|grant| grant.request_id.as_ref());
    let request_text = request_id.map_or("", AsRef::as_ref);
    let flag = |condition: bool, bit: u8| if condition { bit } else { 0 };
    let flags = flag(grant.is_some(), HAS_GRANT)
        | flag(grant.is_some_and(|grant| grant.released), RELEASED)
        | flag(record.holder.is_some(), HAS_HOLDER)
        | flag(request_id.is_some(), HAS_REQUEST_ID);
    let holder_len = u8::try_from(holder.len()).map_err(|_| NameTooLong)?;
    let request_len = u8::try_from(request_text.len()).map_err(|_| NameTooLong)?;
    let resource_len = u16::try_from(resource.len()).map_err(|_| NameTooLong)?;

    let start = out.len();
    out.extend_from_slice(&[FORMAT, flags, holder_len, request_len]);
    out.extend_from_slice(&resource_len.to_le_bytes());
    out.extend_from_slice(&record.generation.to_le_bytes());
    out.extend_from_slice(&record.token.epoch().to_le_bytes());
    out.extend_from_slice(&record.token.number().to_le_bytes());
    for nanos in times(grant) {
        out.extend_from_slice(&nanos.to_le_bytes());
    }
    for text in [resource, holder, request_text] {
        out.extend_from_slice(text.as_bytes());
    }
    let sum = checksum(out.get(start..).unwrap_or_default());
    out.extend_from_slice(&sum);
    Ok(())
}

fn times<T>(grant: Option<&Grant<T>>) -> [u64; 3] {
    grant.map_or([0; 3], |grant| {
        [nanos(grant.ttl), grant.ends.nanos(), grant.free.nanos()]
    })
}

/// Reads the bytes of one record: the resource and its record, borrowing their text.
///
/// # Errors
/// [`Garbled`], if they are not exactly what [`encode`] wrote.
pub fn decode(bytes: &[u8]) -> Result<(&str, Record<&str>), Garbled> {
    let (body, sum) = bytes.split_last_chunk::<8>().ok_or(Garbled)?;
    if checksum(body) != *sum {
        return Err(Garbled);
    }
    let mut rest = body;
    let [format, flags, holder_len, request_len] = take(&mut rest)?;
    if format != FORMAT || flags & !ALL_FLAGS != 0 {
        return Err(Garbled);
    }
    let resource_len = u16::from_le_bytes(take(&mut rest)?);
    let generation = u32::from_le_bytes(take(&mut rest)?);
    let epoch = u32::from_le_bytes(take(&mut rest)?);
    let number = u64::from_le_bytes(take(&mut rest)?);
    let ttl = Duration::from_nanos(u64::from_le_bytes(take(&mut rest)?));
    let ends = Moment::from_nanos(u64::from_le_bytes(take(&mut rest)?));
    let free = Moment::from_nanos(u64::from_le_bytes(take(&mut rest)?));
    let resource = text(&mut rest, resource_len.into())?;
    let holder = text(&mut rest, holder_len.into())?;
    let request_id = text(&mut rest, request_len.into())?;
    if !rest.is_empty() {
        return Err(Garbled);
    }
    let record = Record {
        token: Token::new(epoch, number).ok_or(Garbled)?,
        holder: (flags & HAS_HOLDER != 0).then_some(holder),
        generation,
        grant: (flags & HAS_GRANT != 0).then_some(Grant {
            request_id: (flags & HAS_REQUEST_ID != 0).then_some(request_id),
            ttl,
            ends,
            free,
            released: flags & RELEASED != 0,
        }),
    };
    Ok((resource, record))
}

/// Takes a fixed number of bytes off the front of `rest`.
///
/// # Errors
/// [`Garbled`], if there are not so many.
pub fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], Garbled> {
    let (head, tail) = rest.split_first_chunk::<N>().ok_or(Garbled)?;
    *rest = tail;
    Ok(*head)
}

fn text<'a>(rest: &mut &'a [u8], len: usize) -> Result<&'a str, Garbled> {
    let (head, tail) = rest.split_at_checked(len).ok_or(Garbled)?;
    *rest = tail;
    core::str::from_utf8(head).map_err(|_| Garbled)
}

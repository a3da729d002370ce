//! What drain needs, as bytes and back.
//!
//! ```text
//!   format 1 | flights 1 | mark 12 | pending 12
//!   | per flight: token 12, open 2, unresolved 1, superseded? 1, superseded 8 | checksum 8
//! ```
//! A token is its epoch (4) and number (8); a number of 0 stands for none. Integers are
//! little-endian, times in nanoseconds. What does not verify is garbled, never "nothing in flight".

use super::flights::{Drain, FLIGHTS_MAX, Flight};
use crate::codec::{Garbled, checksum, take};
use crate::moment::Moment;
use crate::token::Token;

const FORMAT: u8 = 1;

/// Appends `drain` to `out`.
pub fn encode(drain: &Drain, out: &mut Vec<u8>) {
    let start = out.len();
    // Never more than FLIGHTS_MAX, which fits.
    let count = u8::try_from(drain.flights.len()).unwrap_or(u8::MAX);
    out.extend_from_slice(&[FORMAT, count]);
    write_token(drain.mark, out);
    write_token(drain.pending, out);
    for flight in &drain.flights {
        write_token(Some(flight.token), out);
        out.extend_from_slice(&flight.open.to_le_bytes());
        out.extend_from_slice(&[flight.unresolved.into(), flight.superseded.is_some().into()]);
        let at = flight.superseded.unwrap_or_default();
        out.extend_from_slice(&at.nanos().to_le_bytes());
    }
    let sum = checksum(out.get(start..).unwrap_or_default());
    out.extend_from_slice(&sum);
}

/// Reads what [`encode`] wrote.
///
/// # Errors
/// [`Garbled`], if it is anything else.
pub fn decode(bytes: &[u8]) -> Result<Drain, Garbled> {
    let (body, sum) = bytes.split_last_chunk::<8>().ok_or(Garbled)?;
    if checksum(body) != *sum {
        return Err(Garbled);
    }
    let mut rest = body;
    let [format, count] = take(&mut rest)?;
    if format != FORMAT || usize::from(count) > FLIGHTS_MAX {
        return Err(Garbled);
    }
    let mark = read_token(&mut rest)?;
    let pending = read_token(&mut rest)?;
    let flights = (0..count)
        .map(|_| read_flight(&mut rest))
        .collect::<Result<Vec<_>, _>>()?;
    let in_order = flights
        .iter()
        .map(|flight| flight.token)
        .is_sorted_by(|a, b| a < b);
    if !rest.is_empty() || !in_order {
        return Err(Garbled);
    }
    Ok(Drain {
        mark,
        pending,
        flights,
    })
}

fn read_flight(rest: &mut &[u8]) -> Result<Flight, Garbled> {
    let token = read_token(rest)?.ok_or(Garbled)?;
    let open = u16::from_le_bytes(take(rest)?);
    let [unresolved, superseded] = take(rest)?;
    let at = Moment::from_nanos(u64::from_le_bytes(take(rest)?));
    Ok(Flight {
        token,
        open,
        unresolved: flag(unresolved)?,
        superseded: flag(superseded)?.then_some(at),
    })
}

const fn flag(byte: u8) -> Result<bool, Garbled> {
    match byte {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Garbled),
    }
}

fn write_token(token: Option<Token>, out: &mut Vec<u8>) {
    let (epoch, number) = token.map_or((0, 0), |token| (token.epoch(), token.number()));
    out.extend_from_slice(&epoch.to_le_bytes());
    out.extend_from_slice(&number.to_le_bytes());
}

fn read_token(rest: &mut &[u8]) -> Result<Option<Token>, Garbled> {
    let epoch = u32::from_le_bytes(take(rest)?);
    let number = u64::from_le_bytes(take(rest)?);
    match (epoch, number) {
        (0, 0) => Ok(None),
        (epoch, number) => Token::new(epoch, number).map(Some).ok_or(Garbled),
    }
}

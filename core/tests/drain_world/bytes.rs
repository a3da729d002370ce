//! What drain needs, changed behind its back by way of its bytes: for the mistakes.

use super::*;

pub(super) fn mapped(drain: &Drain, change: impl Fn(&mut Flight)) -> Drain {
    let mut flights = drain.flights().to_vec();
    flights.iter_mut().for_each(change);
    with_flights(drain, &flights)
}

/// The same with other flights, by way of its bytes.
pub(super) fn with_flights(drain: &Drain, flights: &[Flight]) -> Drain {
    let mut bytes = Vec::new();
    encode(drain, &mut bytes);
    bytes.truncate(26);
    let flights = flights
        .iter()
        .filter(|flight| flight.open > 0 || flight.unresolved);
    bytes[1] = flights.clone().count() as u8;
    for flight in flights {
        bytes.extend_from_slice(&flight.token.epoch().to_le_bytes());
        bytes.extend_from_slice(&flight.token.number().to_le_bytes());
        bytes.extend_from_slice(&flight.open.to_le_bytes());
        bytes.extend_from_slice(&[flight.unresolved.into(), flight.superseded.is_some().into()]);
        let at = flight.superseded.unwrap_or_default();
        bytes.extend_from_slice(&at.nanos().to_le_bytes());
    }
    let sum = codec::checksum(&bytes);
    bytes.extend_from_slice(&sum);
    decode(&bytes).expect("written above")
}

/// A count of `token` that stands just below the highest one.
pub(super) fn nearly_full(number: u64) -> Drain {
    mapped(&stormed(&Drain::default(), token(number)), |flight| {
        flight.open = u16::MAX - 1;
    })
}

/// What a stale write's count looks like to somebody who counts it like any other.
pub(super) fn stormed(drain: &Drain, own: Token) -> Drain {
    let mut flights: Vec<_> = drain.flights().to_vec();
    let open = flights.iter().find(|flight| flight.token == own);
    let open = open.map_or(1, |flight| flight.open + 1);
    flights.retain(|flight| flight.token != own);
    flights.push(Flight {
        token: own,
        open,
        unresolved: false,
        superseded: None,
    });
    flights.sort_by_key(|flight| flight.token);
    with_flights(drain, &flights)
}

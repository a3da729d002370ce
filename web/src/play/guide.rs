//! The reading guide: what is to be known about leases and fencing, and the variant that shows it.

/// Something to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// A lock with a time limit protects nothing by itself.
    LockAlone,
    /// Looking at the clock before the write is too late.
    LookedTooEarly,
    /// A token that nobody checks is theater.
    Theater,
    /// It must be checked where the write lands.
    WhereItLands,
    /// A number that clients count themselves collides.
    Picked,
    /// No lease is longer than every pause.
    ShortLease,
    /// Wall clocks are set.
    Walls,
    /// Whoever checks must hear of a token before the first write with it.
    HeardTooLate,
    /// First the fence, then the write.
    FenceLater,
    /// No fence, no writes.
    NoFence,
    /// Pulling the plug is a race.
    Stonith,
    /// A restored issuer goes back.
    Restored,
    /// A fresh number after a refusal is theft.
    Theft,
    /// Several proxies need a window.
    Window,
}

/// Every point, in reading order, with the name of the variant that shows it at its key moment.
pub const GUIDE: [(Point, &str); 14] = [
    (Point::LockAlone, "redis.lock-only"),
    (Point::LookedTooEarly, "redis.careful"),
    (Point::ShortLease, "gc.short-lease"),
    (Point::Walls, "clocks.walls"),
    (Point::Theater, "fenced.theater"),
    (Point::HeardTooLate, "fenced.first-write"),
    (Point::FenceLater, "fence-later.later"),
    (Point::NoFence, "store-down.goes-on"),
    (Point::WhereItLands, "straggler.proxy-only"),
    (Point::Picked, "picked.unnamed"),
    (Point::Theft, "refused.picks"),
    (Point::Restored, "restored.back"),
    (Point::Stonith, "stonith.slow"),
    (Point::Window, "window.not-waited"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::subject::Subject;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_point_leads_to_a_variant_that_goes_wrong() {
        for (point, name) in GUIDE {
            let subject = Subject::named(name).expect("it is in the gallery");
            assert!(!subject.scenario().breaks.is_empty(), "{point:?}: {name}");
        }
    }
}

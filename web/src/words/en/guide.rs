//! The reading guide.

use crate::play::guide::Point;

/// A point in a few words, and why.
pub(super) const fn point(point: Point) -> [&'static str; 2] {
    match point {
        Point::LockAlone => [
            "A lock with a time limit protects nothing by itself.",
            "It runs out while its holder is paused, and the report knows nothing of locks.",
        ],
        Point::LookedTooEarly => [
            "Looking at the clock before the write is too late.",
            "Between the look and the write anything may take any time.",
        ],
        Point::ShortLease => [
            "No lease is longer than the longest pause.",
            "A longer lease only makes everybody wait when the holder is dead.",
        ],
        Point::Walls => [
            "Wall clocks are set.",
            "A lease that ends at a time of day ends for each machine when its own clock says so.",
        ],
        Point::Theater => [
            "A token that nobody checks is theater.",
            "The store takes the old leader's write whatever number it carries.",
        ],
        Point::HeardTooLate => [
            "Whoever checks must hear of a new token before the first write with it.",
            "Until then the old token passes: let the grant raise the mark, or claim it.",
        ],
        Point::FenceLater => [
            "First the fence, then the write.",
            "In the other order both leaders write in between.",
        ],
        Point::NoFence => [
            "As long as the fence cannot be moved, take no writes.",
            "A new leader that goes on without an answer has fenced nobody.",
        ],
        Point::WhereItLands => [
            "A token is checked where the write lands.",
            "What a proxy let through in time may land late: drain, wait for a lock delay, or seal it at the store.",
        ],
        Point::Picked => [
            "A number that clients count themselves collides.",
            "Both read 7 and both take 8: numbers are given out in one step with the lock.",
        ],
        Point::Theft => [
            "A fresh number after a 412 is theft.",
            "Refused means replaced: stop, or begin anew with a new lease and another look.",
        ],
        Point::Restored => [
            "A restored issuer goes back.",
            "It grants old numbers once more, unless an epoch rises with each of its histories.",
        ],
        Point::Stonith => [
            "Pulling the plug is a race.",
            "It fences the machine once the plug is out, and a write may be faster.",
        ],
        Point::Window => [
            "Several proxies need a window.",
            "Each trusts what it knows for a while, so a grant must wait as long before it is answered.",
        ],
    }
}

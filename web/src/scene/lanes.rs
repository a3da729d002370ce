//! Who has a lane, and where it is.

use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::who::Who;

/// A lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lane {
    /// Whose it is.
    pub who: Who,
    /// Its middle, where messages leave and arrive, in pixels from the top.
    pub y: f64,
}

/// What is above the first lane: the axis.
pub const TOP_PX: f64 = 28.0;
/// How far lanes are apart.
pub const LANE_PX: f64 = 84.0;

/// The lanes of a scenario: the issuer, the holders, the proxies, the store.
#[must_use]
pub fn of(scenario: &Scenario) -> Vec<Lane> {
    let holders = (0..scenario.holders.len()).filter_map(|index| u8::try_from(index).ok());
    let proxies = (0..scenario.proxies).map(Who::Proxy);
    let all = [Who::Issuer]
        .into_iter()
        .chain(holders.map(Who::Holder))
        .chain(proxies)
        .chain([Who::Store]);
    let mut y = TOP_PX - LANE_PX / 2.0;
    all.map(|who| {
        y += LANE_PX;
        Lane { who, y }
    })
    .collect()
}

/// How high all of them are.
#[must_use]
pub fn height(lanes: &[Lane]) -> f64 {
    lanes.last().map_or(0.0, |lane| lane.y) + LANE_PX / 2.0
}

/// The middle of somebody's lane.
#[must_use]
pub fn y_of(lanes: &[Lane], who: Who) -> f64 {
    let lane = lanes.iter().find(|lane| lane.who == who);
    lane.map_or(0.0, |lane| lane.y)
}

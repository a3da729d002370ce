//! Who has a lane, and where it is.

use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::who::Who;

/// A lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Whose it is.
    pub who: Who,
    /// Its middle, where messages leave and arrive, in pixels from the top.
    pub y: i32,
}

/// What is above the first lane: the axis.
pub const TOP_PX: i32 = 48;
/// How far lanes are apart.
pub const LANE_PX: i32 = 76;
/// The same where several pictures are below each other.
pub const LANE_COMPACT_PX: i32 = 62;

/// Everybody: the issuer, the holders, the proxies, the store.
#[must_use]
pub fn everybody(scenario: &Scenario) -> Vec<Who> {
    let mut all = vec![Who::Issuer];
    for (index, _) in (0..).zip(&scenario.holders) {
        all.push(Who::Holder(index));
    }
    for index in 0..scenario.proxies {
        all.push(Who::Proxy(index));
    }
    all.push(Who::Store);
    all
}

/// The lanes of a scenario.
#[must_use]
pub fn of(scenario: &Scenario, lane_px: i32) -> Vec<Lane> {
    let mut lanes = Vec::new();
    let mut y = TOP_PX + lane_px / 2;
    for who in everybody(scenario) {
        lanes.push(Lane { who, y });
        y += lane_px;
    }
    lanes
}

/// The middle of somebody's lane.
#[must_use]
pub fn y_of(lanes: &[Lane], who: Who) -> i32 {
    let lane = lanes.iter().find(|lane| lane.who == who);
    lane.map_or(0, |lane| lane.y)
}

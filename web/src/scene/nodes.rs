//! One instant as a picture of actors and what is between them.

use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::event::MessageId;
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::who::Who;
use fencegate_core::sim::world::World;

/// An actor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Who.
    pub who: Who,
    /// Its middle, in pixels.
    pub at_px: (f64, f64),
}

/// A message under way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flying {
    /// Its number.
    pub message: MessageId,
    /// Where it is now.
    pub at_px: (f64, f64),
}

/// How wide and how high the picture is, in pixels.
pub const SIZE_PX: (f64, f64) = (360.0, 300.0);

/// The actors of a scenario.
#[must_use]
pub fn nodes(scenario: &Scenario) -> Vec<Node> {
    let _ = scenario;
    Vec::new()
}

/// What is under way at a true time.
#[must_use]
pub fn flying(nodes: &[Node], world: &World, now: Millis) -> Vec<Flying> {
    let _ = (nodes, world, now);
    Vec::new()
}

//! One instant as a picture of actors and what is between them.

use super::along::length;
use super::arrows::{self, Kind};
use super::belief;
use super::lanes;
use super::spans::Holds;
use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::event::MessageId;
use fencegate_core::sim::mechanism::{Check, Condition};
use fencegate_core::sim::message::Message;
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::who::Who;
use fencegate_core::sim::world::World;
use fencegate_core::token::Token;

/// How wide and how high the picture is, in pixels.
pub const SIZE_PX: (i32, i32) = (400, 320);
/// How far the two ways between two actors are from the line between them.
const ASIDE_PX: i32 = 5;

/// An actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Who.
    pub who: Who,
    /// Its middle, in pixels.
    pub at_px: (i32, i32),
}

/// The way of messages in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// From whom.
    pub from: Who,
    /// To whom.
    pub to: Who,
    /// From here.
    pub from_px: (i32, i32),
    /// To there.
    pub to_px: (i32, i32),
}

/// A message under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flying {
    /// Its number.
    pub message: MessageId,
    /// Where it is now.
    pub at_px: (i32, i32),
    /// What it is for.
    pub kind: Kind,
    /// The token that it carries where that matters.
    pub token: Option<Option<Token>>,
}

/// What a holder has and believes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// Whether it has the lease, in truth, and the token of it.
    pub lease: Option<Option<Token>>,
    /// Whether it believes that it may write.
    pub believes: bool,
    /// Whether it is wrong.
    pub mistaken: bool,
}

/// The actors of a scenario: the issuer above, holders, proxies and the store from left to right.
#[must_use]
pub fn nodes(scenario: &Scenario) -> Vec<Node> {
    let (width, height) = SIZE_PX;
    let spread = |index: u8, all: i32| {
        let free = height - 104;
        92 + free * (2 * i32::from(index) + 1) / (2 * all.max(1))
    };
    let mut nodes = Vec::new();
    for who in lanes::everybody(scenario) {
        let at_px = match who {
            Who::Issuer => (width / 2, 40),
            Who::Store => (width - 50, spread(0, 1)),
            Who::Proxy(index) => (width / 2, spread(index, scenario.proxies.into())),
            Who::Holder(index) => (50, spread(index, scenario.holders.len() as i32)),
        };
        nodes.push(Node { who, at_px });
    }
    nodes
}

/// Who exchanges messages with whom, each way for itself.
#[must_use]
pub fn ways(scenario: &Scenario, nodes: &[Node]) -> Vec<Way> {
    let mut ways = Vec::new();
    let mut join = |one, other| {
        ways.push(way(nodes, one, other));
        ways.push(way(nodes, other, one));
    };
    for node in nodes {
        match node.who {
            Who::Holder(index) => {
                join(node.who, Who::Issuer);
                join(node.who, scenario.door(index));
            }
            Who::Proxy(_) => {
                join(node.who, Who::Store);
                if let Check::Window(_) | Check::Proxy = scenario.mechanism.check {
                    join(node.who, Who::Issuer);
                }
            }
            Who::Issuer | Who::Store => {}
        }
    }
    ways
}

/// From one to another, on the right-hand side of the line between them.
fn way(nodes: &[Node], from: Who, to: Who) -> Way {
    let place = |who| {
        let node = nodes.iter().find(|node| node.who == who);
        node.map_or((0, 0), |node| node.at_px)
    };
    let ((x, y), (to_x, to_y)) = (place(from), place(to));
    let (dx, dy) = (to_x - x, to_y - y);
    let long = length(dx, dy);
    let (aside_x, aside_y) = (-dy * ASIDE_PX / long, dx * ASIDE_PX / long);
    Way {
        from,
        to,
        from_px: (x + aside_x, y + aside_y),
        to_px: (to_x + aside_x, to_y + aside_y),
    }
}

/// What is under way at a true time.
#[must_use]
pub fn flying(nodes: &[Node], world: &World, now: Millis) -> Vec<Flying> {
    let mut flying = Vec::new();
    for message in &world.messages {
        let way = way(nodes, message.from, message.to);
        let ((x, y), (to_x, to_y)) = (way.from_px, way.to_px);
        flying.push(Flying {
            message: message.id,
            at_px: (
                x + clear(to_x - x, message, now),
                y + clear(to_y - y, message, now),
            ),
            kind: arrows::kind(&message.payload),
            token: arrows::token(&message.payload),
        });
    }
    flying
}

/// How far a message came, clear of both ends: what has just left is beside its sender, not under
/// it, where nobody would see or press it.
fn clear(long_px: i32, message: &Message, now: Millis) -> i32 {
    (long_px + 3 * arrows::part(long_px, message, now)) / 5
}

/// What a holder has and believes at a true time at or after a state.
#[must_use]
pub fn claim(scenario: &Scenario, world: &World, index: u8, now: Millis) -> Claim {
    let runs = |holds: &Holds| holds.ends.is_none_or(|end| now < end);
    let lease = belief::lease(scenario, world, index).filter(runs);
    let believes = belief::belief(scenario, world, index).is_some_and(|it| runs(&it));
    let right = belief::rightly(scenario, world, index).is_some_and(|it| runs(&it));
    Claim {
        lease: lease.map(|holds| holds.token),
        believes,
        mistaken: believes && !right,
    }
}

/// The mark that somebody checks writes against; `None`: he does not check. `Some(None)`: he does,
/// and knows of no token yet.
#[must_use]
pub fn mark(scenario: &Scenario, world: &World, who: Who) -> Option<Option<Token>> {
    let mechanism = &scenario.mechanism;
    match (who, mechanism.check) {
        (Who::Proxy(_), Check::Proxy) => Some(world.issuer.keeper.mark()),
        (Who::Proxy(index), Check::ProxyAtFirstWrite) => {
            Some(world.proxies.get(usize::from(index))?.keeper.mark())
        }
        (Who::Proxy(index), Check::Window(_)) => {
            let known = &world.proxies.get(usize::from(index))?.known;
            Some(known.record.as_ref().map(|known| known.token))
        }
        (Who::Store, Check::Store | Check::StoreByClaim) => Some(world.store.keeper.mark()),
        (Who::Store, _) if matches!(mechanism.condition, Condition::Sealed(_)) => {
            Some(world.store.sealed)
        }
        _ => None,
    }
}

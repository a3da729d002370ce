//! What a search may do: everything else is outside, and a result speaks of the inside only.

use super::super::clock::Millis;
use super::super::event::Accident;
use super::super::scenario::{Scenario, ScenarioError};
use super::super::world::World;
use serde::{Deserialize, Serialize};

/// The bounds of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// How many grants there may be.
    pub tokens: u8,
    /// How many messages may be in flight at once, not counting those that nobody waits for.
    pub messages: u8,
    /// How many faults there may be in all; what ends one is free.
    pub faults: u8,
    /// What may befall whom, at any step.
    pub accidents: Vec<Accident>,
    /// When messages arrive.
    pub network: Network,
    /// Whether a message may be lost, as a fault.
    pub loses: bool,
    /// Whether a message may come twice, as a fault.
    pub doubles: bool,
    /// Whether a message of a punctual network may be late, by any time, as a fault.
    pub delays: bool,
    /// The latest true time; `None`: any, and times are compared with each other only.
    pub until_ms: Option<Millis>,
}

/// When messages arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// When they are due. Only what is due at the same instant comes in any order.
    Punctual,
    /// When they are due, or at any instant after that, or never: in any order.
    Asynchronous,
}

impl Bounds {
    /// No faults, a punctual network, and room for every holder to be granted twice.
    #[must_use]
    pub fn calm(scenario: &Scenario) -> Self {
        let holders = u8::try_from(scenario.holders.len()).unwrap_or(u8::MAX);
        Self {
            tokens: holders.saturating_mul(2),
            messages: 12,
            faults: 0,
            accidents: Vec::new(),
            network: Network::Punctual,
            loses: false,
            doubles: false,
            delays: false,
            until_ms: None,
        }
    }

    /// As many faults as the scenario has planned, of the same kinds, but at any step.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Self {
        let mut bounds = Self::calm(scenario);
        for planned in &scenario.accidents {
            let accident = planned.accident;
            if is_repair(accident) {
                continue;
            }
            let ends_a_crash = match accident {
                Accident::Restart { who, .. } => bounds.accidents.contains(&Accident::Crash(who)),
                _ => false,
            };
            bounds.faults = bounds.faults.saturating_add(u8::from(!ends_a_crash));
            if !bounds.accidents.contains(&accident) {
                bounds.accidents.push(accident);
            }
        }
        bounds
    }

    /// Looks whether everybody that an accident befalls is there.
    ///
    /// # Errors
    /// [`ScenarioError::Nobody`].
    pub fn check(&self, scenario: &Scenario) -> Result<(), ScenarioError> {
        let known = |accident: &Accident| accident.about().iter().all(|who| scenario.has(*who));
        if self.accidents.iter().all(known) {
            Ok(())
        } else {
            Err(ScenarioError::Nobody)
        }
    }

    /// Whether a world is inside.
    pub(super) fn hold(&self, world: &World) -> bool {
        world.witness.grants.len() <= usize::from(self.tokens)
            && world.messages.len() <= usize::from(self.messages)
            && self.until_ms.is_none_or(|until| world.now <= until)
    }
}

/// Whether an accident only ends another one.
pub(super) const fn is_repair(accident: Accident) -> bool {
    matches!(
        accident,
        Accident::Resume(_)
            | Accident::Heal { .. }
            | Accident::Unstall(_)
            | Accident::Slow { by_ms: 0, .. }
    )
}

//! The way to a state, from what was kept of it.

use super::super::clock::Millis;
use super::super::event::{Event, What};
use super::super::message::MessageId;
use super::super::world::World;
use super::{SEED, Search, dead, next};

/// How a state was reached: from which one, and by which of its next events.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link(u64);

const CHOICE_BITS: u32 = 12;

impl Link {
    /// The start was not reached from anywhere.
    pub(super) const START: Self = Self(u64::MAX);

    pub(super) const fn new(from: usize, choice: usize) -> Self {
        Self((from as u64) << CHOICE_BITS | choice as u64)
    }

    const fn parts(self) -> Option<(usize, usize)> {
        if self.0 == Self::START.0 {
            return None;
        }
        let choice = self.0 & ((1 << CHOICE_BITS) - 1);
        Some(((self.0 >> CHOICE_BITS) as usize, choice as usize))
    }
}

impl Search {
    /// The events that lead to a state.
    pub(super) fn trace(&self, mut number: usize) -> Vec<Event> {
        let mut indices = Vec::new();
        while let Some((from, choice)) = self.links.get(number).and_then(|link| link.parts()) {
            indices.push(choice);
            number = from;
        }
        indices.reverse();
        let mut world = self.start.clone();
        let (mut trace, mut faults) = (Vec::new(), 0_u8);
        let mut late = Vec::new();
        let (mut choices, mut told) = (Vec::new(), Vec::new());
        for index in indices {
            let left = self.bounds.faults.saturating_sub(faults);
            next::list(&self.scenario, &world, &self.bounds, left, &mut choices);
            let Some(choice) = choices.get(index) else {
                break;
            };
            faults = faults.saturating_add(u8::from(choice.is_fault));
            if let What::Delay { message, .. } = choice.event.what {
                late.push((trace.len(), message, due(&world, message)));
            }
            trace.push(choice.event);
            world.step(&self.scenario, SEED, &choice.event, &mut told);
            dead::forget(&mut world, |index| self.keys.revives(index));
            told.clear();
        }
        self.date(&mut trace, &late, world.now);
        trace
    }

    /// Says of each late message by how much it was late.
    fn date(&self, trace: &mut [Event], late: &[(usize, MessageId, Millis)], end: Millis) {
        for (at, id, due) in late {
            let comes = trace.iter().skip(*at).find(|event| {
                matches!(event.what, What::Deliver(it) | What::Lose(it) | What::Duplicate(it) if it == *id)
            });
            let comes = comes.map_or(end.saturating_add(self.scenario.net.delay_ms), |it| it.at);
            if let Some(event) = trace.get_mut(*at) {
                event.what = What::Delay {
                    message: *id,
                    by_ms: comes.saturating_sub(*due),
                };
            }
        }
    }
}

fn due(world: &World, id: MessageId) -> Millis {
    let mut messages = world.messages.iter();
    messages
        .find(|message| message.id == id)
        .map_or(0, |message| message.due)
}

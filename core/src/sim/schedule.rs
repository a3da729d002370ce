//! What comes next if nobody interferes: the earliest of the planned accidents, the timers and
//! the messages. It only proposes; the log holds what was taken.

use super::clock::Millis;
use super::event::{Event, What};
use super::holder;
use super::message::Fate;
use super::scenario::Scenario;
use super::who::Who;
use super::world::{Life, World};

/// The event that is due next; `None`: the story is over.
#[must_use]
pub fn next(scenario: &Scenario, world: &World) -> Option<Event> {
    let planned = scenario.accidents.get(usize::from(world.begun));
    let mut next = planned.map(|planned| (planned.at_ms, What::Accident(planned.accident)));
    // Of those that are due together the first one here comes first.
    let mut comes = |due: (Millis, What)| {
        if next.is_none_or(|first| due.0 < first.0) {
            next = Some(due);
        }
    };
    for due in timers(scenario, world) {
        comes(due);
    }
    for due in messages(world) {
        comes(due);
    }
    let (at, what) = next?;
    let at = at.max(world.now);
    (at <= scenario.ends_ms).then_some(Event { at, what })
}

/// Every timer that can go off, and when.
pub fn timers<'w>(
    scenario: &'w Scenario,
    world: &'w World,
) -> impl Iterator<Item = (Millis, What)> + 'w {
    let holders = (0_u8..).zip(&world.holders).filter_map(|(index, holder)| {
        let at = holder::due(scenario, index, holder)?.0;
        Some((at, What::Timer(Who::Holder(index))))
    });
    let issuer = world.issuer_due().map(|at| (at, What::Timer(Who::Issuer)));
    holders.chain(issuer)
}

/// Every message that somebody can take, when, and what the network has in mind.
pub fn messages(world: &World) -> impl Iterator<Item = (Millis, What)> + '_ {
    world.messages.iter().filter_map(|message| {
        if world.life(message.to) == Some(Life::Paused) {
            // It waits in the socket.
            return None;
        }
        let cut = world.is_cut(message.from, message.to);
        let what = match message.fate {
            _ if cut => What::Lose(message.id),
            Fate::Arrives => What::Deliver(message.id),
            Fate::IsLost => What::Lose(message.id),
            Fate::ComesTwice => What::Duplicate(message.id),
        };
        Some((message.due, what))
    })
}

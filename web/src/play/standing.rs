//! How a law stands at a step, and where that began.

use super::track::Track;
use fencegate_core::sim::laws::Law;

/// How a law stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It holds, and always did.
    Holds,
    /// It is broken since this step.
    Broken(usize),
    /// It holds, and was broken at this step.
    Again(usize),
}

impl Standing {
    /// How a law stands at a step of a track.
    #[must_use]
    pub fn of(track: &Track, step: usize, law: Law) -> Self {
        let breaks = |at: &usize| {
            let event = track.led_to(*at);
            event.is_some_and(|event| event.broken.contains(&law))
        };
        match (1..=step).rev().find(breaks) {
            None => Self::Holds,
            Some(at) if law.judge(&track.scenario, track.world(step)).is_ok() => Self::Again(at),
            Some(at) => Self::Broken(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::subject::Subject;
    use crate::state::State;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_belief_that_ended_is_broken_no_more_and_what_landed_stays_broken() {
        let state = State::opening();
        assert_eq!(
            *state.track().scenario.name,
            Subject::opening().scenario().name
        );
        let track = state.track();
        let key = track.key();
        assert_eq!(Standing::of(track, 1, Law::NoLostUpdate), Standing::Holds);
        let broken = Standing::Broken(key);
        assert_eq!(Standing::of(track, key, Law::NoLostUpdate), broken);
        assert_eq!(Standing::of(track, track.last(), Law::NoLostUpdate), broken);
        let believed = track.broken_at(Law::HolderStopsInTime).expect("it is");
        let since = Standing::Broken(believed);
        assert_eq!(Standing::of(track, key, Law::HolderStopsInTime), since);
        let again = Standing::Again(believed);
        assert_eq!(
            Standing::of(track, track.last(), Law::HolderStopsInTime),
            again
        );
    }
}

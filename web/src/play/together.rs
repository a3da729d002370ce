//! The steps of up to four tracks in one order, so that they are scrubbed together.

use super::track::Track;
use fencegate_core::sim::clock::Millis;

/// One order of the steps of several tracks, by true time. Place 0 is the beginning of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Together {
    /// The track and the time of each event, in order.
    steps: Vec<(Millis, usize)>,
}

impl Together {
    /// The order of these tracks.
    #[must_use]
    pub fn of(tracks: &[&Track]) -> Self {
        let mut steps: Vec<(Millis, usize)> = Vec::new();
        for (index, track) in tracks.iter().enumerate() {
            // Within a track times never fall, so each of its steps goes behind the one before.
            let mut at = 0;
            for step in 1..=track.last() {
                let time = track.time(step);
                while steps.get(at).is_some_and(|(other, _)| *other <= time) {
                    at += 1;
                }
                steps.insert(at, (time, index));
                at += 1;
            }
        }
        Self { steps }
    }

    /// The last place.
    #[must_use]
    pub const fn last(&self) -> usize {
        self.steps.len()
    }

    /// The true time of each place after the beginning.
    pub fn times(&self) -> impl Iterator<Item = Millis> + '_ {
        self.steps.iter().map(|(at, _)| *at)
    }

    /// The true time of a place.
    #[must_use]
    pub fn time(&self, place: usize) -> Millis {
        let before = place.min(self.last()).checked_sub(1);
        before.map_or(0, |before| self.steps[before].0)
    }

    /// Which step of a track a place is.
    #[must_use]
    pub fn step(&self, place: usize, track: usize) -> usize {
        let until = &self.steps[..place.min(self.last())];
        until.iter().filter(|(_, index)| *index == track).count()
    }

    /// The places of the steps of a track, but for its beginning.
    #[must_use]
    pub fn places(&self, track: usize) -> Vec<usize> {
        let mut places = Vec::new();
        for (before, (_, index)) in self.steps.iter().enumerate() {
            if *index == track {
                places.push(before + 1);
            }
        }
        places
    }

    /// The place at which a track comes to a step; the last one for those behind it.
    #[must_use]
    pub fn place(&self, track: usize, step: usize) -> usize {
        let Some(before) = step.checked_sub(1) else {
            return 0;
        };
        let places = self.places(track);
        places.get(before).copied().unwrap_or(self.last())
    }

    /// The last place at or before a true time.
    #[must_use]
    pub fn at(&self, time: Millis) -> usize {
        self.steps.partition_point(|(at, _)| *at <= time)
    }
}

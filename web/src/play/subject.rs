//! What is played: a variant of a story, and what the visitor changed about it.

use super::guard::Guard;
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::stories::{self, Parameters, Story};

/// The seed of every story: the network of the stories rolls no dice unless it is told to.
pub const SEED: u64 = 1;

/// A variant of a story, its parameters and its guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The story, counted from 0.
    pub story: usize,
    /// The variant, counted from 0: the broken ones come first.
    pub variant: usize,
    /// The lease, the pause, the drift and the delay.
    pub parameters: Parameters,
    /// What the visitor changed about the mechanism.
    pub guard: Guard,
}

impl Subject {
    /// A variant as it is told.
    #[must_use]
    pub fn told(story: usize, variant: usize) -> Self {
        Self {
            story,
            variant,
            parameters: story_at(story).parameters,
            guard: Guard::default(),
        }
    }

    /// The variant with this name, as it is told; `None`: there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        (0..stories::ALL.len()).find_map(|story| {
            let variants = story_at(story).variants();
            let variant = variants.iter().position(|variant| variant.name == name)?;
            Some(Self::told(story, variant))
        })
    }

    /// What the page opens on: A wakes up after 35 s and overwrites B's report.
    #[must_use]
    pub fn opening() -> Self {
        Self::named("redis.lock-only").unwrap_or_else(|| Self::told(0, 0))
    }

    /// Its story.
    #[must_use]
    pub fn story(&self) -> &'static Story {
        story_at(self.story)
    }

    /// The variants of its story, with its parameters and without its guard.
    #[must_use]
    pub fn variants(&self) -> Vec<Scenario> {
        self.story().build(&self.parameters)
    }

    /// The scenario that is played.
    #[must_use]
    pub fn scenario(&self) -> Scenario {
        let mut variants = self.variants();
        let variant = self.variant.min(variants.len().saturating_sub(1));
        self.guard.over(variants.swap_remove(variant))
    }

    /// Whether it is told as the story tells it.
    #[must_use]
    pub fn is_as_told(&self) -> bool {
        *self == Self::told(self.story, self.variant)
    }
}

fn story_at(index: usize) -> &'static Story {
    stories::ALL.get(index).unwrap_or(&stories::ALL[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_variant_is_found_by_its_name() {
        for story in &stories::ALL {
            for variant in story.variants() {
                let subject = Subject::named(&variant.name).expect("it has one");
                assert_eq!(subject.scenario(), variant);
                assert!(subject.is_as_told());
            }
        }
        assert_eq!(Subject::named("redis.no-such"), None);
    }
}

//! The stories: each a small file of data, in its broken and its mended variants.

mod cast;

mod s01_leaders;
mod s02_redis;
mod s03_fenced;
mod s04_refused;

use super::clock::Millis;
use super::scenario::Scenario;

/// What a visitor may change about a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// How long a lease runs.
    pub lease_ms: Millis,
    /// How long the pause, the stall or the cut lasts.
    pub pause_ms: Millis,
    /// By how many millionths a clock is too fast or too slow, where the story is about that.
    pub drift_ppm: i32,
    /// How long a message takes.
    pub delay_ms: Millis,
}

/// A story.
#[derive(Clone, Copy, Debug)]
pub struct Story {
    /// Its number.
    pub number: u8,
    /// Its short name.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What it teaches, in a sentence or two.
    pub lesson: &'static str,
    /// What it is told with.
    pub parameters: Parameters,
    /// Its variants: the broken ones first.
    pub build: fn(&Parameters) -> Vec<Scenario>,
}

impl Story {
    /// Its variants, with the parameters that it is told with.
    #[must_use]
    pub fn variants(&self) -> Vec<Scenario> {
        (self.build)(&self.parameters)
    }
}

/// Every story, in order.
pub const ALL: [Story; 4] = [
    s01_leaders::STORY,
    s02_redis::STORY,
    s03_fenced::STORY,
    s04_refused::STORY,
];

/// The story with this short name, or with a variant of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Story> {
    ALL.iter().find(|story| {
        story.name == name || story.variants().iter().any(|variant| variant.name == name)
    })
}

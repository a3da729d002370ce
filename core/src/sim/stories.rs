//! The stories: each a small file of data, in its broken and its mended variants.

mod cast;
mod variant;

mod s01_leaders;
mod s02_redis;
mod s03_fenced;
mod s04_refused;
mod s05_clocks;
mod s06_picked;
mod s07_gc;
mod s08_partition;
mod s09_store_down;
mod s10_fence_later;
mod s11_disk;
mod s12_straggler;
mod s13_kafka;
mod s14_versions;
mod s15_kubernetes;
mod s16_volume;
mod s17_stonith;
mod s18_restored;
mod s19_window;

use super::clock::Millis;
use super::scenario::Scenario;
pub use variant::Variant;

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
    /// Its variants as they are written down: the broken ones first.
    pub variants: &'static [Variant],
}

impl Story {
    /// Its variants, with these parameters.
    #[must_use]
    pub fn build(&self, parameters: &Parameters) -> Vec<Scenario> {
        let variants = self.variants.iter();
        variants.map(|it| it.scenario(parameters)).collect()
    }

    /// Its variants, with the parameters that it is told with.
    #[must_use]
    pub fn variants(&self) -> Vec<Scenario> {
        self.build(&self.parameters)
    }
}

/// Every story, in order.
pub const ALL: [Story; 19] = [
    s01_leaders::STORY,
    s02_redis::STORY,
    s03_fenced::STORY,
    s04_refused::STORY,
    s05_clocks::STORY,
    s06_picked::STORY,
    s07_gc::STORY,
    s08_partition::STORY,
    s09_store_down::STORY,
    s10_fence_later::STORY,
    s11_disk::STORY,
    s12_straggler::STORY,
    s13_kafka::STORY,
    s14_versions::STORY,
    s15_kubernetes::STORY,
    s16_volume::STORY,
    s17_stonith::STORY,
    s18_restored::STORY,
    s19_window::STORY,
];

/// The story with this short name, or with a variant of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Story> {
    ALL.iter().find(|story| {
        story.name == name || story.variants.iter().any(|variant| variant.name == name)
    })
}

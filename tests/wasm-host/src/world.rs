//! What the instances share: the proxy's shared data, clocks, counters, and whoever watches.

use crate::checker::Checker;
use crate::day::{Setting, Step};
use crate::shared::Shared;
use crate::ticket::TicketId;
use std::collections::{BTreeMap, VecDeque};

/// The monotonic clock at the start of a day, in ns.
const MONOTONIC: u64 = 1_000_000_000_000;
/// The wall clock at the start of a day, in ns: somewhere in 2026, and within a second.
const WALL: u64 = 1_796_000_000_400_000_000;
/// How many log lines are kept for the story of a breach.
const LINES_MAX: usize = 12;

/// What the instances share.
#[derive(Debug)]
pub struct World {
    /// Shared data.
    pub shared: Shared,
    /// The monotonic clock, in ns.
    pub monotonic: u64,
    /// The wall clock, in ns.
    pub wall: u64,
    /// Where random numbers come from.
    pub random: fastrand::Rng,
    /// Counters: their names in the order of their ids.
    pub counters: Vec<String>,
    /// The last lines of the log.
    pub log: VecDeque<String>,
    /// Whose contexts are whose requests, by worker.
    pub contexts: BTreeMap<(usize, u32), TicketId>,
    /// What is still to happen.
    pub steps: VecDeque<Step>,
    /// Whoever watches.
    pub checker: Checker,
}

impl World {
    /// The world at the start of a day.
    #[must_use]
    pub fn new(setting: &Setting, steps: &[Step]) -> Self {
        Self {
            shared: Shared::new(setting.dialect),
            monotonic: MONOTONIC,
            wall: WALL,
            random: fastrand::Rng::with_seed(setting.random),
            counters: Vec::new(),
            log: VecDeque::new(),
            contexts: BTreeMap::new(),
            steps: steps.to_vec().into(),
            checker: Checker::new(setting.external),
        }
    }

    /// Time passes.
    pub fn pass(&mut self, ms: u32) {
        let nanos = u64::from(ms) * 1_000_000;
        self.monotonic = self.monotonic.saturating_add(nanos);
        self.wall = self.wall.saturating_add(nanos);
    }

    /// Writes a line to the log.
    pub fn line(&mut self, line: String) {
        if self.log.len() == LINES_MAX {
            self.log.pop_front();
        }
        self.log.push_back(line);
    }
}

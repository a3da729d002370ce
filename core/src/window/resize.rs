//! Changing the window while proxies run: `trust <= wait` at every moment.
//!
//! ```text
//!   shrink:   lower trust --> sit out the old wait --> lower wait
//!   enlarge:  raise wait  --> raise trust
//! ```
//!
//! Each change is put under the revision of what was read. It can be given up and begun again at
//! any point.

use super::clock::RateError;
use super::knowledge::Init;
use crate::machine::NotStored;
use crate::moment::Moment;
use core::time::Duration;

/// How long to trust and to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// How long knowledge may be trusted.
    pub trust: Duration,
    /// How long a new mark must be waited for.
    pub wait: Duration,
}

/// What the driver must do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum ResizeStep {
    /// Put this in place of the init of that revision, and go on with [`Resize::stored`].
    Put(Resize, Span, u64),
    /// Wait until then by the monotonic clock, and go on with [`Resize::woken`].
    SitOut(Resize, Moment),
    /// Read init, and go on with [`Resize::read`].
    Read(Resize),
    /// The window is what it should be.
    Done,
}

/// An operator's change of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Resize {
    target: Duration,
    rate: RateErrorPpm,
    stage: Stage,
}

type RateErrorPpm = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Reading,
    Putting,
    /// Trust is low enough since this revision; until then somebody may trust longer.
    SittingOut {
        revision: u64,
        until: Moment,
    },
    Lowering,
}

impl Resize {
    /// A change to a window of `target`.
    #[must_use]
    pub const fn new(target: Duration, rate: RateError) -> Self {
        Self {
            target,
            rate: rate.ppm,
            stage: Stage::Reading,
        }
    }

    const fn at(self, stage: Stage) -> Self {
        Self { stage, ..self }
    }

    /// Takes init as read just before `now`.
    pub fn read(self, init: &Init, now: Moment) -> ResizeStep {
        let Self { target, .. } = self;
        let put = |trust, wait| {
            let span = Span { trust, wait };
            ResizeStep::Put(self.at(Stage::Putting), span, init.revision)
        };
        if init.trust > target {
            put(target, init.wait)
        } else if init.wait < target {
            put(init.trust, target)
        } else if init.wait > target {
            let rate = RateError { ppm: self.rate };
            let until = now.after(rate.outlast(init.wait));
            let revision = init.revision;
            ResizeStep::SitOut(self.at(Stage::SittingOut { revision, until }), until)
        } else if init.trust < target {
            put(target, target)
        } else {
            ResizeStep::Done
        }
    }

    /// Looks at the clock.
    pub fn woken(self, now: Moment) -> ResizeStep {
        match self.stage {
            Stage::SittingOut { until, .. } if now < until => ResizeStep::SitOut(self, until),
            Stage::SittingOut { revision, .. } => {
                let span = Span {
                    trust: self.target,
                    wait: self.target,
                };
                ResizeStep::Put(self.at(Stage::Lowering), span, revision)
            }
            _ => ResizeStep::Read(self.at(Stage::Reading)),
        }
    }

    /// Takes the answer to a put. Whatever it is, what is there now must be read.
    pub const fn stored(self, _: Result<(), NotStored>) -> ResizeStep {
        ResizeStep::Read(self.at(Stage::Reading))
    }
}

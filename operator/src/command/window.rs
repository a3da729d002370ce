//! `window`: changes the window while proxies run.
//!
//! What to put when is the core's affair ([`Resize`]): knowledge is never trusted for longer than a
//! new mark is waited for, at no moment of the change. It can be given up and begun again.

use std::error::Error;
use std::thread;
use std::time::{Duration, Instant};

use fencegate_core::moment::Moment;
use fencegate_core::quorum::Init;
use fencegate_core::window::{RateError, Resize, ResizeStep};

use super::millis;
use crate::gateway::Gateway;
use crate::init::{Found, Prefix};

/// Changes the window to `target`, telling each step.
pub(crate) fn run(
    gateway: &Gateway,
    prefix: &Prefix,
    target: Duration,
    mut tell: impl FnMut(String),
) -> Result<String, Box<dyn Error>> {
    let clock = Clock(Instant::now());
    let mut found = prefix.read(gateway)?.0;
    let mut step = Resize::new(target, RateError::ASSUMED).read(&window(&found), clock.now());
    loop {
        step = match step {
            ResizeStep::Put(resize, span, revision) => {
                tell(format!(
                    "trust for {}, wait for {}",
                    millis(span.trust),
                    millis(span.wait)
                ));
                let (trust, wait) = (span.trust, span.wait);
                let init = Init {
                    trust,
                    wait,
                    ..found.init
                };
                // Whether it was stored or somebody was faster: what is there now is read next.
                gateway.replace(&prefix.init(), &init.encode(), revision)?;
                ResizeStep::Read(resize)
            }
            ResizeStep::SitOut(resize, until) => {
                let left = until.since(clock.now());
                tell(format!(
                    "waiting for {}, until nobody trusts longer",
                    millis(left)
                ));
                thread::sleep(left);
                resize.woken(clock.now())
            }
            ResizeStep::Read(resize) => {
                found = prefix.read(gateway)?.0;
                resize.read(&window(&found), clock.now())
            }
            ResizeStep::Done => {
                return Ok(format!("the window is {}", millis(target)));
            }
        }
    }
}

fn window(found: &Found) -> fencegate_core::window::Init {
    found.init.window(found.revision)
}

/// This process's monotonic clock.
struct Clock(Instant);

impl Clock {
    fn now(&self) -> Moment {
        Moment::default().after(self.0.elapsed())
    }
}

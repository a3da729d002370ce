//! The end of a day: once everything is over, leases can be had and writes are admitted again, and
//! nothing was left behind.

use crate::ask::{Ask, Pick, Sent, Who};
use crate::breach;
use crate::day::{Callback, Step};
use crate::run::Run;
use std::rc::Rc;

/// More memory than a filter needs.
const MEMORY_MAX: usize = 4 << 20;
/// A resource that no day uses before its end.
const FRESH: u8 = 250;

/// Ends a day.
pub(crate) fn end(run: &Rc<Run>, memory: &[usize]) {
    if run.is_over() {
        return;
    }
    run.restart();
    run.world
        .borrow_mut()
        .pass(2_000 + run.setting.lock_delay_ms);
    let before = counts(run);
    let write = |who, pick| Ask::Guarded {
        resource: FRESH,
        who,
        token: Sent::One(pick),
        method: 2,
    };
    if run.setting.external {
        run.one(write(Who::Other(1), Pick::Above(7)));
    } else {
        run.one(Ask::Acquire {
            resource: FRESH,
            holder: 1,
            ttl_ms: 5_000,
            request_id: None,
            expect: false,
            wait_ms: 0,
        });
        run.one(write(Who::Owner, Pick::Newest));
    }
    let after = counts(run);
    let granted = run.setting.external || after.0 > before.0;
    let works = granted && after.1 > before.1;
    if !works && !run.is_over() {
        let story =
            format!("after all was over: (granted, admitted) were {before:?}, are {after:?}");
        run.world
            .borrow_mut()
            .checker
            .broken(breach::SOMEONE_CAN_ACQUIRE, story);
    }
    nothing_leaks(run, memory);
}

fn counts(run: &Rc<Run>) -> (u64, u64) {
    let world = run.world.borrow();
    (
        world.checker.figures.granted,
        world.checker.figures.admitted,
    )
}

fn nothing_leaks(run: &Rc<Run>, memory: &[usize]) {
    let largest = memory.iter().copied().max().unwrap_or_default();
    let mut world = run.world.borrow_mut();
    let values = world.shared.len();
    // Layout, start, generation, and one value for each 16 resources.
    let expected = 3 + run.setting.resources.div_ceil(16) as usize;
    if values > expected {
        world.checker.broken(
            breach::NOTHING_LEAKS,
            format!("{values} shared values, not {expected}"),
        );
    }
    if largest > MEMORY_MAX {
        world.checker.broken(
            breach::NOTHING_LEAKS,
            format!("an instance has {largest} bytes"),
        );
    }
}

impl Run {
    /// A request without faults, on the first worker.
    fn one(self: &Rc<Self>, ask: Ask) {
        let script = vec![
            Callback::Create,
            Callback::Headers(false),
            Callback::Body(100, true),
            Callback::Delete,
        ];
        let step = Step::Request {
            worker: 0,
            ask,
            script,
            faults: Vec::new(),
        };
        self.world.borrow_mut().steps.push_front(step);
        self.turn(1);
    }
}

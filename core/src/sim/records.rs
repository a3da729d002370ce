//! Runs the core's operations on the records of a world: on the record alone, or together with the
//! writes under way where they are counted.

use super::keeper::Desk;
use super::stage::Stage;
use super::who::Who;
use crate::drain::{Plain, Put};
use crate::drive::drive;
use crate::machine::{Change, Operation};
use crate::moment::Moment;
use crate::verdict::Fault;

/// How many conflicts are judged again; here nobody comes between.
const CONFLICTS_MAX: u8 = 3;

impl Stage<'_> {
    /// Runs an operation on the record that is kept there.
    pub(super) fn run<O: Operation<Change = Change>>(
        &mut self,
        at: Who,
        now: Moment,
        operation: O,
    ) -> O::Outcome {
        self.beside(at, now, Plain(operation))
    }

    /// Runs an operation on the record that is kept there and the writes under way.
    pub(super) fn beside<O: Operation<Change = Put>>(
        &mut self,
        at: Who,
        now: Moment,
        operation: O,
    ) -> O::Outcome {
        match self.desk(at, now) {
            Some(mut desk) => drive(&mut desk, operation, CONFLICTS_MAX),
            None => Fault::Unreachable.into(),
        }
    }

    fn desk(&mut self, at: Who, now: Moment) -> Option<Desk<'_>> {
        let counts = self.scenario.mechanism.drain_at(at).is_some();
        let (keeper, numbers) = match at {
            Who::Issuer => {
                let issuer = &mut self.world.issuer;
                (&mut issuer.keeper, Some(&mut issuer.numbers))
            }
            Who::Store => (&mut self.world.store.keeper, None),
            Who::Proxy(index) => (&mut self.proxy(index)?.keeper, None),
            Who::Holder(_) => return None,
        };
        Some(Desk {
            now,
            keeper,
            numbers,
            counts,
        })
    }
}

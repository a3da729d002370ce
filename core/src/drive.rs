//! The synchronous driver: runs a machine to its end over an authority that answers at once.

mod kept;

use crate::machine::{Load, NotStored, Operation, Replaces, Step};
use crate::moment::Moment;
use crate::token::Token;
use crate::verdict::Fault;
use kept::{Asked, Ended, Kept};

/// An authority that answers at once, about one resource.
pub trait Authority {
    /// What it stores, and so what it reads.
    type Change: Replaces;
    /// What a conditional write is conditional on.
    type Version;

    /// The time, on the clock that leases are measured with.
    fn now(&self) -> Moment;

    /// Reads what is kept, and the version of all of it.
    ///
    /// # Errors
    /// Any reason for which it cannot be told what that is, or that there is none.
    fn load(&mut self) -> Result<SeenAt<'_, Self>, Fault>;

    /// Draws a token above every token drawn before.
    ///
    /// # Errors
    /// Any reason for which none can be drawn now.
    fn draw(&mut self) -> Result<Token, Fault>;

    /// Stores `change` if `version` is still the stored one.
    ///
    /// # Errors
    /// A conflict, or a fault.
    fn store(&mut self, change: &Self::Change, version: &Self::Version) -> Result<(), NotStored>;
}

/// What an authority reads: what it keeps, and its version.
pub type SeenAt<'a, A> = (
    <<A as Authority>::Change as Replaces>::Seen<'a>,
    <A as Authority>::Version,
);

/// Runs `operation` to its outcome. At most `conflicts_max` conflicts are judged again, so the
/// loop is bounded.
pub fn drive<A: Authority, O: Operation<Change = A::Change>>(
    authority: &mut A,
    operation: O,
    conflicts_max: u8,
) -> O::Outcome {
    let kept = Kept::new(operation);
    match run(authority, &kept, conflicts_max) {
        Ended::AsDecided => kept.outcome(),
        Ended::Fault(fault) => fault.into(),
    }
}

/// The loop, compiled once for each authority and not for each operation.
fn run<A: Authority>(authority: &mut A, asked: &dyn Asked<A::Change>, conflicts_max: u8) -> Ended {
    let mut step = Step::Load(Load::new(asked, conflicts_max));
    loop {
        step = match step {
            Step::Load(state) => {
                let now = authority.now();
                state.loaded(authority.load(), now)
            }
            Step::Draw(state) => {
                let token = authority.draw();
                state.drawn(token, authority.now())
            }
            Step::Store(state) => {
                let (change, version) = state.change();
                let answer = authority.store(change, version);
                state.stored(answer)
            }
            Step::Done(ended) => return ended,
        }
    }
}

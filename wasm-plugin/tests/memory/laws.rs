//! The laws on what workers were told: sentences about pairs of operations, of which the first
//! was over before the second made its first call.

use crate::operations::{Done, Op, Worker};
use crate::support::turns::Turn;
use fencegate_core::token::Token;
use std::collections::BTreeMap;
use std::rc::Rc;

/// One operation and its outcome, between two steps of the run.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    pub began: usize,
    pub ended: usize,
    pub generation: u32,
    pub resource: &'static str,
    pub op: Op,
    pub done: Done,
}

/// Does these operations one after another, taking turns with other workers before each call.
pub fn trace(
    worker: &Worker,
    turn: Turn,
    ops: impl IntoIterator<Item = (&'static str, Op)>,
) -> Vec<Event> {
    let turn = Rc::new(turn);
    worker.take_turns(Rc::clone(&turn));
    let event = |(resource, op)| step(worker, &turn, resource, op);
    ops.into_iter().map(event).collect()
}

/// One operation of a worker that takes turns.
pub fn step(worker: &Worker, turn: &Turn, resource: &'static str, op: Op) -> Event {
    let done = worker.run(resource, op);
    Event {
        began: worker.began(),
        ended: turn.steps(),
        generation: worker.generation,
        resource,
        op,
        done,
    }
}

/// The first law that a run breaks.
///
/// # Errors
/// The law's name, and the two operations that show it.
pub fn hold(events: &[Event]) -> Result<(), String> {
    for first in events {
        for second in events {
            if first.resource == second.resource {
                pair(first, second)?;
            }
        }
    }
    Ok(())
}

fn pair(first: &Event, second: &Event) -> Result<(), String> {
    let broken = |law: &str| Err(format!("{law}: {first:?} and then {second:?}"));
    let same = core::ptr::eq(first, second);
    if let (Some(one), Some(other)) = (granted(first), granted(second))
        && one == other
        && !same
    {
        return broken("tokens_only_rise");
    }
    if let (Op::Raise(one, token), Op::Raise(other, same_token)) = (first.op, second.op)
        && let (Done::Admitted(_), Done::Admitted(_)) = (first.done, second.done)
        && token == same_token
        && one != other
    {
        return broken("equal_token_one_holder");
    }
    if first.ended >= second.began {
        return Ok(());
    }
    let Some(mark) = first.done.mark() else {
        return Ok(());
    };
    if granted(second).is_some_and(|token| token <= mark) {
        return broken("tokens_only_rise");
    }
    let admitted = matches!(second.done, Done::Admitted(_));
    match second.op {
        Op::Write(_, token) | Op::Raise(_, token) if admitted && token < mark => {
            broken("stale_never_admitted")
        }
        _ => Ok(()),
    }
}

fn granted(event: &Event) -> Option<Token> {
    match event.done {
        Done::Granted {
            token,
            resumed: false,
        } => Some(token),
        _ => None,
    }
}

/// Looks at all marks between the steps of a run.
pub struct Watch {
    worker: Worker,
    marks: BTreeMap<String, Token>,
    fell: Option<String>,
}

impl Watch {
    pub fn new(worker: Worker) -> Self {
        Self {
            worker,
            marks: BTreeMap::new(),
            fell: None,
        }
    }

    pub fn look(&mut self) {
        let now = self.worker.marks();
        for (resource, mark) in &self.marks {
            if now.get(resource).is_none_or(|now| now < mark) {
                let after = now.get(resource);
                self.fell = Some(format!("mark_never_falls: {resource} {mark} {after:?}"));
            }
        }
        self.marks = now;
    }

    /// Whether no mark ever fell.
    ///
    /// # Errors
    /// The one that did.
    pub fn held(self) -> Result<(), String> {
        self.fell.map_or(Ok(()), Err)
    }
}

//! What stands behind one instance while it runs: whose call it is, and what goes wrong in it.

use crate::abi;
use crate::day::{CallFault, Fault};
use crate::run::Run;
use crate::ticket::TicketId;
use core::fmt;
use std::rc::{Rc, Weak};
use wasmtime::{Caller, Memory, StoreLimits, TypedFunc};

/// More host calls than any callback makes.
const CALLS_MAX: u32 = 200_000;

/// What stands behind one instance.
pub struct Guest {
    /// The day that it lives in.
    pub run: Weak<Run>,
    /// Its worker.
    pub worker: usize,
    /// Its memory, and how to ask it for some.
    pub exports: Option<(Memory, TypedFunc<u32, u32>)>,
    /// The context that host calls refer to.
    pub context: u32,
    /// The configuration that it would get.
    pub configuration: Vec<u8>,
    /// What will go wrong in this step.
    pub faults: Vec<CallFault>,
    /// How many host calls were made in this step.
    pub calls: u32,
    /// How much memory it may have.
    pub limits: StoreLimits,
}

impl fmt::Debug for Guest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guest")
            .field("worker", &self.worker)
            .finish_non_exhaustive()
    }
}

/// Why a guest was ended in the middle of a host call: the proxy did it, not the guest.
#[derive(Debug)]
pub struct Died;

impl fmt::Display for Died {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the instance died in a host call, as the day wants it")
    }
}

impl core::error::Error for Died {}

/// A guest that calls and calls.
#[derive(Debug)]
pub struct Endless;

impl fmt::Display for Endless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than {CALLS_MAX} host calls in one step")
    }
}

impl core::error::Error for Endless {}

/// A host call that has just begun.
pub struct Call {
    /// The day.
    pub run: Rc<Run>,
    /// The request that it is for.
    pub ticket: Option<TicketId>,
    /// What goes wrong with its answer.
    pub fault: Option<Fault>,
}

/// Begins a host call: time passes, others get on, faults strike.
///
/// # Errors
/// The instance dies here.
pub fn begin(caller: &mut Caller<'_, Guest>) -> wasmtime::Result<Call> {
    let guest = caller.data_mut();
    let at = guest.calls;
    guest.calls += 1;
    if at > CALLS_MAX {
        return Err(wasmtime::Error::new(Endless));
    }
    let run = guest
        .run
        .upgrade()
        .ok_or_else(|| wasmtime::Error::new(Died))?;
    run.world.borrow_mut().checker.figures.calls += 1;
    let mut fault = None;
    let struck: Vec<_> = guest
        .faults
        .iter()
        .filter(|each| u32::from(each.at) == at)
        .map(|each| each.fault)
        .collect();
    for each in struck {
        run.world.borrow_mut().checker.figures.faults += 1;
        match each {
            Fault::Turn(steps) => run.turn(steps),
            Fault::Wait(ms) => run.world.borrow_mut().pass(ms),
            Fault::Die => return Err(wasmtime::Error::new(Died)),
            Fault::Refuse(_) | Fault::Deny(_) | Fault::Nothing | Fault::Cut(_) | Fault::Flip(_) => {
                fault = Some(each);
            }
        }
    }
    let guest = caller.data();
    let ticket = run
        .world
        .borrow()
        .contexts
        .get(&(guest.worker, guest.context))
        .copied();
    Ok(Call { run, ticket, fault })
}

impl Call {
    /// The status of a call that is not even tried.
    #[must_use]
    pub const fn refused(&self) -> Option<u32> {
        match self.fault {
            Some(Fault::Refuse(status)) => Some(status),
            _ => None,
        }
    }

    /// What a call that was done says of itself.
    #[must_use]
    pub const fn says(&self, status: u32) -> u32 {
        match self.fault {
            Some(Fault::Deny(says)) => says,
            _ => status,
        }
    }

    /// What a call that gives data makes of them; the status, and the data where there are any.
    #[must_use]
    pub fn spoil(&self, mut bytes: Vec<u8>) -> (u32, Option<Vec<u8>>) {
        match self.fault {
            None => (abi::OK, Some(bytes)),
            Some(Fault::Refuse(status) | Fault::Deny(status)) => (status, None),
            Some(Fault::Cut(len)) if !bytes.is_empty() => {
                bytes.truncate(usize::from(len) % bytes.len());
                (abi::OK, Some(bytes))
            }
            Some(Fault::Flip(bit)) if !bytes.is_empty() => {
                crate::shared::flip(&mut bytes, bit);
                (abi::OK, Some(bytes))
            }
            Some(_) => (abi::OK, None),
        }
    }
}

/// Bytes of the guest's memory.
#[must_use]
pub fn read(caller: &mut Caller<'_, Guest>, at: u32, len: u32) -> Option<Vec<u8>> {
    let memory = caller.data().exports.as_ref()?.0;
    let (at, len) = (at as usize, len as usize);
    memory
        .data(&*caller)
        .get(at..at.checked_add(len)?)
        .map(<[u8]>::to_vec)
}

/// Writes into the guest's memory.
#[must_use]
pub fn write(caller: &mut Caller<'_, Guest>, at: u32, bytes: &[u8]) -> Option<()> {
    let memory = caller.data().exports.as_ref()?.0;
    memory.write(caller, at as usize, bytes).ok()
}

/// Gives data to the guest, in memory that it is asked for.
///
/// # Errors
/// The guest trapped.
pub fn give(
    caller: &mut Caller<'_, Guest>,
    bytes: &[u8],
    data: u32,
    len: u32,
) -> wasmtime::Result<u32> {
    let Some((_, allocate)) = caller.data().exports.clone() else {
        return Ok(abi::INTERNAL_FAILURE);
    };
    let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let at = if bytes.is_empty() {
        0
    } else {
        allocate.call(&mut *caller, size)?
    };
    if at == 0 && size != 0 {
        return Ok(abi::INTERNAL_FAILURE);
    }
    let written = write(caller, at, bytes)
        .and_then(|()| write(caller, data, &at.to_le_bytes()))
        .and_then(|()| write(caller, len, &size.to_le_bytes()));
    Ok(written.map_or(abi::BAD_ARGUMENT, |()| abi::OK))
}

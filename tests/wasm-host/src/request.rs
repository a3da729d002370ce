//! One request on its way through a worker: the callbacks that the proxy makes, and what it does
//! with their answers.

use crate::abi;
use crate::ask::Ask;
use crate::client::{Rules, compose};
use crate::day::Callback;
use crate::instance::Fall;
use crate::run::Run;
use crate::ticket::{Ticket, TicketId};
use crate::worker::{Held, Worker};
use std::rc::Rc;

/// A request comes.
pub(crate) fn begin(run: &Rc<Run>, worker: &mut Worker, ask: &Ask, script: &[Callback]) {
    let Some(root) = worker.serving() else { return };
    let rules = Rules {
        mapping: root.configured.map_or(0, |configured| configured.mapping),
        reads_fenced: run.setting.reads_fenced,
    };
    let context = worker.next_context();
    let ticket = {
        let mut world = run.world.borrow_mut();
        let sent = compose(ask, rules, &world.checker.known);
        let now = world.monotonic;
        let ticket = world.checker.open(Ticket::new(sent, root.configured, now));
        world.contexts.insert((worker.number, context), ticket);
        ticket
    };
    let held = Held {
        context,
        ticket,
        script: script.to_vec(),
    };
    go_on(run, worker, held, root.context);
}

/// A request that was held goes on.
pub(crate) fn resume(run: &Rc<Run>, worker: &mut Worker, pick: u8) {
    if worker.held.is_empty() {
        return;
    }
    let at = usize::from(pick) % worker.held.len();
    let held = worker.held.remove(at);
    go_on(run, worker, held, 0);
}

/// Everything that waits in a worker is dropped: their clients see a reset.
pub(crate) fn drop_all(run: &Rc<Run>, worker: &mut Worker) {
    worker.held.clear();
    let mut world = run.world.borrow_mut();
    let number = worker.number;
    let gone: Vec<_> = world
        .contexts
        .iter()
        .filter(|((of, _), _)| *of == number)
        .map(|(key, id)| (*key, *id))
        .collect();
    for (key, id) in gone {
        world.contexts.remove(&key);
        if let Some(ticket) = world.checker.ticket(id) {
            ticket.excused = true;
        }
        let now = world.monotonic;
        world.checker.close(id, now);
    }
}

fn go_on(run: &Rc<Run>, worker: &mut Worker, held: Held, root: u32) {
    let Held {
        context,
        ticket,
        script,
    } = held;
    let mut rest = script.into_iter();
    while let Some(callback) = rest.next() {
        if callback == Callback::Hold {
            worker.held.push(Held {
                context,
                ticket,
                script: rest.collect(),
            });
            return;
        }
        if let Err(fall) = call(run, worker, context, ticket, callback, root) {
            return run.fell(worker, &fall);
        }
        if run.is_over() {
            return;
        }
    }
    let mut world = run.world.borrow_mut();
    world.contexts.remove(&(worker.number, context));
    let now = world.monotonic;
    world.checker.close(ticket, now);
}

/// Makes one callback.
fn call(
    run: &Rc<Run>,
    worker: &mut Worker,
    context: u32,
    ticket: TicketId,
    callback: Callback,
    root: u32,
) -> Result<(), Fall> {
    let Some(instance) = &mut worker.instance else {
        return Ok(());
    };
    instance.guest().context = context;
    let headers = arrive(run, ticket, callback);
    let action = match callback {
        Callback::Create => return instance.create(context, root),
        Callback::Headers(last) => instance.headers(context, headers, last)?,
        Callback::Body(_, last) => {
            let size = body_len(run, ticket);
            instance.body(context, size, last)?
        }
        Callback::Trailers => instance.trailers(context)?,
        Callback::Answer => return instance.answer(context).map(drop),
        Callback::Delete => {
            excuse_if_open(run, ticket);
            return instance.delete(context);
        }
        Callback::Hold => return Ok(()),
    };
    let mut world = run.world.borrow_mut();
    let now = world.monotonic;
    if let Some(ticket) = world.checker.ticket(ticket) {
        // The filter looks at the clock some time in this call.
        ticket.arrived_at.get_or_insert(now);
    }
    if action == abi::CONTINUE || run.control.forwards_despite_pause {
        world.checker.goes_on(ticket);
    } else {
        world.checker.held(ticket);
    }
    Ok(())
}

/// A part of a request arrives; how many headers it has.
fn arrive(run: &Rc<Run>, id: TicketId, callback: Callback) -> u32 {
    let mut world = run.world.borrow_mut();
    world.checker.asking(id);
    let Some(ticket) = world.checker.ticket(id) else {
        return 0;
    };
    match callback {
        Callback::Headers(last) => {
            ticket.headers_came |= ticket.alive;
            ticket.end_came |= last && ticket.headers_came;
        }
        Callback::Body(percent, last) => {
            let len = ticket.sent.body.len() * usize::from(percent.min(100)) / 100;
            ticket.body_len = ticket.body_len.max(len);
            ticket.end_came |= last && ticket.headers_came;
        }
        Callback::Trailers => ticket.end_came |= ticket.headers_came,
        Callback::Create => ticket.alive = true,
        Callback::Delete => ticket.alive = false,
        Callback::Answer | Callback::Hold => {}
    }
    u32::try_from(ticket.sent.headers.len()).unwrap_or(u32::MAX)
}

fn body_len(run: &Rc<Run>, id: TicketId) -> u32 {
    let mut world = run.world.borrow_mut();
    let len = world.checker.ticket(id).map_or(0, |ticket| ticket.body_len);
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// A client that leaves before its answer gets none.
fn excuse_if_open(run: &Rc<Run>, id: TicketId) {
    let mut world = run.world.borrow_mut();
    if let Some(ticket) = world.checker.ticket(id) {
        ticket.excused |= !ticket.end_came;
    }
}

//! Messages that can change nothing any more: a search forgets them.

use super::super::event::Accident;
use super::super::message::{Message, Payload};
use super::super::who::Who;
use super::super::world::{Doing, Holder, Proxy, World};
use super::bounds::Bounds;

/// Whether a holder will not do anything by itself, nor for any answer.
pub(super) fn is_done(holder: &Holder) -> bool {
    matches!(holder.doing, Doing::Finished | Doing::Stopped)
        && holder.stuck.is_none()
        && holder.tenure.deadline().is_none()
}

/// Whether something that may happen begins a holder anew.
pub(super) fn revives(bounds: &Bounds, index: u8) -> bool {
    bounds.accidents.iter().any(|accident| match accident {
        Accident::Restart { who, with_memory } => *who == Who::Holder(index) && !with_memory,
        _ => false,
    })
}

/// Forgets the messages to holders that are done, and answers that nobody waits for.
pub(super) fn forget(world: &mut World, revives: impl Fn(u8) -> bool) {
    let World {
        messages,
        holders,
        proxies,
        ..
    } = world;
    messages.retain(|message| {
        let index = match message.to {
            Who::Holder(index) => index,
            Who::Proxy(index) => {
                let proxy = proxies.get(usize::from(index));
                return proxy.is_none_or(|proxy| !is_cut_off(message, proxy));
            }
            Who::Issuer | Who::Store => return true,
        };
        let holder = holders.get(usize::from(index));
        holder.is_none_or(|holder| !is_dead(message, holder, revives(index)))
    });
}

/// Whether it answers what a proxy sent on before it started anew.
fn is_cut_off(message: &Message, proxy: &Proxy) -> bool {
    matches!(message.payload, Payload::Answer { start, .. } if start != proxy.starts)
}

fn is_dead(message: &Message, holder: &Holder, revives: bool) -> bool {
    if is_done(holder) && !revives {
        return true;
    }
    match message.payload {
        Payload::Answer { seq, .. } => {
            let awaited = match &holder.doing {
                Doing::Writing(write, ..) | Doing::Flushing(write, _) => write.seq == seq,
                _ => false,
            };
            let sticks = holder.stuck.is_some_and(|write| write.seq == seq);
            !awaited && !sticks
        }
        _ => false,
    }
}

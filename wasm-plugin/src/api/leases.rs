//! The calls that only look: leases, one lease, ready.

use super::wish::{Deed, Wish};
use super::{Answer, Api, Reply, Said, call};
use crate::json::Object;
use crate::memory::Memory;
use crate::reply::{Kind, Problem};
use fencegate_core::moment::{Moment, millis_down, millis_up};
use fencegate_core::record::Record;
use fencegate_core::verdict::Fault;

/// How many buckets one page reads at most: a worker serves nothing else meanwhile, for some ten
/// milliseconds. They hold 130,000 resources.
const BUCKETS_MAX: u32 = 8192;

impl Api<'_> {
    pub(super) fn ready(&mut self, memory: &Memory) -> Answer {
        let buffers = &mut self.scratch.buffers;
        match memory.closed_for(self.host, buffers) {
            Ok(None) => Ok(Said::Reply(Reply::new(200, |object| {
                let generation = self.filter.settings.generation;
                object.value("ready", true).value("generation", generation);
            }))),
            Ok(Some(wait)) => Err(Problem::of_fault(Fault::Starting(wait))),
            Err(fault) => Err(Problem::of_fault(fault)),
        }
    }

    /// The wish to look at one resource, under whichever of its spellings a rule makes.
    pub(super) fn read_look(
        &mut self,
        sent: Option<&str>,
        decoded: Option<&str>,
    ) -> Result<Wish, Problem<'static>> {
        self.peer_may_look()?;
        let policy = &self.filter.settings.policy;
        let mut spellings = sent.into_iter().chain(decoded);
        let resource = spellings
            .find(|name| policy.produces(name))
            .ok_or(Problem::new(Kind::UNKNOWN_RESOURCE))?;
        Ok(Wish {
            resource: resource.to_owned(),
            deed: Deed::Look,
        })
    }

    pub(super) fn found(
        &self,
        resource: &str,
        record: Option<Record>,
    ) -> Result<Reply, Problem<'static>> {
        let record = record.ok_or(Problem::new(Kind::NO_RECORD))?;
        let (now, disclose) = (self.now()?, self.filter.settings.disclose);
        Ok(Reply::new(200, |object| {
            describe(object, resource, &record.borrowed(), now, disclose);
        }))
    }

    pub(super) fn leases(&mut self, memory: &Memory, after: &str, limit: u16) -> Answer {
        self.peer_may_look()?;
        let after: u32 = match after {
            "" => 0,
            after => after.parse().map_err(|_| call::not_a_page())?,
        };
        let now = self.now()?;
        let disclose = self.filter.settings.disclose;
        let mut leases = String::new();
        let mut count = 0_usize;
        let mut next = None;
        for index in after..after.saturating_add(BUCKETS_MAX) {
            let buffers = &mut self.scratch.buffers;
            let read = memory.records_in(self.host, buffers, index, &mut |resource, record| {
                if count > 0 {
                    leases.push(',');
                }
                count = count.saturating_add(1);
                let mut object = Object::begin(&mut leases);
                describe(&mut object, resource, record, now, disclose);
                object.end();
            });
            match read {
                Ok(None) => {
                    next = None;
                    break;
                }
                Ok(Some(())) => next = index.checked_add(1).map(|next| next.to_string()),
                Err(fault) => return Err(Problem::of_fault(fault)),
            }
            if count >= usize::from(limit) {
                break;
            }
        }
        Ok(Said::Reply(Reply::new(200, |object| {
            object.value("leases", format_args!("[{leases}]"));
            if let Some(next) = next {
                object.text("next", &next);
            }
        })))
    }

    fn now(&self) -> Result<Moment, Problem<'static>> {
        self.host
            .now()
            .map_err(|_| Problem::of_fault(Fault::Unreachable))
    }
}

/// Writes what is told of a resource. `state` is `held`, `expired` or `released`, or `marked`
/// where tokens come from elsewhere.
fn describe(
    object: &mut Object<'_>,
    resource: &str,
    record: &Record<&str>,
    now: Moment,
    disclose: bool,
) {
    object.text("resource", resource);
    if disclose {
        object.plain_text("mark", record.token);
    }
    if let Some(holder) = record.holder {
        object.text("holder", holder);
    }
    let Some(grant) = &record.grant else {
        object.text("state", "marked");
        return;
    };
    let held = grant.is_held(now);
    object.text(
        "state",
        match grant.released {
            true => "released",
            false if held => "held",
            false => "expired",
        },
    );
    if held {
        object.value("left_ms", millis_down(grant.ends.since(now)));
    }
    object.value("free_in_ms", millis_up(grant.free.since(now)));
}

//! The calls that only look: leases, one lease, ready.

use super::{Answer, Api, Reply, Said};
use crate::json::Object;
use crate::reply::{Kind, Problem};
use core::convert::Infallible;
use fencegate_core::machine::{Change, Decision, Operation, Seen};
use fencegate_core::moment::{Moment, millis_down, millis_up};
use fencegate_core::record::Record;
use fencegate_core::token::Token;
use fencegate_core::verdict::Fault;

/// How many buckets one page reads at most: a worker serves nothing else meanwhile, for some ten
/// milliseconds. They hold 130,000 resources.
const BUCKETS_MAX: u32 = 8192;

/// Reads a record and leaves it as it is.
#[derive(Clone, Debug)]
struct Read;

#[derive(Clone, Debug)]
enum ReadOutcome {
    Found(Option<Record>),
    Undecided(Fault),
}

impl From<Fault> for ReadOutcome {
    fn from(fault: Fault) -> Self {
        Self::Undecided(fault)
    }
}

impl Operation for Read {
    type Change = Change;
    type Outcome = ReadOutcome;
    type Plan = Infallible;

    fn decide(&self, seen: &Seen<'_>, _: Moment) -> Decision<Self> {
        let record = seen.record.as_ref().map(Record::to_owned);
        Decision::Done(ReadOutcome::Found(record))
    }

    fn drawn(&self, plan: Infallible, _: Token, _: Moment) -> (Change, ReadOutcome) {
        match plan {}
    }
}

impl Api<'_> {
    pub(super) fn ready(&mut self) -> Answer {
        let buffers = &mut self.scratch.buffers;
        match self.filter.memory.closed_for(self.host, buffers) {
            Ok(None) => Ok(Said::Reply(Reply::new(200, |object| {
                let generation = self.filter.settings.generation;
                object.value("ready", true).value("generation", generation);
            }))),
            Ok(Some(wait)) => Err(Problem::of_fault(Fault::Starting(wait))),
            Err(fault) => Err(Problem::of_fault(fault)),
        }
    }

    pub(super) fn lease(&mut self, sent: Option<&str>, decoded: Option<&str>) -> Answer {
        self.peer_may_look()?;
        let policy = &self.filter.settings.policy;
        let mut spellings = sent.into_iter().chain(decoded);
        let resource = spellings
            .find(|name| policy.produces(name))
            .ok_or(Problem::new(Kind::UNKNOWN_RESOURCE))?;
        let now = self.now()?;
        match self.run(resource, Read) {
            ReadOutcome::Found(Some(record)) => {
                let disclose = self.filter.settings.disclose;
                Ok(Said::Reply(Reply::new(200, |object| {
                    describe(object, resource, &record.borrowed(), now, disclose);
                })))
            }
            ReadOutcome::Found(None) => Err(Problem::new(Kind::NO_RECORD)),
            ReadOutcome::Undecided(fault) => Err(Problem::of_fault(fault)),
        }
    }

    pub(super) fn leases(&mut self, after: u32, limit: u16) -> Answer {
        self.peer_may_look()?;
        let now = self.now()?;
        let disclose = self.filter.settings.disclose;
        let mut leases = String::new();
        let mut count = 0_usize;
        let mut next = None;
        for index in after..after.saturating_add(BUCKETS_MAX) {
            let buffers = &mut self.scratch.buffers;
            let read = self.filter.memory.records_in(
                self.host,
                buffers,
                index,
                &mut |resource, record| {
                    if count > 0 {
                        leases.push(',');
                    }
                    count = count.saturating_add(1);
                    let mut object = Object::begin(&mut leases);
                    describe(&mut object, resource, record, now, disclose);
                    object.end();
                },
            );
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

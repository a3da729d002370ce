//! What becomes of calls, clocks and proxies.

use super::*;
use crate::quorum_world::store::group;
use fencegate_core::quorum::{At, Survey};

impl Crowd {
    pub(super) fn with<T>(
        &mut self,
        at: usize,
        resource: usize,
        does: impl FnOnce(&mut At<'_>) -> T,
    ) -> T {
        let proxy = &mut self.proxies[at];
        let (now, terms) = (proxy.now(), proxy.terms());
        does(&mut At {
            heard: &mut proxy.heard,
            known: &mut proxy.known[resource],
            terms: &terms,
            now,
        })
    }

    pub(super) fn goes_on(
        &mut self,
        (at, resource, wanted, asked): (usize, usize, Wanted, Asked),
        step: Step,
    ) -> Result<(), Violation> {
        let place = match step {
            Step::Call(calling, call) => Place::Calling(calling, Box::new(self.sent(at, call))),
            Step::SitOut(sitting, until) => Place::Sitting(sitting, until),
            Step::Stale(stale) => {
                // Whatever the proxy surveys meanwhile may do.
                let step = self.with(at, resource, |it| stale.surveyed(it));
                return self.goes_on((at, resource, wanted, asked), step);
            }
            Step::Done(outcome, vain) => {
                self.late
                    .extend(vain.map(|lease| (resource, Call::Revoke(lease))));
                return self.ended((at, resource, wanted, asked), &outcome);
            }
        };
        self.flows.push(OnTheWay {
            at,
            resource,
            wanted,
            asked,
            place,
        });
        Ok(())
    }

    fn sent(&self, at: usize, call: Call) -> Sent {
        Sent {
            call,
            at: self.proxies[at].now(),
            reply: None,
        }
    }

    pub(super) fn step(&mut self, it: Happens) -> Result<(), Violation> {
        match it {
            Happens::Survey { at } => self.survey(at),
            Happens::Serve(pick) => {
                let open: Vec<_> = (0..self.flows.len())
                    .filter(|at| {
                        let sent = self.flows[*at].sent();
                        sent.is_some_and(|it| it.reply.is_none())
                    })
                    .collect();
                if let Some(number) = pick.checked_rem(open.len()) {
                    let flow = &mut self.flows[open[number]];
                    let resource = flow.resource;
                    if let Some(sent) = flow.sent() {
                        let reply = serve(&mut self.store, &mut self.left, resource, &sent.call);
                        sent.reply = Some(reply);
                    }
                }
            }
            Happens::Deliver(pick) => return self.deliver(pick),
            Happens::Hurry => {
                for _ in 0..3 * self.flows.len() {
                    self.step(Happens::Serve(0))?;
                    self.deliver(0)?;
                }
            }
            Happens::Lose(pick) => return self.lose(pick),
            Happens::Copy(pick) => {
                let number = pick.checked_rem(self.flows.len());
                if let Some(flow) = number.and_then(|number| self.flows.get_mut(number)) {
                    let resource = flow.resource;
                    let call = flow.sent().map(|sent| (resource, sent.call.clone()));
                    self.late.extend(call);
                }
            }
            Happens::ServeLate(pick) => {
                if let Some(number) = pick.checked_rem(self.late.len()) {
                    let (resource, call) = self.late.swap_remove(number);
                    let _ = serve(&mut self.store, &mut self.left, resource, &call);
                }
            }
            Happens::Drop(pick) => {
                if let Some(number) = pick.checked_rem(self.flows.len()) {
                    let flow = self.flows.swap_remove(number);
                    self.dropped(flow);
                }
            }
            Happens::Pass(millis) => return self.pass(millis),
            Happens::Expire(pick) => {
                let over: Vec<_> = self.left.iter().filter(|(_, left)| **left == 0).collect();
                if let Some(number) = pick.checked_rem(over.len()) {
                    let lease = *over[number].0;
                    self.left.remove(&lease);
                    self.store.expire(lease);
                }
            }
            Happens::Restart(at) => {
                self.restart(at);
                let generations = self.proxies.iter().map(|it| it.generation);
                self.proxies[at].generation = generations.max().unwrap_or(1);
            }
            Happens::Reload(at) => {
                self.restart(at);
                self.proxies[at].generation = 2;
            }
            _ => {}
        }
        Ok(())
    }

    fn survey(&mut self, at: usize) {
        let Some(in_force) = self.proxies[at].heard.in_force else {
            return;
        };
        let call = Call::Survey(Survey {
            init: in_force.at,
            since: 0,
        });
        let sent = Box::new(self.sent(at, call));
        self.flows.push(OnTheWay {
            at,
            resource: 0,
            wanted: Wanted::Ready,
            asked: Asked::default(),
            place: Place::Surveying(sent),
        });
    }

    fn surveyed(&mut self, at: usize, sent: &Sent) {
        let (Some(Ok(Reply::Surveyed(it))), Call::Survey(survey)) = (&sent.reply, &sent.call)
        else {
            return;
        };
        let proxy = &mut self.proxies[at];
        let (now, terms) = (proxy.now(), proxy.terms());
        let heard = proxy
            .heard
            .surveyed((sent.at, survey.init), it, &terms, now);
        if let Ok(Some(in_force)) = heard
            && it.committed
        {
            let init = in_force.init.window(in_force.at);
            for (known, resource) in proxy.known.iter_mut().zip(RESOURCES) {
                let version = it.versions.iter().find(|it| it.0 == group(resource));
                known.cover(sent.at, &init, version.map_or(0, |it| it.1));
            }
        }
    }

    /// Delivers an answer, or wakes whoever has sat the wait out.
    fn deliver(&mut self, pick: usize) -> Result<(), Violation> {
        let nows = self.proxies.each_ref().map(|proxy| proxy.now().mono);
        let ready = |it: &OnTheWay| match &it.place {
            Place::Calling(_, sent) | Place::Surveying(sent) => sent.reply.is_some(),
            Place::Sitting(_, until) => self.impatient || nows[it.at] >= *until,
        };
        let numbers: Vec<_> = (0..self.flows.len())
            .filter(|at| ready(&self.flows[*at]))
            .collect();
        let Some(number) = pick.checked_rem(numbers.len()) else {
            return Ok(());
        };
        let it = self.flows.remove(numbers[number]);
        let (at, resource) = (it.at, it.resource);
        let step = match it.place {
            Place::Surveying(sent) => {
                self.surveyed(at, &sent);
                return Ok(());
            }
            Place::Sitting(sitting, until) => self.with(at, resource, |it| {
                it.now.mono = it.now.mono.max(until);
                sitting.woken(it)
            }),
            Place::Calling(calling, sent) => {
                let reply = sent.reply.expect("it is ready");
                let reply = reply.as_ref().map_err(|error| *error);
                self.with(at, resource, |it| calling.answered(sent.at, reply, it))
            }
        };
        self.goes_on((at, resource, it.wanted, it.asked), step)
    }

    fn lose(&mut self, pick: usize) -> Result<(), Violation> {
        let Some(number) = pick.checked_rem(self.flows.len()) else {
            return Ok(());
        };
        if !matches!(self.flows[number].place, Place::Calling(..)) {
            return Ok(());
        }
        let it = self.flows.remove(number);
        let (at, resource) = (it.at, it.resource);
        let Place::Calling(calling, sent) = it.place else {
            return Ok(());
        };
        if sent.reply.is_none() {
            self.late.push((resource, sent.call));
        }
        let error = Err(CallError::Unknown);
        let step = self.with(at, resource, |it| calling.answered(sent.at, error, it));
        self.goes_on((at, resource, it.wanted, it.asked), step)
    }

    /// Nobody waits for it any more; what it had sent may be done yet.
    fn dropped(&mut self, flow: OnTheWay) {
        let left = match &flow.place {
            Place::Calling(calling, _) => calling.leaves_behind(),
            Place::Sitting(sitting, _) => sitting.leaves_behind(),
            Place::Surveying(_) => None,
        };
        if let Place::Calling(_, sent) = flow.place
            && sent.reply.is_none()
        {
            self.late.push((flow.resource, sent.call));
        }
        self.late
            .extend(left.map(|lease| (flow.resource, Call::Revoke(lease))));
    }

    fn restart(&mut self, at: usize) {
        let (gone, stay) = std::mem::take(&mut self.flows)
            .into_iter()
            .partition(|it| it.at == at);
        self.flows = stay;
        for flow in gone {
            self.dropped(flow);
        }
        let proxy = &mut self.proxies[at];
        proxy.heard = Heard::default();
        proxy.known = Default::default();
    }

    fn pass(&mut self, millis: u64) -> Result<(), Violation> {
        for (proxy, rate) in self.proxies.iter_mut().zip(self.rates) {
            proxy.nanos += millis * rate;
        }
        for left in self.left.values_mut() {
            *left = left.saturating_sub(millis * self.rates[3]);
        }
        let proxies = &self.proxies;
        self.believes
            .retain(|_, (at, ends)| proxies[*at].nanos < *ends);
        for (resource, token) in self.believes.keys() {
            let resource = RESOURCES[*resource];
            let token = *token;
            self.observer
                .observe(&Event::Believes { resource, token })?;
        }
        Ok(())
    }

    /// When all leases have ended and all is quiet, a proxy that knows nothing acquires.
    pub(crate) fn someone_can_acquire(mut self) -> Result<(), String> {
        self.pass(60_000)
            .map_err(|violation| violation.to_string())?;
        for lease in self.left.keys() {
            self.store.expire(*lease);
        }
        self.left.clear();
        self.flows.clear();
        let generation = self.proxies.iter().map(|it| it.generation).max();
        self.restart(0);
        self.proxies[0].generation = generation.unwrap_or(1);
        let before = self.granted;
        let wanted = Happens::Acquire {
            at: 0,
            resource: 0,
            holder: 0,
            id: None,
        };
        let mut result = self.take(wanted);
        for _ in 0..20 {
            for next in [Happens::Serve(0), Happens::Pass(100), Happens::Deliver(0)] {
                result = result.and_then(|()| self.take(next));
            }
        }
        result.map_err(|violation| violation.to_string())?;
        match self.granted > before {
            true => Ok(()),
            false => Err(format!("{:?}", self.store)),
        }
    }
}

impl OnTheWay {
    fn sent(&mut self) -> Option<&mut Sent> {
        match &mut self.place {
            Place::Calling(_, sent) | Place::Surveying(sent) => Some(sent),
            Place::Sitting(..) => None,
        }
    }
}

/// The store does a call, and its leases run from then on.
fn serve(
    store: &mut Store,
    left: &mut BTreeMap<LeaseId, u64>,
    resource: usize,
    call: &Call,
) -> Result<Reply, CallError> {
    let reply = store.call(RESOURCES[resource], call);
    left.retain(|lease, _| store.leases.contains_key(lease));
    if let (Call::Grant(lease, _) | Call::KeepAlive(lease), Ok(_)) = (call, &reply)
        && let Some(it) = store.leases.get(lease)
    {
        left.insert(*lease, it.seconds * 1_000_000_000);
    }
    reply
}

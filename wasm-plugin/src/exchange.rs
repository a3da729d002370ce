//! One request, from its headers to its end: decided once and answered once.
//!
//! ```text
//!   Fresh --guarded, passing--> Forwarded
//!     |---refused, look-------> Answered
//!     |---asked elsewhere-----> Judging --verdict--> Forwarded, Answered
//!     \---a call with a body--> Collecting --end of body, too long, too late--> Answered
//!                                   |---the lease is held, and it may wait--> Waiting --> Answered
//!                                   \---asked elsewhere--> Calling --outcome--> Answered
//! ```
//! Each callback looks at the phase first, so one that comes twice or late changes nothing.

use crate::api::{self, Pending, Waiting, call::Call};
use crate::etcd::Finished;
use crate::filter::{Filter, Scratch};
use crate::guard::{self, Asked, Outcome, answer};
use crate::host::pairs::Pairs;
use crate::host::{Host, Level};
use crate::reply::{Kind, MARK_HEADER, Problem};
use core::time::Duration;
use fencegate_core::moment::Moment;
use fencegate_core::request::Request;
use fencegate_core::token::Token;
use fencegate_core::verdict::{Fault, Verdict};
use std::rc::Rc;

/// How long the body of a call may take.
const BODY_WAIT: Duration = Duration::from_secs(10);

/// What the proxy is to do with the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Action {
    /// Go on.
    Continue,
    /// Hold it: it was answered, or will be.
    Pause,
}

/// One request.
#[derive(Debug)]
pub struct Exchange {
    /// The proxy's number for it.
    context: u32,
    /// Its filter's.
    root: u32,
    /// `None`: the filter has no configuration, and nothing may pass.
    filter: Option<Rc<Filter>>,
    phase: Phase,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    Fresh,
    Forwarded { tell: Option<Token> },
    Collecting { call: Call, arrived: Moment },
    Waiting(Box<Waiting>),
    Judging(Box<Asked>),
    Calling(Box<Pending>),
    Answered,
}

impl Exchange {
    /// A request that nothing is known of yet.
    #[must_use]
    pub const fn new(context: u32, root: u32, filter: Option<Rc<Filter>>) -> Self {
        Self {
            context,
            root,
            filter,
            phase: Phase::Fresh,
        }
    }

    /// The headers have come.
    pub fn on_headers(&mut self, host: &dyn Host, scratch: &mut Scratch, last: bool) -> Action {
        if self.phase == Phase::Fresh {
            self.phase = self.begin(host, scratch, last);
        }
        self.action()
    }

    fn begin(&self, host: &dyn Host, scratch: &mut Scratch, last: bool) -> Phase {
        let Some(filter) = &self.filter else {
            return refused(host, &Problem::of_fault(Fault::Missing));
        };
        let mut headers = core::mem::take(&mut scratch.headers);
        let read = host.request_headers(&mut headers).ok();
        let phase = match read.and_then(|()| Pairs::read(&headers)) {
            Some(pairs) => self.decide(filter, host, scratch, pairs, last),
            None => refused(host, &Problem::of_fault(Fault::Unreachable)),
        };
        scratch.headers = headers;
        phase
    }

    /// `size` bytes of the body have come so far, `last` ones or not.
    pub fn on_body(
        &mut self,
        host: &dyn Host,
        scratch: &mut Scratch,
        size: u32,
        last: bool,
    ) -> Action {
        if matches!(self.phase, Phase::Collecting { .. }) {
            if size > api::BODY_LEN_MAX {
                let detail = format!("at most {} bytes", api::BODY_LEN_MAX);
                self.phase = refused(host, &Problem::detailed(Kind::TOO_LARGE, detail));
            } else if last {
                self.finish(host, scratch);
            }
        }
        self.action()
    }

    /// The trailers have come, and with them the end of the body.
    pub fn on_trailers(&mut self, host: &dyn Host, scratch: &mut Scratch) -> Action {
        self.finish(host, scratch);
        self.action()
    }

    /// The body of a call is complete.
    fn finish(&mut self, host: &dyn Host, scratch: &mut Scratch) {
        let (Some(filter), Phase::Collecting { call, arrived }) = (&self.filter, &self.phase)
        else {
            return;
        };
        self.phase = match host.request_body(api::BODY_LEN_MAX, &mut scratch.body) {
            Ok(()) => {
                let context = self.context;
                responded(api::respond(filter, host, scratch, context, call, *arrived))
            }
            Err(_) => refused(
                host,
                &Problem::detailed(Kind::MALFORMED, "there is no body"),
            ),
        };
    }

    /// The answer's headers pass by.
    pub fn on_response_headers(&self, host: &dyn Host) {
        if let Phase::Forwarded { tell: Some(mark) } = self.phase {
            host.set_response_header(MARK_HEADER, &mark.to_string());
        }
    }

    /// Whether it waits for a lease.
    #[must_use]
    pub const fn is_waiting(&self) -> bool {
        matches!(self.phase, Phase::Waiting(_))
    }

    /// The context of its filter.
    #[must_use]
    pub const fn root(&self) -> u32 {
        self.root
    }

    /// Whether it, or its authority, wants to be called often.
    #[must_use]
    pub fn is_awake(&self) -> bool {
        self.is_waiting()
            || self
                .filter
                .as_ref()
                .is_some_and(|filter| filter.authority.is_awake())
    }

    /// Whether something is to be done about it at `now`, without anything having come.
    #[must_use]
    pub fn is_due(&self, now: Moment) -> bool {
        match self.phase {
            Phase::Collecting { arrived, .. } => now >= arrived.after(BODY_WAIT),
            Phase::Waiting(_) => true,
            Phase::Fresh
            | Phase::Forwarded { .. }
            | Phase::Judging(_)
            | Phase::Calling(_)
            | Phase::Answered => false,
        }
    }

    /// Does it: answers a call whose body is late, asks again for a lease.
    pub fn on_tick(&mut self, host: &dyn Host, scratch: &mut Scratch, now: Moment) {
        match (&self.phase, &self.filter) {
            (Phase::Collecting { .. }, _) => {
                let problem = Problem::detailed(
                    Kind::TIMEOUT,
                    "if bodies never arrive, the filter's configuration lacks allow_on_headers_stop_iteration: true",
                );
                self.phase = refused(host, &problem);
            }
            (Phase::Waiting(waiting), Some(filter))
                if api::ask_again(filter, host, scratch, waiting, now) =>
            {
                self.phase = Phase::Answered;
            }
            _ => {}
        }
    }

    /// The authority says what was asked. The calls refer to this request.
    pub fn on_said(&mut self, host: &dyn Host, scratch: &mut Scratch, finished: Finished) {
        let Some(filter) = &self.filter else { return };
        let Finished { said, at, late, .. } = finished;
        match &self.phase {
            Phase::Judging(asked) => {
                let mut verdict = said.verdict();
                if late && matches!(verdict, Verdict::Admit(_)) {
                    // Meanwhile somebody else may have been granted.
                    match guard::judge_again(filter, host, self.context, asked) {
                        Some(Verdict::Admit(_)) => {}
                        Some(other) => verdict = other,
                        None => return,
                    }
                }
                let outcome = guard::conclude(filter, host, scratch, self.context, asked, verdict);
                self.phase = judged(outcome);
                if matches!(self.phase, Phase::Forwarded { .. }) && host.resume().is_err() {
                    host.log(Level::Error, "the proxy did not let a request go on");
                }
            }
            Phase::Calling(pending) => {
                api::conclude(filter, host, scratch, pending, said, at);
                self.phase = Phase::Answered;
            }
            _ => {}
        }
    }

    /// It is over, whether it was answered or the client has left.
    pub fn on_end(&self, host: &dyn Host, scratch: &mut Scratch) {
        match (&self.phase, &self.filter) {
            (Phase::Waiting(waiting), Some(filter)) => api::leave(filter, host, scratch, waiting),
            (Phase::Judging(_) | Phase::Calling(_), Some(filter)) => {
                filter.authority.forget(host, self.context);
            }
            _ => {}
        }
    }

    const fn action(&self) -> Action {
        match self.phase {
            Phase::Forwarded { .. } => Action::Continue,
            Phase::Fresh
            | Phase::Collecting { .. }
            | Phase::Waiting(_)
            | Phase::Judging(_)
            | Phase::Calling(_)
            | Phase::Answered => Action::Pause,
        }
    }

    /// Decides on the headers: a call of the lease API, or a request to be judged.
    fn decide(
        &self,
        filter: &Filter,
        host: &dyn Host,
        scratch: &mut Scratch,
        pairs: Pairs<'_>,
        last: bool,
    ) -> Phase {
        let value = |wanted: &[u8]| {
            let mut found = pairs.iter().filter(|(name, _)| *name == wanted);
            found.next().map(|(_, value)| value)
        };
        if let (Some(target), Some(method)) = (value(b":path"), value(b":method"))
            && let Some(call) = Call::read(&filter.settings.api_path, target, method)
        {
            return self.begin_call(filter, host, scratch, call, last);
        }
        #[cfg(feature = "trap-on-request")]
        trap_if_asked(value(b"x-trap"), b"before");
        let request = Request::read(pairs.iter(), &filter.settings.header_names);
        let outcome = guard::judge(filter, host, scratch, self.context, &request);
        #[cfg(feature = "trap-on-request")]
        trap_if_asked(value(b"x-trap"), b"after");
        judged(outcome)
    }

    fn begin_call(
        &self,
        filter: &Filter,
        host: &dyn Host,
        scratch: &mut Scratch,
        call: Result<Call, Problem<'static>>,
        last: bool,
    ) -> Phase {
        let call = match call {
            Ok(call) => call,
            Err(problem) => return refused(host, &problem),
        };
        let Ok(arrived) = host.now() else {
            return refused(host, &Problem::of_fault(Fault::Unreachable));
        };
        match call {
            Call::Change(_) if last => refused(
                host,
                &Problem::detailed(Kind::MALFORMED, "send a JSON body"),
            ),
            Call::Change(_) => Phase::Collecting { call, arrived },
            Call::Look(_) => {
                let context = self.context;
                responded(api::respond(filter, host, scratch, context, &call, arrived))
            }
        }
    }
}

fn refused(host: &dyn Host, problem: &Problem<'_>) -> Phase {
    answer(host, problem, false);
    Phase::Answered
}

fn responded(response: api::Response) -> Phase {
    match response {
        api::Response::Answered => Phase::Answered,
        api::Response::Waits(waiting) => Phase::Waiting(waiting),
        api::Response::Asked(pending) => Phase::Calling(pending),
    }
}

fn judged(outcome: Outcome) -> Phase {
    match outcome {
        Outcome::Forward { tell } => Phase::Forwarded { tell },
        Outcome::Answered => Phase::Answered,
        Outcome::Asked(asked) => Phase::Judging(asked),
    }
}

/// Ends the VM as a mistake in the filter would, before or after the request was judged.
#[cfg(feature = "trap-on-request")]
fn trap_if_asked(asked: Option<&[u8]>, moment: &[u8]) {
    if asked == Some(moment) {
        std::process::abort();
    }
}

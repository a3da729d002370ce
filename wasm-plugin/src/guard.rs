//! Judges a request to a guarded resource, and does what follows.

use crate::config::{HolderNeed, Tokens};
use crate::counters::{Enforcement, Event};
use crate::decision::Decision;
use crate::filter::{Filter, Scratch};
use crate::host::Host;
use crate::reply::{Kind, Problem};
use fencegate_core::check::{Check, Judgement, Presented};
use fencegate_core::policy::{Guarded, Mode, Refused, Route};
use fencegate_core::request::{Reading, Request};
use fencegate_core::token::Token;
use fencegate_core::verdict::{Fault, Verdict};

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Outcome {
    /// It goes on; its answer tells this mark.
    Forward {
        /// The mark to tell, if any.
        tell: Option<Token>,
    },
    /// It was answered.
    Answered,
}

const PASS: Outcome = Outcome::Forward { tell: None };

/// Why a request is not admitted, with all that its answer tells.
struct Denial<'a> {
    problem: Problem<'a>,
    outcome: &'static str,
    holder: Option<&'a str>,
    mark: Option<Token>,
}

impl<'a> Denial<'a> {
    const fn new(problem: Problem<'a>, holder: Option<&'a str>) -> Self {
        Self {
            problem,
            outcome: "rejected",
            holder,
            mark: None,
        }
    }

    fn undecided(fault: Fault) -> Self {
        Self {
            outcome: "undecided",
            ..Self::new(Problem::of_fault(fault), None)
        }
    }
}

/// Judges a request.
pub fn judge(
    filter: &Filter,
    host: &dyn Host,
    scratch: &mut Scratch,
    request: &Request<'_>,
) -> Outcome {
    let route = filter.settings.policy.route(request);
    if !matches!(route, Route::Guarded(_))
        && let Some(denied) = deny_superseded(filter, host, scratch, request)
    {
        return denied;
    }
    match &route {
        Route::Unguarded => PASS,
        Route::Unmatched => {
            let denial = Denial::new(Problem::new(Kind::UNMATCHED), None);
            deny(filter, host, scratch, request, Mode::Required, denial)
        }
        Route::Refused(refused) => refuse(filter, host, scratch, request, refused),
        Route::Guarded(guarded) => guard(filter, host, scratch, request, guarded),
    }
}

fn refuse(
    filter: &Filter,
    host: &dyn Host,
    scratch: &mut Scratch,
    request: &Request<'_>,
    refused: &Refused,
) -> Outcome {
    let kind = Kind::of_refusal(refused.refusal.reason());
    let mut problem = Problem::detailed(kind, refused.refusal.to_string());
    problem.resource = refused.resource.as_deref();
    if let Reading::Given(token) = request.token {
        problem.presented = Some(token);
    }
    let denial = Denial::new(problem, None);
    deny(filter, host, scratch, request, refused.mode, denial)
}

fn guard(
    filter: &Filter,
    host: &dyn Host,
    scratch: &mut Scratch,
    request: &Request<'_>,
    guarded: &Guarded<'_>,
) -> Outcome {
    let Guarded {
        resource,
        token,
        holder,
        ..
    } = guarded;
    let verdict = match check(filter, host, scratch, guarded) {
        Ok(verdict) => verdict,
        Err(kind) => {
            if let Some(denied) = deny_superseded(filter, host, scratch, request) {
                return denied;
            }
            let mut problem = Problem::new(kind).about(resource);
            problem.presented = Some(*token);
            let denial = Denial::new(problem, *holder);
            return deny(filter, host, scratch, request, guarded.mode, denial);
        }
    };
    let denial = match verdict {
        Verdict::Admit(admission) => {
            filter.counters.count(host, Event::Admitted);
            if admission.advanced {
                filter.counters.count(host, Event::MarkAdvanced);
            }
            admitted(filter, guarded, admission.mark).leave(host, &mut scratch.decision);
            let tell = admission.mark.filter(|_| filter.settings.disclose);
            return Outcome::Forward { tell };
        }
        Verdict::Reject(rejection) => {
            let mut problem = Problem::new(Kind::of_reason(rejection.reason)).about(resource);
            problem.presented = Some(*token);
            problem.current = rejection.mark.filter(|_| filter.settings.disclose);
            Denial {
                mark: rejection.mark,
                ..Denial::new(problem, *holder)
            }
        }
        Verdict::Undecided(fault) => {
            if let Some(denied) = deny_superseded(filter, host, scratch, request) {
                return denied;
            }
            let mut denial = Denial::undecided(fault);
            denial.holder = *holder;
            denial.problem.resource = Some(resource);
            denial.problem.presented = Some(*token);
            denial
        }
    };
    deny(filter, host, scratch, request, guarded.mode, denial)
}

/// Denies where no record could tell, if a newer configuration is or may be in force: that one's
/// rules say whether this request is guarded, and whether only to observe.
fn deny_superseded(
    filter: &Filter,
    host: &dyn Host,
    scratch: &mut Scratch,
    request: &Request<'_>,
) -> Option<Outcome> {
    let superseded = filter.memory.not_superseded(host, &mut scratch.buffers);
    let denial = Denial::undecided(superseded.err()?);
    Some(deny(filter, host, scratch, request, Mode::Required, denial))
}

/// Asks the core.
fn check(
    filter: &Filter,
    host: &dyn Host,
    scratch: &mut Scratch,
    guarded: &Guarded<'_>,
) -> Result<Verdict, Kind> {
    let judgement = match filter.settings.tokens {
        Tokens::Ours(_) => Judgement::Ours {
            after_expiry: guarded.after_expiry,
        },
        Tokens::External { holder, .. }
            if holder == HolderNeed::Required && guarded.holder.is_none() =>
        {
            return Err(Kind::HOLDER_REQUIRED);
        }
        Tokens::External { rule, .. } => Judgement::External(rule),
    };
    let check = Check {
        presented: Presented {
            token: guarded.token,
            holder: guarded.holder,
        },
        access: guarded.access,
        judgement,
        generation: filter.settings.generation,
    };
    let buffers = &mut scratch.buffers;
    Ok(filter.memory.run(host, buffers, &guarded.resource, check))
}

fn admitted<'a>(filter: &Filter, guarded: &'a Guarded<'a>, mark: Option<Token>) -> Decision<'a> {
    Decision {
        outcome: "admitted",
        reason: None,
        resource: Some(&guarded.resource),
        presented: Some(guarded.token),
        mark,
        holder: guarded.holder,
        generation: filter.settings.generation,
    }
}

/// Answers a request that is not admitted, or lets it pass and counts it where the rule only observes.
fn deny(
    filter: &Filter,
    host: &dyn Host,
    scratch: &mut Scratch,
    request: &Request<'_>,
    mode: Mode,
    denial: Denial<'_>,
) -> Outcome {
    let Denial {
        mut problem,
        outcome,
        holder,
        mark,
    } = denial;
    problem.repeated = request.repeated;
    let reason = problem.kind.reason;
    let (outcome, enforcement) = match mode {
        Mode::Required => (outcome, Enforcement::Rejected),
        Mode::Observe => ("observed", Enforcement::Observed),
    };
    filter.counters.count_refusal(host, reason, enforcement);
    Decision {
        outcome,
        reason: Some(reason),
        resource: problem.resource,
        presented: problem.presented,
        mark,
        holder,
        generation: filter.settings.generation,
    }
    .leave(host, &mut scratch.decision);
    if enforcement == Enforcement::Observed {
        return PASS;
    }
    answer(host, &problem, request.grpc);
    Outcome::Answered
}

/// Sends a problem. An answer that the host does not take leaves the request where it is: it is
/// not forwarded.
pub fn answer(host: &dyn Host, problem: &Problem<'_>, grpc: bool) {
    if problem.send(host, grpc).is_err() {
        host.log(
            crate::host::Level::Error,
            "the proxy did not take an answer; the request stays held",
        );
    }
}

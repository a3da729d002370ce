//! Judges a request to a guarded resource, and does what follows.
//!
//! ```text
//!   judge --> route --+--> passes | refused
//!                     \--> guarded --> verdict now ------------> conclude --> Forward | Answered
//!                                 \--> Asked (kept) --verdict--/
//! ```
//! An authority that is elsewhere gives the verdict later. Until then all that the conclusion needs is
//! kept in [`Asked`]: the request's headers are gone by then.

use crate::authority::Authority;
use crate::config::{HolderNeed, Tokens};
use crate::counters::{Enforcement, Event};
use crate::decision::Decision;
use crate::filter::{Filter, Scratch};
use crate::host::Host;
use crate::reply::{Kind, Problem};
use fencegate_core::check::{Access, Check, Judgement, Presented};
use fencegate_core::policy::{Guarded, Mode, Refused, Route};
use fencegate_core::request::{Reading, Request};
use fencegate_core::token::Token;
use fencegate_core::verdict::{Fault, Verdict};
use fencegate_core::window::Whose;

/// What becomes of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Outcome {
    /// It goes on; its answer tells this mark.
    Forward {
        /// The mark to tell, if any.
        tell: Option<Token>,
    },
    /// It was answered.
    Answered,
    /// The authority was asked. When it says something, [`conclude`] goes on.
    Asked(Box<Asked>),
}

const PASS: Outcome = Outcome::Forward { tell: None };

/// What is kept of a request while the authority is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    resource: String,
    token: Token,
    holder: Option<String>,
    access: Access,
    whose: Whose,
    manner: Manner,
}

impl Asked {
    fn subject(&self) -> Subject<'_> {
        Subject {
            resource: &self.resource,
            token: self.token,
            holder: self.holder.as_deref(),
        }
    }
}

/// What is judged.
#[derive(Clone, Copy)]
struct Subject<'a> {
    resource: &'a str,
    token: Token,
    holder: Option<&'a str>,
}

/// How a request is to be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Manner {
    /// Whether what is denied is turned away.
    mode: Mode,
    /// Whether an earlier attempt may have been applied.
    repeated: bool,
    /// Whether the caller speaks gRPC.
    grpc: bool,
}

impl Manner {
    const fn of(request: &Request<'_>, mode: Mode) -> Self {
        Self {
            mode,
            repeated: request.repeated,
            grpc: request.grpc,
        }
    }
}

/// One filter at work on one request.
struct Guard<'a> {
    filter: &'a Filter,
    host: &'a dyn Host,
    scratch: &'a mut Scratch,
    /// The request's number.
    context: u32,
}

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

    const fn of(kind: Kind, subject: Subject<'a>) -> Self {
        let mut problem = Problem::new(kind).about(subject.resource);
        problem.presented = Some(subject.token);
        Self::new(problem, subject.holder)
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
    context: u32,
    request: &Request<'_>,
) -> Outcome {
    let route = filter.settings.policy.route(request);
    let mut guard = Guard {
        filter,
        host,
        scratch,
        context,
    };
    let manner = Manner::of(request, Mode::Required);
    if !matches!(route, Route::Guarded(_))
        && let Some(denied) = guard.deny_superseded(manner)
    {
        return denied;
    }
    match &route {
        Route::Unguarded => PASS,
        Route::Unmatched => {
            let denial = Denial::new(Problem::new(Kind::UNMATCHED), None);
            guard.deny(manner, denial)
        }
        Route::Refused(refused) => guard.refuse(request, refused),
        Route::Guarded(guarded) => guard.check(guarded, Manner::of(request, guarded.mode)),
    }
}

/// Judges a request again that was admitted, and could not be told so at once. `None`: the authority is
/// asked again, and what it says is told later.
pub fn judge_again(
    filter: &Filter,
    host: &dyn Host,
    context: u32,
    asked: &Asked,
) -> Option<Verdict> {
    match &filter.authority {
        // It says everything at once.
        Authority::Memory(_) => Some(Fault::Unreachable.into()),
        Authority::Etcd(etcd) => {
            let presented = Presented {
                token: asked.token,
                holder: asked.holder.as_deref(),
            };
            let question = (presented, asked.access, asked.whose);
            etcd.check(host, context, &asked.resource, question)
        }
    }
}

/// Does what follows from a verdict that came later.
pub fn conclude(
    filter: &Filter,
    host: &dyn Host,
    scratch: &mut Scratch,
    context: u32,
    asked: &Asked,
    verdict: Verdict,
) -> Outcome {
    let mut guard = Guard {
        filter,
        host,
        scratch,
        context,
    };
    guard.conclude(asked.subject(), asked.manner, verdict)
}

impl Guard<'_> {
    fn refuse(&mut self, request: &Request<'_>, refused: &Refused) -> Outcome {
        let kind = Kind::of_refusal(refused.refusal.reason());
        let mut problem = Problem::detailed(kind, refused.refusal.to_string());
        problem.resource = refused.resource.as_deref();
        if let Reading::Given(token) = request.token {
            problem.presented = Some(token);
        }
        let denial = Denial::new(problem, None);
        self.deny(Manner::of(request, refused.mode), denial)
    }

    /// Asks the core.
    fn check(&mut self, guarded: &Guarded<'_>, manner: Manner) -> Outcome {
        let subject = Subject {
            resource: &guarded.resource,
            token: guarded.token,
            holder: guarded.holder,
        };
        let judgement = match self.filter.settings.tokens {
            Tokens::Ours(_) => Judgement::Ours {
                after_expiry: guarded.after_expiry,
            },
            Tokens::External { holder, .. }
                if holder == HolderNeed::Required && guarded.holder.is_none() =>
            {
                let denied = self.deny_superseded(Manner {
                    mode: Mode::Required,
                    ..manner
                });
                return denied.unwrap_or_else(|| {
                    self.deny(manner, Denial::of(Kind::HOLDER_REQUIRED, subject))
                });
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
            generation: self.filter.settings.generation,
        };
        let verdict = match &self.filter.authority {
            Authority::Memory(memory) => {
                let buffers = &mut self.scratch.buffers;
                Some(memory.run(self.host, buffers, &guarded.resource, check))
            }
            Authority::Etcd(etcd) => {
                let question = (check.presented, check.access, whose(judgement));
                etcd.check(self.host, self.context, &guarded.resource, question)
            }
        };
        match verdict {
            Some(verdict) => self.conclude(subject, manner, verdict),
            None => Outcome::Asked(Box::new(Asked {
                resource: subject.resource.to_owned(),
                token: subject.token,
                holder: subject.holder.map(str::to_owned),
                access: check.access,
                whose: whose(judgement),
                manner,
            })),
        }
    }

    fn conclude(&mut self, subject: Subject<'_>, manner: Manner, verdict: Verdict) -> Outcome {
        let disclose = self.filter.settings.disclose;
        let denial = match verdict {
            Verdict::Admit(admission) => {
                let counters = &self.filter.counters;
                counters.count(self.host, Event::Admitted);
                if admission.advanced {
                    counters.count(self.host, Event::MarkAdvanced);
                }
                self.leave_admitted(subject, admission.mark);
                let tell = admission.mark.filter(|_| disclose);
                return Outcome::Forward { tell };
            }
            Verdict::Reject(rejection) => {
                let mut denial = Denial::of(Kind::of_reason(rejection.reason), subject);
                denial.problem.current = rejection.mark.filter(|_| disclose);
                denial.mark = rejection.mark;
                denial
            }
            Verdict::Undecided(fault) => {
                let denied = self.deny_superseded(Manner {
                    mode: Mode::Required,
                    ..manner
                });
                if let Some(denied) = denied {
                    return denied;
                }
                let mut denial = Denial::undecided(fault);
                denial.holder = subject.holder;
                denial.problem.resource = Some(subject.resource);
                denial.problem.presented = Some(subject.token);
                denial
            }
        };
        self.deny(manner, denial)
    }

    /// Denies where no record could tell, if a newer configuration is or may be in force: that one's
    /// rules say whether this request is guarded, and whether only to observe.
    fn deny_superseded(&mut self, manner: Manner) -> Option<Outcome> {
        let authority = &self.filter.authority;
        let superseded = authority.not_superseded(self.host, &mut self.scratch.buffers);
        let denial = Denial::undecided(superseded.err()?);
        Some(self.deny(manner, denial))
    }

    fn leave_admitted(&mut self, subject: Subject<'_>, mark: Option<Token>) {
        let decision = Decision {
            outcome: "admitted",
            reason: None,
            resource: Some(subject.resource),
            presented: Some(subject.token),
            mark,
            holder: subject.holder,
            generation: self.filter.settings.generation,
        };
        decision.leave(self.host, &mut self.scratch.decision);
    }

    /// Answers a request that is not admitted, or lets it pass and counts it where the rule only
    /// observes.
    fn deny(&mut self, manner: Manner, denial: Denial<'_>) -> Outcome {
        let Denial {
            mut problem,
            outcome,
            holder,
            mark,
        } = denial;
        problem.repeated = manner.repeated;
        let reason = problem.kind.reason;
        let (outcome, enforcement) = match manner.mode {
            Mode::Required => (outcome, Enforcement::Rejected),
            Mode::Observe => ("observed", Enforcement::Observed),
        };
        let counters = &self.filter.counters;
        counters.count_refusal(self.host, reason, enforcement);
        Decision {
            outcome,
            reason: Some(reason),
            resource: problem.resource,
            presented: problem.presented,
            mark,
            holder,
            generation: self.filter.settings.generation,
        }
        .leave(self.host, &mut self.scratch.decision);
        if enforcement == Enforcement::Observed {
            return PASS;
        }
        answer(self.host, &problem, manner.grpc);
        Outcome::Answered
    }
}

/// Whose tokens they are, for knowledge that may be old.
pub(crate) const fn whose(judgement: Judgement) -> Whose {
    match judgement {
        // Strict leases are refused where they are not kept in memory.
        Judgement::Ours { .. } => Whose::Ours,
        Judgement::External(external) => Whose::External(external),
    }
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

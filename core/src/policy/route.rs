//! Where a request goes: past the rules, to a resource, or back to its sender.
//!
//! Every place that the request names is located first (its path, the destination of a COPY or
//! MOVE, the whole host); then the places are made one; then that one is judged, in the order of
//! the documented table: 400, 425, 428.

use super::{AfterExpiry, Mode, Policy, Reads, Refusal, Rule, Unmatched};
use crate::check::Access;
use crate::host_name::{HostAmbiguity, HostName};
use crate::path::{Form, Path, PathAmbiguity};
use crate::request::{Destination, Reading, Request, Tunnel};
use crate::token::Token;

/// What becomes of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route<'a> {
    /// It passes: no rule guards it.
    Unguarded,
    /// No rule matches it, and the policy rejects such requests.
    Unmatched,
    /// Nothing could admit it as it stands.
    Refused(Refused),
    /// Its token is to be judged.
    Guarded(Guarded<'a>),
}

/// A request that is refused, or would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Why.
    pub refusal: Refusal,
    /// [`Mode::Observe`]: it passes, and is counted as what would have been refused.
    pub mode: Mode,
    /// The resource, where it is known.
    pub resource: Option<String>,
}

/// A request that goes to a guarded resource, with all that its judgement needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarded<'a> {
    /// The key of the resource.
    pub resource: String,
    /// A read is judged like a write, but never raises the mark.
    pub access: Access,
    /// Whether the verdict is kept to or only counted.
    pub mode: Mode,
    /// What the token is worth after its lease has ended.
    pub after_expiry: AfterExpiry,
    /// The token.
    pub token: Token,
    /// The holder, where one is named.
    pub holder: Option<&'a str>,
}

/// One place that a request names.
#[derive(Clone, Copy, Debug)]
enum Spot<'p, 'a> {
    Unmatched,
    Guarded {
        rule: &'p Rule,
        path: Path<'a>,
        terms: Terms,
    },
    Refused {
        refusal: Refusal,
        mode: Mode,
    },
}

/// How strictly a place is guarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Terms {
    mode: Mode,
    after_expiry: AfterExpiry,
}

impl Policy {
    /// Says where a request goes.
    #[must_use]
    pub fn route<'a>(&self, request: &Request<'a>) -> Route<'a> {
        let mut spot = match self.whole_host(request) {
            Some(refused) => refused,
            None => self.locate(request, request.authority, request.path),
        };
        if let Some(destination) = request.destination {
            spot = self.join(spot, self.locate_destination(request, destination));
        }
        match spot {
            Spot::Unmatched if self.unmatched == Unmatched::Reject => Route::Unmatched,
            Spot::Unmatched => Route::Unguarded,
            Spot::Refused { refusal, mode } => Route::Refused(Refused {
                refusal,
                mode,
                resource: None,
            }),
            Spot::Guarded { rule, .. } if !rule.cares_for(request) => Route::Unguarded,
            Spot::Guarded { rule, path, terms } => judge(request, rule, path, terms),
        }
    }

    /// Refuses what touches more of a guarded host than a path names.
    fn whole_host(&self, request: &Request<'_>) -> Option<Spot<'_, 'static>> {
        let refusal = match (request.tunnel, request.several) {
            (Some(Tunnel::Connect), _) => Refusal::Tunnel(Tunnel::Connect),
            (_, Some(several)) => Refusal::Several(several),
            _ => return None,
        };
        // An ambiguous host is refused as such when the place is located.
        let rules = self.rules_for(request.authority.ok()?);
        rules
            .map(|rule| rule.mode)
            .max()
            .map(|mode| Spot::Refused { refusal, mode })
    }

    fn locate<'a>(
        &self,
        request: &Request<'_>,
        host: Result<HostName<'_>, HostAmbiguity>,
        path: Result<Form<'a>, PathAmbiguity>,
    ) -> Spot<'_, 'a> {
        let host = match host {
            Ok(host) => host,
            Err(why) => return self.unclear(request, Refusal::Authority(why), self.rules.iter()),
        };
        match path {
            Ok(Form::Asterisk) => Spot::Unmatched,
            Ok(Form::Path(path)) => match self.rules_for(host).find(|rule| rule.path.matches(path))
            {
                Some(rule) => Spot::Guarded {
                    rule,
                    path,
                    terms: rule.terms(),
                },
                None => Spot::Unmatched,
            },
            Err(why) => self.unclear(request, Refusal::Path(why), self.rules_for(host)),
        }
    }

    /// A place that could be guarded by any of `rules`: refused if one of them would judge it.
    fn unclear<'p>(
        &'p self,
        request: &Request<'_>,
        refusal: Refusal,
        rules: impl Iterator<Item = &'p Rule>,
    ) -> Spot<'p, 'static> {
        let mut rules = rules.peekable();
        if rules.peek().is_none() {
            return Spot::Unmatched;
        }
        // It could as well be a place that no rule matches.
        let elsewhere = (self.unmatched == Unmatched::Reject).then_some(Mode::Required);
        let caring = rules
            .filter(|rule| rule.cares_for(request))
            .map(|rule| rule.mode);
        match caring.chain(elsewhere).max() {
            Some(mode) => Spot::Refused { refusal, mode },
            None => Spot::Unmatched,
        }
    }

    /// Some stores ignore the host in a destination and take its path as one of their own, so it
    /// must lead to the same resource either way.
    fn locate_destination<'a>(&self, request: &Request<'_>, to: Destination<'a>) -> Spot<'_, 'a> {
        let here = self.locate(request, request.authority, to.path);
        let Some(host) = to.authority else {
            return here.of_destination();
        };
        let there = self.locate(request, host, to.path);
        match self.join(here, there) {
            Spot::Refused {
                refusal: Refusal::TwoResources,
                mode,
            } => Spot::Refused {
                refusal: Refusal::DestinationHost,
                mode,
            },
            spot => spot.of_destination(),
        }
    }

    /// Makes two places one: the same resource, or the only one that is guarded.
    fn join<'p, 'a>(&self, one: Spot<'p, 'a>, two: Spot<'p, 'a>) -> Spot<'p, 'a> {
        match (one, two) {
            (Spot::Unmatched, other) | (other, Spot::Unmatched) => match (self.unmatched, other) {
                (Unmatched::Reject, Spot::Guarded { .. }) => Spot::Unmatched,
                (_, other) => other,
            },
            (Spot::Refused { refusal, mode }, other) | (other, Spot::Refused { refusal, mode }) => {
                Spot::Refused {
                    refusal,
                    mode: other.mode().map_or(mode, |other| other.max(mode)),
                }
            }
            (
                Spot::Guarded { rule, path, terms },
                Spot::Guarded {
                    rule: other_rule,
                    path: other_path,
                    terms: other_terms,
                },
            ) => {
                let terms = terms.stricter(other_terms);
                if rule.resource.render(path) == other_rule.resource.render(other_path) {
                    Spot::Guarded { rule, path, terms }
                } else {
                    Spot::Refused {
                        refusal: Refusal::TwoResources,
                        mode: terms.mode,
                    }
                }
            }
        }
    }
}

impl Spot<'_, '_> {
    const fn mode(&self) -> Option<Mode> {
        match self {
            Self::Unmatched => None,
            Self::Guarded { terms, .. } => Some(terms.mode),
            Self::Refused { mode, .. } => Some(*mode),
        }
    }

    /// Says in a refusal that it was the destination which is ambiguous.
    const fn of_destination(self) -> Self {
        match self {
            Self::Refused {
                refusal: Refusal::Path(why),
                mode,
            } => Self::Refused {
                refusal: Refusal::DestinationPath(why),
                mode,
            },
            Self::Refused {
                refusal: Refusal::Authority(why),
                mode,
            } => Self::Refused {
                refusal: Refusal::DestinationAuthority(why),
                mode,
            },
            spot => spot,
        }
    }
}

impl Rule {
    const fn terms(&self) -> Terms {
        Terms {
            mode: self.mode,
            after_expiry: self.after_expiry,
        }
    }

    /// Whether the request is any of this rule's business, once it is known to match.
    fn cares_for(&self, request: &Request<'_>) -> bool {
        // A tunnel may carry writes, whatever its first method was.
        request.access == Access::Write || request.tunnel.is_some() || self.reads == Reads::Fence
    }
}

impl Terms {
    fn stricter(self, other: Self) -> Self {
        Self {
            mode: self.mode.max(other.mode),
            after_expiry: self.after_expiry.max(other.after_expiry),
        }
    }
}

/// Judges what the request brings along, in the documented order.
fn judge<'a>(request: &Request<'a>, rule: &Rule, path: Path<'_>, terms: Terms) -> Route<'a> {
    let Terms { mode, after_expiry } = terms;
    let resource = match rule.resource.render(path) {
        Ok(resource) => resource,
        Err(why) => {
            return Route::Refused(Refused {
                refusal: Refusal::Resource(why),
                mode,
                resource: None,
            });
        }
    };
    match present(request) {
        Ok((token, holder)) => Route::Guarded(Guarded {
            resource,
            access: request.access,
            mode,
            after_expiry,
            token,
            holder,
        }),
        Err(refusal) => Route::Refused(Refused {
            refusal,
            mode,
            resource: Some(resource),
        }),
    }
}

/// The token and holder that the request presents.
fn present<'a>(request: &Request<'a>) -> Result<(Token, Option<&'a str>), Refusal> {
    if let Some(tunnel) = request.tunnel {
        return Err(Refusal::Tunnel(tunnel));
    }
    request.method.map_err(Refusal::Method)?;
    let token = match request.token {
        Reading::Absent => None,
        Reading::Given(token) => Some(token),
        Reading::Malformed(why) => return Err(Refusal::TokenMalformed(why)),
        Reading::Ambiguous(why) => return Err(Refusal::TokenAmbiguous(why)),
    };
    let holder = match request.holder {
        Reading::Absent => None,
        Reading::Given(holder) => Some(holder),
        Reading::Malformed(why) => return Err(Refusal::HolderMalformed(why)),
        Reading::Ambiguous(why) => return Err(Refusal::HolderAmbiguous(why)),
    };
    if request.early_data && request.access == Access::Write {
        return Err(Refusal::EarlyData);
    }
    Ok((token.ok_or(Refusal::TokenRequired)?, holder))
}

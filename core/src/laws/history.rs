//! Each law as one function on what is known of a resource and what was known when the request
//! was sent.

use super::asked::Asked;
use super::{Event, Law, Tokens};
use crate::check::Access;
use crate::token::Token;
use std::collections::BTreeMap;

/// What is known of one resource.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) bound: BTreeMap<Token, Bound>,
    /// The highest granted token of this start.
    pub(super) granted: Option<Token>,
    /// Below this nothing is admitted.
    pub(super) floor: Option<Token>,
    pub(super) mark: Option<Token>,
    pub(super) unreadable: bool,
}

/// Whom a token is bound to; an unnamed holder is nobody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    start: u32,
    holder: Option<String>,
    request_id: Option<String>,
}

impl Law {
    const fn broken(self, token: Token, against: Option<Token>) -> Broken {
        Broken {
            law: self,
            token: Some(token),
            against,
        }
    }
}

/// A law, and the tokens that break it.
pub(super) struct Broken {
    pub(super) law: Law,
    pub(super) token: Option<Token>,
    pub(super) against: Option<Token>,
}

/// What is known of one resource, and what was known when the request was sent. One function a law.
pub(super) struct History<'k> {
    pub(super) known: &'k mut Known,
    pub(super) asked: Asked,
    pub(super) start: u32,
    pub(super) tokens: Tokens,
}

impl History<'_> {
    pub(super) fn take(mut self, event: &Event<'_>) -> Result<(), Broken> {
        match *event {
            Event::Granted {
                token,
                holder,
                request_id,
                ..
            } => self.granted(token, Some(holder), request_id),
            Event::Broken { token, .. } => self.granted(token, None, None),
            Event::Claimed { token, holder, .. } => self.admitted(token, holder, Access::Write),
            Event::Admitted {
                token,
                holder,
                access,
                ..
            } => self.admitted(token, holder, access),
            Event::Mark { mark, .. } => self.marked(mark),
            Event::Unreadable { .. } => {
                self.known.unreadable = true;
                Ok(())
            }
            Event::Readable { .. } => {
                self.known.unreadable = false;
                Ok(())
            }
            Event::Believes { token, .. } => self.holder_stops_in_time(token),
            Event::Restarted => Ok(()),
        }
    }

    fn granted(
        &mut self,
        token: Token,
        holder: Option<&str>,
        request_id: Option<&str>,
    ) -> Result<(), Broken> {
        let bound = Bound {
            start: self.start,
            holder: holder.map(str::to_owned),
            request_id: request_id.map(str::to_owned),
        };
        self.tokens_only_rise(token, &bound)?;
        self.unknown_is_not_empty(token)?;
        self.known.bound.insert(token, bound);
        self.known.granted = self.known.granted.max(Some(token));
        self.known.floor = self.known.floor.max(Some(token));
        Ok(())
    }

    fn admitted(
        &mut self,
        token: Token,
        holder: Option<&str>,
        access: Access,
    ) -> Result<(), Broken> {
        self.unknown_is_not_empty(token)?;
        self.stale_never_admitted(token)?;
        if access == Access::Write || !self.may_precede_its_binding(token) {
            self.equal_token_one_holder(token, holder)?;
        }
        if access == Access::Write {
            self.known.bound.entry(token).or_insert_with(|| Bound {
                start: self.start,
                holder: holder.map(str::to_owned),
                request_id: None,
            });
            self.known.floor = self.known.floor.max(Some(token));
        }
        Ok(())
    }

    fn marked(&mut self, mark: Option<Token>) -> Result<(), Broken> {
        let Some(mark) = mark else {
            return self.none_yet();
        };
        self.mark_never_falls(mark)?;
        self.known.mark = self.known.mark.max(Some(mark));
        Ok(())
    }

    fn tokens_only_rise(&self, token: Token, bound: &Bound) -> Result<(), Broken> {
        let earlier = self.asked.granted.filter(|_| self.same_start());
        let resumed = match self.known.bound.get(&token) {
            None => false,
            Some(before) if bound.request_id.is_some() && before == bound => true,
            Some(_) => return Err(Law::TokensOnlyRise.broken(token, Some(token))),
        };
        match earlier {
            Some(earlier) if token < earlier || (token == earlier && !resumed) => {
                Err(Law::TokensOnlyRise.broken(token, Some(earlier)))
            }
            _ => Ok(()),
        }
    }

    fn mark_never_falls(&self, mark: Token) -> Result<(), Broken> {
        let earlier = self.asked.mark.max(self.asked.floor);
        match earlier.filter(|_| self.same_start()) {
            Some(earlier) if mark < earlier => Err(Law::MarkNeverFalls.broken(mark, Some(earlier))),
            _ => Ok(()),
        }
    }

    fn stale_never_admitted(&self, token: Token) -> Result<(), Broken> {
        let of_earlier_start = self
            .known
            .bound
            .get(&token)
            .is_some_and(|bound| bound.start < self.asked.start);
        let floor = self.asked.floor.filter(|_| self.same_start());
        if of_earlier_start || floor.is_some_and(|floor| token < floor) {
            return Err(Law::StaleNeverAdmitted.broken(token, floor));
        }
        Ok(())
    }

    fn equal_token_one_holder(&self, token: Token, holder: Option<&str>) -> Result<(), Broken> {
        let same = match self.known.bound.get(&token) {
            Some(bound) => bound.holder.is_some() && bound.holder.as_deref() == holder,
            // What nobody was granted is bound to nobody.
            None => self.tokens == Tokens::External,
        };
        if same {
            Ok(())
        } else {
            Err(Law::EqualTokenOneHolder.broken(token, Some(token)))
        }
    }

    /// A read of a resource that has no mark binds nothing: it may have been decided before the
    /// first write of its token was, and be answered after it.
    fn may_precede_its_binding(&self, token: Token) -> bool {
        self.tokens == Tokens::External && self.asked.floor < Some(token)
    }

    fn unknown_is_not_empty(&self, token: Token) -> Result<(), Broken> {
        if self.asked.unreadable && self.known.unreadable {
            return Err(Law::UnknownIsNotEmpty.broken(token, None));
        }
        Ok(())
    }

    /// A record of ours may be forgotten, since an absent one admits nothing; a mark may not.
    fn none_yet(&self) -> Result<(), Broken> {
        let lost = self.asked.mark.max(self.asked.floor);
        match lost.filter(|_| self.same_start() && self.tokens == Tokens::External) {
            None => Ok(()),
            lost => Err(Broken {
                law: Law::UnknownIsNotEmpty,
                token: None,
                against: lost,
            }),
        }
    }

    fn holder_stops_in_time(&self, token: Token) -> Result<(), Broken> {
        match self.known.granted {
            Some(newer) if newer > token => Err(Law::HolderStopsInTime.broken(token, Some(newer))),
            _ => Ok(()),
        }
    }

    fn same_start(&self) -> bool {
        self.asked.start == self.start
    }
}

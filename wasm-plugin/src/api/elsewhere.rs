//! Wishes at an authority that answers later: etcd.

use super::leases::{Lease, Leases};
use super::wish::{Deed, Outcome, Wish};
use super::{Answer, Api, Pending, Said};
use crate::etcd::{Etcd, Paged, Said as Heard};
use crate::guard::whose;
use core::time::Duration;
use fencegate_core::check::Access;
use fencegate_core::quorum::{self, Bearer, Wanted};
use fencegate_core::token::Token;

impl Api<'_> {
    /// Asks for what is wished for.
    pub(super) fn ask_elsewhere(&self, etcd: &Etcd, context: u32, wish: Wish) -> Answer {
        if let Deed::List { after, limit } = &wish.deed {
            let after = from_hex(after).filter(|after| !after.is_empty());
            etcd.ask_for_page(self.host, context, after, (*limit).into());
        } else if let Some(wanted) = self.wanted(&wish.deed) {
            let wait = match wish.deed {
                Deed::Acquire { wait, .. } => wait,
                _ => Duration::ZERO,
            };
            etcd.ask(self.host, context, &wish.resource, wanted, wait);
        }
        Ok(Said::Asked(Box::new(Pending {
            wish,
            arrived: self.arrived,
        })))
    }

    /// The same in the words of the core; `None` for what is of no resource.
    fn wanted(&self, deed: &Deed) -> Option<Wanted> {
        Some(match deed {
            Deed::Acquire {
                holder,
                request_id,
                expect_mark,
                ttl,
                ..
            } => Wanted::Acquire {
                holder: holder.clone(),
                request_id: request_id.clone(),
                expect_mark: *expect_mark,
                ttl: *ttl,
            },
            Deed::Renew { holder, token, ttl } => Wanted::Renew {
                bearer: bearer(*token, Some(holder)),
                ttl: *ttl,
            },
            Deed::Release {
                holder,
                token,
                writes_answered,
            } => Wanted::Release {
                bearer: bearer(*token, Some(holder)),
                writes_answered: *writes_answered,
            },
            Deed::Claim { holder, token } => Wanted::Check {
                bearer: bearer(*token, holder.as_ref()),
                access: Access::Write,
                whose: whose(self.judgement()),
            },
            Deed::Break { .. } => Wanted::Break,
            Deed::Look => Wanted::Look,
            Deed::Ready => Wanted::Ready,
            Deed::List { .. } => return None,
        })
    }

    /// What was said, in the words of the lease API.
    pub(super) fn outcome_of(&self, heard: Heard) -> Outcome {
        match heard {
            Heard::Undecided(fault) => Outcome::Undecided(fault),
            Heard::Page(page) => self.listed(&page),
            Heard::Outcome(outcome) => match outcome {
                quorum::Outcome::Verdict(verdict) => Outcome::Claimed(verdict),
                quorum::Outcome::Acquired(acquired) => Outcome::Acquired(acquired),
                quorum::Outcome::Renewed(renewed) => Outcome::Renewed(renewed),
                quorum::Outcome::Released(released) => Outcome::Released(released),
                quorum::Outcome::Broken(broken) => Outcome::Broken(broken),
                quorum::Outcome::Looked(Ok(looked)) => Outcome::Looked(looked),
                quorum::Outcome::Ready(Ok(())) => Outcome::Ready,
                quorum::Outcome::Ready(Err(fault)) | quorum::Outcome::Looked(Err(fault)) => {
                    Outcome::Undecided(fault)
                }
            },
        }
    }

    /// A page. It goes on with the name of its last resource, in hexadecimal: a name may hold what
    /// means something else in a query.
    fn listed(&self, page: &Paged) -> Outcome {
        let mut leases = Leases::new(self.filter.settings.disclose);
        for (resource, kept, locked) in &page.rows {
            leases.write(resource, Lease::of_kept(kept, *locked));
        }
        let last = page.rows.last().filter(|_| page.more);
        Outcome::Listed(leases.json, last.map(|(resource, ..)| to_hex(resource)))
    }
}

fn bearer(token: Token, holder: Option<&String>) -> Bearer {
    Bearer {
        token,
        holder: holder.cloned(),
    }
}

const DIGITS: &[u8; 16] = b"0123456789abcdef";

fn to_hex(name: &str) -> String {
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).map(|&it| char::from(it));
    let digits = name.bytes().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(digit).collect()
}

/// The name; `None` where it is none.
pub(super) fn from_hex(text: &str) -> Option<String> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let value = |digit: u8| DIGITS.iter().position(|&it| it == digit);
    let byte = |[high, low]: &[u8; 2]| u8::try_from(value(*high)? << 4 | value(*low)?).ok();
    let bytes: Option<Vec<u8>> = pairs.iter().map(byte).collect();
    String::from_utf8(bytes.filter(|_| rest.is_empty())?).ok()
}

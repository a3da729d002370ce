//! What clients know: the tokens that they were told, or have used.

use crate::ask::Pick;
use fencegate_core::token::Token;
use std::collections::BTreeMap;

/// No client invents a token of ours that was drawn and never told: a day draws fewer.
const OUT_OF_REACH: u64 = 10_000;

/// Tokens by resource, in the order in which they were told.
#[derive(Clone, Debug, Default)]
pub struct Known {
    told: BTreeMap<String, Vec<(Token, Option<String>)>>,
    /// Whether clients choose their tokens.
    pub external: bool,
}

impl Known {
    /// Nothing yet.
    #[must_use]
    pub const fn new(external: bool) -> Self {
        Self {
            told: BTreeMap::new(),
            external,
        }
    }

    /// A token was told.
    pub fn tell(&mut self, resource: &str, token: Token, holder: Option<&str>) {
        let told = self.told.entry(resource.to_owned()).or_default();
        if told.last().is_none_or(|(last, _)| *last != token) {
            told.push((token, holder.map(str::to_owned)));
        }
    }

    /// Whom a token was told to.
    #[must_use]
    pub fn owner(&self, resource: &str, token: Token) -> Option<String> {
        let told = self.told.get(resource)?;
        told.iter()
            .rev()
            .find(|(each, _)| *each == token)?
            .1
            .clone()
    }

    /// The token that a client picks; some token, where it knows none.
    #[must_use]
    pub fn pick(&self, resource: &str, pick: Pick) -> Token {
        let told = self.told.get(resource).map_or(&[][..], Vec::as_slice);
        let back = |count: usize| {
            let at = told.len().checked_sub(count.saturating_add(1));
            at.and_then(|at| told.get(at))
                .or(told.first())
                .map(|(token, _)| *token)
        };
        let newest = back(0).unwrap_or(Token::new(1, 1_000).expect("not zero"));
        let far = if self.external { 0 } else { OUT_OF_REACH };
        let moved = match pick {
            Pick::Newest | Pick::Of(_) => Some(newest),
            Pick::Older(count) => back(count.into()),
            Pick::Above(by) => {
                let number = newest.number().saturating_add(u64::from(by) + far);
                Token::new(newest.epoch(), number)
            }
            Pick::Below(by) => {
                let number = newest.number().saturating_sub(u64::from(by) + 1).max(1);
                Token::new(newest.epoch(), number)
            }
            Pick::NextEpoch => Token::new(newest.epoch().saturating_add(1), newest.number()),
        };
        moved.unwrap_or(newest)
    }
}

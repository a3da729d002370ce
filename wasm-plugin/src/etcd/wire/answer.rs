//! Answers as their JSON has them. What is missing is 0, false or empty; what is there must be of the
//! right kind.

use super::base64::decode;
use crate::json::Tree;
use std::slice::Iter;

/// The store's number and its revision.
pub(super) fn head(body: &Tree) -> Option<(u64, u64)> {
    let header = body.get("header")?;
    Some((
        positive(header, "cluster_id")?,
        positive(header, "revision")?,
    ))
}

/// The term of the last thing that the member which answered was told by a leader; 0: of none since
/// it was started.
pub(super) fn term(body: &Tree) -> Option<u64> {
    number(body.get("header")?, "raft_term")
}

/// A number of 64 bits, which is a text of digits.
pub(super) fn number(tree: &Tree, name: &str) -> Option<u64> {
    match tree.get(name) {
        None => Some(0),
        Some(Tree::Text(text)) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
            text.parse().ok()
        }
        _ => None,
    }
}

fn positive(tree: &Tree, name: &str) -> Option<u64> {
    number(tree, name).filter(|number| *number > 0)
}

pub(super) fn text<'a>(tree: &'a Tree, name: &str) -> Option<&'a str> {
    match tree.get(name) {
        None => Some(""),
        Some(Tree::Text(text)) => Some(text),
        _ => None,
    }
}

pub(super) fn truth(tree: &Tree, name: &str) -> Option<bool> {
    match tree.get(name) {
        None => Some(false),
        Some(Tree::Truth(truth)) => Some(*truth),
        _ => None,
    }
}

pub(super) fn list<'a>(tree: &'a Tree, name: &str) -> Option<&'a [Tree]> {
    match tree.get(name) {
        None => Some(&[]),
        Some(Tree::List(list)) => Some(list),
        _ => None,
    }
}

/// A key with its value.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a>(pub(super) &'a Tree);

impl<'a> Pair<'a> {
    /// The key, in base64.
    pub(super) fn key(self) -> Option<&'a str> {
        text(self.0, "key")
    }

    pub(super) fn bytes(self) -> Option<Vec<u8>> {
        decode(text(self.0, "value")?)
    }

    /// The revision of its last put.
    pub(super) fn put_at(self) -> Option<u64> {
        positive(self.0, "mod_revision")
    }

    /// The revision since which it is there.
    pub(super) fn since(self) -> Option<u64> {
        positive(self.0, "create_revision")
    }

    /// The lease that it goes with; 0: none.
    pub(super) fn lease(self) -> Option<u64> {
        number(self.0, "lease")
    }
}

/// What was read in a transaction, in the order in which it was asked for.
pub(super) struct Reads<'a>(Iter<'a, Tree>);

impl<'a> Reads<'a> {
    /// Passes over so many writes.
    pub(super) fn after(writes: usize, body: &'a Tree) -> Option<Self> {
        let mut responses = list(body, "responses")?.iter();
        for _ in 0..writes {
            if responses.next()?.get("response_range").is_some() {
                return None;
            }
        }
        Some(Self(responses))
    }

    /// What the next one brought, and whether a limit left some out.
    pub(super) fn next(&mut self) -> Option<(&'a [Tree], bool)> {
        let range = self.0.next()?.get("response_range")?;
        Some((list(range, "kvs")?, truth(range, "more")?))
    }

    /// What is under this key, if anything is.
    pub(super) fn one(&mut self, key: &str) -> Option<Option<Pair<'a>>> {
        match self.next()? {
            ([], false) => Some(None),
            ([pair], false) => {
                let pair = Pair(pair);
                (pair.key()? == key).then_some(Some(pair))
            }
            _ => None,
        }
    }

    /// Nothing may come after the last one.
    pub(super) fn end(&mut self) -> Option<()> {
        self.0.next().is_none().then_some(())
    }
}

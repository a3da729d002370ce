//! What is told, in words. A language is one file: whoever adds one implements [`Words`].

mod en;
mod gap;

pub use en::English;

use super::dialect::Dialect;
use super::laws::Law;
use super::told::{Explained, Told};
use super::who::Who;
use std::borrow::Cow;

/// A language.
pub trait Words {
    /// What an actor is called.
    fn who(&self, who: Who) -> String;
    /// One sentence for one thing that happened.
    fn told(&self, told: &Told, dialect: Dialect) -> String;
    /// What a law says.
    fn law(&self, law: Law) -> Cow<'static, str>;
    /// "This law is broken now."
    fn broken(&self, law: Law) -> String;
    /// "These laws hold by luck." Nothing, if there are none.
    fn only_as_told(&self, laws: &[Law]) -> String;
}

/// An event in one line.
pub fn line(words: &dyn Words, explained: &Explained, dialect: Dialect) -> String {
    let told = explained.told.iter().map(|told| words.told(told, dialect));
    let broken = explained.broken.iter().map(|law| words.broken(*law));
    told.chain(broken).collect::<Vec<_>>().join(" ")
}

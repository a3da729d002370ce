//! Who acts, and the few names that records need.
//!
//! A name is a byte that stands for a text, so that a record in a state costs no allocation.

use serde::{Deserialize, Serialize};

/// The most holders of a scenario.
pub const HOLDERS_MAX: usize = 5;
/// The most proxies of a scenario.
pub const PROXIES_MAX: usize = 3;

/// Stands for nobody, where a mark is raised by a break.
pub const NOBODY: u8 = u8::MAX;

/// An actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// The lease service.
    Issuer,
    /// The store.
    Store,
    /// A proxy before the store.
    Proxy(u8),
    /// Somebody who wants to write.
    Holder(u8),
}

/// The name of a holder or of one of its requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Name(u8);

const TEXTS: [&str; 37] = [
    "A", "B", "C", "D", "E", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13",
    "14", "15", "16", "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29",
    "30", "31", "32",
];

impl Name {
    /// The name of holder `index`: A to E.
    #[must_use]
    pub const fn holder(index: u8) -> Self {
        Self(index)
    }

    /// The id of a holder's request `number`, which counts from 1. After 32 the last one stays.
    #[must_use]
    pub const fn request(number: u8) -> Self {
        let number = if number > 32 { 32 } else { number };
        Self(number.saturating_add(4))
    }

    /// Which holder has this name.
    #[must_use]
    pub const fn as_holder(self) -> Option<u8> {
        if self.0 < 5 { Some(self.0) } else { None }
    }

    /// The name that reads `text`.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let at = TEXTS.iter().position(|&known| known == text)?;
        u8::try_from(at).ok().map(Self)
    }

    /// Its text.
    #[must_use]
    pub fn text(self) -> &'static str {
        TEXTS.get(usize::from(self.0)).copied().unwrap_or("?")
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        self.text()
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.text().to_owned()
    }
}

impl TryFrom<String> for Name {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::of(&text).ok_or("a name is A to E, or a request number from 1 to 32")
    }
}

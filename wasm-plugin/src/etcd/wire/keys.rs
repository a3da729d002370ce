//! Where things lie under the prefix, and in which group a resource is.
//!
//! Part of what all proxies and the operator's program agree on: nothing here may change while a prefix
//! is in use.

use super::base64;
use siphasher::sip::SipHasher13;

/// How many groups there are: a change of one resource makes what is known of its group not fresh.
pub const GROUPS: u16 = 512;

/// Two numbers without meaning, fixed for ever: with others, proxies would look at other groups.
const GROUP_KEYS: (u64, u64) = (0x6665_6e63_6567_6174, 0x7665_7273_696f_6e73);

const MARKS: &str = "m/";
const LOCKS: &str = "l/";
const VERSIONS: &str = "v/";

/// The group of a resource, below [`GROUPS`].
#[must_use]
pub fn group(resource: &str) -> u16 {
    let hash = SipHasher13::new_with_keys(GROUP_KEYS.0, GROUP_KEYS.1).hash(resource.as_bytes());
    let group = hash.checked_rem(GROUPS.into()).unwrap_or_default();
    u16::try_from(group).unwrap_or_default()
}

/// The keys that a call is about.
#[derive(Clone, Copy, Debug)]
pub struct Keys<'a> {
    /// What all keys begin with, like `/fencegate/`.
    pub prefix: &'a str,
    /// The resource; of no meaning to calls that are about none.
    pub resource: &'a str,
}

/// Keys from this one up to, and without, that one; both as they are sent.
pub(super) struct Span {
    pub(super) from: String,
    pub(super) to: String,
}

/// All keys are given as they are sent: in base64.
impl Keys<'_> {
    pub(super) fn init(&self) -> String {
        sent(&[self.prefix, "init"])
    }

    pub(super) fn mark(&self) -> String {
        sent(&[self.prefix, MARKS, self.resource])
    }

    pub(super) fn lock(&self) -> String {
        sent(&[self.prefix, LOCKS, self.resource])
    }

    pub(super) fn version(&self) -> String {
        let group = group(self.resource);
        sent(&[self.prefix, VERSIONS, &format!("{group:03x}")])
    }

    pub(super) fn versions(&self) -> Span {
        // `0` is what comes after `/`.
        Span {
            from: sent(&[self.prefix, VERSIONS]),
            to: sent(&[self.prefix, "v0"]),
        }
    }

    /// The marks of resources that begin with `begin` and come after `after`.
    pub(super) fn marks_after(&self, begin: &str, after: Option<&str>) -> Span {
        span(&[self.prefix, MARKS], begin, after)
    }

    /// Their locks.
    pub(super) fn locks_after(&self, begin: &str, after: Option<&str>) -> Span {
        span(&[self.prefix, LOCKS], begin, after)
    }

    /// The group whose version this key is; `None` for any other key.
    pub(super) fn group_of(&self, key: &str) -> Option<u16> {
        let key = self.name_in(VERSIONS, key)?;
        let digits = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let well_formed = key.len() == 3 && key.bytes().all(digits);
        let group = u16::from_str_radix(&key, 16).ok()?;
        (well_formed && group < GROUPS).then_some(group)
    }

    /// The resource whose mark this key is.
    pub(super) fn marked(&self, key: &str) -> Option<String> {
        self.name_in(MARKS, key)
    }

    /// The resource whose lock this key is.
    pub(super) fn locked(&self, key: &str) -> Option<String> {
        self.name_in(LOCKS, key)
    }

    fn name_in(&self, folder: &str, key: &str) -> Option<String> {
        let key = String::from_utf8(base64::decode(key)?).ok()?;
        let name = key.strip_prefix(self.prefix)?.strip_prefix(folder)?;
        Some(name.to_owned())
    }
}

fn span(folder: &[&str; 2], begin: &str, after: Option<&str>) -> Span {
    let [prefix, folder] = *folder;
    let first = match after {
        // Nothing lies between a name and the same with a zero byte behind it.
        Some(after) if after >= begin => sent(&[prefix, folder, after, "\0"]),
        _ => sent(&[prefix, folder, begin]),
    };
    let mut end = [prefix, folder, begin].concat().into_bytes();
    // A byte of UTF-8 is never the highest one.
    if let Some(last) = end.last_mut() {
        *last = last.saturating_add(1);
    }
    Span {
        from: first,
        to: base64::encode(&end),
    }
}

fn sent(parts: &[&str]) -> String {
    base64::encode(parts.concat().as_bytes())
}

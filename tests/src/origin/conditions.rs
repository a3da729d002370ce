//! The origin's own conditions on a request: `If-Match` and `If-None-Match`.
//!
//! Pure: a condition and what is there, yes or no. Strong comparison only, since every entity tag
//! of the origin names one version: a weak tag in a request matches nothing.

use hyper::HeaderMap;
use hyper::header::{AsHeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH};

/// What a request demands of the version that is there before it is applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Conditions {
    matches: Option<Tags>,
    none_matches: Option<Tags>,
}

/// A header that cannot be read as a list of entity tags; the answer is 400.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unreadable;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Tags {
    Any,
    Listed(Vec<String>),
}

impl Conditions {
    /// Reads both headers; several lines of one header count as one list.
    pub(super) fn read(headers: &HeaderMap) -> Result<Self, Unreadable> {
        Ok(Self {
            matches: tags(headers, IF_MATCH)?,
            none_matches: tags(headers, IF_NONE_MATCH)?,
        })
    }

    /// Whether the request may be applied where `current` (a quoted strong tag) is there.
    pub(super) fn hold(&self, current: Option<&str>) -> bool {
        let matched = self
            .matches
            .as_ref()
            .is_none_or(|tags| tags.include(current));
        let clear = self
            .none_matches
            .as_ref()
            .is_none_or(|tags| !tags.include(current));
        matched && clear
    }
}

impl Tags {
    fn include(&self, current: Option<&str>) -> bool {
        match (self, current) {
            (_, None) => false,
            (Self::Any, Some(_)) => true,
            (Self::Listed(listed), Some(current)) => listed.iter().any(|tag| tag == current),
        }
    }
}

fn tags(headers: &HeaderMap, name: impl AsHeaderName) -> Result<Option<Tags>, Unreadable> {
    let lines: Vec<&str> = headers
        .get_all(name)
        .iter()
        .map(HeaderValue::to_str)
        .collect::<Result<_, _>>()
        .map_err(|_| Unreadable)?;
    if lines.is_empty() {
        return Ok(None);
    }
    let text = lines.join(",");
    if text.trim() == "*" {
        return Ok(Some(Tags::Any));
    }
    listed(&text).map(Tags::Listed).map(Some)
}

/// Splits `"a", W/"b,c"` at the quotes, since a comma may stand inside a tag.
fn listed(text: &str) -> Result<Vec<String>, Unreadable> {
    let mut found = Vec::new();
    let mut rest = text.trim_start_matches([' ', '\t', ',']);
    while !rest.is_empty() {
        let quoted = rest.strip_prefix("W/").unwrap_or(rest);
        let inside = quoted.strip_prefix('"').ok_or(Unreadable)?;
        let end = inside.find('"').ok_or(Unreadable)?;
        let length = rest.len() - inside.len() + end + 1;
        found.push(rest[..length].to_owned());
        let after = rest[length..].trim_start_matches([' ', '\t']);
        if !after.is_empty() && !after.starts_with(',') {
            return Err(Unreadable);
        }
        rest = after.trim_start_matches([' ', '\t', ',']);
    }
    if found.is_empty() {
        Err(Unreadable)
    } else {
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conditions(lines: &[(&'static str, &'static str)]) -> Result<Conditions, Unreadable> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, HeaderValue::from_static(value));
        }
        Conditions::read(&headers)
    }

    #[test]
    fn conditions_hold_where_rfc_9110_says_so() {
        type Lines = &'static [(&'static str, &'static str)];
        let table: &[(Lines, Option<&str>, bool)] = &[
            (&[], None, true),
            (&[], Some("\"v1\""), true),
            (&[("if-match", "\"v1\"")], Some("\"v1\""), true),
            (&[("if-match", "\"v1\"")], Some("\"v2\""), false),
            (&[("if-match", "\"v1\"")], None, false),
            (&[("if-match", "\"a,b\" , \"v2\"")], Some("\"v2\""), true),
            (
                &[("if-match", "\"v1\""), ("if-match", "\"v2\"")],
                Some("\"v2\""),
                true,
            ),
            (&[("if-match", "W/\"v2\"")], Some("\"v2\""), false),
            (&[("if-match", "*")], Some("\"v2\""), true),
            (&[("if-match", "*")], None, false),
            (&[("if-none-match", "*")], None, true),
            (&[("if-none-match", "*")], Some("\"v2\""), false),
            (&[("if-none-match", "\"v1\"")], Some("\"v2\""), true),
            (&[("if-none-match", "\"v2\"")], Some("\"v2\""), false),
        ];
        for (headers, current, expected) in table {
            let read = conditions(headers).expect("readable");
            assert_eq!(
                read.hold(*current),
                *expected,
                "{headers:?} where {current:?} is there"
            );
        }
    }

    #[test]
    fn an_unreadable_condition_is_never_taken_as_absent() {
        for text in ["v1", "\"v1", "\"v1\" \"v2\"", "", " , ", "*, \"v1\""] {
            assert_eq!(
                conditions(&[("if-match", text)]),
                Err(Unreadable),
                "{text:?}"
            );
        }
    }
}

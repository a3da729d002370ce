//! The two things that a query can say about a write: `_method`, and operations on many objects.
//!
//! Generous on purpose: whatever some server could read as such a parameter counts.

use super::Several;
use crate::path::escaped;

/// The methods that `_method` parameters ask for, decoded.
pub(super) fn methods(query: &[u8]) -> impl Iterator<Item = impl Iterator<Item = u8> + Clone> {
    parameters(query)
        .filter(|(name, _)| is(name, b"_method"))
        .map(|(_, value)| decoded(value))
}

/// Whether the query asks for an operation on objects that the body names.
pub(super) fn several(query: &[u8], posts: bool) -> Option<Several> {
    parameters(query).find_map(|(name, value)| {
        // Stores differ in whether `?delete=x` counts, so the value does not matter.
        if posts && is(name, b"delete") {
            Some(Several::Delete)
        } else if is(name, b"comp") && is(value, b"batch") {
            Some(Several::Batch)
        } else {
            None
        }
    })
}

fn parameters(query: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    query
        .split(|byte| matches!(byte, b'&' | b';'))
        .map(|parameter| {
            let equals = parameter.iter().position(|&byte| byte == b'=');
            match equals.and_then(|at| parameter.split_at_checked(at)) {
                Some((name, value)) => (name, value.strip_prefix(b"=").unwrap_or(value)),
                None => (parameter, &b""[..]),
            }
        })
}

fn is(text: &[u8], wanted: &[u8]) -> bool {
    decoded(text)
        .map(|byte| byte.to_ascii_lowercase())
        .eq(wanted.iter().copied())
}

/// Percent-decoding that leaves a bad escape as it stands.
fn decoded(text: &[u8]) -> impl Iterator<Item = u8> + Clone {
    let mut bytes = text.iter();
    core::iter::from_fn(move || {
        let &byte = bytes.next()?;
        let mut ahead = bytes.clone();
        match (byte, escaped(&mut ahead)) {
            (b'%', Some(escape)) => {
                bytes = ahead;
                Some(escape)
            }
            _ => Some(byte),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_is_found_in_any_spelling() {
        for query in [
            "_method=PUT",
            "a=1&_method=PUT",
            "a;_method=PUT",
            "%5fmethod=%50UT",
            "_METHOD=PUT",
        ] {
            let found: Vec<Vec<u8>> = methods(query.as_bytes()).map(Iterator::collect).collect();
            assert_eq!(found, [b"PUT".to_vec()], "{query}");
        }
        for query in [
            "",
            "method=PUT",
            "x_method=PUT",
            "a=_method",
            "_method%=PUT",
            "_method%zz=PUT",
        ] {
            assert_eq!(methods(query.as_bytes()).count(), 0, "{query}");
        }
    }

    #[test]
    fn operations_on_several_objects() {
        for query in [
            "delete",
            "delete=",
            "x=1&delete",
            "%64elete",
            "delete=1",
            "Delete",
        ] {
            assert_eq!(
                several(query.as_bytes(), true),
                Some(Several::Delete),
                "{query}"
            );
            assert_eq!(several(query.as_bytes(), false), None, "{query}");
        }
        assert_eq!(several(b"comp=batch", true), Some(Several::Batch));
        for query in ["", "deleted", "x=delete", "comp=block", "batch"] {
            assert_eq!(several(query.as_bytes(), true), None, "{query}");
        }
    }
}

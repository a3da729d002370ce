//! What stands in `:path`: origin form, absolute form, or `*`, and the query after it.
//!
//! The query is split off even when the path is refused: it may say that a read is a write.

use super::{Path, PathAmbiguity};

/// A request target, taken apart.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The authority of the absolute form, unchecked.
    pub authority: Option<&'a [u8]>,
    /// The path or `*`, or why it has no single reading.
    pub form: Result<Form<'a>, PathAmbiguity>,
    /// What follows the first `?`.
    pub query: Option<&'a [u8]>,
}

/// What a request target names.
#[derive(Clone, Copy, Debug)]
pub enum Form<'a> {
    /// A place on the host.
    Path(Path<'a>),
    /// `*`: the host itself, for OPTIONS.
    Asterisk,
}

impl<'a> Target<'a> {
    /// Takes the bytes of `:path` (or of a `destination` header) apart.
    #[must_use]
    pub fn read(raw: &'a [u8]) -> Self {
        let (place, query) = match cut(raw, |rest| rest.first() == Some(&b'?')) {
            Some((place, query)) => (place, query.strip_prefix(b"?")),
            None => (raw, None),
        };
        let (authority, form) = match place {
            b"*" => (None, Ok(Form::Asterisk)),
            [b'/', ..] => (None, Path::read(place).map(Form::Path)),
            _ => absolute(place),
        };
        let form = if raw.contains(&b'#') {
            Err(PathAmbiguity::Fragment)
        } else {
            form
        };
        Self {
            authority,
            form,
            query,
        }
    }
}

fn absolute(place: &[u8]) -> (Option<&[u8]>, Result<Form<'_>, PathAmbiguity>) {
    let Some((scheme, rest)) = cut(place, |rest| rest.starts_with(b"://")) else {
        return (None, Err(PathAmbiguity::Form));
    };
    if !scheme.eq_ignore_ascii_case(b"http") && !scheme.eq_ignore_ascii_case(b"https") {
        return (None, Err(PathAmbiguity::Form));
    }
    let rest = rest.strip_prefix(b"://").unwrap_or(rest);
    let (authority, path) = cut(rest, |rest| rest.first() == Some(&b'/')).unwrap_or((rest, b"/"));
    (Some(authority), Path::read(path).map(Form::Path))
}

/// Cuts before the first place where the rest of `bytes` satisfies `here`.
fn cut(bytes: &[u8], here: impl Fn(&[u8]) -> bool) -> Option<(&[u8], &[u8])> {
    (0..bytes.len())
        .filter_map(|at| bytes.split_at_checked(at))
        .find(|(_, rest)| here(rest))
}

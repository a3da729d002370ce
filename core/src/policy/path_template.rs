//! The template of a path: which paths it matches, and which it shares with another template.

use core::fmt;

use crate::flaw::Flaw;
use crate::path::{Path, Segment};

/// The longest path template, in bytes.
pub(super) const TEMPLATE_LEN_MAX: usize = 1024;
/// The longest name of a variable, in bytes.
const VARIABLE_LEN_MAX: usize = 32;

/// Fixed segments, then perhaps a variable for all the rest (which may be nothing).
#[derive(Clone, Debug)]
pub(super) struct PathTemplate {
    fixed: Vec<Piece>,
    rest: Option<String>,
}

/// What one segment must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Decoded bytes.
    Literal(Vec<u8>),
    /// Any one segment, under this name.
    Variable(String),
}

/// Which part of a path a variable stands for, counted in segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Segment { at: usize },
    Rest { from: usize },
}

impl PathTemplate {
    pub(super) fn parse(text: &str) -> Result<Self, Flaw> {
        if text.len() > TEMPLATE_LEN_MAX {
            return Err(Flaw::PathTooLong {
                max: TEMPLATE_LEN_MAX,
            });
        }
        let inner = text.strip_prefix('/').ok_or(Flaw::PathStart)?;
        let mut template = Self {
            fixed: Vec::new(),
            rest: None,
        };
        if inner.is_empty() {
            return Ok(template);
        }
        if inner.ends_with('/') {
            return Err(Flaw::PathEnd);
        }
        for segment in inner.split('/') {
            template.push(segment)?;
        }
        Ok(template)
    }

    fn push(&mut self, segment: &str) -> Result<(), Flaw> {
        if let Some(name) = &self.rest {
            return Err(Flaw::RestNotLast { name: name.clone() });
        }
        let Some(braced) = segment
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'))
        else {
            self.fixed.push(literal(segment)?);
            return Ok(());
        };
        let name = variable_name(braced.strip_prefix('*').unwrap_or(braced))?;
        if self.place(&name).is_some() {
            return Err(Flaw::VariableTwice { name });
        }
        if braced.starts_with('*') {
            self.rest = Some(name);
        } else {
            self.fixed.push(Piece::Variable(name));
        }
        Ok(())
    }

    pub(super) fn matches(&self, path: Path<'_>) -> bool {
        let mut segments = path.segments();
        let fixed = self
            .fixed
            .iter()
            .all(|piece| segments.next().is_some_and(|segment| piece.is(segment)));
        fixed && (self.rest.is_some() || segments.next().is_none())
    }

    /// Where the variable `name` stands.
    pub(super) fn place(&self, name: &str) -> Option<Place> {
        if self.rest.as_deref() == Some(name) {
            return Some(Place::Rest {
                from: self.fixed.len(),
            });
        }
        let is = |piece: &Piece| matches!(piece, Piece::Variable(other) if other == name);
        self.fixed
            .iter()
            .position(is)
            .map(|at| Place::Segment { at })
    }

    pub(super) fn fixed(&self) -> &[Piece] {
        &self.fixed
    }

    /// The names of all variables, first to last.
    pub(super) fn variables(&self) -> impl Iterator<Item = &str> {
        self.fixed
            .iter()
            .filter_map(Piece::variable)
            .chain(self.rest.as_deref())
    }

    pub(super) const fn has_rest(&self) -> bool {
        self.rest.is_some()
    }

    /// Whether some path matches both: where both are fixed no two different literals meet, and
    /// where only one goes on the other takes the rest.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let meet = self
            .fixed
            .iter()
            .zip(&other.fixed)
            .all(|pieces| match pieces {
                (Piece::Literal(left), Piece::Literal(right)) => left == right,
                _ => true,
            });
        meet && match self.fixed.len().cmp(&other.fixed.len()) {
            core::cmp::Ordering::Less => self.rest.is_some(),
            core::cmp::Ordering::Equal => true,
            core::cmp::Ordering::Greater => other.rest.is_some(),
        }
    }

    /// A path that both match, given that they overlap.
    pub(super) fn witness(&self, other: &Self) -> String {
        let longest = self.fixed.len().max(other.fixed.len());
        let literal = |template: &Self, at| template.fixed.get(at).and_then(Piece::spelling);
        let segments = (0..longest).map(|at| {
            literal(self, at)
                .or_else(|| literal(other, at))
                .unwrap_or_else(|| "x".into())
        });
        let path: String = segments.flat_map(|segment| ["/".into(), segment]).collect();
        if path.is_empty() { "/".into() } else { path }
    }
}

impl Piece {
    fn is(&self, segment: Segment<'_>) -> bool {
        match self {
            Self::Literal(decoded) => segment.is(decoded),
            Self::Variable(_) => true,
        }
    }

    fn variable(&self) -> Option<&str> {
        match self {
            Self::Literal(_) => None,
            Self::Variable(name) => Some(name),
        }
    }

    /// How a literal may be spelled in a path.
    fn spelling(&self) -> Option<String> {
        match self {
            Self::Literal(decoded) => {
                let encoded = decoded
                    .iter()
                    .flat_map(|&byte| crate::path::canonical_byte(byte));
                Some(encoded.map(char::from).collect())
            }
            Self::Variable(_) => None,
        }
    }
}

/// A literal is spelled as in a request, so that one page of rules serves both.
fn literal(segment: &str) -> Result<Piece, Flaw> {
    if segment.contains(['{', '}']) {
        return Err(Flaw::PathBraces {
            segment: segment.into(),
        });
    }
    let checked = Segment::read(segment.as_bytes()).map_err(|why| Flaw::PathLiteral {
        segment: segment.into(),
        why,
    })?;
    Ok(Piece::Literal(checked.decoded().collect()))
}

fn variable_name(name: &str) -> Result<String, Flaw> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    let starts = name.as_bytes().first().is_some_and(u8::is_ascii_lowercase);
    if starts && name.len() <= VARIABLE_LEN_MAX && name.bytes().all(plain) {
        Ok(name.into())
    } else {
        Err(Flaw::VariableName { name: name.into() })
    }
}

impl fmt::Display for PathTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in &self.fixed {
            match piece {
                Piece::Literal(_) => write!(f, "/{}", piece.spelling().unwrap_or_default())?,
                Piece::Variable(name) => write!(f, "/{{{name}}}")?,
            }
        }
        match &self.rest {
            Some(name) => write!(f, "/{{*{name}}}"),
            None if self.fixed.is_empty() => f.write_str("/"),
            None => Ok(()),
        }
    }
}

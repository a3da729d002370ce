//! The template of a resource: how a path becomes a key, and whether a key can come of it.
//!
//! Values are spelled canonically, so a literal that begins with a byte which no value has ends
//! the value before it, and different values never make one key.

use super::path_template::{PathTemplate, Place};
use crate::flaw::Flaw;
use crate::name::{self, NameError, RESOURCE_LEN_MAX, is_name_byte};
use crate::path::{Path, Segment, is_unreserved};

/// Text and values in turn.
#[derive(Clone, Debug)]
pub(super) struct ResourceTemplate {
    parts: Vec<Part>,
}

/// One part of a resource.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Literal(String),
    Value { name: String, place: Place },
}

impl ResourceTemplate {
    pub(super) fn parse(text: &str, path: &PathTemplate) -> Result<Self, Flaw> {
        if text.is_empty() {
            return Err(Flaw::ResourceEmpty);
        }
        let mut template = Self { parts: Vec::new() };
        let mut left = text;
        while let Some((literal, after)) = left.split_once('{') {
            let (name, after) = after.split_once('}').ok_or(Flaw::ResourceBraces)?;
            template.push_literal(literal)?;
            template.push_value(name, path)?;
            left = after;
        }
        template.push_literal(left)?;
        template.check_length()?;
        template.check_separated()?;
        Ok(template)
    }

    fn push_literal(&mut self, literal: &str) -> Result<(), Flaw> {
        if literal.contains('}') {
            return Err(Flaw::ResourceBraces);
        }
        let allowed = |found: char| u8::try_from(found).is_ok_and(is_name_byte);
        if let Some(found) = literal.chars().find(|&found| !allowed(found)) {
            return Err(Flaw::ResourceByte { found });
        }
        if !literal.is_empty() {
            self.parts.push(Part::Literal(literal.into()));
        }
        Ok(())
    }

    fn push_value(&mut self, name: &str, path: &PathTemplate) -> Result<(), Flaw> {
        if let Some(name) = name.strip_prefix('*') {
            return Err(Flaw::ResourceStar { name: name.into() });
        }
        let Some(place) = path.place(name) else {
            let has = path.variables().map(String::from).collect();
            return Err(Flaw::UnknownVariable {
                name: name.into(),
                path: path.to_string(),
                has,
            });
        };
        let is = |part: &Part| matches!(part, Part::Value { name: other, .. } if other == name);
        if self.parts.iter().any(is) {
            return Err(Flaw::VariableTwice { name: name.into() });
        }
        self.parts.push(Part::Value {
            name: name.into(),
            place,
        });
        Ok(())
    }

    fn check_length(&self) -> Result<(), Flaw> {
        let literals = self.parts.iter().map(|part| match part {
            Part::Literal(text) => text.len(),
            // A rest may be empty, a segment not.
            Part::Value {
                place: Place::Rest { .. },
                ..
            } => 0,
            Part::Value {
                place: Place::Segment { .. },
                ..
            } => 1,
        });
        if literals.fold(0, usize::saturating_add) > RESOURCE_LEN_MAX {
            return Err(Flaw::ResourceTooLong {
                max: RESOURCE_LEN_MAX,
            });
        }
        Ok(())
    }

    /// Between two values there is a text whose first byte the value before cannot have.
    fn check_separated(&self) -> Result<(), Flaw> {
        let mut before: Option<(&str, Place)> = None;
        let mut text: Option<&str> = None;
        for part in &self.parts {
            match part {
                Part::Literal(literal) => text = Some(literal),
                Part::Value { name, place } => {
                    if let Some((left, left_place)) = before {
                        let first = text.and_then(|text| text.bytes().next());
                        if first.is_none_or(|byte| may_have(left_place, byte)) {
                            let rest = matches!(left_place, Place::Rest { .. });
                            return Err(Flaw::NotSeparated {
                                left: left.into(),
                                right: name.clone(),
                                rest,
                            });
                        }
                    }
                    (before, text) = (Some((name.as_str(), *place)), None);
                }
            }
        }
        Ok(())
    }

    /// The key of a path that the rule matches.
    ///
    /// # Errors
    /// Too long for a resource, or empty.
    pub(super) fn render(&self, path: Path<'_>) -> Result<String, NameError> {
        let mut key = String::new();
        for part in &self.parts {
            match part {
                Part::Literal(text) => key.push_str(text),
                Part::Value {
                    place: Place::Segment { at },
                    ..
                } => {
                    push_segments(&mut key, path.segments().skip(*at).take(1));
                }
                Part::Value {
                    place: Place::Rest { from },
                    ..
                } => {
                    push_segments(&mut key, path.segments().skip(*from));
                }
            }
        }
        name::resource(key.as_bytes())?;
        Ok(key)
    }

    /// Whether some path has this key.
    pub(super) fn produces(&self, key: &str) -> bool {
        let Ok(key) = name::resource(key.as_bytes()) else {
            return false;
        };
        let (mut left, mut parts) = (key.as_bytes(), self.parts.as_slice());
        loop {
            let (taken, after) = match parts {
                [] => return left.is_empty(),
                [Part::Value { place, .. }] => return is_value(*place, left),
                // The last text may begin with bytes that values have: it is cut off from the end.
                [Part::Value { place, .. }, Part::Literal(text)] => {
                    let value = left.strip_suffix(text.as_bytes());
                    return value.is_some_and(|value| is_value(*place, value));
                }
                [Part::Value { place, .. }, after @ ..] => (after_value(*place, left), after),
                [Part::Literal(text), after @ ..] => (left.strip_prefix(text.as_bytes()), after),
            };
            match taken {
                Some(rest) => (left, parts) = (rest, after),
                None => return false,
            }
        }
    }

    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }
}

/// Appends the canonical spelling, stopping once the key is too long anyway.
fn push_segments<'a>(key: &mut String, segments: impl Iterator<Item = Segment<'a>>) {
    let mut separator = "";
    for segment in segments {
        key.push_str(separator);
        key.extend(segment.canonical().map(char::from));
        separator = "/";
        if key.len() > RESOURCE_LEN_MAX {
            return;
        }
    }
}

/// Whether the canonical spelling of a value can have this byte.
const fn may_have(place: Place, byte: u8) -> bool {
    is_unreserved(byte) || byte == b'%' || (byte == b'/' && matches!(place, Place::Rest { .. }))
}

/// Takes one whole value off the front.
fn after_value(place: Place, bytes: &[u8]) -> Option<&[u8]> {
    let end = bytes
        .iter()
        .position(|&byte| !may_have(place, byte))
        .unwrap_or(bytes.len());
    let (value, rest) = bytes.split_at_checked(end)?;
    is_value(place, value).then_some(rest)
}

fn is_value(place: Place, bytes: &[u8]) -> bool {
    match place {
        Place::Segment { .. } => is_canonical(bytes),
        Place::Rest { .. } => {
            bytes.is_empty() || bytes.split(|&byte| byte == b'/').all(is_canonical)
        }
    }
}

fn is_canonical(segment: &[u8]) -> bool {
    Segment::read(segment)
        .is_ok_and(|segment_read| segment_read.canonical().eq(segment.iter().copied()))
}

//! Reads JSON of which little is needed, whatever else it says.

use super::fault::Fault;
use super::reader::{DEPTH_MAX, Reader};

/// A value. Numbers that are not whole, or too large, and `null` are something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// A text.
    Text(String),
    /// A whole number.
    Number(u64),
    /// `true` or `false`.
    Truth(bool),
    /// A list.
    List(Vec<Tree>),
    /// An object. No name comes twice.
    Object(Vec<(String, Tree)>),
    /// Anything else.
    Else,
}

impl Tree {
    /// Reads one value, and nothing after it. `None`: it is no JSON, nested too deep, or has a name
    /// twice.
    #[must_use]
    pub fn read(json: &[u8]) -> Option<Self> {
        let mut reader = Reader::of(json);
        let tree = value(&mut reader, DEPTH_MAX).ok()?;
        reader.space();
        reader.rest.is_empty().then_some(tree)
    }

    /// A field of an object.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(fields) = self else {
            return None;
        };
        let mut fields = fields.iter();
        fields.find_map(|(found, value)| (found == name).then_some(value))
    }
}

fn value(reader: &mut Reader<'_>, depth: u8) -> Result<Tree, Fault> {
    let deep = || Fault::new("it is nested too deep");
    let within = depth.checked_sub(1).ok_or_else(deep)?;
    match reader.peek() {
        Some(b'{') => object(reader, within),
        Some(b'[') => list(reader, within),
        Some(b'"') => text(reader).map(Tree::Text),
        Some(b'-' | b'0'..=b'9') => number(reader),
        _ if reader.word(b"true") => Ok(Tree::Truth(true)),
        _ if reader.word(b"false") => Ok(Tree::Truth(false)),
        _ if reader.word(b"null") => Ok(Tree::Else),
        _ => Err(Fault::new("this is no JSON: a value is missing")),
    }
}

fn text(reader: &mut Reader<'_>) -> Result<String, Fault> {
    reader.need(b'"')?;
    reader.string()
}

fn object(reader: &mut Reader<'_>, depth: u8) -> Result<Tree, Fault> {
    reader.need(b'{')?;
    let mut fields: Vec<(String, Tree)> = Vec::new();
    while !reader.eat(b'}') {
        if !fields.is_empty() {
            reader.need(b',')?;
        }
        let name = text(reader)?;
        if fields.iter().any(|(other, _)| *other == name) {
            return Err(Fault::new("it is given twice"));
        }
        reader.need(b':')?;
        fields.push((name, value(reader, depth)?));
    }
    Ok(Tree::Object(fields))
}

fn list(reader: &mut Reader<'_>, depth: u8) -> Result<Tree, Fault> {
    reader.need(b'[')?;
    let mut elements = Vec::new();
    while !reader.eat(b']') {
        if !elements.is_empty() {
            reader.need(b',')?;
        }
        elements.push(value(reader, depth)?);
    }
    Ok(Tree::List(elements))
}

fn number(reader: &mut Reader<'_>) -> Result<Tree, Fault> {
    let all = reader.rest;
    reader.pass_number()?;
    let len = all.len().saturating_sub(reader.rest.len());
    let text = all.get(..len).unwrap_or_default();
    let number = core::str::from_utf8(text).unwrap_or_default().parse();
    Ok(number.map_or(Tree::Else, Tree::Number))
}

//! Reads JSON into whatever serde can make of it.

use super::fault::Fault;
use core::fmt::{self, Display};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};

/// How deep values may be nested: far deeper than anything that is read here.
const DEPTH_MAX: u8 = 32;
const NUMBER: &str = "give a whole number from 0 to 18446744073709551615";
const NUMBER_U32: &str = "give a whole number from 0 to 4294967295";

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The field, like `rules[0].token`; empty for the text as a whole.
    pub at: String,
    /// One sentence.
    pub what: String,
}

impl Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.at.is_empty() {
            write!(f, "{}: ", self.at)?;
        }
        f.write_str(&self.what)
    }
}

/// Reads one value, and nothing after it.
///
/// # Errors
/// It is no JSON, or not what a `T` is made of.
pub fn read<T: DeserializeOwned>(json: &[u8]) -> Result<T, ReadError> {
    let mut reader = Reader {
        rest: json,
        path: Vec::new(),
    };
    let value = T::deserialize(&mut reader).and_then(|value| {
        reader.space();
        match reader.rest {
            [] => Ok(value),
            _ => Err(Fault::new("there is more after its end")),
        }
    });
    value.map_err(|Fault(what)| ReadError {
        at: place(&reader.path),
        what,
    })
}

/// A step into a value.
enum Level {
    Key(String),
    Index(usize),
}

/// The steps that were taken when the error came.
fn place(path: &[Level]) -> String {
    let mut out = String::new();
    for level in path {
        match level {
            Level::Key(key) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(key);
            }
            Level::Index(index) => {
                let _: fmt::Result = fmt::Write::write_fmt(&mut out, format_args!("[{index}]"));
            }
        }
    }
    out
}

/// What is left of a text, and the steps that lead there.
struct Reader<'de> {
    rest: &'de [u8],
    path: Vec<Level>,
}

impl<'de> Reader<'de> {
    fn space(&mut self) {
        while let Some((b' ' | b'\t' | b'\n' | b'\r', rest)) = self.rest.split_first() {
            self.rest = rest;
        }
    }

    fn peek(&mut self) -> Option<u8> {
        self.space();
        self.rest.first().copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.rest = self.rest.split_first().map_or(self.rest, |(_, rest)| rest);
        }
        found
    }

    fn need(&mut self, byte: u8) -> Result<(), Fault> {
        if self.eat(byte) {
            Ok(())
        } else {
            Err(Fault(format!(
                "this is no JSON: a {} is missing",
                char::from(byte)
            )))
        }
    }

    fn word(&mut self, word: &[u8]) -> bool {
        self.space();
        let after = self.rest.strip_prefix(word);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn number(&mut self) -> Result<u64, Fault> {
        self.space();
        let len = self
            .rest
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let (digits, rest) = self.rest.split_at_checked(len).unwrap_or_default();
        let leading_zero = digits.len() > 1 && digits.first() == Some(&b'0');
        if leading_zero || matches!(rest.first(), Some(b'.' | b'e' | b'E' | b'-' | b'+')) {
            return Err(Fault::new(NUMBER));
        }
        self.rest = rest;
        let text = core::str::from_utf8(digits).unwrap_or_default();
        text.parse().map_err(|_| Fault::new(NUMBER))
    }

    /// Reads a string behind its first quote.
    fn string(&mut self) -> Result<String, Fault> {
        let mut out = Vec::new();
        loop {
            let (byte, rest) = self.rest.split_first().ok_or_else(unended)?;
            self.rest = rest;
            match byte {
                b'"' => break,
                b'\\' => {
                    let c = self.escaped()?;
                    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                0..=0x1f => return Err(Fault::new("a text has no control characters")),
                byte => out.push(*byte),
            }
        }
        String::from_utf8(out).map_err(|_| Fault::new("a text is UTF-8"))
    }

    fn escaped(&mut self) -> Result<char, Fault> {
        let (byte, rest) = self.rest.split_first().ok_or_else(unended)?;
        self.rest = rest;
        Ok(match byte {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return Err(Fault::new("a text has an unknown escape")),
        })
    }

    fn unicode(&mut self) -> Result<char, Fault> {
        let broken = || Fault::new("a text has a broken \\u escape");
        let first = self.hex4().ok_or_else(broken)?;
        if let Some(c) = char::from_u32(first) {
            return Ok(c);
        }
        // The first half of a pair; the second must follow.
        if !self.rest.starts_with(b"\\u") {
            return Err(broken());
        }
        self.rest = self.rest.strip_prefix(b"\\u").unwrap_or_default();
        let second = self.hex4().ok_or_else(broken)?;
        let pair = u16::try_from(first).and_then(|first| Ok([first, u16::try_from(second)?]));
        let pair = pair.map_err(|_| broken())?;
        let mut chars = char::decode_utf16(pair);
        match (chars.next(), chars.next()) {
            (Some(Ok(c)), None) => Ok(c),
            _ => Err(broken()),
        }
    }

    fn hex4(&mut self) -> Option<u32> {
        let (digits, rest) = self.rest.split_first_chunk::<4>()?;
        self.rest = rest;
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        u32::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok()
    }

    fn enter(&mut self, level: Level) -> Result<(), Fault> {
        if self.path.len() >= usize::from(DEPTH_MAX) {
            return Err(Fault::new("it is nested too deep"));
        }
        self.path.push(level);
        Ok(())
    }

    /// Leaves a level when what was in it is read. After an error the path stays, to be told.
    fn leave(&mut self) {
        self.path.pop();
    }

    /// Takes the byte that begins a value.
    fn open(&mut self, byte: u8, what: &str) -> Result<(), Fault> {
        if self.eat(byte) {
            Ok(())
        } else {
            Err(Fault(format!("give {what}")))
        }
    }

    /// Reads the name of a member, and steps into it.
    fn name(&mut self) -> Result<String, Fault> {
        self.open(b'"', "a name in quotes")?;
        let name = self.string()?;
        self.enter(Level::Key(name.clone()))?;
        self.need(b':')?;
        Ok(name)
    }

    /// Reads up to the value of a variant that has one.
    fn open_variant(&mut self) -> Result<String, Fault> {
        self.open(b'{', "a name, or an object with one member")?;
        self.name()
    }
}

fn unended() -> Fault {
    Fault::new("this is no JSON: it ends within a text")
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Fault;

    /// Only for what says by itself what it is; nothing here does.
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Fault> {
        Err(Fault::new("this is not read here"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.open(b'{', "an object")?;
        let value = visitor.visit_map(Members::of(self))?;
        self.need(b'}')?;
        Ok(value)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.open(b'[', "a list")?;
        let value = visitor.visit_seq(Members::of(self))?;
        self.need(b']')?;
        Ok(value)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.open(b'"', "a text")?;
        visitor.visit_string(self.string()?)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let number = self.number().ok().and_then(|number| number.try_into().ok());
        visitor.visit_u32(number.ok_or_else(|| Fault::new(NUMBER_U32))?)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_u64(self.number()?)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.word(b"true") {
            visitor.visit_bool(true)
        } else if self.word(b"false") {
            visitor.visit_bool(false)
        } else {
            Err(Fault::new("give true or false"))
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.word(b"null") {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    /// A variant is a text, or an object with one member.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        if self.peek() == Some(b'"') {
            self.open(b'"', "a text")?;
            return visitor.visit_enum(self.string()?.into_deserializer());
        }
        let name = self.open_variant()?;
        let value = visitor.visit_enum(Variant { reader: self, name })?;
        self.leave();
        match self.peek() {
            Some(b',') => Err(Fault::new("give an object with one member")),
            _ => self.need(b'}').map(|()| value),
        }
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u128 f32 f64 char str bytes byte_buf unit unit_struct
        newtype_struct tuple tuple_struct map identifier ignored_any
    }
}

/// The members of an object or the elements of a list.
struct Members<'a, 'de> {
    reader: &'a mut Reader<'de>,
    seen: usize,
}

impl<'a, 'de> Members<'a, 'de> {
    const fn of(reader: &'a mut Reader<'de>) -> Self {
        Self { reader, seen: 0 }
    }

    /// Whether another one follows, before `end`.
    fn follows(&mut self, end: u8) -> Result<bool, Fault> {
        if self.reader.peek() == Some(end) {
            return Ok(false);
        }
        if self.seen > 0 {
            self.reader.need(b',')?;
        }
        self.seen = self.seen.saturating_add(1);
        Ok(true)
    }

    /// Reads up to the next member's value; its name, if there is one.
    fn next_name(&mut self) -> Result<Option<String>, Fault> {
        if !self.follows(b'}')? {
            return Ok(None);
        }
        self.reader.name().map(Some)
    }

    /// Reads up to the next element; whether there is one.
    fn next_element(&mut self) -> Result<bool, Fault> {
        let index = self.seen;
        if !self.follows(b']')? {
            return Ok(false);
        }
        self.reader.enter(Level::Index(index))?;
        Ok(true)
    }
}

impl<'de> MapAccess<'de> for Members<'_, 'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        match self.next_name()? {
            Some(name) => seed.deserialize(name.into_deserializer()).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let value = seed.deserialize(&mut *self.reader)?;
        self.reader.leave();
        Ok(value)
    }
}

impl<'de> SeqAccess<'de> for Members<'_, 'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        if !self.next_element()? {
            return Ok(None);
        }
        let value = seed.deserialize(&mut *self.reader)?;
        self.reader.leave();
        Ok(Some(value))
    }
}

/// The one member of an object that is a variant.
struct Variant<'a, 'de> {
    reader: &'a mut Reader<'de>,
    name: String,
}

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(mut self, seed: V) -> Result<(V::Value, Self), Fault> {
        let name = core::mem::take(&mut self.name);
        let value = seed.deserialize(name.into_deserializer())?;
        Ok((value, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        Err(Fault::new(
            "this one has no value of its own: give its name as a text",
        ))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        seed.deserialize(self.reader)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.reader.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.reader.deserialize_struct("", fields, visitor)
    }
}

//! Reads JSON into whatever serde can make of it.

use super::fault::Fault;
use super::reader::{Level, NUMBER_U32, Reader, place};
use core::fmt::{self, Display};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};

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
    let mut reader = Reader::of(json);
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

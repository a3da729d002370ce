//! What can be read, and how the simplest of it is.
//!
//! What is made of others says so with [`crate::object!`] and [`crate::choice!`].

use super::reader::{Failed, ReadError, Reader};

const NUMBER_U32: &str = "give a whole number from 0 to 4294967295";

/// What a JSON value can become.
pub trait Read: Sized {
    /// Takes one value.
    ///
    /// # Errors
    /// It is no JSON, or not what this is made of; `from` knows which, and where.
    fn read(from: &mut Reader<'_>) -> Result<Self, Failed>;
}

/// A place for what is read: all that the walking code needs to know of a type, so that it is
/// there once for all types.
pub trait Slot {
    /// Takes one value, and keeps it.
    ///
    /// # Errors
    /// See [`Read::read`].
    fn fill(&mut self, from: &mut Reader<'_>) -> Result<(), Failed>;
}

impl<T: Read> Slot for Option<T> {
    fn fill(&mut self, from: &mut Reader<'_>) -> Result<(), Failed> {
        *self = Some(T::read(from)?);
        Ok(())
    }
}

/// Reads one value, and nothing after it.
///
/// # Errors
/// It is no JSON, or not what a `T` is made of.
pub fn read<T: Read>(json: &[u8]) -> Result<T, ReadError> {
    let mut reader = Reader::of(json);
    match T::read(&mut reader).and_then(|value| reader.end().map(|()| value)) {
        Ok(value) => Ok(value),
        Err(Failed) => Err(reader.why()),
    }
}

impl Read for String {
    fn read(from: &mut Reader<'_>) -> Result<Self, Failed> {
        from.text()
    }
}

impl Read for u64 {
    fn read(from: &mut Reader<'_>) -> Result<Self, Failed> {
        from.number()
    }
}

impl Read for u32 {
    fn read(from: &mut Reader<'_>) -> Result<Self, Failed> {
        let number = from.number().ok().and_then(|number| number.try_into().ok());
        number.ok_or_else(|| from.fail(NUMBER_U32))
    }
}

impl Read for bool {
    fn read(from: &mut Reader<'_>) -> Result<Self, Failed> {
        if from.word(b"true") {
            Ok(true)
        } else if from.word(b"false") {
            Ok(false)
        } else {
            Err(from.fail("give true or false"))
        }
    }
}

impl<T: Read> Read for Option<T> {
    fn read(from: &mut Reader<'_>) -> Result<Self, Failed> {
        if from.word(b"null") {
            Ok(None)
        } else {
            T::read(from).map(Some)
        }
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(from: &mut Reader<'_>) -> Result<Self, Failed> {
        let mut list = Self::new();
        from.elements(&mut |from| {
            list.push(T::read(from)?);
            Ok(())
        })?;
        Ok(list)
    }
}

impl<T: Read> Read for Box<T> {
    fn read(from: &mut Reader<'_>) -> Result<Self, Failed> {
        T::read(from).map(Self::new)
    }
}

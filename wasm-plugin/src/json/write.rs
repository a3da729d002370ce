//! Writes JSON objects, and lists of them.

use core::fmt::{self, Display, Write};

/// An object that is being written. Fields stand in the order in which they are given.
#[derive(Debug)]
pub struct Object<'a> {
    out: &'a mut String,
    first: bool,
}

impl<'a> Object<'a> {
    /// Begins an object at the end of `out`.
    #[must_use]
    pub fn begin(out: &'a mut String) -> Self {
        out.push('{');
        Self { out, first: true }
    }

    /// A field with a text.
    pub fn text(&mut self, name: &str, value: &str) -> &mut Self {
        self.name(name);
        self.out.push('"');
        escape(value, self.out);
        self.out.push('"');
        self
    }

    /// A field with something whose text needs no escape: a token.
    pub fn plain_text(&mut self, name: &str, value: impl Display) -> &mut Self {
        self.name(name);
        self.out.push('"');
        self.display(value);
        self.out.push('"');
        self
    }

    /// A field with a number or a truth value.
    pub fn value(&mut self, name: &str, value: impl Display) -> &mut Self {
        self.name(name);
        self.display(value);
        self
    }

    /// A field with an object, which is to be ended before the next field.
    pub fn object(&mut self, name: &str) -> Object<'_> {
        self.name(name);
        Object::begin(self.out)
    }

    /// A field with a list of objects, which is to be ended before the next field.
    pub fn list(&mut self, name: &str) -> List<'_> {
        self.name(name);
        self.out.push('[');
        List {
            out: self.out,
            first: true,
        }
    }

    /// Ends the object.
    pub fn end(&mut self) {
        self.out.push('}');
    }

    fn name(&mut self, name: &str) {
        let comma = if self.first { "\"" } else { ",\"" };
        self.first = false;
        self.out.push_str(comma);
        self.out.push_str(name);
        self.out.push_str("\":");
    }

    fn display(&mut self, value: impl Display) {
        // A string takes whatever is written to it.
        let _: fmt::Result = write!(self.out, "{value}");
    }
}

/// A list of objects that is being written.
#[derive(Debug)]
pub struct List<'a> {
    out: &'a mut String,
    first: bool,
}

impl List<'_> {
    /// The next object, which is to be ended before another one.
    pub fn object(&mut self) -> Object<'_> {
        if !self.first {
            self.out.push(',');
        }
        self.first = false;
        Object::begin(self.out)
    }

    /// Ends the list.
    pub fn end(&mut self) {
        self.out.push(']');
    }
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c < ' ' => {
                let _: fmt::Result = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
}

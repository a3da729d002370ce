//! Walks over a JSON text, from value to value, and remembers what was wrong, and where.

use core::fmt::{self, Display};

/// How deep values may be nested: far deeper than anything that is read here.
const DEPTH_MAX: u8 = 32;

/// What is wrong with a text, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadError {
    /// The field, like `rules[0].token`; empty for the text as a whole.
    pub at: String,
    /// One sentence that says how to mend it.
    pub what: String,
}

impl Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.at.is_empty() {
            f.write_str(&self.at)?;
            f.write_str(": ")?;
        }
        f.write_str(&self.what)
    }
}

/// Reading came to an end; the reader knows why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// What is left of a text.
#[derive(Debug)]
pub struct Reader<'a> {
    pub(super) rest: &'a [u8],
    depth: u8,
    why: ReadError,
}

impl<'a> Reader<'a> {
    pub(super) fn of(json: &'a [u8]) -> Self {
        Self {
            rest: json,
            depth: 0,
            why: ReadError::default(),
        }
    }

    /// Nothing but space may be left.
    pub(super) fn end(&mut self) -> Result<(), Failed> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.fail("there is more after its end")),
        }
    }

    pub(super) fn why(self) -> ReadError {
        self.why
    }

    /// Says what is wrong here.
    pub fn fail(&mut self, what: &str) -> Failed {
        what.clone_into(&mut self.why.what);
        Failed
    }

    /// Says what is wrong here, and what there is instead.
    pub(super) fn fail_with_names(
        &mut self,
        what: &str,
        names: &mut dyn Iterator<Item = &str>,
    ) -> Failed {
        self.fail(what);
        for name in names {
            self.why.what.push(' ');
            self.why.what.push_str(name);
        }
        Failed
    }

    /// Takes an object member by member: `each` takes the value, and is told its name.
    pub(super) fn members(
        &mut self,
        each: &mut dyn FnMut(&mut Self, &str) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        self.open(b'{', "an object")?;
        let mut first = true;
        while self.follows(b'}', &mut first)? {
            self.member(each)?;
        }
        Ok(())
    }

    /// Takes one member.
    pub(super) fn member(
        &mut self,
        each: &mut dyn FnMut(&mut Self, &str) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        self.open(b'"', "a name in quotes")?;
        let name = self.string()?;
        self.deeper()?;
        let taken = self.need(b':').and_then(|()| each(self, &name));
        if taken.is_err() {
            self.within(&name);
        }
        self.depth = self.depth.saturating_sub(1);
        taken
    }

    /// Takes a list element by element: `each` takes it.
    pub(super) fn elements(
        &mut self,
        each: &mut dyn FnMut(&mut Self) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        self.open(b'[', "a list")?;
        let mut first = true;
        let mut index = 0_u32;
        while self.follows(b']', &mut first)? {
            self.deeper()?;
            if each(self).is_err() {
                self.within(&format!("[{index}]"));
                return Err(Failed);
            }
            self.depth = self.depth.saturating_sub(1);
            index = index.saturating_add(1);
        }
        Ok(())
    }

    /// Whether another one follows, before `end`, which is taken.
    fn follows(&mut self, end: u8, first: &mut bool) -> Result<bool, Failed> {
        if self.eat(end) {
            return Ok(false);
        }
        if !core::mem::take(first) {
            self.need(b',')?;
        }
        Ok(true)
    }

    fn deeper(&mut self) -> Result<(), Failed> {
        if self.depth >= DEPTH_MAX {
            return Err(self.fail("it is nested too deep"));
        }
        self.depth = self.depth.saturating_add(1);
        Ok(())
    }

    /// What is wrong is wrong within this step.
    fn within(&mut self, step: &str) {
        let at = &mut self.why.at;
        if !at.is_empty() && !at.starts_with('[') {
            at.insert(0, '.');
        }
        at.insert_str(0, step);
    }

    /// Goes over a value that nobody asked for, whatever it is.
    pub(super) fn pass(&mut self) -> Result<(), Failed> {
        match self.peek() {
            Some(b'{') => self.members(&mut |from, _| from.pass()),
            Some(b'[') => self.elements(&mut Self::pass),
            Some(b'"') => self.text().map(drop),
            _ if [&b"true"[..], b"false", b"null"]
                .iter()
                .any(|word| self.word(word)) =>
            {
                Ok(())
            }
            _ => self.pass_number(),
        }
    }

    pub(super) fn space(&mut self) {
        while let Some((b' ' | b'\t' | b'\n' | b'\r', rest)) = self.rest.split_first() {
            self.rest = rest;
        }
    }

    pub(super) fn peek(&mut self) -> Option<u8> {
        self.space();
        self.rest.first().copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        self.word(&[byte])
    }

    pub(super) fn need(&mut self, byte: u8) -> Result<(), Failed> {
        if self.eat(byte) {
            return Ok(());
        }
        let byte = char::from(byte);
        Err(self.fail(&format!("this is no JSON: a {byte} is missing")))
    }

    /// Takes the byte that begins a value.
    pub(super) fn open(&mut self, byte: u8, what: &str) -> Result<(), Failed> {
        if self.eat(byte) {
            return Ok(());
        }
        Err(self.fail(&["give ", what].concat()))
    }

    pub(super) fn word(&mut self, word: &[u8]) -> bool {
        self.space();
        let after = self.rest.strip_prefix(word);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }
}

//! How the story is told: one line a happening, with the time since the start and who it was.
//!
//! It knows how to write and nothing of what happens.

use std::io::{self, Write};
use std::time::Instant;

/// Who a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// The worker that is frozen.
    A,
    /// The worker that takes over.
    B,
    /// The object store.
    Store,
    /// The teller, who alone sees everything.
    Teller,
}

/// Where the story is written to.
pub(super) struct Transcript<'a> {
    out: &'a mut dyn Write,
    start: Instant,
    colours: bool,
}

impl<'a> Transcript<'a> {
    /// A transcript whose clock starts now.
    pub(super) fn new(out: &'a mut dyn Write, colours: bool) -> Self {
        Self {
            out,
            start: Instant::now(),
            colours,
        }
    }

    /// A heading.
    ///
    /// # Errors
    /// As writing does.
    pub(super) fn heading(&mut self, text: &str) -> io::Result<()> {
        let text = self.paint("1", text);
        writeln!(self.out, "\n{text}\n")?;
        self.out.flush()
    }

    /// A line about somebody.
    ///
    /// # Errors
    /// As writing does.
    pub(super) fn line(&mut self, who: Who, text: &str) -> io::Result<()> {
        let (name, colour) = match who {
            Who::A => ("A", "33"),
            Who::B => ("B", "36"),
            Who::Store => ("store", "35"),
            Who::Teller => ("", "2"),
        };
        let name = self.paint(colour, &format!("{name:<5}"));
        let text = if who == Who::Teller {
            self.paint(colour, text)
        } else {
            text.to_owned()
        };
        writeln!(
            self.out,
            "{:6.2} s  {name}  {text}",
            self.start.elapsed().as_secs_f64()
        )?;
        self.out.flush()
    }

    /// Text that belongs to the line before.
    ///
    /// # Errors
    /// As writing does.
    pub(super) fn quote(&mut self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            writeln!(self.out, "                 {line}")?;
        }
        self.out.flush()
    }

    /// Plain text.
    ///
    /// # Errors
    /// As writing does.
    pub(super) fn text(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{text}")?;
        self.out.flush()
    }

    /// The text in green, or in red.
    pub(super) fn judged(&self, good: bool, text: &str) -> String {
        self.paint(if good { "1;32" } else { "1;31" }, text)
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.colours {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

/// The end of a token, which is where two tokens of one issuer differ.
pub(super) fn short(token: &str) -> String {
    let skipped = token.chars().count().saturating_sub(6);
    if skipped < 2 {
        token.to_owned()
    } else {
        format!("…{}", token.chars().skip(skipped).collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_tokens_are_shown_by_their_end() {
        assert_eq!(short("1796049503.2305843009213693953"), "…693953");
        assert_eq!(short("2.43"), "2.43");
    }
}

//! Numbers in a pattern: what `format!` does, in one place for all patterns.

use std::fmt::Write;

/// A pattern with these numbers in the places of its `#`.
pub(crate) fn numbered(pattern: &str, numbers: &[i32]) -> String {
    let (mut text, mut numbers) = (String::new(), numbers.iter());
    for letter in pattern.chars() {
        match numbers.as_slice() {
            [number, ..] if letter == '#' => {
                let _ = write!(text, "{number}");
                numbers.next();
            }
            _ => text.push(letter),
        }
    }
    text
}

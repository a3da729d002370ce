//! What is wrong with a text: one sentence that says how to mend it.

use core::fmt::{self, Display};
use serde::de::{self, Expected, Unexpected};

#[derive(Debug)]
pub(super) struct Fault(pub(super) String);

impl Fault {
    pub(super) fn new(what: &str) -> Self {
        Self(what.to_owned())
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for Fault {}

/// Serde's own sentences would do; these leave out what was found, which may be of any length,
/// and with it the printing of floating-point numbers.
impl de::Error for Fault {
    fn custom<T: Display>(what: T) -> Self {
        Self(what.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        match found {
            // Only a name alone is found here by its own kind: everything else is asked for.
            Unexpected::UnitVariant => Self::new(
                "this one has a value of its own: give an object with its name and its value",
            ),
            _ => Self(format!("give {expected}")),
        }
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self(format!("give {expected}"))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self(listed("give one of:", expected))
    }

    fn unknown_field(_: &str, expected: &'static [&'static str]) -> Self {
        Self(listed(
            "there is no such field; remove it. There are:",
            expected,
        ))
    }

    fn missing_field(field: &'static str) -> Self {
        Self(format!("{field} is missing; add it"))
    }

    fn duplicate_field(_: &'static str) -> Self {
        Self::new("it is given twice")
    }
}

fn listed(what: &str, names: &[&str]) -> String {
    let mut out = what.to_owned();
    for name in names {
        out.push(' ');
        out.push_str(name);
    }
    out
}

//! What the configuration will have and this version does not do.
//!
//! It is named here so that asking for it is refused with a sentence instead of with
//! "unknown field": who sets it must not believe that it is in force.

use serde::de::{Deserialize, Deserializer, Error};

/// A part of the configuration that no value of is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotInThisVersion {}

impl NotInThisVersion {
    /// What is said to whoever asks for it.
    pub const WHY: &str =
        "this version does not do this; remove it, and rely on what the README promises without it";
}

impl<'de> Deserialize<'de> for NotInThisVersion {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom(Self::WHY))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for NotInThisVersion {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "NotInThisVersion".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        false.into()
    }
}

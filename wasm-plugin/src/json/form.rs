//! Objects with names that are known, and choices between names.

use super::read::Slot;
use super::reader::{Failed, Reader};

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Whether it must be given.
    pub needed: bool,
}

/// What becomes of members that an object does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// They are refused: whoever gave one believes that it is in force.
    Refused,
    /// They are passed over: who answers may say more than was asked for.
    PassedOver,
}

/// The place of a choice's value; `None`: this one has no value of its own.
pub type Value<'a> = Option<&'a mut dyn Slot>;

impl Reader<'_> {
    /// Takes an object. Each member goes into the slot of the same number.
    ///
    /// # Errors
    /// See [`super::Read::read`]; also a member that is given twice, or needed and not there.
    pub fn object(
        &mut self,
        members: &[Member],
        others: Others,
        slots: &mut [&mut dyn Slot],
    ) -> Result<(), Failed> {
        let mut given = 0_u32;
        self.members(&mut |from, name| {
            let at = members.iter().position(|member| member.name == name);
            let Some((at, slot)) = at.and_then(|at| Some((at, slots.get_mut(at)?))) else {
                return match others {
                    Others::PassedOver => from.pass(),
                    Others::Refused => Err(from.fail_with_names(
                        "there is no such field; remove it. There are:",
                        &mut members.iter().map(|member| member.name),
                    )),
                };
            };
            if given & bit(at) != 0 {
                return Err(from.fail("it is given twice"));
            }
            given |= bit(at);
            slot.fill(from)
        })?;
        let mut missing = members.iter().enumerate();
        match missing.find(|(at, member)| member.needed && given & bit(*at) == 0) {
            Some((_, Member { name, .. })) => {
                Err(self.fail(&[name, " is missing; add it"].concat()))
            }
            None => Ok(()),
        }
    }

    /// Takes one of these names, or an object whose one member has one of them, as each of them
    /// will have it; its number.
    ///
    /// # Errors
    /// See [`super::Read::read`].
    pub fn choice(&mut self, names: &[&str], values: &mut [Value<'_>]) -> Result<usize, Failed> {
        if self.peek() == Some(b'"') {
            let name = self.text()?;
            let at = self.chosen(names, &name)?;
            return match values.get(at) {
                Some(Some(_)) => Err(self.fail(
                    "this one has a value of its own: give an object with its name and its value",
                )),
                _ => Ok(at),
            };
        }
        self.open(b'{', "a name, or an object with one member")?;
        let mut at = 0;
        self.member(&mut |from, name| {
            at = from.chosen(names, name)?;
            match values.get_mut(at) {
                Some(Some(slot)) => slot.fill(from),
                _ => Err(from.fail("this one has no value of its own: give its name as a text")),
            }
        })?;
        match self.peek() {
            Some(b',') => Err(self.fail("give an object with one member")),
            _ => self.need(b'}').map(|()| at),
        }
    }

    fn chosen(&mut self, names: &[&str], name: &str) -> Result<usize, Failed> {
        let at = names.iter().position(|known| *known == name);
        at.ok_or_else(|| self.fail_with_names("give one of:", &mut names.iter().copied()))
    }
}

fn bit(at: usize) -> u32 {
    u32::try_from(at)
        .ok()
        .and_then(|at| 1_u32.checked_shl(at))
        .unwrap_or_default()
}

/// Makes an object's reader from the names of its fields.
///
/// A field is needed unless it says `= what it is otherwise`; `as "name"` says another name, and
/// `and others` that members with other names are passed over.
/// ```text
/// object! { Ttl { min = 1_000, default = 10_000, max } }
/// ```
#[macro_export]
macro_rules! object {
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $name:literal) => { $name };
    (@needed) => { true };
    (@needed $otherwise:expr) => { false };
    (@value $field:ident) => { $field.ok_or($crate::json::Failed)? };
    (@value $field:ident $otherwise:expr) => { $field.unwrap_or_else(|| $otherwise) };
    (@others) => { $crate::json::Others::Refused };
    (@others $others:ident) => { $crate::json::Others::PassedOver };
    ($type:ident $(and $others:ident)? {
        $($field:ident $(as $name:literal)? $(= $otherwise:expr)?),+ $(,)?
    }) => {
        impl $crate::json::Read for $type {
            fn read(from: &mut $crate::json::Reader<'_>) -> Result<Self, $crate::json::Failed> {
                const MEMBERS: &[$crate::json::Member] = &[$($crate::json::Member {
                    name: $crate::object!(@name $field $($name)?),
                    needed: $crate::object!(@needed $($otherwise)?),
                }),+];
                $(let mut $field = None;)+
                from.object(MEMBERS, $crate::object!(@others $($others)?), &mut [$(&mut $field),+])?;
                Ok(Self { $($field: $crate::object!(@value $field $($otherwise)?)),+ })
            }
        }
    };
}

/// Makes the reader of a choice from the names of its variants, some of which have a value.
/// ```text
/// choice! { Access { "anyone" = Anyone, "peer" = Peer(property) } }
/// ```
#[macro_export]
macro_rules! choice {
    (@slot) => { None };
    (@slot $value:ident) => { Some(&mut $value) };
    ($type:ident { $($name:literal = $variant:ident $(($value:ident))?),+ $(,)? }) => {
        impl $crate::json::Read for $type {
            fn read(from: &mut $crate::json::Reader<'_>) -> Result<Self, $crate::json::Failed> {
                const NAMES: &[&str] = &[$($name),+];
                enum At { $($variant),+ }
                $($(let mut $value = None;)?)+
                let at = from.choice(NAMES, &mut [$($crate::choice!(@slot $($value)?)),+])?;
                $(if at == At::$variant as usize {
                    return Ok(Self::$variant $(($value.ok_or($crate::json::Failed)?))?);
                })+
                Err($crate::json::Failed)
            }
        }
    };
}

//! The codec of links.
//!
//! ```text
//!   #redis.lock-only           a variant as it is told, at its key moment
//!   #~AQ...                    a moment: base64url of  version 1 | how many numbers | numbers
//!
//!   numbers: place, strips, and of each strip: its variant's name, parameters, guard, branch, edits
//! ```
//! A link names stories by their variants' names, so that it outlives the order of the gallery.
//! Nothing is trusted: sizes are bounded before anything is decoded, and what does not fit is
//! refused with a reason.

use super::numbers::{self, Reader};
use super::text;
use crate::play::edit::{EDITS_MAX, Edit};
use crate::play::guard::Guard;
use crate::play::strip::STRIPS_MAX;
use crate::play::subject::Subject;
use fencegate_core::sim::stories::Parameters;

/// The version of the links that are written here, and the only one that is read.
const VERSION: u8 = 1;
/// The longest link, in bytes: what every browser, chat and mail program carries whole.
pub const LINK_MAX: usize = 2_000;
/// The longest name of a variant.
const NAME_MAX: u32 = 64;
/// What a moment begins with; no variant's name does.
const MOMENT: char = '~';

/// What a link names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// A variant as it is told, at its key moment.
    Variant(Subject),
    /// A moment of what a visitor made of it.
    Moment(Moment),
}

/// A moment: what is shown beside each other, and the place in their common order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// What is played, with the edits of each and the branch that is shown: one to four.
    pub shown: Vec<Strip>,
    /// The place.
    pub place: u16,
}

/// One of those beside each other: a subject, its edits, and the branch that is shown.
type Strip = (Subject, Vec<Edit>, u8);

/// Why a link cannot be read, or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// It is longer than [`LINK_MAX`].
    TooLong,
    /// It is of a version that this page does not know.
    Version(u8),
    /// It is damaged.
    Damaged,
    /// It names a story that is not here.
    NoStory(String),
    /// Its scenario cannot be played.
    CannotBePlayed,
}

impl Link {
    /// Reads what stands behind the `#`. `None`: nothing stands there.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn read(text: &str) -> Result<Option<Self>, LinkError> {
        // What begins with a slash is a place on the page, which the browser goes to by itself.
        if text.is_empty() || text.starts_with('/') {
            return Ok(None);
        }
        if text.len() > LINK_MAX {
            return Err(LinkError::TooLong);
        }
        match text.strip_prefix(MOMENT) {
            Some(code) => Moment::read(code).map(Self::Moment).map(Some),
            None => subject(text).map(Self::Variant).map(Some),
        }
    }

    /// What is to stand behind the `#`.
    ///
    /// # Errors
    /// [`LinkError::TooLong`].
    pub fn write(&self) -> Result<String, LinkError> {
        match self {
            Self::Variant(subject) => Ok(subject.scenario().name),
            Self::Moment(moment) => moment.write(),
        }
    }
}

fn subject(name: &str) -> Result<Subject, LinkError> {
    Subject::named(name).ok_or_else(|| LinkError::NoStory(name.chars().take(40).collect()))
}

impl Moment {
    fn read(code: &str) -> Result<Self, LinkError> {
        let bytes = text::bytes(code).unwrap_or_default();
        let numbers = match bytes.split_first() {
            Some((&VERSION, body)) => unpacked(body),
            Some((version, _)) => return Err(LinkError::Version(*version)),
            None => None,
        };
        let numbers = numbers.ok_or(LinkError::Damaged)?;
        let mut from = Reader(&numbers);
        let moment = Self::of(&mut from)?;
        if from.0.is_empty() {
            Ok(moment)
        } else {
            Err(LinkError::Damaged)
        }
    }

    fn of(from: &mut Reader<'_>) -> Result<Self, LinkError> {
        let (Some(place), Some(many)) = (from.small(), from.next()) else {
            return Err(LinkError::Damaged);
        };
        if many == 0 || many as usize > STRIPS_MAX {
            return Err(LinkError::Damaged);
        }
        let mut shown = Vec::new();
        for _ in 0..many {
            shown.push(strip(from)?);
        }
        Ok(Self { shown, place })
    }

    fn write(&self) -> Result<String, LinkError> {
        let mut numbers = vec![self.place.into(), length(self.shown.len())];
        for shown in &self.shown {
            put_strip(shown, &mut numbers);
        }
        let mut bytes = vec![VERSION];
        text::put(length(numbers.len()), &mut bytes);
        for number in numbers {
            text::put(number, &mut bytes);
        }
        let mut text = text::of(&bytes);
        text.insert(0, MOMENT);
        if text.len() > LINK_MAX {
            return Err(LinkError::TooLong);
        }
        Ok(text)
    }
}

/// Numbers behind how many they are, and nothing more.
fn unpacked(mut bytes: &[u8]) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    for _ in 0..text::take(&mut bytes)? {
        numbers.push(text::take(&mut bytes)?);
    }
    bytes.is_empty().then_some(numbers)
}

fn length(many: usize) -> u32 {
    u32::try_from(many).unwrap_or(u32::MAX)
}

fn put_strip((told, edits, branch): &Strip, out: &mut Vec<u32>) {
    let Parameters {
        lease_ms,
        pause_ms,
        drift_ppm,
        delay_ms,
    } = told.parameters;
    let name = Subject::told(told.story, told.variant).scenario().name;
    out.push(length(name.len()));
    for letter in name.bytes() {
        out.push(letter.into());
    }
    out.extend([lease_ms, pause_ms, numbers::folded(drift_ppm), delay_ms]);
    numbers::put_guard(&told.guard, out);
    out.extend([u32::from(*branch), length(edits.len())]);
    for edit in edits {
        numbers::put_edit(edit, out);
    }
}

fn strip(from: &mut Reader<'_>) -> Result<Strip, LinkError> {
    let named = subject(&name(from).ok_or(LinkError::Damaged)?)?;
    let (parameters, guard, edits, branch) = changes(from).ok_or(LinkError::Damaged)?;
    if !named.allows(&parameters) {
        return Err(LinkError::CannotBePlayed);
    }
    let subject = Subject {
        parameters,
        guard,
        ..named
    };
    Ok((subject, edits, branch))
}

fn name(from: &mut Reader<'_>) -> Option<String> {
    let mut name = String::new();
    for _ in 0..from.next().filter(|long| *long <= NAME_MAX)? {
        name.push(from.small::<u8>()?.into());
    }
    Some(name)
}

/// What the visitor changed; `None`: it is damaged.
fn changes(from: &mut Reader<'_>) -> Option<(Parameters, Guard, Vec<Edit>, u8)> {
    let parameters = Parameters {
        lease_ms: from.next()?,
        pause_ms: from.next()?,
        drift_ppm: from.signed()?,
        delay_ms: from.next()?,
    };
    let guard = numbers::guard(from)?;
    let branch = from.small()?;
    let mut edits = Vec::new();
    for _ in 0..from.next().filter(|many| *many as usize <= EDITS_MAX)? {
        edits.push(numbers::edit(from)?);
    }
    Some((parameters, guard, edits, branch))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::guard::{Place, Switch};
    use fencegate_core::sim::event::{Accident, What};
    use fencegate_core::sim::who::Who;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn moment() -> Moment {
        let subject = Subject::opening();
        let guarded = Subject {
            guard: subject.guard.with(Switch::Check(Place::Store)),
            ..subject
        };
        let edit = Edit {
            branch: 0,
            step: 4,
            at: 1_234,
            what: What::Accident(Accident::Crash(Who::Holder(0))),
        };
        Moment {
            shown: vec![(subject, vec![edit], 1), (guarded, Vec::new(), 0)],
            place: 17,
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let link = Link::Moment(moment());
        let text = link.write().expect("it is short");
        assert_eq!(Link::read(&text), Ok(Some(link)));
        let link = Link::Variant(Subject::opening());
        assert_eq!(link.write().as_deref(), Ok("redis.lock-only"));
        assert_eq!(Link::read("redis.lock-only"), Ok(Some(link)));
        assert_eq!(Link::read(""), Ok(None));
        assert_eq!(Link::read("/stories"), Ok(None));
    }

    #[test]
    fn what_is_damaged_is_refused_with_a_reason() {
        let text = Link::Moment(moment()).write().expect("it is short");
        for cut in 1..text.len() {
            assert!(Link::read(&text[..cut]).is_err(), "cut at {cut}");
        }
        assert_eq!(Link::read("~*"), Err(LinkError::Damaged));
        assert_eq!(Link::read("~"), Err(LinkError::Damaged));
        let future = text::of(&[2, 0, 0]);
        assert_eq!(
            Link::read(&format!("~{future}")),
            Err(LinkError::Version(2))
        );
        let longer = format!("{text}AAAA");
        assert_eq!(Link::read(&longer), Err(LinkError::Damaged));
        let unknown = Err(LinkError::NoStory("redis.fencde".to_owned()));
        assert_eq!(Link::read("redis.fencde"), unknown);
        assert_eq!(
            Link::read(&"x".repeat(LINK_MAX + 1)),
            Err(LinkError::TooLong)
        );
    }

    #[test]
    fn parameters_that_no_slider_allows_are_refused() {
        let mut moment = moment();
        moment.shown[0].0.parameters.lease_ms = 0;
        let text = Link::Moment(moment).write().expect("it is short");
        assert_eq!(Link::read(&text), Err(LinkError::CannotBePlayed));
    }
}

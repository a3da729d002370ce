//! The codec of links.
//!
//! ```text
//!   #redis.lock-only           a variant as it is told, at its key moment
//!   #~AQ...                    a moment: base64url of  version 1 | postcard of what is below
//! ```
//! A link names stories by their variants' names, so that it outlives the order of the gallery.
//! Nothing is trusted: sizes are bounded before anything is decoded, and what does not fit is
//! refused with a reason.

use crate::play::edit::{EDITS_MAX, Edit};
use crate::play::guard::Guard;
use crate::play::strip::STRIPS_MAX;
use crate::play::subject::Subject;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fencegate_core::sim::stories::Parameters;
use serde::{Deserialize, Serialize};

/// The version of the links that are written here, and the only one that is read.
const VERSION: u8 = 1;
/// The longest link, in bytes: what every browser, chat and mail program carries whole.
pub const LINK_MAX: usize = 2_000;
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
    pub shown: Vec<(Subject, Vec<Edit>, u8)>,
    /// The place.
    pub place: u16,
}

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

/// What is on the wire of one strip.
#[derive(Serialize, Deserialize)]
struct Wire {
    name: String,
    lease_ms: u32,
    pause_ms: u32,
    drift_ppm: i32,
    delay_ms: u32,
    guard: Guard,
    edits: Vec<Edit>,
    branch: u8,
}

impl Link {
    /// Reads what stands behind the `#`. `None`: nothing stands there.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn read(text: &str) -> Result<Option<Self>, LinkError> {
        if text.is_empty() {
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
        let bytes = URL_SAFE_NO_PAD
            .decode(code)
            .map_err(|_| LinkError::Damaged)?;
        let (version, body) = bytes.split_first().ok_or(LinkError::Damaged)?;
        if *version != VERSION {
            return Err(LinkError::Version(*version));
        }
        let damaged = |_| LinkError::Damaged;
        let ((wires, place), rest): ((Vec<Wire>, u16), &[u8]) =
            postcard::take_from_bytes(body).map_err(damaged)?;
        if !rest.is_empty() || wires.is_empty() || wires.len() > STRIPS_MAX {
            return Err(LinkError::Damaged);
        }
        let shown: Result<_, _> = wires.into_iter().map(Wire::shown).collect();
        Ok(Self {
            shown: shown?,
            place,
        })
    }

    fn write(&self) -> Result<String, LinkError> {
        let wires: Vec<Wire> = self.shown.iter().map(Wire::of).collect();
        let body = postcard::to_allocvec(&(wires, self.place)).map_err(|_| LinkError::TooLong)?;
        let bytes: Vec<u8> = [VERSION].into_iter().chain(body).collect();
        let mut text = String::from(MOMENT);
        URL_SAFE_NO_PAD.encode_string(bytes, &mut text);
        if text.len() > LINK_MAX {
            return Err(LinkError::TooLong);
        }
        Ok(text)
    }
}

impl Wire {
    fn of((subject, edits, branch): &(Subject, Vec<Edit>, u8)) -> Self {
        let Parameters {
            lease_ms,
            pause_ms,
            drift_ppm,
            delay_ms,
        } = subject.parameters;
        Self {
            name: Subject::told(subject.story, subject.variant)
                .scenario()
                .name,
            lease_ms,
            pause_ms,
            drift_ppm,
            delay_ms,
            guard: subject.guard,
            edits: edits.clone(),
            branch: *branch,
        }
    }

    fn shown(self) -> Result<(Subject, Vec<Edit>, u8), LinkError> {
        if self.edits.len() > EDITS_MAX {
            return Err(LinkError::Damaged);
        }
        let named = subject(&self.name)?;
        let parameters = Parameters {
            lease_ms: self.lease_ms,
            pause_ms: self.pause_ms,
            drift_ppm: self.drift_ppm,
            delay_ms: self.delay_ms,
        };
        if !named.allows(&parameters) {
            return Err(LinkError::CannotBePlayed);
        }
        let subject = Subject {
            parameters,
            guard: self.guard,
            ..named
        };
        Ok((subject, self.edits, self.branch))
    }
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
    }

    #[test]
    fn what_is_damaged_is_refused_with_a_reason() {
        let text = Link::Moment(moment()).write().expect("it is short");
        for cut in 1..text.len() {
            assert!(Link::read(&text[..cut]).is_err(), "cut at {cut}");
        }
        assert_eq!(Link::read("~*"), Err(LinkError::Damaged));
        assert_eq!(Link::read("~"), Err(LinkError::Damaged));
        let future = URL_SAFE_NO_PAD.encode([2, 0, 0]);
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

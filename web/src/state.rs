//! Everything that the page depends on, and how each action changes it. No I/O.

mod action;
pub mod keys;
mod open;
mod shown;

pub use action::{Action, Direction};
pub use open::{Arrival, Chosen, Notice, Panel, Theme, View};
pub use shown::Shown;

use self::keys::Key;
use crate::link::{Link, LinkError, Moment};
use crate::play::edit::Edit;
use crate::play::guard::{Place, Switch};
use crate::play::playhead::{Playhead, Speed};
use crate::play::strip::{STRIPS_MAX, Strip};
use crate::play::subject::Subject;
use crate::play::track::Track;
use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::event::What;
use std::rc::Rc;

/// Everything that the page depends on.
#[derive(Clone, Debug)]
pub struct State {
    /// What is played, and its picture.
    pub shown: Rc<Shown>,
    /// Where the player is.
    pub head: Playhead,
    /// Whether it plays.
    pub playing: bool,
    /// How fast.
    pub speed: Speed,
    /// Whose menu is open.
    pub chosen: Option<Chosen>,
    /// What a narrow screen shows.
    pub view: View,
    /// What lies over the page.
    pub panel: Option<Panel>,
    /// The colours.
    pub theme: Theme,
    /// Whether the page is part of another one.
    pub embedded: bool,
    /// What the visitor should know.
    pub notice: Option<Notice>,
}

impl State {
    /// What the page opens on, paused at the corrupting write.
    #[must_use]
    pub fn opening() -> Self {
        let shown = Shown::opening();
        Self {
            head: Playhead::at(shown.key()),
            shown,
            playing: false,
            speed: Speed::default(),
            chosen: None,
            view: View::default(),
            panel: None,
            theme: Theme::default(),
            embedded: false,
            notice: None,
        }
    }

    /// What the page opens on for somebody who arrives like this.
    #[must_use]
    pub fn arrived(arrival: &Arrival) -> Self {
        let mut state = Self::opening();
        state.theme = arrival.theme;
        state.embedded = arrival.embedded;
        state.follow(&arrival.fragment);
        state
    }

    /// The run that is looked at first.
    #[must_use]
    pub fn strip(&self) -> &Strip {
        self.shown.strip(0)
    }

    /// What is shown of it.
    #[must_use]
    pub fn track(&self) -> &Rc<Track> {
        self.strip().track()
    }

    /// The step of the run at this index.
    #[must_use]
    pub fn step(&self, strip: usize) -> usize {
        self.shown.together.step(self.head.place, strip)
    }

    /// True time, also between two events.
    #[must_use]
    pub fn now(&self) -> Millis {
        if self.head.between == 0.0 {
            self.shown.together.time(self.head.place)
        } else {
            self.shown.axis.time_at(self.head.x(&self.shown.axis))
        }
    }

    /// Whether there is a check of tokens in what is looked at first.
    #[must_use]
    pub fn is_fenced(&self) -> bool {
        Place::of(self.track().scenario.mechanism.check) != Some(Place::Nowhere)
    }

    /// The link to this very moment.
    ///
    /// # Errors
    /// [`LinkError::TooLong`].
    pub fn link(&self) -> Result<String, LinkError> {
        let strips = self.shown.strips();
        let shown = strips.iter().map(|strip| {
            let branch = u8::try_from(strip.branch).unwrap_or(0);
            (strip.subject, strip.run.edits().to_vec(), branch)
        });
        let moment = Moment {
            shown: shown.collect(),
            place: u16::try_from(self.head.place).unwrap_or(u16::MAX),
        };
        Link::Moment(moment).write()
    }

    /// The state after an action.
    #[must_use]
    pub fn after(&self, action: &Action) -> Self {
        let mut next = self.clone();
        next.take(action);
        next
    }

    fn take(&mut self, action: &Action) {
        match *action {
            Action::Follow(ref link) => self.follow(link),
            Action::Play(on) => self.play(on),
            Action::Tick(elapsed_ms) => self.tick(elapsed_ms),
            Action::Beat => self.beat(),
            Action::Key(ref key, shift) => {
                // What is open over the page has the keys to itself.
                let known = keys::key(key, shift);
                if let Some(key) = known.filter(|key| self.panel.is_none() || *key == Key::Close) {
                    self.take(&key.action(self));
                }
            }
            Action::Step(direction) => self.step_by_one(direction),
            Action::Seek(place) => self.seek(place),
            Action::Jump(kind, direction) => self.jump(kind, direction),
            Action::ToBroken => self.to(self.track().first_broken()),
            Action::ToStep(strip, step) => self.seek(self.shown.together.place(strip, step)),
            Action::Speed(speed) => self.speed = speed,
            Action::Choose(chosen) => self.chosen = chosen,
            Action::Befall(what) => self.befall(what),
            Action::Branch(branch) => self.show_branch(branch),
            Action::Switch(switch) => self.switch(switch),
            Action::Fence(on) => {
                let place = if on { self.fence() } else { Place::Nowhere };
                self.switch(Switch::Check(place));
            }
            Action::AsTold => {
                let subject = self.strip().subject;
                self.instead(Subject::told(subject.story, subject.variant));
            }
            Action::Set(parameter, value) => {
                let mut subject = self.strip().subject;
                subject.parameters = parameter.set(&subject.parameters, value);
                self.instead(subject);
            }
            Action::Beside(subject) => self.beside(Strip::of(subject)),
            Action::BesideBranch(branch) => self.beside(self.strip().on_branch(branch)),
            Action::Apart(strip) => self.show_now(self.shown.without(strip)),
            Action::View(view) => self.view = view,
            Action::Panel(panel) => self.panel = panel,
            Action::Theme(theme) => self.theme = theme,
            Action::Embed(on) => self.embedded = on,
            Action::Notice(ref notice) => self.notice.clone_from(notice),
        }
    }

    fn follow(&mut self, link: &str) {
        let (shown, place) = match Link::read(link) {
            Ok(None) => return,
            Ok(Some(Link::Variant(subject))) => (Shown::told(subject), None),
            Ok(Some(Link::Moment(moment))) => (Shown::again(&moment), Some(moment.place)),
            Err(error) => (Err(error), None),
        };
        self.playing = false;
        self.chosen = None;
        self.notice = None;
        match shown {
            Ok(shown) => {
                let key = shown.key();
                self.show(shown, place.map_or(key, usize::from));
            }
            // The page goes on with what it shows.
            Err(error) => self.notice = Some(Notice::BadLink(error)),
        }
    }

    /// Shows this, at a place of its order.
    fn show(&mut self, shown: Rc<Shown>, place: usize) {
        self.shown = shown;
        self.seek(place);
    }

    /// Shows this at the same true time.
    fn show_now(&mut self, shown: Rc<Shown>) {
        let place = shown.together.at(self.now());
        self.show(shown, place);
    }

    fn play(&mut self, on: bool) {
        let last = self.shown.together.last();
        if on && self.head.place >= last {
            self.head = Playhead::at(0);
        }
        self.playing = on;
    }

    fn tick(&mut self, elapsed_ms: f64) {
        if self.playing {
            self.head = self.head.after(elapsed_ms, self.speed, &self.shown.axis);
            self.playing = self.head.place < self.shown.together.last();
        }
    }

    /// One event on while it plays.
    fn beat(&mut self) {
        let last = self.shown.together.last();
        if self.playing {
            self.head = Playhead::at((self.head.place + 1).min(last));
            self.playing = self.head.place < last;
        }
    }

    fn step_by_one(&mut self, direction: Direction) {
        let place = match direction {
            Direction::Back if self.head.between > 0.0 => self.head.place,
            Direction::Back => self.head.place.saturating_sub(1),
            Direction::Forward => self.head.place + 1,
        };
        self.seek(place);
    }

    fn seek(&mut self, place: usize) {
        self.playing = false;
        self.chosen = self.chosen.filter(|chosen| !chosen.is_message());
        self.head = Playhead::at(place.min(self.shown.together.last()));
    }

    /// Goes to a step of the first run, if there is one.
    fn to(&mut self, step: Option<usize>) {
        match step {
            Some(step) => self.seek(self.shown.together.place(0, step)),
            None => self.notice = Some(Notice::NoSuchEvent),
        }
    }

    fn jump(&mut self, kind: crate::play::kind::Kind, direction: Direction) {
        let forward = direction == Direction::Forward;
        self.to(self.track().near(self.step(0), kind, forward));
    }

    fn befall(&mut self, what: What) {
        let strip = self.strip();
        let edit = Edit {
            branch: u8::try_from(strip.branch).unwrap_or(0),
            step: u16::try_from(self.step(0)).unwrap_or(u16::MAX),
            at: self.now(),
            what,
        };
        let step = usize::from(edit.step) + 1;
        match self.shown.with_edit(edit) {
            None => self.notice = Some(Notice::TooManyEdits),
            Some(shown) => {
                self.chosen = None;
                let place = shown.together.place(0, step);
                self.show(shown, place);
            }
        }
    }

    fn show_branch(&mut self, branch: usize) {
        if branch != self.strip().branch {
            self.show_now(self.shown.on_branch(branch));
        }
    }

    fn switch(&mut self, switch: Switch) {
        let mut subject = self.strip().subject;
        subject.guard = subject.guard.with(switch);
        self.instead(subject);
    }

    /// Where tokens are checked when they are checked: at the proxy, if there is one.
    fn fence(&self) -> Place {
        if self.track().scenario.proxies > 0 {
            Place::Proxy
        } else {
            Place::Store
        }
    }

    /// Plays this in place of what is looked at first. Whoever looked at the moment that says most
    /// looks at it again; everybody else stays at the same true time.
    fn instead(&mut self, subject: Subject) {
        match self.shown.instead(subject) {
            None => self.notice = Some(Notice::CannotBePlayed),
            Some(shown) if self.head.place == self.shown.key() => {
                let place = shown.key();
                self.show(shown, place);
            }
            Some(shown) => self.show_now(shown),
        }
    }

    fn beside(&mut self, strip: Option<Strip>) {
        if self.shown.strips().len() >= STRIPS_MAX {
            self.notice = Some(Notice::TooManyBeside);
        } else if let Some(strip) = strip {
            self.show_now(self.shown.beside(strip));
        }
    }
}

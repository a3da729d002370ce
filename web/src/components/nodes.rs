//! The actors at this very instant: who holds, who believes, and what is under way.

use super::lanes::names;
use super::look::Look;
use super::numbered::numbered;
use super::pen::{Name, Pen};
use crate::play::track::Track;
use crate::scene::arrows::Kind;
use crate::scene::marks::Meaning;
use crate::scene::nodes::{self, Claim, Flying, Node, Way};
use crate::state::{Action, Chosen};
use crate::words::Sign;
use fencegate_core::sim::who::Who;
use fencegate_core::sim::world::{Life, World};
use std::rc::Rc;

const BODY: &str = "M0 -24A24 24 0 0 1 0 24A24 24 0 0 1 0 -24z";
const BOX: &str = "M-50 -20H50V20H-50z";
const TOWER: &str = "M-34 -22H34V22H-34z";
const KEY: &str = "M-9 0a4 4 0 1 1 0 .1M-5 0H7V4M2 0V3";
const THOUGHT: &str = "M-9 2a6 6 0 0 1 1 -10a8 7 0 0 1 14 0a6 6 0 0 1 3 10zM-10 6a2 2 0 1 0 .1 0M-14 11a1 1 0 1 0 .1 0";
const PAUSE: &str = "M-5 -7h4v14h-4zM1 -7h4v14h-4z";
const CROSS: &str = "M-6 -6L6 6M-6 6L6 -6";
const SHEET: &str = "M-30 0H24L30 6V34H-30zM0 0V34";
/// The same, torn in the middle.
const TORN: &str = "M-33 0H-3L1 9L-5 17L1 25L-5 34H-33zM3 0H27L33 6V34H1L7 25L1 17L7 9z";
const DOT: &str = "M0 -5A5 5 0 0 1 0 5A5 5 0 0 1 0 -5z";
const PARCEL: &str = "M-8 -6H8V6H-8zM-8 -6L0 1L8 -6";
const HIT: &str = "M-14 -14H14V14H-14z";

/// The actors of the first run at an instant.
struct Instant<'a> {
    look: &'a Look,
    track: &'a Rc<Track>,
    world: &'a World,
    step: usize,
    nodes: Vec<Node>,
}

/// The actors of the first run.
pub(crate) fn nodes(look: &Look, pen: &mut Pen) {
    let instant = Instant::of(look);
    let (width, height) = nodes::SIZE_PX;
    pen.el("svg", "nodes", |pen| {
        pen.attr(Name::Role, "img");
        pen.attr(Name::Label, instant.sign(Sign::Nodes));
        pen.attr(Name::ViewBox, numbered("0 0 # #", &[width, height]));
        pen.el("g", "", |pen| {
            let now = look.state.now();
            for message in nodes::flying(&instant.nodes, instant.world, now) {
                instant.flying(pen, &message);
            }
        });
        pen.still(look, instant.stamp(), still);
        for node in &instant.nodes {
            instant.clock(pen, node);
        }
    });
}

/// What moves only from step to step, or when a lease runs out.
fn still(look: &Look, pen: &mut Pen, _: usize) {
    let instant = Instant::of(look);
    pen.el("g", "", |pen| {
        for way in nodes::ways(&instant.track.scenario, &instant.nodes) {
            instant.way(pen, &way);
        }
        for node in &instant.nodes {
            instant.node(pen, node);
        }
        for node in &instant.nodes {
            instant.mark(pen, node);
        }
    });
}

impl<'a> Instant<'a> {
    fn of(look: &'a Look) -> Self {
        let (track, step) = (look.state.track(), look.state.step(0));
        Self {
            look,
            track,
            world: track.world(step),
            step,
            nodes: nodes::nodes(&track.scenario),
        }
    }

    fn sign(&self, sign: Sign) -> String {
        self.look.words.sign(sign, self.track.scenario.dialect())
    }

    fn claim_of(&self, holder: u8) -> Claim {
        let now = self.look.state.now();
        nodes::claim(&self.track.scenario, self.world, holder, now)
    }

    /// Says when the still part is another one.
    fn stamp(&self) -> [usize; 4] {
        let (mut claims, mut chosen) = (1, 0);
        for (at, node) in self.nodes.iter().enumerate() {
            if let Who::Holder(holder) = node.who {
                let claim = self.claim_of(holder);
                let (lease, belief) = (usize::from(claim.lease.is_some()), claim.believes);
                let mistaken = usize::from(claim.mistaken);
                claims = claims << 3 | lease << 2 | usize::from(belief) << 1 | mistaken;
            }
            if self.look.state.chosen == Some(Chosen::Actor(node.who)) {
                chosen = at + 1;
            }
        }
        [Rc::as_ptr(self.track) as usize, self.step, claims, chosen]
    }

    /// What its own clock says, below its name.
    fn clock(&self, pen: &mut Pen, node: &Node) {
        let (x, y) = node.at_px;
        if let Some(clock) = names::clock(self.world, node.who) {
            let says = names::says(clock, self.look.state.now());
            pen.label("clock", (x, y + 16), self.sign(says));
        }
    }

    fn way(&self, pen: &mut Pen, way: &Way) {
        let cut = self.world.is_cut(way.from, way.to);
        let class = if cut { "way cut" } else { "way" };
        pen.straight(class, way.from_px, way.to_px);
        if cut {
            let middle = between(way.from_px, way.to_px, 60);
            pen.glyph("severed", middle, CROSS);
        }
    }

    /// The mark, as a bar across the way to the store, at whoever checks.
    fn mark(&self, pen: &mut Pen, node: &Node) {
        let Some(mark) = nodes::mark(&self.track.scenario, self.world, node.who) else {
            return;
        };
        let (x, y) = node.at_px;
        let (x, half) = match node.who {
            Who::Store => (x - 54, 34),
            _ => (x + 46, 22),
        };
        pen.bar("barrier", (x - 2, y - half), (5, half * 2));
        pen.label("raised", (x, y - half - 5), self.sign(Sign::Mark(mark)));
    }

    fn node(&self, pen: &mut Pen, node: &Node) {
        let event = self.track.led_to(self.step);
        let class = match self.world.life(node.who) {
            Some(Life::Paused) => "node paused",
            Some(Life::Crashed) => "node crashed",
            _ if event.is_some_and(|event| event.who == node.who) => "node acts",
            _ => "node",
        };
        let (action, name) = (
            Action::Choose(Some(Chosen::Actor(node.who))),
            self.sign(Sign::Actor(node.who)),
        );
        pen.clickable(self.look, class, name.clone(), action, |pen| {
            self.shapes(pen, node, name);
        });
    }

    fn shapes(&self, pen: &mut Pen, node: &Node, name: String) {
        let (x, y) = node.at_px;
        let body = match node.who {
            Who::Holder(_) => BODY,
            Who::Issuer => BOX,
            Who::Proxy(_) | Who::Store => TOWER,
        };
        pen.glyph("body", (x, y), body);
        pen.label("called", (x, y + 2), name);
        match self.world.life(node.who) {
            Some(Life::Paused) => pen.glyph("stands", (x - 25, y - 21), PAUSE),
            Some(Life::Crashed) => pen.glyph("gone", (x - 25, y - 21), CROSS),
            _ => {}
        }
        let below = if node.who == Who::Store { 80 } else { 38 };
        match node.who {
            Who::Holder(index) => self.claim(pen, self.claim_of(index), (x, y)),
            Who::Store => self.report(pen, (x, y + 30)),
            _ => {}
        }
        if let Some(sign) = self.refusal(node.who) {
            pen.label("said", (x, y + below), self.sign(sign));
        }
    }

    /// The lease, and the belief.
    fn claim(&self, pen: &mut Pen, claim: Claim, (x, y): (i32, i32)) {
        if let Some(token) = claim.lease {
            pen.glyph("key", (x - 18, y + 36), KEY);
            pen.label("held", (x - 8, y + 40), self.sign(Sign::Lease(token)));
        }
        if claim.believes {
            let class = if claim.mistaken {
                "thought mistaken"
            } else {
                "thought"
            };
            pen.glyph(class, (x + 26, y - 22), THOUGHT);
        }
        if claim.mistaken {
            pen.label("wrong", (x - 24, y + 40), self.sign(Sign::Mistaken));
        }
    }

    fn report(&self, pen: &mut Pen, at: (i32, i32)) {
        let torn = |meaning: &Meaning| matches!(meaning, Meaning::Corrupted(_));
        let (class, d) = if self.marks(Who::Store).any(torn) {
            ("report corrupted", TORN)
        } else {
            ("report", SHEET)
        };
        pen.upright(class, at, |pen| {
            pen.path("", d);
            for (half, x) in self.world.store.halves.into_iter().zip(["-16", "17"]) {
                pen.within("", (x, "23"), self.sign(Sign::Half(half)));
            }
        });
    }

    /// What the event of this step meant for somebody.
    fn marks(&self, who: Who) -> impl Iterator<Item = &Meaning> {
        let step = self.step;
        let marks = self.look.state.shown.scenes[0].marks.iter();
        marks
            .filter(move |mark| mark.step == step && mark.who == who)
            .map(|mark| &mark.meaning)
    }

    /// Why somebody lets nothing through, at this step.
    fn refusal(&self, who: Who) -> Option<Sign> {
        self.marks(who).find_map(|meaning| match *meaning {
            Meaning::Rejected(token, mark) => Some(Sign::Rejected(token, mark)),
            Meaning::Refused => Some(Sign::Refused),
            Meaning::Undecided => Some(Sign::Undecided),
            _ => None,
        })
    }

    fn flying(&self, pen: &mut Pen, message: &Flying) {
        let chosen = Some(Chosen::Message(message.message));
        let class = match message.kind {
            _ if self.look.state.chosen == chosen => "flying chosen",
            Kind::Write => "flying write",
            Kind::Refusal => "flying refusal",
            _ => "flying",
        };
        let shape = if message.kind == Kind::Write {
            PARCEL
        } else {
            DOT
        };
        let (x, y) = message.at_px;
        let token = message.token.map(|token| self.sign(Sign::Token(token)));
        let title = token.clone().unwrap_or_default();
        pen.clickable(self.look, class, title, Action::Choose(chosen), |pen| {
            pen.glyph("hit", (x, y), HIT);
            pen.glyph("thing", (x, y), shape);
            if let Some(token) = token {
                pen.label("token", (x, y - 11), token);
            }
        });
    }
}

/// A spot so many hundredths along a line.
const fn between((x, y): (i32, i32), (to_x, to_y): (i32, i32), hundredths: i32) -> (i32, i32) {
    (
        x + (to_x - x) * hundredths / 100,
        y + (to_y - y) * hundredths / 100,
    )
}

//! The actors at this very instant: who holds, who believes, and what is under way.

use super::lanes::names;
use super::still::Still;
use super::{Look, svg};
use crate::play::track::Track;
use crate::scene::Scene;
use crate::scene::arrows::Kind;
use crate::scene::marks::{Mark, Meaning};
use crate::scene::nodes::{self, Claim, Flying, Node, Way};
use crate::state::{Action, Chosen};
use crate::words::{Sign, Tongue};
use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::message::Half;
use fencegate_core::sim::who::Who;
use fencegate_core::sim::world::{Life, World};
use std::rc::Rc;
use yew::prelude::*;

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
const HIT: &str = "M-12 -12H12V12H-12z";

/// What the still part of the picture needs.
struct Instant {
    words: Tongue,
    act: Callback<Action>,
    track: Rc<Track>,
    scene: Rc<Scene>,
    step: usize,
    claims: Vec<Claim>,
    chosen: Option<Chosen>,
    editable: bool,
}

/// The actors of one run.
pub(crate) fn nodes(look: &Look<'_>, strip: usize) -> Html {
    let state = look.state;
    let (track, now, step) = (
        state.shown.strip(strip).track(),
        state.now(),
        state.step(strip),
    );
    let (scenario, world) = (&track.scenario, track.world(step));
    let holders = (0..).take(world.holders.len());
    let instant = Instant {
        words: look.words.clone(),
        act: look.act.clone(),
        track: track.clone(),
        scene: state.shown.scenes[strip].clone(),
        step,
        claims: holders
            .map(|index| nodes::claim(scenario, world, index, now))
            .collect(),
        chosen: state.chosen,
        editable: strip == 0,
    };
    let actors = nodes::nodes(scenario);
    let flying = nodes::flying(&actors, world, now);
    let clocks = actors.iter().filter_map(|node| instant.clock(node, now));
    let clocks: Vec<Html> = clocks.collect();
    let (width, height) = nodes::SIZE_PX;
    let label = instant.sign(Sign::Nodes);
    html! {
        <svg class="nodes" role="img" aria-label={label} viewBox={format!("0 0 {width} {height}")}>
            { for flying.iter().map(|message| instant.flying(message)) }
            { instant.still() }
            { for clocks }
        </svg>
    }
}

impl Instant {
    fn sign(&self, sign: Sign) -> String {
        self.words.sign(sign, self.track.scenario.dialect())
    }

    fn world(&self) -> &World {
        self.track.world(self.step)
    }

    fn choose(&self, chosen: Chosen) -> Callback<MouseEvent> {
        let editable = self.editable;
        self.act
            .reform(move |_| Action::Choose(Some(chosen).filter(|_| editable)))
    }

    /// What moves only from step to step, or when a lease runs out.
    fn still(self) -> Html {
        let claims = self.claims.iter().fold(1, |bits, claim| {
            let lease = usize::from(claim.lease.is_some());
            bits << 3 | lease << 2 | usize::from(claim.believes) << 1 | usize::from(claim.mistaken)
        });
        let chosen = match self.chosen {
            Some(Chosen::Actor(who)) => nodes::nodes(&self.track.scenario)
                .iter()
                .position(|node| node.who == who)
                .map_or(0, |at| at + 1),
            _ => 0,
        };
        let stamp = [Rc::as_ptr(&self.track) as usize, self.step, claims, chosen];
        let draw = move || {
            let nodes = nodes::nodes(&self.track.scenario);
            let ways = nodes::ways(&self.track.scenario, &nodes);
            html! {
                <g>
                    { for ways.iter().map(|way| self.way(way)) }
                    { for nodes.iter().map(|node| self.node(node)) }
                    { for nodes.iter().filter_map(|node| self.mark(node)) }
                </g>
            }
        };
        html! { <Still {stamp} draw={Rc::new(draw) as Rc<dyn Fn() -> Html>} /> }
    }

    /// What its own clock says, below its name.
    fn clock(&self, node: &Node, now: Millis) -> Option<Html> {
        let (x, y) = node.at_px;
        let says = names::says(names::clock(self.world(), node.who)?, now);
        Some(svg::text("clock", (x, y + 16), self.sign(says)))
    }

    fn way(&self, way: &Way) -> Html {
        let cut = self.world().is_cut(way.from, way.to);
        let middle = between(way.from_px, way.to_px, 60);
        html! {
            <>
                { svg::line(if cut { "way cut" } else { "way" }, way.from_px, way.to_px) }
                { for cut.then(|| svg::glyph("severed", middle, CROSS)) }
            </>
        }
    }

    /// The mark, as a bar across the way to the store, at whoever checks.
    fn mark(&self, node: &Node) -> Option<Html> {
        let mark = nodes::mark(&self.track.scenario, self.world(), node.who)?;
        let (x, y) = node.at_px;
        let (x, half) = match node.who {
            Who::Store => (x - 54, 34),
            _ => (x + 46, 22),
        };
        Some(html! {
            <>
                { svg::bar("barrier", (x - 2, y - half), (5, half * 2)) }
                { svg::text("raised", (x, y - half - 5), self.sign(Sign::Mark(mark))) }
            </>
        })
    }

    fn node(&self, node: &Node) -> Html {
        let (x, y) = node.at_px;
        let event = self.track.led_to(self.step);
        let life = self.world().life(node.who);
        let class = match life {
            Some(Life::Paused) => "node paused",
            Some(Life::Crashed) => "node crashed",
            _ if event.is_some_and(|event| event.who == node.who) => "node acts",
            _ => "node",
        };
        let body = match node.who {
            Who::Holder(_) => BODY,
            Who::Issuer => BOX,
            Who::Proxy(_) | Who::Store => TOWER,
        };
        let mut shapes = vec![svg::glyph("body", (x, y), body)];
        let name = self.sign(Sign::Actor(node.who));
        shapes.push(svg::text("called", (x, y + 2), name.clone()));
        match life {
            Some(Life::Paused) => shapes.push(svg::glyph("stands", (x - 25, y - 21), PAUSE)),
            Some(Life::Crashed) => shapes.push(svg::glyph("gone", (x - 25, y - 21), CROSS)),
            _ => {}
        }
        match node.who {
            Who::Holder(index) => shapes.extend(self.claim(index, (x, y))),
            Who::Store => shapes.push(self.report((x, y + 30))),
            _ => {}
        }
        if let Some(sign) = self.refusal(node.who) {
            let below = if node.who == Who::Store { 80 } else { 38 };
            shapes.push(svg::text("said", (x, y + below), self.sign(sign)));
        }
        svg::clickable(class, name, self.choose(Chosen::Actor(node.who)), shapes)
    }

    /// The lease, and the belief.
    fn claim(&self, index: u8, (x, y): (i32, i32)) -> Vec<Html> {
        let claim = self
            .claims
            .get(usize::from(index))
            .copied()
            .unwrap_or_default();
        let mut shapes = Vec::new();
        if let Some(token) = claim.lease {
            shapes.push(svg::glyph("key", (x - 18, y + 36), KEY));
            shapes.push(svg::text(
                "held",
                (x - 8, y + 40),
                self.sign(Sign::Lease(token)),
            ));
        }
        if claim.believes {
            let class = if claim.mistaken {
                "thought mistaken"
            } else {
                "thought"
            };
            shapes.push(svg::glyph(class, (x + 26, y - 22), THOUGHT));
        }
        if claim.mistaken {
            shapes.push(svg::text(
                "wrong",
                (x - 24, y + 40),
                self.sign(Sign::Mistaken),
            ));
        }
        shapes
    }

    fn report(&self, at: (i32, i32)) -> Html {
        let half = |x, half: Half| svg::label("", x, "23", self.sign(Sign::Half(half)));
        let halves = self.world().store.halves;
        let torn = |meaning: &Meaning| matches!(meaning, Meaning::Corrupted(_));
        let (class, d) = if self.marks(Who::Store).any(torn) {
            ("report corrupted", TORN)
        } else {
            ("report", SHEET)
        };
        let shapes = vec![
            svg::path("", d),
            half("-16", halves[0]),
            half("17", halves[1]),
        ];
        svg::upright(class, at, shapes)
    }

    /// What the event of this step meant for somebody.
    fn marks(&self, who: Who) -> impl Iterator<Item = &Meaning> {
        let step = self.step;
        let own = move |mark: &&Mark| mark.step == step && mark.who == who;
        self.scene
            .marks
            .iter()
            .filter(own)
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

    fn flying(&self, message: &Flying) -> Html {
        let chosen = self.chosen == Some(Chosen::Message(message.message));
        let class = match (message.kind, chosen) {
            (_, true) => "flying chosen",
            (Kind::Write, _) => "flying write",
            (Kind::Refusal, _) => "flying refusal",
            _ => "flying",
        };
        let shape = if message.kind == Kind::Write {
            PARCEL
        } else {
            DOT
        };
        let (x, y) = message.at_px;
        let mut shapes = vec![
            svg::glyph("hit", (x, y), HIT),
            svg::glyph("thing", (x, y), shape),
        ];
        let mut title = String::new();
        if let Some(token) = message.token {
            title = self.sign(Sign::Token(token));
            shapes.push(svg::text("token", (x, y - 11), title.clone()));
        }
        svg::clickable(
            class,
            title,
            self.choose(Chosen::Message(message.message)),
            shapes,
        )
    }
}

/// A spot so many hundredths along a line.
const fn between((x, y): (i32, i32), (to_x, to_y): (i32, i32), hundredths: i32) -> (i32, i32) {
    (
        x + (to_x - x) * hundredths / 100,
        y + (to_y - y) * hundredths / 100,
    )
}

//! The canonical form of a state: what its future depends on, and nothing else.
//!
//! - **Times** count from now, each by its owner's clock; what is past is merely past, and an age
//!   beyond which nothing is believed any more is just that age. So a state that comes back
//!   later is the same state, and a search need not bound time.
//! - **Messages** are a set without numbers; those that can change nothing are gone (`dead.rs`).
//! - **Holders** with equal plans may change places, if whatever may befall one may befall the other.
//! - **Records of the past** are kept as far as a law that is looked for needs them.

mod view;

use super::super::clock::Millis;
use super::super::event::Accident;
use super::super::keeper::RESOURCE;
use super::super::laws::Law;
use super::super::mechanism::{Check, Condition, Etag, Issuer};
use super::super::scenario::{Op, Scenario};
use super::super::who::{HOLDERS_MAX, Name, Who};
use super::super::world::World;
use super::bounds::Bounds;
use super::dead::revives;
use crate::spent::Fingerprint;
use std::collections::BTreeMap;
use view::View;

/// Where each holder stands in the canonical form.
type Places = [u8; HOLDERS_MAX];
/// What each holder does and believes, as a hash.
type Beliefs = [u128; HOLDERS_MAX];

/// What a canonical form is made with.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    /// Groups of holders that may change places.
    groups: Vec<Vec<u8>>,
    rules: Rules,
    /// Who may begin anew after it was done.
    revived: Vec<u8>,
    /// Whose spent requests these are.
    spent: BTreeMap<[u8; 8], (u8, u8)>,
}

/// What must be told apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// True time itself counts.
    absolute: bool,
    /// Wall clocks count.
    walls: bool,
    /// Somebody trusts what it knows for a while.
    window: bool,
    /// The issuer may be set back, and its versions with it.
    restores: bool,
    /// Leases are measured with wall clocks.
    by_walls: bool,
    /// A clock may be set back, so what is past may be to come again.
    signed: bool,
    /// An age beyond which nothing is believed, in nanoseconds.
    far: u64,
    /// Somebody reads the report, or a condition looks at it.
    reads: bool,
    /// The halves of the report count.
    halves: bool,
    /// What the laws that are looked for need.
    needs: Needs,
}

#[derive(Clone, Copy, Debug)]
struct Needs {
    /// One bit for each law that is looked for.
    laws: u32,
    tokens: bool,
    marks: bool,
    floor: bool,
    bound: bool,
    stops: bool,
    wanted: bool,
    whole: bool,
    landed: bool,
}

impl Keys {
    pub(super) fn new(scenario: &Scenario, bounds: &Bounds, laws: &[Law]) -> Self {
        let mut spent = BTreeMap::new();
        for holder in 0..HOLDERS_MAX as u8 {
            for request in 1..=32 {
                let (name, id) = (Name::holder(holder), Name::request(request));
                let print = Fingerprint::of(RESOURCE, name.text(), id.text());
                spent.insert(print.0, (holder, request));
            }
        }
        Self {
            groups: groups(scenario, bounds),
            rules: Rules::new(scenario, bounds, laws),
            revived: (0..HOLDERS_MAX as u8)
                .filter(|index| revives(bounds, *index))
                .collect(),
            spent,
        }
    }

    /// Gives symmetry up, so that a test can see what it is worth.
    pub(super) fn without_symmetry(mut self) -> Self {
        self.groups.clear();
        self
    }

    /// Whether this holder may begin anew after it was done.
    pub(super) fn revives(&self, index: u8) -> bool {
        self.revived.contains(&index)
    }

    /// The key of a state.
    pub(super) fn key(&self, scenario: &Scenario, world: &World, faults: u8) -> u128 {
        let mut order = Order::new();
        let view = View::new(scenario, world, self);
        let beliefs = view.beliefs();
        let signature = |index| beliefs.get(usize::from(index)).copied().unwrap_or(0);
        for group in &self.groups {
            order.sort(group, signature);
        }
        let mut least = u128::MAX;
        order.each(&mut |places| {
            least = least.min(view.key(faults, places, &beliefs));
        });
        least
    }
}

/// An order of the holders, and which neighbours in it cannot be told apart by themselves.
struct Order {
    places: Places,
    ties: Vec<Vec<u8>>,
}

impl Order {
    const fn new() -> Self {
        Self {
            places: [0, 1, 2, 3, 4],
            ties: Vec::new(),
        }
    }

    fn sort(&mut self, group: &[u8], signature: impl Fn(u8) -> u128) {
        let mut sorted: Vec<(u128, u8)> = group.iter().map(|it| (signature(*it), *it)).collect();
        sorted.sort_unstable();
        for (to, (_, index)) in group.iter().zip(&sorted) {
            self.put(*index, *to);
        }
        for tie in sorted.chunk_by(|one, other| one.0 == other.0) {
            if tie.len() > 1 {
                self.ties
                    .push(tie.iter().map(|(_, index)| *index).collect());
            }
        }
    }

    fn put(&mut self, index: u8, to: u8) {
        if let Some(place) = self.places.get_mut(usize::from(index)) {
            *place = to;
        }
    }

    /// Every order in which only those that are alike change places.
    fn each(mut self, take: &mut impl FnMut(&Places)) {
        match self.ties.pop() {
            None => take(&self.places),
            Some(tie) => {
                let stand: Vec<u8> = tie.iter().map(|it| place(&self.places, *it)).collect();
                permutations(&tie, &mut Vec::new(), &mut |order| {
                    let mut next = Self {
                        places: self.places,
                        ties: self.ties.clone(),
                    };
                    for (index, to) in order.iter().zip(&stand) {
                        next.put(*index, *to);
                    }
                    next.each_boxed(take);
                });
            }
        }
    }

    fn each_boxed(self, take: &mut dyn FnMut(&Places)) {
        self.each(&mut |places: &Places| take(places));
    }
}

fn permutations(items: &[u8], chosen: &mut Vec<u8>, take: &mut dyn FnMut(&[u8])) {
    if chosen.len() == items.len() {
        take(chosen);
        return;
    }
    for item in items {
        if !chosen.contains(item) {
            chosen.push(*item);
            permutations(items, chosen, take);
            chosen.pop();
        }
    }
}

/// Where a holder stands; who is no holder stays who it is.
fn place(places: &Places, index: u8) -> u8 {
    places.get(usize::from(index)).copied().unwrap_or(index)
}

/// Holders with equal plans to whom the same may happen.
fn groups(scenario: &Scenario, bounds: &Bounds) -> Vec<Vec<u8>> {
    let by_content = matches!(
        scenario.mechanism.condition,
        Condition::AsRead(Etag::ByContent) | Condition::Sealed(Etag::ByContent)
    );
    let mut groups: Vec<Vec<u8>> = Vec::new();
    // An ETag that is made from the writers' names tells them apart.
    for (index, plan) in (0_u8..).zip(&scenario.holders).filter(|_| !by_content) {
        let alike = |group: &&mut Vec<u8>| {
            group.first().is_some_and(|first| {
                scenario.plan(*first) == Some(plan) && is_symmetric(bounds, *first, index)
            })
        };
        match groups.iter_mut().find(alike) {
            Some(group) => group.push(index),
            None => groups.push(vec![index]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// Whether the accidents stay the same when two holders change their names.
fn is_symmetric(bounds: &Bounds, one: u8, other: u8) -> bool {
    let swap = |index: u8| match index {
        _ if index == one => other,
        _ if index == other => one,
        _ => index,
    };
    let accidents = &bounds.accidents;
    let mut swapped = accidents.iter().map(|accident| renamed(*accident, swap));
    swapped.all(|accident| accidents.contains(&accident))
}

fn renamed(accident: Accident, swap: impl Fn(u8) -> u8) -> Accident {
    use super::super::event::Native;
    let name = |who| match who {
        Who::Holder(index) => Who::Holder(swap(index)),
        other => other,
    };
    let mut accident = accident;
    match &mut accident {
        Accident::Pause { who, .. }
        | Accident::Resume(who)
        | Accident::Crash(who)
        | Accident::Restart { who, .. }
        | Accident::Stall(who)
        | Accident::Unstall(who)
        | Accident::StepClock { who, .. }
        | Accident::Drift { who, .. } => *who = name(*who),
        Accident::Cut { from, to }
        | Accident::Heal { from, to }
        | Accident::Slow { from, to, .. }
        | Accident::LoseNext { from, to }
        | Accident::DuplicateNext { from, to } => {
            (*from, *to) = (name(*from), name(*to));
        }
        Accident::Native(Native::CloseSession(index) | Native::FlushBuffers(index)) => {
            *index = swap(*index);
        }
        Accident::Snapshot | Accident::Restore | Accident::Break | Accident::Native(_) => {}
    }
    accident
}

impl Rules {
    fn new(scenario: &Scenario, bounds: &Bounds, laws: &[Law]) -> Self {
        let mechanism = &scenario.mechanism;
        let by_walls = mechanism.lock.is_by_walls();
        let window = matches!(mechanism.check, Check::Window(_));
        let restarts = bounds.accidents.iter().any(|accident| {
            let who = Who::Issuer;
            *accident
                == Accident::Restart {
                    who,
                    with_memory: false,
                }
        });
        let steps = bounds.accidents.iter().map(|accident| match accident {
            Accident::StepClock { by_ms, .. } => by_ms.unsigned_abs(),
            _ => 0,
        });
        let step = steps.max().unwrap_or(0);
        let offsets = scenario.holders.iter();
        let offset = offsets.map(|plan| plan.clock_offset_ms.unsigned_abs());
        let trust = match mechanism.check {
            Check::Window(window) => window.trust_ms,
            _ => 0,
        };
        let far: Millis = mechanism
            .takeover_bound_ms()
            .saturating_add(trust)
            .saturating_mul(4)
            .saturating_add(step.saturating_mul(bounds.faults.into()))
            .saturating_add(offset.max().unwrap_or(0));
        let scripts = scenario.holders.iter().flat_map(|plan| &plan.script);
        let looks = scripts
            .clone()
            .any(|op| matches!(op, Op::Read | Op::PickToken));
        let reads = looks || mechanism.condition != Condition::None;
        let needs = Needs::new(laws);
        Self {
            // An issuer without memory takes its epoch from the time itself.
            absolute: bounds.until_ms.is_some() || (mechanism.issuer == Issuer::Memory && restarts),
            walls: by_walls || window,
            window,
            restores: bounds.accidents.contains(&Accident::Restore),
            by_walls,
            signed: step > 0,
            far: u64::from(far).saturating_mul(1_000_000),
            reads,
            halves: reads || needs.whole,
            needs,
        }
    }
}

impl Needs {
    fn new(laws: &[Law]) -> Self {
        let any = |some: &[Law]| laws.iter().any(|law| some.contains(law));
        Self {
            laws: laws.iter().fold(0, |mask, law| mask | 1 << *law as u32),
            tokens: any(&[Law::TokensOnlyRise]),
            marks: any(&[Law::MarkNeverFalls]),
            floor: any(&[Law::StaleNeverAdmitted]),
            bound: any(&[Law::EqualTokenOneHolder]),
            stops: any(&[Law::HolderStopsInTime]),
            wanted: any(&[Law::SomeoneCanAcquire]),
            whole: any(&[Law::ReportStaysWhole]),
            landed: any(&[Law::NoDualWrite, Law::SealedAtTheOrigin]),
        }
    }
}

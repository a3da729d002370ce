//! A question to a search, as data: a page sends it to its worker, a file holds it.

use super::super::event::Accident;
use super::super::laws::Law;
use super::super::scenario::{Scenario, VERSION, supported};
use super::super::who::Who;
use super::bounds::{Bounds, Network};
use serde::{Deserialize, Serialize};

/// What is searched, within which bounds, for which laws.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The version of this form: [`VERSION`].
    #[serde(deserialize_with = "supported")]
    pub version: u8,
    /// The scenario; its accidents are not played.
    pub scenario: Scenario,
    /// The bounds.
    pub bounds: Bounds,
    /// The laws that are looked for.
    pub laws: Vec<Law>,
}

/// Faults by kind: what may befall everybody whom it can befall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A holder stands still.
    Pauses,
    /// A holder's machine is suspended, its monotonic clock with it.
    Suspensions,
    /// A proxy stands still, its clock goes on.
    ProxyPauses,
    /// A proxy's machine is suspended.
    ProxySuspensions,
    /// A holder's process ends, and is started again with nothing.
    Crashes,
    /// A proxy starts again with nothing.
    ProxyRestarts,
    /// The issuer starts again.
    IssuerRestarts,
    /// The issuer is set back to a snapshot.
    Restores,
    /// A holder and the issuer cannot talk, either way alone.
    Partitions,
    /// A disk stands still: a holder's, or the store's.
    Stalls,
    /// A wall clock is set forward or back by a minute.
    ClockSteps,
    /// An operator ends whatever lease there is.
    Breaks,
    /// A message is lost.
    Losses,
    /// A message comes twice.
    Doubles,
    /// A message of a punctual network is late.
    Delays,
}

/// By how much a clock is set.
const STEP_MS: i32 = 60_000;

impl Kind {
    /// Every kind, and its name.
    pub const ALL: [(Self, &'static str); 15] = [
        (Self::Pauses, "pauses"),
        (Self::Suspensions, "suspensions"),
        (Self::ProxyPauses, "proxy_pauses"),
        (Self::ProxySuspensions, "proxy_suspensions"),
        (Self::Crashes, "crashes"),
        (Self::ProxyRestarts, "proxy_restarts"),
        (Self::IssuerRestarts, "issuer_restarts"),
        (Self::Restores, "restores"),
        (Self::Partitions, "partitions"),
        (Self::Stalls, "stalls"),
        (Self::ClockSteps, "clock_steps"),
        (Self::Breaks, "breaks"),
        (Self::Losses, "losses"),
        (Self::Doubles, "doubles"),
        (Self::Delays, "delays"),
    ];

    fn accidents(self, scenario: &Scenario) -> Vec<Accident> {
        let holders = || (0_u8..).zip(&scenario.holders).map(|(index, _)| index);
        let holders = || holders().map(Who::Holder);
        let proxies = || (0..scenario.proxies).map(Who::Proxy);
        let pause = |clock_stops| move |who| Accident::Pause { who, clock_stops };
        let restart = |with_memory| move |who| Accident::Restart { who, with_memory };
        match self {
            Self::Pauses => holders().map(pause(false)).collect(),
            Self::Suspensions => holders().map(pause(true)).collect(),
            Self::ProxyPauses => proxies().map(pause(false)).collect(),
            Self::ProxySuspensions => proxies().map(pause(true)).collect(),
            Self::Crashes => {
                let crashes = holders().map(Accident::Crash);
                crashes.chain(holders().map(restart(false))).collect()
            }
            Self::ProxyRestarts => proxies().map(restart(false)).collect(),
            Self::IssuerRestarts => vec![restart(false)(Who::Issuer)],
            Self::Restores => vec![Accident::Snapshot, Accident::Restore],
            Self::Partitions => holders()
                .flat_map(|who| [(who, Who::Issuer), (Who::Issuer, who)])
                .map(|(from, to)| Accident::Cut { from, to })
                .collect(),
            Self::Stalls => holders().chain([Who::Store]).map(Accident::Stall).collect(),
            Self::ClockSteps => holders()
                .chain(proxies())
                .chain([Who::Issuer])
                .flat_map(|who| [STEP_MS, -STEP_MS].map(|by_ms| Accident::StepClock { who, by_ms }))
                .collect(),
            Self::Breaks => vec![Accident::Break],
            Self::Losses | Self::Doubles | Self::Delays => Vec::new(),
        }
    }
}

impl Bounds {
    /// The same, with faults of one more kind.
    #[must_use]
    pub fn with(mut self, kind: Kind, scenario: &Scenario) -> Self {
        self.loses |= kind == Kind::Losses;
        self.doubles |= kind == Kind::Doubles;
        self.delays |= kind == Kind::Delays;
        for accident in kind.accidents(scenario) {
            if !self.accidents.contains(&accident) {
                self.accidents.push(accident);
            }
        }
        self
    }
}

impl Question {
    /// A scenario within the bounds of its own accidents, and the laws that it says it breaks; of
    /// one that breaks none those that it holds only as it is told, and of a mended one all that
    /// can hold there.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Self {
        let bounds = Bounds::of(scenario);
        let named = [&scenario.breaks, &scenario.only_as_told];
        let laws = named.into_iter().find(|laws| !laws.is_empty());
        let laws = laws.cloned().unwrap_or_else(|| all_laws(&bounds));
        Self {
            version: VERSION,
            scenario: scenario.clone(),
            bounds,
            laws,
        }
    }
}

/// Every law that somebody can keep within these bounds: where a message may never come, nobody
/// can promise that somebody is granted in time.
#[must_use]
pub fn all_laws(bounds: &Bounds) -> Vec<Law> {
    let hopeless = bounds.network == Network::Asynchronous || bounds.delays || bounds.loses;
    let laws = Law::ALL.iter().map(|(law, _)| *law);
    laws.filter(|law| !hopeless || *law != Law::SomeoneCanAcquire)
        .collect()
}

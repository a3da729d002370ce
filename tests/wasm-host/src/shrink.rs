//! Makes a day that breaks a promise smaller, as long as it goes on breaking it.
//!
//! First whole steps go, in halves, quarters, and so on to single ones; then what the remaining
//! ones consist of. A day is plain data, so every smaller day is a day.

use crate::day::{CallFault, Day, Step};
use crate::instance::Loaded;
use crate::run::{Control, Report, run};

/// How many days are tried at most.
const TRIES_MAX: usize = 4_000;

/// What broke, and the smallest day that was found for it.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The day.
    pub day: Day,
    /// What it came to.
    pub report: Report,
}

/// Makes `day` smaller, which breaks a promise; `None` if it breaks none.
#[must_use]
pub fn shrink(loaded: &Loaded, day: &Day, control: Control) -> Option<Shrunk> {
    let report = run(loaded, day, control);
    let law = report.breach.as_ref()?.law;
    let mut tries = Tries {
        loaded,
        control,
        law,
        left: TRIES_MAX,
        best: Shrunk {
            day: day.clone(),
            report,
        },
    };
    loop {
        let before = tries.best.day.clone();
        tries.drop_steps();
        tries.simplify_steps();
        tries.simplify_setting();
        if tries.best.day == before || tries.left == 0 {
            return Some(tries.best);
        }
    }
}

/// A breach as it is told: the seed, what broke, and the smallest day that breaks it.
#[must_use]
pub fn story(loaded: &Loaded, seed: u64, day: &Day, control: Control) -> String {
    let Some(Shrunk { day, report }) = shrink(loaded, day, control) else {
        return format!("FENCEGATE_SEED={seed} breaks nothing");
    };
    let json = serde_json::to_string(&day).unwrap_or_default();
    let breach = report
        .breach
        .map(|breach| breach.to_string())
        .unwrap_or_default();
    let steps: Vec<_> = day
        .steps
        .iter()
        .map(|step| format!("  {step:?}\n"))
        .collect();
    format!(
        "FENCEGATE_SEED={seed} breaks a promise.\n{breach}\n{:?}\n{}log:\n  {}\nas a regression: {json}",
        day.setting,
        steps.concat(),
        report.log.join("\n  ")
    )
}

struct Tries<'a> {
    loaded: &'a Loaded,
    control: Control,
    law: &'static str,
    left: usize,
    best: Shrunk,
}

impl Tries<'_> {
    /// Keeps `day` if it still breaks the same promise.
    fn keep(&mut self, day: Day) -> bool {
        if self.left == 0 || day == self.best.day {
            return false;
        }
        self.left -= 1;
        let report = run(self.loaded, &day, self.control);
        let same = report
            .breach
            .as_ref()
            .is_some_and(|breach| breach.law == self.law);
        if same {
            self.best = Shrunk { day, report };
        }
        same
    }

    fn drop_steps(&mut self) {
        let mut size = self.best.day.steps.len().div_ceil(2);
        while size > 0 {
            let mut from = 0;
            while from < self.best.day.steps.len() {
                let mut day = self.best.day.clone();
                let to = (from + size).min(day.steps.len());
                day.steps.drain(from..to);
                if !self.keep(day) {
                    from += size;
                }
            }
            size /= 2;
        }
    }

    fn simplify_steps(&mut self) {
        for at in 0..self.best.day.steps.len() {
            for simpler in simpler(&self.best.day.steps[at]) {
                let mut day = self.best.day.clone();
                day.steps[at] = simpler;
                self.keep(day);
            }
        }
    }

    fn simplify_setting(&mut self) {
        let plain = |day: &mut Day, which: u8| match which {
            0 => day.setting.lock_delay_ms = 0,
            1 => day.setting.strict = false,
            2 => day.setting.reads_fenced = false,
            3 => day.setting.disclose = true,
            4 => day.setting.resources = 1,
            _ => day.setting.workers = day.setting.workers.saturating_sub(1).max(1),
        };
        for which in 0..7 {
            let mut day = self.best.day.clone();
            plain(&mut day, which);
            self.keep(day);
        }
    }
}

/// The same step with one thing less.
fn simpler(step: &Step) -> Vec<Step> {
    let mut all = Vec::new();
    if let Step::Request {
        worker,
        ask,
        script,
        faults,
    } = step
    {
        for at in 0..script.len() {
            let mut script = script.clone();
            script.remove(at);
            all.push(Step::Request {
                worker: *worker,
                ask: ask.clone(),
                script,
                faults: faults.clone(),
            });
        }
    }
    for at in 0..faults_of(step).len() {
        let mut without = step.clone();
        if let Some(faults) = faults_mut(&mut without) {
            faults.remove(at);
        }
        all.push(without);
    }
    all
}

fn faults_of(step: &Step) -> &[CallFault] {
    match step {
        Step::Request { faults, .. }
        | Step::Resume { faults, .. }
        | Step::Tick { faults, .. }
        | Step::Configure { faults, .. } => faults,
        _ => &[],
    }
}

fn faults_mut(step: &mut Step) -> Option<&mut Vec<CallFault>> {
    match step {
        Step::Request { faults, .. }
        | Step::Resume { faults, .. }
        | Step::Tick { faults, .. }
        | Step::Configure { faults, .. } => Some(faults),
        _ => None,
    }
}

//! Searches a story or a scenario for what can go wrong; see `--help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    for story in &fencegate_core::sim::stories::ALL {
        for scenario in story.variants() {
            use fencegate_core::sim::search::*;
            let bounds = Bounds::of(&scenario);
            let laws: Vec<_> = if scenario.breaks.is_empty() { fencegate_core::sim::laws::Law::ALL.iter().map(|l| l.0).collect() } else { scenario.breaks[..1].to_vec() };
            let t = std::time::Instant::now();
            let mut tl = fencegate_core::sim::timeline::Timeline::new(scenario.clone(), 1).unwrap();
            let told = tl.play(0, 5000);
            let scripted = told.iter().position(|e| e.broken.iter().any(|l| laws.contains(l))).map(|p| p + 1);
            let mut s = Search::new(&scenario, bounds.clone(), &laws).unwrap().capped(1_000_000);
            let v = s.run();
            let p = s.progress();
            let dt = t.elapsed().as_secs_f64();
            let v = match v { Verdict::Found(f) => format!("found {} in {} events, {} faults", f.law.name(), f.trace.len(), f.faults), o => format!("{o:?}") };
            println!("{:<26} F{} {:<60} scripted {:?} | states {} steps {} outside {} {:.2}s {:.0}k steps/s {} B/state", scenario.name, bounds.faults, v, scripted, p.states, p.steps, p.outside, dt, p.steps as f64 / dt / 1000.0, p.bytes / p.states);
        }
    }
    ExitCode::SUCCESS
}

//! The slices as a table of ratios.

use std::fmt::Write as _;

use super::{Contender, Slice};

/// A table in Markdown: what each contender did, and its ratios to the one at `base`.
pub fn table(contenders: &[Contender], slices: &[Vec<Slice>], base: usize) -> String {
    let mut out = String::from(
        "| | answers/s | CPU us | p50 us | p99 us | rate ratio | CPU ratio | p50 ratio |\n|---|---|---|---|---|---|---|---|\n",
    );
    for (contender, own) in contenders.iter().zip(slices) {
        let figure = |of: fn(&Slice) -> f64| median(own.iter().map(of));
        let ratio = |of: fn(&Slice) -> f64| ratio(own, &slices[base], of);
        let _ = writeln!(
            out,
            "| {} | {:.0} | {:.1} | {:.0} | {:.0} | {:.2} | {:.2} | {:.2} |",
            contender.name,
            figure(|slice| slice.rate),
            figure(|slice| slice.cpu_us),
            figure(|slice| slice.p50_us),
            figure(|slice| slice.p99_us),
            ratio(|slice| slice.rate),
            ratio(|slice| slice.cpu_us),
            ratio(|slice| slice.p50_us),
        );
    }
    out
}

/// The median, over the rounds, of one contender's figure in parts of another's.
pub fn ratio(own: &[Slice], other: &[Slice], of: impl Fn(&Slice) -> f64) -> f64 {
    median(
        own.iter()
            .zip(other)
            .map(|(own, other)| of(own) / of(other)),
    )
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

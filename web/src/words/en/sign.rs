//! What is written in the picture, in English.

use crate::words::Sign;
use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::dialect::Dialect;
use fencegate_core::sim::event::{Accident, Native};
use fencegate_core::sim::who::{Name, Who};
use fencegate_core::token::Token;

pub(super) fn of(sign: Sign, dialect: Dialect) -> String {
    let token = |token: Option<Token>| token.map(|token| dialect.text(token));
    let fixed = match sign {
        Sign::Actor(Who::Proxy(index)) => return format!("Proxy {}", index + 1),
        Sign::Actor(Who::Holder(index)) => Name::holder(index).text(),
        Sign::Half(half) => half.map_or("", |by| Name::holder(by).text()),
        Sign::Actor(Who::Issuer) => "Lease service",
        Sign::Actor(Who::Store) => "Store",
        Sign::Crashed => "crashed",
        Sign::Mistaken => "still believes",
        Sign::Refused => "412: it changed",
        Sign::Undecided => "503: cannot tell",
        Sign::Fault(accident) => fault(accident),
        Sign::Lanes => "What everybody does over true time; the table of events tells the same.",
        Sign::Nodes => "Who holds, who believes and what is under way now.",
        Sign::At(ms) => return exact(ms),
        Sign::Gap(ms) | Sign::Clock(ms) => return tenths(ms),
        Sign::Frozen(ms) => return format!("stands at {}", tenths(ms)),
        Sign::WallOff(ms) => {
            let side = if ms < 0 { '-' } else { '+' };
            return format!("wall {side}{}", tenths(ms.unsigned_abs()));
        }
        Sign::Left(ms) => return format!("{} left", tenths(ms)),
        Sign::Paused(ms) => return format!("paused {}", tenths(ms)),
        Sign::Lease(carried) => {
            return token(carried).map_or_else(|| "lease".to_owned(), |it| format!("lease {it}"));
        }
        Sign::Token(carried) => return token(carried).unwrap_or_else(|| "no token".to_owned()),
        Sign::Rejected(None, _) => "412: no token",
        Sign::Rejected(Some(carried), mark) => {
            let side = match mark {
                Some(mark) if carried < mark => '<',
                Some(mark) if carried == mark => '=',
                _ => '>',
            };
            let mark = token(mark).unwrap_or_else(|| "0".to_owned());
            return format!("412: {} {side} {mark}", dialect.text(carried));
        }
        Sign::Several(holders, ms) => return format!("{holders} holders for {}", tenths(ms)),
        Sign::Mark(mark) => {
            return format!("mark {}", token(mark).unwrap_or_else(|| "none".to_owned()));
        }
    };
    fixed.to_owned()
}

const fn fault(accident: Accident) -> &'static str {
    match accident {
        Accident::Pause { .. } => "paused",
        Accident::Resume(_) => "wakes up",
        Accident::Crash(_) => "crashed",
        Accident::Restart { .. } => "restarted",
        Accident::Cut { .. } => "link cut",
        Accident::Heal { .. } => "link mended",
        Accident::Slow { by_ms: 0, .. } => "link fast again",
        Accident::Slow { .. } => "link slow",
        Accident::LoseNext { .. } => "will lose one",
        Accident::DuplicateNext { .. } => "will double one",
        Accident::Stall(_) => "disk stalls",
        Accident::Unstall(_) => "disk goes on",
        Accident::StepClock { .. } => "clock set",
        Accident::Drift { .. } => "clock drifts",
        Accident::Snapshot => "snapshot",
        Accident::Restore => "restored",
        Accident::Break => "lease broken",
        Accident::Native(native) => match native {
            Native::AbortTransaction => "aborted",
            Native::CloseSession(_) => "session closed",
            Native::OtherKeys(_) => "other keys",
            Native::DeleteLeaseObject => "Lease deleted",
            Native::FlushBuffers(_) => "buffers flushed",
        },
    }
}

fn tenths(ms: Millis) -> String {
    if ms < 1000 && ms > 0 {
        return format!("{ms} ms");
    }
    format!("{}.{} s", ms / 1000, ms % 1000 / 100)
}

/// Seconds with no more digits than it needs.
fn exact(ms: Millis) -> String {
    let (whole, rest) = (ms / 1000, ms % 1000);
    match (rest, rest % 10, rest % 100) {
        (0, ..) => format!("{whole} s"),
        (.., 0) => format!("{whole}.{} s", rest / 100),
        (_, 0, _) => format!("{whole}.{:02} s", rest / 10),
        _ => format!("{whole}.{rest:03} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn what_is_written_is_short_and_exact() {
        let token = |number| Token::new(0, number);
        let table = [
            (Sign::At(0), "0 s"),
            (Sign::At(36_140), "36.14 s"),
            (Sign::At(36_100), "36.1 s"),
            (Sign::At(13_352), "13.352 s"),
            (Sign::At(1_007), "1.007 s"),
            (Sign::Gap(26_040), "26.0 s"),
            (Sign::Gap(500), "500 ms"),
            (Sign::WallOff(-60_000), "wall -60.0 s"),
            (Sign::Token(None), "no token"),
            (Sign::Rejected(token(33), token(34)), "412: 33 < 34"),
            (Sign::Rejected(token(35), token(34)), "412: 35 > 34"),
            (Sign::Rejected(token(34), token(34)), "412: 34 = 34"),
            (Sign::Rejected(None, token(34)), "412: no token"),
            (Sign::Several(2, 4_200), "2 holders for 4.2 s"),
            (Sign::Mark(token(34)), "mark 34"),
        ];
        for (sign, text) in table {
            assert_eq!(of(sign, Dialect::Fencegate), text);
        }
    }
}

//! Abort: a proxy that learns that a token was superseded resets the writes under way with it.
//!
//! What has not left the proxy never arrives. What has left may be at the store already, or on its
//! way: a reset calls nothing back, so nobody knows of it any more.

use super::super::judge::End;
use super::super::mechanism::Check;
use super::super::message::Write;
use super::super::stage::Stage;
use super::super::told::Told;
use crate::drain::Answer;
use crate::token::Token;

/// How a stream ends that the proxy itself resets.
const RESET: Answer = Answer {
    from_origin: false,
    complete: false,
    attempts: 1,
};

impl Stage<'_> {
    /// The mark at the issuer may have risen, and the proxies that judge by it know at once.
    pub(in super::super) fn aborts_everywhere(&mut self) {
        if self.scenario.mechanism.check != Check::Proxy {
            return;
        }
        for proxy in 0..self.scenario.proxies {
            self.aborts_at(proxy);
        }
    }

    /// The mark that this proxy knows may have risen.
    pub(super) fn aborts_at(&mut self, proxy: u8) {
        if !self.scenario.mechanism.abort {
            return;
        }
        let mark = match self.scenario.mechanism.check {
            Check::Proxy => self.world.issuer.keeper.mark(),
            Check::Window(_) => self.proxy(proxy).and_then(|it| {
                let record = it.known.record.as_ref();
                record.map(|record| record.token)
            }),
            _ => self.proxy(proxy).and_then(|it| it.keeper.mark()),
        };
        self.aborts(proxy, mark);
    }

    fn aborts(&mut self, proxy: u8, mark: Option<Token>) {
        while let Some((write, never_left)) = self.takes_older(proxy, mark) {
            self.tell(Told::Aborts(proxy, write.by, !never_left));
            let end = if never_left {
                End::NeverLeft
            } else {
                End::Answered(RESET)
            };
            self.counts_out(proxy, write.token, end);
        }
    }

    /// Takes out a write of an older token, and says whether it never left.
    fn takes_older(&mut self, proxy: u8, mark: Option<Token>) -> Option<(Write, bool)> {
        let it = self.proxy(proxy)?;
        let is_older = |write: &Write| write.token.is_some() && write.token < mark;
        if let Some(at) = it.waiting.iter().position(|it| is_older(&it.write)) {
            return Some((it.waiting.remove(at).write, true));
        }
        let at = it.in_flight.iter().position(|it| is_older(&it.write))?;
        let forwarded = it.in_flight.remove(at);
        Some((forwarded.write, forwarded.sticks))
    }
}

//! What is on the wire, as numbers.

use super::super::super::super::message::{Answer, Edit, Half, Message, Payload, Sight, Write};
use super::super::super::super::who::Who;
use super::super::super::super::world::Link;
use super::super::super::next::HELD;
use super::{Pen, Places, View};
use crate::moment::Moment;
use crate::tenure::Left;
use core::time::Duration;

impl View<'_> {
    /// What a clock at either end of a message reads: the one that its times were taken from.
    fn asker_reads(&self, (from, to): (Who, Who)) -> (u64, u64) {
        let asker = if from == Who::Issuer { to } else { from };
        match asker {
            Who::Holder(index) => {
                let reads = self.holder_reads(index);
                (reads, reads)
            }
            Who::Proxy(index) => {
                let proxy = self.world.proxies.get(usize::from(index));
                proxy.map_or((0, 0), |proxy| self.proxy_reads(&proxy.clock))
            }
            Who::Issuer | Who::Store => (0, 0),
        }
    }

    pub(super) fn message(&self, places: &Places, message: &Message) -> u128 {
        let Message {
            id: _,
            from,
            to,
            sent: _,
            due,
            fate,
            payload,
        } = message;
        let mut pen = Pen::new(places);
        pen.small([pen.who(*from), pen.who(*to), *fate as u8, 0, 0, 0, 0, 0]);
        pen.put(if *due >= HELD {
            u64::MAX
        } else {
            self.millis(*due)
        });
        self.payload(&mut pen, (*from, *to), payload);
        pen.mix.finish()
    }

    fn payload(&self, pen: &mut Pen<'_>, ends: (Who, Who), payload: &Payload) {
        let (reads, wall) = self.asker_reads(ends);
        let asked = |moment: &Moment| self.since(reads, *moment);
        match payload {
            Payload::Acquire { request, asked: at } => {
                pen.small([1, *request, 0, 0, 0, 0, 0, 0]);
                pen.put(asked(at));
            }
            Payload::Renew { token, asked: at } => {
                pen.put(2);
                pen.token(Some(*token));
                pen.put(asked(at));
            }
            Payload::Release { token } => {
                pen.put(3);
                pen.token(Some(*token));
            }
            Payload::Granted {
                token,
                turn,
                asked: at,
                left: span,
            } => {
                pen.small([4, *turn, 0, 0, 0, 0, 0, 0]);
                pen.token(Some(*token));
                pen.put(asked(at));
                left(pen, *span);
            }
            Payload::Held { retry_ms } => {
                pen.put(5);
                pen.put((*retry_ms).into());
            }
            Payload::Kept {
                asked: at,
                left: span,
            } => {
                pen.put(6);
                pen.put(asked(at));
                left(pen, *span);
            }
            Payload::Lost => pen.put(7),
            Payload::Released => pen.put(8),
            Payload::NotNow => pen.put(9),
            Payload::Watch => pen.put(10),
            Payload::Over => pen.put(19),
            Payload::Claim { by, token, turn } => {
                pen.small([11, pen.holder(*by), *turn, 0, 0, 0, 0, 0]);
                pen.token(Some(*token));
            }
            Payload::Claimed { by, raised } => {
                pen.small([12, pen.holder(*by), (*raised).into(), 0, 0, 0, 0, 0]);
            }
            Payload::Read { by } => pen.small([13, pen.holder(*by), 0, 0, 0, 0, 0, 0]),
            Payload::Shown { by, sight: seen } => {
                pen.small([14, pen.holder(*by), 0, 0, 0, 0, 0, 0]);
                sight(pen, seen);
            }
            Payload::Write(it) => {
                pen.small([15, self.is_connected(ends.0, it.start), 0, 0, 0, 0, 0, 0]);
                write(pen, it);
            }
            Payload::Answer {
                by,
                seq,
                start,
                answer,
            } => {
                let connected = self.is_connected(ends.1, *start);
                pen.small([16, pen.holder(*by), *seq, connected, 0, 0, 0, 0]);
                self.answer(pen, *answer);
            }
            Payload::Ask { asked: at } => {
                pen.put(17);
                self.instants(pen, (reads, wall), *at);
            }
            Payload::Told { asked: at, reading } => {
                pen.put(18);
                self.instants(pen, (reads, wall), *at);
                self.reading(pen, reading);
            }
        }
    }

    /// Whether this end still waits for what was sent in that start of it.
    pub(super) fn is_connected(&self, end: Who, start: u8) -> u8 {
        let Who::Proxy(index) = end else {
            return 0;
        };
        let proxy = self.world.proxies.get(usize::from(index));
        proxy.is_some_and(|it| it.starts == start).into()
    }

    fn answer(&self, pen: &mut Pen<'_>, answer: Answer) {
        match answer {
            Answer::Stored { version } if self.rules.reads => {
                pen.put(u64::from(version).saturating_add(16));
            }
            Answer::Stored { .. } => pen.put(0),
            Answer::Rejected { reason, mark } => {
                pen.small([1, reason as u8, 0, 0, 0, 0, 0, 0]);
                pen.token(mark);
            }
            Answer::Condition => pen.put(2),
            Answer::NotNow => pen.put(3),
        }
    }
}

pub(super) fn link(places: &Places, link: &Link) -> u128 {
    let Link {
        from,
        to,
        cut,
        slow_ms,
        loses,
        doubles,
    } = link;
    let mut pen = Pen::new(places);
    let (from, to) = (pen.who(*from), pen.who(*to));
    pen.small([from, to, (*cut).into(), *loses, *doubles, 0, 0, 0]);
    pen.put((*slow_ms).into());
    pen.mix.finish()
}

fn left(pen: &mut Pen<'_>, span: Left) {
    let nanos = |span: Duration| u64::try_from(span.as_nanos()).unwrap_or(u64::MAX);
    pen.put(nanos(span.waited));
    pen.put(nanos(span.left));
}

pub(super) fn halves(pen: &mut Pen<'_>, halves: [Half; 2]) {
    let [first, second] = halves;
    pen.small([pen.maybe(first), pen.maybe(second), 0, 0, 0, 0, 0, 0]);
}

pub(super) fn sight(pen: &mut Pen<'_>, sight: &Sight) {
    let Sight {
        version,
        etag,
        halves: seen,
        mark,
        by,
    } = sight;
    pen.put(u64::from(*version) << 16 | u64::from(*etag));
    halves(pen, *seen);
    pen.token(*mark);
    pen.put(pen.maybe(*by).into());
}

pub(super) fn write(pen: &mut Pen<'_>, write: &Write) {
    let Write {
        by,
        turn,
        token,
        seq,
        edits,
        base,
        if_match,
        // Whether that is over is put where it is known who sent it on.
        start: _,
    } = write;
    let edit = |edit: Edit| match edit {
        Edit::Keep => 254,
        Edit::Put(half) => pen.maybe(half),
    };
    let [first, second] = edits.map(edit);
    pen.small([pen.holder(*by), *turn, *seq, first, second, 0, 0, 0]);
    pen.token(*token);
    let number = |it: Option<u16>| it.map_or(0, |it| u64::from(it).saturating_add(1));
    pen.put(number(*base) << 32 | number(*if_match));
}

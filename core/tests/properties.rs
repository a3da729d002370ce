//! Random histories of holders, operators, time, restarts, forgetting and damage.
//!
//! Every answer is compared with that of a second, plain implementation, and the laws hold
//! throughout. A failing run prints its shortest history, and its seed is kept in
//! `properties.regressions`, to be run first from then on.

mod common;
mod model;

use common::{OURS, STRICT, World, ms};
use fencegate_core::check::{Access, Check, Presented};
use fencegate_core::codec;
use fencegate_core::laws::{Event, Observer, Tokens};
use fencegate_core::lease::{Acquire, Acquired, Break, Broken, Release, Renew};
use fencegate_core::start::Start;
use fencegate_core::token::Token;
use fencegate_core::verdict::Verdict;
use model::history::{
    DELAY_MS_MAX, HOLDERS, Line, Op, Pick, REQUESTS, RESOURCES, TTL_MS_MAX, Who, line,
};
use model::{Ask, Model};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::FileFailurePersistence;
use std::collections::BTreeMap;

/// The core, the second opinion and the laws, side by side.
struct Run {
    world: World,
    model: Model,
    observer: Observer,
    generation: u32,
    /// Every token that was ever drawn, of every start.
    drawn: Vec<Token>,
    /// What was answered to each request, in this start.
    answered: BTreeMap<(usize, usize, usize), Token>,
    /// The bytes of before they were garbled.
    intact: BTreeMap<&'static str, Vec<u8>>,
}

impl Run {
    fn new() -> Self {
        let mut run = Self {
            world: World::default(),
            model: Model::default(),
            observer: Observer::new(Tokens::Ours),
            generation: 1,
            drawn: vec![common::token(1)],
            answered: BTreeMap::new(),
            intact: BTreeMap::new(),
        };
        run.restart(1_000_000, 0);
        run
    }

    fn token(&self, pick: &Pick) -> Token {
        let token = *pick.at.get(&self.drawn);
        let number = token.number().wrapping_add_signed(pick.beside.into());
        Token::new(token.epoch(), number).unwrap_or(token)
    }

    fn presented(&self, who: &Who) -> Presented<'static> {
        Presented {
            token: self.token(&who.token),
            holder: who.holder.map(|at| HOLDERS[at]),
        }
    }

    fn take(&mut self, line: &Line) -> Result<(), TestCaseError> {
        let resource = RESOURCES[line.resource];
        let ask = Ask {
            resource,
            generation: self.generation - u32::from(line.outdated),
            ttl: line.ttl,
            delay: line.delay,
        };
        match &line.op {
            Op::Acquire {
                holder,
                request,
                expect,
            } => self.acquire(line, &ask, *holder, *request, expect.as_ref())?,
            Op::Check {
                presented,
                strict,
                access,
            } => self.check(&ask, presented, *strict, *access)?,
            Op::Renew(who) => self.renew(&ask, who)?,
            Op::Release(who, answered) => self.release(&ask, who, *answered)?,
            Op::Break => self.break_lease(&ask)?,
            Op::Pass(wait) => {
                self.world.pass(ms(*wait));
                self.model.now += wait;
            }
            Op::Forget => {
                prop_assert_eq!(self.world.forget(resource), self.model.forget(resource));
            }
            Op::Garble(bit) => self.garble(resource, *bit),
            Op::Mend => self.mend(resource),
            Op::Restart { wall_ms, base } => self.restart(*wall_ms, *base),
            Op::NewGeneration => self.generation += 1,
        }
        self.look()
    }

    fn law(&mut self, event: &Event<'_>) -> Result<(), TestCaseError> {
        self.observer
            .observe(event)
            .map_err(|violation| TestCaseError::fail(violation.to_string()))
    }

    /// No mark falls, and both know the same of every resource.
    fn look(&mut self) -> Result<(), TestCaseError> {
        for resource in RESOURCES {
            let Ok(record) = self.world.record(resource) else {
                prop_assert!(self.model.garbled.contains(resource));
                continue;
            };
            let mark = record.map(|record| record.token);
            prop_assert_eq!(mark, self.model.kept.get(resource).map(|kept| kept.token));
            self.law(&Event::Mark { resource, mark })?;
        }
        Ok(())
    }

    fn acquire(
        &mut self,
        line: &Line,
        ask: &Ask<'_>,
        holder: usize,
        request: Option<usize>,
        expect: Option<&Pick>,
    ) -> Result<(), TestCaseError> {
        let (name, request_id) = (HOLDERS[holder], request.map(|at| REQUESTS[at]));
        let expect_mark = expect.map(|pick| self.token(pick));
        let acquire = Acquire {
            resource: ask.resource,
            holder: name,
            request_id,
            expect_mark,
            ttl: ms(ask.ttl),
            lock_delay: ms(ask.delay),
            generation: ask.generation,
        };
        let outcome = self.world.run_on(ask.resource, acquire);
        let expected = self.model.acquire(ask, name, request_id, expect_mark);
        prop_assert_eq!(outcome, expected);
        let Acquired::Granted { leased, resumed } = outcome else {
            return Ok(());
        };
        self.drawn.push(leased.token);
        if let Some(request) = request {
            let key = (line.resource, holder, request);
            let before = self.answered.insert(key, leased.token);
            prop_assert_eq!(
                before,
                resumed.then_some(leased.token),
                "a request has one grant"
            );
        }
        self.law(&Event::Granted {
            resource: ask.resource,
            token: leased.token,
            holder: name,
            request_id,
        })
    }

    fn check(
        &mut self,
        ask: &Ask<'_>,
        who: &Who,
        strict: bool,
        writes: bool,
    ) -> Result<(), TestCaseError> {
        let presented = self.presented(who);
        let access = if writes { Access::Write } else { Access::Read };
        let check = Check {
            presented,
            access,
            judgement: if strict { STRICT } else { OURS },
            generation: ask.generation,
        };
        let verdict = self.world.run_on(ask.resource, check);
        let Presented { token, holder } = presented;
        prop_assert_eq!(verdict, self.model.check(ask, holder, token, strict));
        if !matches!(verdict, Verdict::Admit(_)) {
            return Ok(());
        }
        self.law(&Event::Admitted {
            resource: ask.resource,
            token,
            holder,
            access,
        })
    }

    fn renew(&mut self, ask: &Ask<'_>, who: &Who) -> Result<(), TestCaseError> {
        let presented = self.presented(who);
        let renew = Renew {
            presented,
            ttl: ms(ask.ttl),
            lock_delay: ms(ask.delay),
            generation: ask.generation,
        };
        let before = self.lease(ask.resource);
        let outcome = self.world.run_on(ask.resource, renew);
        prop_assert!(
            self.lease(ask.resource) >= before,
            "a renewal never shortens"
        );
        let expected = self.model.renew(ask, presented.holder, presented.token);
        prop_assert_eq!(outcome, expected);
        Ok(())
    }

    /// When the lease ends, and when somebody else may be granted.
    fn lease(&mut self, resource: &str) -> Option<(u64, u64)> {
        let grant = self.world.record(resource).ok()??.grant?;
        Some((grant.ends.nanos(), grant.free.nanos()))
    }

    fn release(
        &mut self,
        ask: &Ask<'_>,
        who: &Who,
        writes_answered: bool,
    ) -> Result<(), TestCaseError> {
        let presented = self.presented(who);
        let release = Release {
            presented,
            writes_answered,
            generation: ask.generation,
        };
        let outcome = self.world.run_on(ask.resource, release);
        let Presented { token, holder } = presented;
        let expected = self.model.release(ask, holder, token, writes_answered);
        prop_assert_eq!(outcome, expected);
        Ok(())
    }

    fn break_lease(&mut self, ask: &Ask<'_>) -> Result<(), TestCaseError> {
        let outcome = self.world.run_on(
            ask.resource,
            Break {
                resource: ask.resource,
                lock_delay: ms(ask.delay),
                generation: ask.generation,
            },
        );
        prop_assert_eq!(outcome, self.model.break_lease(ask));
        let Broken::Done { mark } = outcome else {
            return Ok(());
        };
        self.drawn.push(mark);
        self.law(&Event::Broken {
            resource: ask.resource,
            token: mark,
        })
    }

    fn garble(&mut self, resource: &'static str, bit: Index) {
        let cell = self.world.at(resource).cell;
        let Some(bytes) = &mut cell.bytes else {
            return;
        };
        if self.model.garbled.insert(resource.to_owned()) {
            self.intact.insert(resource, bytes.clone());
            let bit = bit.index(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
            let _ = self.observer.observe(&Event::Unreadable { resource });
        }
    }

    fn mend(&mut self, resource: &'static str) {
        if let Some(bytes) = self.intact.remove(resource) {
            self.world.at(resource).cell.bytes = Some(bytes);
            self.model.garbled.remove(resource);
            let _ = self.observer.observe(&Event::Readable { resource });
        }
    }

    fn restart(&mut self, wall_ms: u64, base: u64) {
        self.world.restart(ms(wall_ms), base);
        let epoch = u32::try_from(wall_ms / 1000 + 1).expect("before the year 2106");
        self.model.restart(epoch, base & ((1 << 62) - 1));
        self.answered.clear();
        self.intact.clear();
        let _ = self.observer.observe(&Event::Restarted);
    }

    /// `someone_can_acquire`: once everybody has vanished for the longest ttl and lock delay.
    fn someone_can_acquire(&mut self) -> Result<(), TestCaseError> {
        self.world.pass(ms(TTL_MS_MAX + DELAY_MS_MAX));
        for resource in RESOURCES {
            if self.model.garbled.contains(resource) {
                continue;
            }
            let acquire = Acquire {
                resource,
                generation: self.generation,
                ..common::ACQUIRE
            };
            let outcome = self.world.run_on(resource, acquire);
            prop_assert!(matches!(outcome, Acquired::Granted { .. }), "{:?}", outcome);
        }
        Ok(())
    }
}

fn config() -> ProptestConfig {
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/properties.regressions");
    ProptestConfig {
        cases: 500,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(seeds))),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_history_keeps_the_laws_and_gets_the_plain_answers(
        history in prop::collection::vec(line(), 1..120)
    ) {
        let mut run = Run::new();
        for line in &history {
            run.take(line)?;
        }
        run.someone_can_acquire()?;
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(codec::decode(&bytes).is_err());
        prop_assert!(Start::decode(&bytes).is_err());
    }
}

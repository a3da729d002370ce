//! One object of a store, two writers with tokens 5 and 6, and a network that is late, loses and
//! repeats: the machine of the seal, one message at a time.

use crate::common::{self, by};
use crate::explore::{Broken, Model, broken};
use fencegate_core::seal::{
    ClientCondition, Condition, Etag, EtagList, Forward, Head, Headed, Object, Outcome, Profile,
    Prove, Reply, Sealed, Stamp, Step, Write,
};
use std::hash::{Hash, Hasher};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// The client's list is forwarded as it is.
    ForwardsTheList,
    /// Nothing is asked of the store.
    Unconditional,
    /// A creation is forwarded without "only if absent".
    UnconditionalCreate,
    /// The object's token is not looked at.
    NoJudgement,
    /// A refusal is always taken for "not applied".
    RefusalProvesAll,
    /// A lost answer is taken for "not applied".
    SilenceIsRefusal,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    pub(crate) profile: Profile,
    /// Every write carries the same bytes.
    pub(crate) same_bytes: bool,
    /// The client names ETags that are still to come: they can be guessed, or computed.
    pub(crate) lists: bool,
    pub(crate) exists: bool,
    pub(crate) deletes: bool,
    /// How often the network delivers a request.
    pub(crate) copies: u8,
    pub(crate) flaw: Option<Flaw>,
}

pub(crate) const SETUP: Setup = Setup {
    profile: Profile::Azure,
    same_bytes: true,
    lists: false,
    exists: true,
    deletes: false,
    copies: 2,
    flaw: None,
};

#[derive(Clone, Debug)]
enum At {
    Idle,
    Head(Head<'static>),
    Sent(Forward<'static>),
    Prove(Prove),
    Done,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
struct Request {
    writer: usize,
    nonce: u64,
    conditions: Vec<Option<u64>>,
    any: bool,
}

#[derive(Clone, Debug)]
struct Writer {
    at: At,
    attempts: u64,
    /// What the store replied to the latest request, if anything.
    reply: Option<u16>,
}

/// The store: one object with a version, which is its ETag.
#[derive(Clone, Debug)]
pub(crate) struct World {
    setup: Setup,
    object: Option<(u64, Stamp)>,
    writes: u64,
    /// Requests on their way to the store; a request may come twice.
    air: Vec<(Request, u8)>,
    writers: Vec<Writer>,
    /// Nonces that were applied.
    applied: Vec<u64>,
    deleted: bool,
}

impl Hash for World {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (
            &self.object,
            self.writes,
            &self.air,
            &self.applied,
            self.deleted,
        )
            .hash(hasher);
        format!("{:?}", self.writers).hash(hasher);
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Move {
    Start(usize),
    Read(usize),
    Arrive(usize),
    Answered(usize),
    Silence(usize),
    Delete,
}

const TOKENS: [u64; 2] = [5, 6];
const GUESSED: [u64; 4] = [1, 2, 3, 4];
const NAMES: [&str; 2] = ["a", "b"];

fn etag(version: u64) -> Etag {
    Etag::parse(&format!("\"{version}\"")).expect("plain")
}

impl World {
    pub(crate) fn new(setup: Setup) -> Self {
        let first = Stamp {
            token: common::token(4),
            holder: None,
            nonce: 0,
        };
        let writer = Writer {
            at: At::Idle,
            attempts: 0,
            reply: None,
        };
        Self {
            setup,
            object: setup.exists.then_some((1, first)),
            writes: 1,
            air: Vec::new(),
            writers: vec![writer.clone(), writer],
            applied: Vec::new(),
            deleted: false,
        }
    }

    fn has(&self, flaw: Flaw) -> bool {
        self.setup.flaw == Some(flaw)
    }

    fn tag(&self) -> Option<u64> {
        let hashed = self.setup.same_bytes && self.setup.profile.has_aba_hole();
        self.object
            .as_ref()
            .map(|(version, _)| if hashed { 1 } else { *version })
    }

    fn headed(&self) -> Headed {
        match &self.object {
            None => Headed::Absent,
            Some((version, stamp)) => Headed::Found(Object {
                etag: self.tag().map(etag),
                generation: Some(*version),
                stamp: (!self.has(Flaw::NoJudgement)).then(|| stamp.clone()),
            }),
        }
    }

    fn take(&mut self, who: usize, step: Step<'static>) -> Result<(), Broken> {
        self.writers[who].at = match step {
            Step::Head(head) => At::Head(head),
            Step::Prove(prove) => At::Prove(prove),
            Step::Forward(forward) => {
                self.send(who, &forward);
                At::Sent(forward)
            }
            Step::Done(outcome) => {
                self.honest(who, outcome)?;
                self.end(who, outcome)
            }
        };
        Ok(())
    }

    fn send(&mut self, who: usize, forward: &Forward<'static>) {
        let one = match forward.condition() {
            Condition::Match(tag) => {
                let tag = tag.as_str().trim_matches('"').parse().expect("a number");
                Some(tag)
            }
            Condition::Generation(generation) => Some(*generation),
            Condition::Absent => None,
        };
        let conditions = match self.has(Flaw::ForwardsTheList) {
            true => GUESSED.map(Some).to_vec(),
            false => vec![one],
        };
        let creates = one.is_none() && self.has(Flaw::UnconditionalCreate);
        let request = Request {
            writer: who,
            nonce: forward.stamp().nonce,
            conditions,
            any: creates || self.has(Flaw::Unconditional),
        };
        self.air.push((request, self.setup.copies));
        self.air.sort();
        self.writers[who].reply = None;
    }

    /// What is told of a write must be so.
    fn honest(&self, who: usize, outcome: Outcome) -> Result<(), Broken> {
        let nonce = who as u64 + 1;
        let applied = self.applied.contains(&nonce);
        match outcome {
            Outcome::Applied if !applied => Err(broken(
                "what_is_told_is_so",
                format!("{who} was not applied"),
            )),
            Outcome::NotApplied(_) if applied => {
                Err(broken("what_is_told_is_so", format!("{who} was applied")))
            }
            _ => Ok(()),
        }
    }

    fn end(&mut self, who: usize, outcome: Outcome) -> At {
        // Nobody knows: the client sends the same write once more, as one attempted before.
        let again = matches!(outcome, Outcome::Unknown(_)) && self.writers[who].attempts < 2;
        match again {
            true => At::Idle,
            false => At::Done,
        }
    }

    fn write(&self, who: usize) -> Write<'static> {
        let before = self.writers[who].attempts > 0 && !self.has(Flaw::RefusalProvesAll);
        let list = GUESSED.map(etag).to_vec();
        Write {
            presented: by(NAMES[who], common::token(TOKENS[who])),
            nonce: who as u64 + 1,
            client: ClientCondition {
                if_match: self.setup.lists.then_some(EtagList::Of(list)),
                if_none_match: None,
            },
            deletes: false,
            attempted_before: before,
            profile: self.setup.profile,
        }
    }

    fn arrive(&mut self, at: usize) -> Result<(), Broken> {
        let (request, left) = self.air.remove(at);
        if left > 1 {
            self.air.push((request.clone(), left - 1));
            self.air.sort();
        }
        let tag = self.tag();
        let tag = match self.setup.profile.uses_generations() {
            true => self.object.as_ref().map(|(version, _)| *version),
            false => tag,
        };
        if !request.any && !request.conditions.contains(&tag) {
            self.reply(request.writer, 412);
            return Ok(());
        }
        let token = TOKENS[request.writer];
        if let Some((_, stamp)) = &self.object
            && token < stamp.token.number()
        {
            let how = format!("{token} over {}", stamp.token);
            return Err(broken("sealed_at_the_origin", how));
        }
        self.writes += 1;
        let stamp = Stamp {
            token: common::token(token),
            holder: Some(NAMES[request.writer].to_owned()),
            nonce: request.nonce,
        };
        self.object = Some((self.writes, stamp));
        self.applied.push(request.nonce);
        self.applied.sort_unstable();
        self.applied.dedup();
        self.reply(request.writer, 201);
        Ok(())
    }

    fn reply(&mut self, who: usize, status: u16) {
        let writer = &mut self.writers[who];
        if matches!(writer.at, At::Sent(_)) && writer.reply.is_none() {
            writer.reply = Some(status);
        }
    }
}

impl Model for World {
    type Move = Move;

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for (who, writer) in self.writers.iter().enumerate() {
            match writer.at {
                At::Idle => moves.push(Move::Start(who)),
                At::Head(_) | At::Prove(_) => moves.push(Move::Read(who)),
                At::Sent(_) => {
                    moves.push(Move::Silence(who));
                    if writer.reply.is_some() {
                        moves.push(Move::Answered(who));
                    }
                }
                At::Done => {}
            }
        }
        moves.extend((0..self.air.len()).map(Move::Arrive));
        if self.setup.deletes && !self.deleted && self.object.is_some() {
            moves.push(Move::Delete);
        }
        moves
    }

    fn after(&self, step: Move) -> Result<Self, Broken> {
        let mut next = self.clone();
        match step {
            Move::Start(who) => {
                let write = next.write(who);
                next.writers[who].attempts += 1;
                next.take(who, Sealed::start(write, 1))?;
            }
            Move::Read(who) => {
                let headed = next.headed();
                match next.writers[who].at.clone() {
                    At::Head(head) => next.take(who, head.headed(headed))?,
                    At::Prove(prove) => {
                        next.take(who, Step::Done(prove.headed(&headed)))?;
                    }
                    _ => {}
                }
            }
            Move::Arrive(at) => next.arrive(at)?,
            Move::Answered(who) => {
                let status = next.writers[who].reply.expect("looked at");
                if let At::Sent(forward) = next.writers[who].at.clone() {
                    next.take(who, forward.replied(Reply::Status(status)))?;
                }
            }
            Move::Silence(who) => {
                if let At::Sent(forward) = next.writers[who].at.clone() {
                    let reply = match next.has(Flaw::SilenceIsRefusal) {
                        true => Reply::Status(412),
                        false => Reply::None,
                    };
                    next.take(who, forward.replied(reply))?;
                }
            }
            Move::Delete => {
                next.object = None;
                next.deleted = true;
            }
        }
        Ok(next)
    }
}

//! The laws on states: each a named function that says whether it holds in a world.
//!
//! The first six have their names from [`crate::laws`]; the others speak of the data itself, so
//! that "trashed" is computed and not claimed.

use super::clock::Millis;
pub use super::law::Law;
use super::message::Half;
use super::scenario::Scenario;
use super::witness::{Breach, Given};
use super::world::World;
use crate::token::Token;
use serde::{Deserialize, Serialize};

/// A law that does not hold, and what broke it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Violation {
    /// Two grants.
    Grants(Given, Given),
    /// A mark that was higher before.
    MarkFell(Token, Token),
    /// Something that was admitted, refused or stored.
    Breach(Breach),
    /// A holder that believes, and the one that was granted since.
    Believes(u8, u8),
    /// Nobody is granted, since then.
    NobodySince(Millis),
    /// The report, in halves.
    Report([Half; 2]),
}

/// A law as a function.
pub type Judge = fn(&Scenario, &World) -> Result<(), Violation>;

impl Law {
    /// Every law and its function.
    pub const ALL: [(Self, Judge); 12] = [
        (Self::TokensOnlyRise, tokens_only_rise),
        (Self::MarkNeverFalls, mark_never_falls),
        (Self::StaleNeverAdmitted, stale_never_admitted),
        (Self::EqualTokenOneHolder, equal_token_one_holder),
        (Self::UnknownIsNotEmpty, unknown_is_not_empty),
        (Self::HolderStopsInTime, holder_stops_in_time),
        (Self::SealedAtTheOrigin, sealed_at_the_origin),
        (Self::SomeoneCanAcquire, someone_can_acquire),
        (Self::NewestNotRefused, newest_not_refused),
        (Self::NoLostUpdate, no_lost_update),
        (Self::ReportStaysWhole, report_stays_whole),
        (Self::NoDualWrite, no_dual_write),
    ];

    /// Whether it holds.
    ///
    /// # Errors
    /// What breaks it.
    pub fn judge(self, scenario: &Scenario, world: &World) -> Result<(), Violation> {
        Self::ALL
            .iter()
            .filter(|(law, _)| *law == self)
            .try_for_each(|(_, judge)| judge(scenario, world))
    }
}

/// Every law that does not hold, with what breaks it.
pub fn broken<'w>(
    scenario: &'w Scenario,
    world: &'w World,
) -> impl Iterator<Item = (Law, Violation)> + 'w {
    Law::ALL.iter().filter_map(|(law, judge)| {
        let violation = judge(scenario, world).err()?;
        Some((*law, violation))
    })
}

/// The holders that run and believe at this instant that they may write: a fact, and where there
/// are two of them not yet a broken law.
pub fn believers<'w>(scenario: &'w Scenario, world: &'w World) -> impl Iterator<Item = u8> + 'w {
    (0_u8..)
        .zip(&world.holders)
        .map(|(index, _)| index)
        .filter(|index| world.believes(scenario, *index))
}

fn noted(world: &World, law: Law) -> Result<(), Violation> {
    world
        .witness
        .breach(law)
        .map_or(Ok(()), |breach| Err(Violation::Breach(*breach)))
}

fn tokens_only_rise(_: &Scenario, world: &World) -> Result<(), Violation> {
    // Looked at after every event, so only the newest grant can be new.
    let Some((newest, before)) = world.witness.grants.split_last() else {
        return Ok(());
    };
    let clash = before.iter().find(|given| {
        newest.token.is_some()
            && (given.token == newest.token
                || (given.start == newest.start && given.token > newest.token))
    });
    clash.map_or(Ok(()), |given| Err(Violation::Grants(*given, *newest)))
}

fn mark_never_falls(_: &Scenario, world: &World) -> Result<(), Violation> {
    let places = world.proxies.iter().map(|proxy| &proxy.keeper);
    let places = places.chain([&world.issuer.keeper, &world.store.keeper]);
    let kept = places.filter_map(|keeper| Some((keeper.mark()?, keeper.highest?)));
    let sealed = world.store.sealed.zip(world.witness.sealed);
    let fallen = kept.chain(sealed).find(|(mark, highest)| mark < highest);
    fallen.map_or(Ok(()), |(mark, highest)| {
        Err(Violation::MarkFell(mark, highest))
    })
}

fn stale_never_admitted(_: &Scenario, world: &World) -> Result<(), Violation> {
    noted(world, Law::StaleNeverAdmitted)
}

fn equal_token_one_holder(_: &Scenario, world: &World) -> Result<(), Violation> {
    noted(world, Law::EqualTokenOneHolder)
}

fn unknown_is_not_empty(_: &Scenario, world: &World) -> Result<(), Violation> {
    noted(world, Law::UnknownIsNotEmpty)
}

fn holder_stops_in_time(scenario: &Scenario, world: &World) -> Result<(), Violation> {
    let late = believers(scenario, world).find_map(|index| {
        let turn = world.holder(index)?.turn;
        Some((index, world.witness.replaced(index, turn)?.holder))
    });
    late.map_or(Ok(()), |(index, newer)| {
        Err(Violation::Believes(index, newer))
    })
}

fn sealed_at_the_origin(_: &Scenario, world: &World) -> Result<(), Violation> {
    noted(world, Law::SealedAtTheOrigin)
}

fn someone_can_acquire(scenario: &Scenario, world: &World) -> Result<(), Violation> {
    let Some(since) = world.witness.wanted_since else {
        return Ok(());
    };
    if world.now.saturating_sub(since) > scenario.mechanism.takeover_bound_ms() {
        Err(Violation::NobodySince(since))
    } else {
        Ok(())
    }
}

fn newest_not_refused(_: &Scenario, world: &World) -> Result<(), Violation> {
    noted(world, Law::NewestNotRefused)
}

fn no_lost_update(_: &Scenario, world: &World) -> Result<(), Violation> {
    noted(world, Law::NoLostUpdate)
}

fn report_stays_whole(_: &Scenario, world: &World) -> Result<(), Violation> {
    match world.witness.breach(Law::ReportStaysWhole) {
        Some(_) => Err(Violation::Report(world.store.halves)),
        None => Ok(()),
    }
}

fn no_dual_write(_: &Scenario, world: &World) -> Result<(), Violation> {
    noted(world, Law::NoDualWrite)
}

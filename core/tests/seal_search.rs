//! The seal, exhaustively: two writers with tokens 5 and 6 on one object, every request late, lost
//! or sent again by the network. And for each rule a world without it.

mod common;
mod explore;
mod seal_world;

use explore::{finds, holds};
use fencegate_core::seal::Profile;
use seal_world::{Flaw, SETUP, Setup, World};

#[test]
fn two_writers_on_stores_whose_tag_changes_with_every_write() {
    for profile in [Profile::Azure, Profile::Gcs] {
        for (exists, lists) in [(true, false), (false, false), (true, true)] {
            let setup = Setup {
                profile,
                exists,
                lists,
                ..SETUP
            };
            let what = format!("seal: {profile:?}, 2 writers, exists {exists}, lists {lists}");
            holds(&what, &World::new(setup), 100);
        }
    }
}

#[test]
fn a_content_hash_is_sound_while_the_bytes_differ() {
    let setup = Setup {
        profile: Profile::S3,
        same_bytes: false,
        ..SETUP
    };
    holds("seal: S3, 2 writers, bytes differ", &World::new(setup), 100);
}

#[test]
fn the_aba_hole_of_content_hashes_is_found() {
    let setup = Setup {
        profile: Profile::S3,
        ..SETUP
    };
    finds("ABA", &World::new(setup), "sealed_at_the_origin");
    assert!(Profile::S3.has_aba_hole() && Profile::Http.has_aba_hole());
    assert!(!Profile::Azure.has_aba_hole() && !Profile::Gcs.has_aba_hole());
}

#[track_caller]
fn control(flaw: Flaw, setup: Setup, law: &str) {
    let flaw = Some(flaw);
    finds(
        &format!("{flaw:?}"),
        &World::new(Setup { flaw, ..setup }),
        law,
    );
}

#[test]
fn control_forwarding_the_clients_list() {
    let setup = Setup {
        lists: true,
        ..SETUP
    };
    control(Flaw::ForwardsTheList, setup, "sealed_at_the_origin");
}

#[test]
fn control_forwarding_without_a_condition() {
    control(Flaw::Unconditional, SETUP, "sealed_at_the_origin");
}

#[test]
fn control_creating_without_only_if_absent() {
    let setup = Setup {
        exists: false,
        ..SETUP
    };
    control(Flaw::UnconditionalCreate, setup, "sealed_at_the_origin");
}

#[test]
fn control_forwarding_without_judging_what_head_found() {
    control(Flaw::NoJudgement, SETUP, "sealed_at_the_origin");
}

#[test]
fn control_a_refusal_after_an_attempt_that_was_perhaps_applied() {
    control(Flaw::RefusalProvesAll, SETUP, "what_is_told_is_so");
}

#[test]
fn control_silence_taken_for_a_refusal() {
    control(Flaw::SilenceIsRefusal, SETUP, "what_is_told_is_so");
}

#[test]
fn a_deleted_object_ends_the_seal() {
    let setup = Setup {
        exists: false,
        deletes: true,
        copies: 1,
        ..SETUP
    };
    // The law speaks of objects that still exist: the store takes a late creation, and only the
    // authority's mark remembers.
    holds(
        "seal: created, deleted, created late",
        &World::new(setup),
        100,
    );
}

#[test]
fn a_refused_creation_that_comes_twice_may_land_after_a_deletion() {
    let setup = Setup {
        exists: false,
        deletes: true,
        ..SETUP
    };
    // So nothing between the filter and the store may send a request again by itself.
    finds("a creation twice", &World::new(setup), "what_is_told_is_so");
}

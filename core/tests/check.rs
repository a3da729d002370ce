//! The two rules of judgement, as tables: every reason, and which comes first.

mod common;

use common::{
    ACQUIRE, BREAK, EXTERNAL, OURS, STRICT, World, admits, by, external, release, secs, token,
    write,
};
use fencegate_core::check::{Access, Check, External, Judgement, Presented};
use fencegate_core::lease::Acquire;
use fencegate_core::machine::Change;
use fencegate_core::moment::Moment;
use fencegate_core::record::{Grant, Record};
use fencegate_core::token::Token;
use fencegate_core::verdict::{Admission, Fault, Reason, Rejection, Verdict};

const NOW: Moment = Moment::from_nanos(1_000);
const PAST: Moment = Moment::from_nanos(999);
const FUTURE: Moment = Moment::from_nanos(1_001);

/// A grant of token 8 to `a` in generation 5, held at `NOW`.
fn grant() -> Record {
    Record {
        token: token(8),
        holder: Some("a".to_owned()),
        generation: 5,
        grant: Some(Grant {
            request_id: None,
            ttl: secs(1),
            ends: FUTURE,
            free: FUTURE,
            released: false,
        }),
    }
}

fn released(mut record: Record) -> Record {
    if let Some(grant) = &mut record.grant {
        grant.released = true;
    }
    record
}

fn ended(mut record: Record) -> Record {
    if let Some(grant) = &mut record.grant {
        grant.ends = NOW;
        grant.free = NOW;
    }
    record
}

fn of_generation(generation: u32, record: Record) -> Record {
    Record {
        generation,
        ..record
    }
}

/// An external mark of token 8 left by `holder` in generation 5.
fn mark(holder: Option<&str>) -> Record {
    Record {
        token: token(8),
        holder: holder.map(str::to_owned),
        generation: 5,
        grant: None,
    }
}

fn presents(holder: Option<&str>, number: u64, judgement: Judgement) -> Check<'_> {
    Check {
        presented: Presented {
            token: token(number),
            holder,
        },
        access: Access::Write,
        judgement,
        generation: 5,
    }
}

/// What the check says of the record, and the record afterwards.
fn judge(record: Option<&Record>, check: Check<'_>) -> (Verdict, Option<Record>) {
    let mut world = World {
        now: NOW,
        ..World::default()
    };
    if let Some(record) = record {
        let change = Change {
            record: record.clone(),
            spend: None,
            queue: None,
        };
        world.at("r").cell.put("r", &change, NOW);
    }
    let verdict = world.run(check);
    (verdict, world.record("r").expect("nothing is garbled"))
}

fn rejected(reason: Reason, mark: Option<u64>) -> Verdict {
    Verdict::Reject(Rejection {
        reason,
        mark: mark.map(token),
    })
}

fn admitted(mark: u64, advanced: bool) -> Verdict {
    Verdict::Admit(Admission {
        mark: Some(token(mark)),
        advanced,
    })
}

#[test]
fn ours_admits_only_what_was_granted_last() {
    use Reason::{HeldByAnother, LeaseEnded, NeverIssued, NoGrant, Released, Stale};
    let a = Some("a");
    let yes = admitted(8, false);
    let no = |reason| rejected(reason, Some(8));
    let none = rejected(NoGrant, None);
    let older = of_generation(4, grant());
    let broken = Record {
        holder: None,
        ..released(grant())
    };
    let unheld = Record {
        holder: None,
        ..grant()
    };
    #[rustfmt::skip]
    let rows = [
        ("nothing granted", None, a, 8, none, none),
        ("equal", Some(grant()), a, 8, yes, yes),
        ("below", Some(grant()), a, 7, no(Stale), no(Stale)),
        ("above", Some(grant()), a, 9, no(NeverIssued), no(NeverIssued)),
        ("other holder", Some(grant()), Some("b"), 8, no(HeldByAnother), no(HeldByAnother)),
        ("no holder", Some(grant()), None, 8, no(HeldByAnother), no(HeldByAnother)),
        ("a name that only begins alike", Some(grant()), Some("a2"), 8, no(HeldByAnother), no(HeldByAnother)),
        ("bound to nobody, by nobody", Some(unheld), None, 8, no(HeldByAnother), no(HeldByAnother)),
        ("released", Some(released(grant())), a, 8, no(Released), no(Released)),
        ("broken", Some(broken), a, 8, no(Released), no(Released)),
        ("ended", Some(ended(grant())), a, 8, yes, no(LeaseEnded)),
        ("older generation", Some(older.clone()), a, 8, no(NoGrant), no(NoGrant)),
        ("a mark of others", Some(mark(a)), a, 8, no(NoGrant), no(NoGrant)),
        // Which reason comes first.
        ("below and released", Some(released(grant())), a, 7, no(Stale), no(Stale)),
        ("below and other holder", Some(grant()), Some("b"), 7, no(Stale), no(Stale)),
        ("below and older generation", Some(older.clone()), a, 7, no(Stale), no(Stale)),
        ("above and released", Some(released(grant())), a, 9, no(NeverIssued), no(NeverIssued)),
        ("above and other holder", Some(grant()), None, 9, no(NeverIssued), no(NeverIssued)),
        ("older generation and released", Some(released(older)), a, 8, no(NoGrant), no(NoGrant)),
        ("released and other holder", Some(released(grant())), Some("b"), 8, no(Released), no(Released)),
        ("released and no holder", Some(released(grant())), None, 8, no(Released), no(Released)),
        ("released and ended", Some(ended(released(grant()))), a, 8, no(Released), no(Released)),
        ("ended and other holder", Some(ended(grant())), Some("b"), 8, no(HeldByAnother), no(HeldByAnother)),
    ];
    for (what, record, holder, number, default, strict) in rows {
        for (judgement, expected) in [(OURS, default), (STRICT, strict)] {
            for access in [Access::Write, Access::Read] {
                let check = Check {
                    access,
                    ..presents(holder, number, judgement)
                };
                let (verdict, after) = judge(record.as_ref(), check);
                assert_eq!(verdict, expected, "{what} {judgement:?} {access:?}");
                assert_eq!(after, record, "a check of ours changes nothing: {what}");
            }
        }
    }
}

#[test]
fn a_strict_lease_ends_at_its_end() {
    for (ends, admitted) in [(FUTURE, true), (NOW, false), (PAST, false)] {
        let mut record = grant();
        if let Some(grant) = &mut record.grant {
            grant.ends = ends;
        }
        let (verdict, _) = judge(Some(&record), presents(Some("a"), 8, STRICT));
        assert_eq!(admits(verdict), admitted, "{ends:?}");
    }
}

#[test]
fn external_admits_by_the_high_water_rule() {
    use Reason::{HeldByAnother, JumpTooFar, Stale};
    let (a, b) = (Some("a"), Some("b"));
    let no = |reason| rejected(reason, Some(8));
    let limited = Judgement::External(External {
        jump_max: Some(2),
        unnamed_may_share: false,
    });
    let shared = Judgement::External(External {
        jump_max: None,
        unnamed_may_share: true,
    });
    let first = admitted(8, true);
    #[rustfmt::skip]
    let rows = [
        ("the first", None, a, 8, EXTERNAL, first),
        ("the first, unnamed", None, None, 8, shared, first),
        ("the first, however high", None, a, 8, limited, first),
        ("above", Some(mark(a)), a, 9, EXTERNAL, admitted(9, true)),
        ("above, other holder", Some(mark(a)), b, 9, EXTERNAL, admitted(9, true)),
        ("equal", Some(mark(a)), a, 8, EXTERNAL, admitted(8, false)),
        ("below", Some(mark(a)), a, 7, EXTERNAL, no(Stale)),
        ("equal, other holder", Some(mark(a)), b, 8, EXTERNAL, no(HeldByAnother)),
        ("equal, unnamed", Some(mark(a)), None, 8, EXTERNAL, no(HeldByAnother)),
        ("equal to an unnamed one", Some(mark(None)), a, 8, EXTERNAL, no(HeldByAnother)),
        ("unnamed, equal to an unnamed one", Some(mark(None)), None, 8, EXTERNAL, no(HeldByAnother)),
        // The law is given up: only between unnamed ones, and until a name comes.
        ("shared by unnamed ones", Some(mark(None)), None, 8, shared, admitted(8, false)),
        ("bound by the first named one", Some(mark(None)), a, 8, shared, admitted(8, false)),
        ("bound, and unnamed", Some(mark(a)), None, 8, shared, no(HeldByAnother)),
        ("bound, and other", Some(mark(a)), b, 8, shared, no(HeldByAnother)),
        // The limit on the jump.
        ("as far as allowed", Some(mark(a)), a, 10, limited, admitted(10, true)),
        ("further", Some(mark(a)), a, 11, limited, no(JumpTooFar)),
        // Which reason comes first.
        ("below, other holder", Some(mark(a)), b, 7, EXTERNAL, no(Stale)),
        ("below, far", Some(mark(a)), b, 1, limited, no(Stale)),
        ("further, other holder", Some(mark(a)), b, 99, limited, no(JumpTooFar)),
    ];
    for (what, record, holder, number, judgement, expected) in rows {
        let (verdict, after) = judge(record.as_ref(), presents(holder, number, judgement));
        assert_eq!(verdict, expected, "{what}");
        if admits(verdict) {
            let after = after.expect("an admitted write leaves a mark");
            assert_eq!(
                (after.token, after.holder.as_deref()),
                (token(number), holder),
                "{what}"
            );
        } else {
            assert_eq!(after, record, "a rejection changes nothing: {what}");
        }
    }
}

#[test]
fn the_limit_counts_numbers_within_an_epoch_and_epochs_across() {
    let at = |epoch, number| Token::new(epoch, number).expect("above 0");
    let record = Record {
        token: at(3, 8),
        ..mark(Some("a"))
    };
    let limited = Judgement::External(External {
        jump_max: Some(2),
        unnamed_may_share: false,
    });
    for (presented, expected) in [
        (at(3, 10), None),
        (at(3, 11), Some(Reason::JumpTooFar)),
        (at(4, 1), None),
        (at(5, u64::MAX), None),
        (at(6, 1), Some(Reason::JumpTooFar)),
        (at(u32::MAX, 1), Some(Reason::JumpTooFar)),
        (at(2, u64::MAX), Some(Reason::Stale)),
    ] {
        let check = Check {
            presented: by("a", presented),
            ..presents(None, 1, limited)
        };
        let (verdict, _) = judge(Some(&record), check);
        assert_eq!(common::reason(verdict), expected, "{presented}");
    }
}

#[test]
fn a_read_is_judged_like_a_write_and_never_raises() {
    let shared = Judgement::External(External {
        jump_max: Some(2),
        unnamed_may_share: true,
    });
    for record in [None, Some(mark(None)), Some(mark(Some("a")))] {
        for holder in [None, Some("a"), Some("b")] {
            for number in 7..=11 {
                for judgement in [EXTERNAL, shared] {
                    let write = presents(holder, number, judgement);
                    let read = Check {
                        access: Access::Read,
                        ..write
                    };
                    let (of_write, _) = judge(record.as_ref(), write);
                    let (of_read, after) = judge(record.as_ref(), read);
                    assert_eq!(after, record, "a read changes nothing");
                    match of_read {
                        Verdict::Admit(found) => {
                            assert!(admits(of_write));
                            assert_eq!(found.mark, record.as_ref().map(|record| record.token));
                            assert!(!found.advanced);
                        }
                        other => assert_eq!(other, of_write),
                    }
                }
            }
        }
    }
}

#[test]
fn a_newer_generation_supersedes_before_anything_else() {
    let newer = Verdict::Undecided(Fault::Superseded);
    for record in [grant(), released(grant()), mark(Some("a"))] {
        let record = of_generation(6, record);
        for number in 7..=9 {
            for judgement in [OURS, STRICT, EXTERNAL] {
                let (verdict, after) = judge(Some(&record), presents(Some("b"), number, judgement));
                assert_eq!(verdict, newer);
                assert_eq!(after.as_ref(), Some(&record));
            }
        }
    }
}

#[test]
fn an_external_mark_outlives_a_change_of_generation() {
    let older = of_generation(4, mark(Some("a")));
    let (verdict, _) = judge(Some(&older), presents(Some("a"), 7, EXTERNAL));
    assert_eq!(verdict, rejected(Reason::Stale, Some(8)));
    let (verdict, after) = judge(Some(&older), presents(Some("a"), 9, EXTERNAL));
    assert_eq!(verdict, admitted(9, true));
    assert_eq!(after.map(|record| record.generation), Some(5));
}

#[test]
fn a_token_of_another_resource_is_useless() {
    let mut world = World::default();
    let other = common::granted(world.run_on(
        "s",
        Acquire {
            resource: "s",
            ..ACQUIRE
        },
    ))
    .token;
    let verdict = world.run(write("a", other));
    assert_eq!(verdict, rejected(Reason::NoGrant, None));
    let mine = world.grant("a");
    assert_eq!(
        common::reason(world.run(write("a", other))),
        Some(Reason::Stale)
    );
    assert!(admits(world.run(write("a", mine))));
    assert_eq!(
        common::reason(world.run_on("s", write("a", mine))),
        Some(Reason::NeverIssued)
    );
}

#[test]
fn a_record_of_another_resource_is_garbled_not_none() {
    let mut world = World::default();
    let mine = world.grant("a");
    let moved = world.cells["r"].clone();
    world.cells.insert("s".to_owned(), moved);
    let garbled = Verdict::Undecided(Fault::Garbled);
    assert_eq!(world.run_on("s", write("a", mine)), garbled);
    assert_eq!(world.run_on("s", external("a", mine)), garbled);
}

#[test]
fn a_break_leaves_a_mark_that_nobody_holds() {
    let mut world = World::default();
    let old = world.grant("a");
    world.run(BREAK);
    let mark = world.record("r").expect("readable").expect("there").token;
    assert!(mark > old);
    assert_eq!(
        common::reason(world.run(write("a", old))),
        Some(Reason::Stale)
    );
    assert_eq!(
        common::reason(world.run(write("a", mark))),
        Some(Reason::Released)
    );
    let nobody = Check {
        presented: Presented {
            token: mark,
            holder: None,
        },
        ..write("a", mark)
    };
    assert_eq!(common::reason(world.run(nobody)), Some(Reason::Released));
    world.run(release("a", old));
    assert_eq!(
        world.record("r").expect("readable").expect("there").token,
        mark
    );
}

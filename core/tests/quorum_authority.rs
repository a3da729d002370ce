//! The authority as a whole: first contact, generations, windows, and what must not be believed.

mod quorum_world;

use fencegate_core::quorum::{Call, Heard, Init, Outcome, Standing, Step, Terms, Value, Wanted};
use fencegate_core::token::Token;
use fencegate_core::verdict::{Fault, Reason};
use quorum_world::proxy::{Fate, INIT, Proxy, R, TERMS, WINDOW};
use quorum_world::store::Store;
use quorum_world::*;
use std::time::Duration;

const NEWER: Terms = Terms {
    generation: 2,
    mapping: 10,
    ..TERMS
};

fn in_force(store: &Store) -> Init {
    Init::decode(&store.init.as_ref().expect("there").bytes).expect("sound")
}

/// Every operation that could be refused, on a token that may have been granted.
fn all(token: Token) -> Vec<Wanted> {
    vec![
        write("a", token),
        acquire("a"),
        renew("a", token, TTL),
        release("a", token, true),
        Wanted::Break,
        Wanted::Look,
        Wanted::Ready,
    ]
}

#[track_caller]
fn refuses_all(store: &mut Store, proxy: &mut Proxy, token: Token, expected: Fault) {
    for wanted in all(token) {
        let what = format!("{wanted:?}");
        let outcome = proxy.run(store, wanted);
        assert_eq!(fault(&outcome), Some(expected), "{what}");
    }
}

fn leased() -> (Store, Proxy, Token) {
    let (mut store, mut proxy) = world();
    let token = granted(&proxy.run(&mut store, acquire("a"))).token;
    (store, proxy, token)
}

#[test]
fn an_authority_that_was_not_initialised_is_missing() {
    let (mut store, mut proxy) = world();
    store.init = None;
    let token = Token::new(5, 1).expect("above 0");
    refuses_all(&mut store, &mut proxy, token, Fault::Missing);
    assert!(store.marks.is_empty());
    store.put_init(INIT.encode());
    granted(&proxy.run(&mut store, acquire("a")));
}

#[test]
fn a_prefix_that_is_wiped_is_missing_and_nothing_is_committed_on_it() {
    let (mut store, mut proxy, token) = leased();
    // An acquire is about to put.
    let mut other = Proxy::beside(&proxy);
    proxy.run(&mut store, release("a", token, true));
    let mut step = other.begin(acquire("b"));
    for _ in 0..2 {
        step = other.step(&mut store, step);
    }
    store.wipe();
    let outcome = other.finish(&mut store, step);
    assert_eq!(fault(&outcome), Some(Fault::Missing));
    proxy.millis += 1_000;
    let token = Token::new(5, 9).expect("above 0");
    refuses_all(&mut store, &mut proxy, token, Fault::Missing);
    assert!(store.marks.is_empty());
    // Initialised anew it goes on without a restart.
    let again = Init { epoch: 6, ..INIT };
    store.put_init(again.encode());
    let new = granted(&proxy.run(&mut store, acquire("a"))).token;
    assert_eq!(new.epoch(), 6);
}

#[test]
fn a_copy_on_another_cluster_is_not_believed_until_it_is_reseeded() {
    let (mut store, mut proxy, token) = leased();
    store.cluster += 1;
    proxy.millis += 1_000;
    refuses_all(&mut store, &mut proxy, token, Fault::Replaced);
    let mut fresh = Proxy::beside(&proxy);
    refuses_all(&mut store, &mut fresh, token, Fault::Replaced);
    // Under the same epoch it stays so.
    let same = Init {
        cluster: store.cluster,
        ..INIT
    };
    store.put_init(same.encode());
    refuses_all(&mut store, &mut proxy, token, Fault::Replaced);
    let reseeded = Init { epoch: 6, ..same };
    store.put_init(reseeded.encode());
    store.locks.clear();
    granted(&proxy.run(&mut store, acquire("a")));
    assert_eq!(
        reason(&proxy.run(&mut store, write("a", token))),
        Some(Reason::Stale)
    );
}

#[test]
fn a_revision_that_falls_is_not_believed_until_it_is_reseeded() {
    let (mut store, mut proxy) = world();
    let restored = store.clone();
    let token = granted(&proxy.run(&mut store, acquire("a"))).token;
    store = restored;
    proxy.millis += 1_000;
    refuses_all(&mut store, &mut proxy, token, Fault::Replaced);
    // Others go on, and its revision passes the old one: still it is not what it was.
    store.revision += 100;
    refuses_all(&mut store, &mut proxy, token, Fault::Replaced);
    let reseeded = Init { epoch: 6, ..INIT };
    store.put_init(reseeded.encode());
    let new = granted(&proxy.run(&mut store, acquire("a"))).token;
    assert!(new > token);
}

#[test]
fn an_epoch_that_falls_is_not_believed() {
    let (mut store, mut proxy) = world();
    store.put_init(Init { epoch: 6, ..INIT }.encode());
    granted(&proxy.run(&mut store, acquire("a")));
    store.put_init(INIT.encode());
    proxy.millis += 1_000;
    let token = Token::new(6, 3).expect("above 0");
    refuses_all(&mut store, &mut proxy, token, Fault::Replaced);
}

/// It was under way while the authority was reseeded.
#[test]
fn a_late_answer_of_before_a_reseed_changes_nothing() {
    let (mut store, mut proxy, token) = leased();
    proxy.millis += 1_000;
    let sent = proxy.now();
    let Step::Call(late, call) = proxy.begin(Wanted::Look) else {
        panic!("it reads");
    };
    let reply = store.call(R, &call).expect("answered");
    store.put_init(Init { epoch: 6, ..INIT }.encode());
    store.locks.clear();
    granted(&proxy.run(&mut store, acquire("b")));
    let heard = proxy.heard;
    let step = proxy.at(|at| late.answered(sent, Ok(&reply), at));
    assert_eq!(proxy.heard, heard);
    let Outcome::Looked(Ok(Some(looked))) = proxy.finish(&mut store, step) else {
        panic!("it reads again");
    };
    assert!(looked.kept.token > token);
}

#[test]
fn bytes_that_do_not_verify_are_garbled_and_never_none() {
    let (mut store, mut proxy, token) = leased();
    proxy.millis += 1_000;
    let mark = store.marks.get_mut(R).expect("put");
    let sound = mark.clone();
    mark.bytes[9] ^= 1;
    for wanted in all(token) {
        if wanted != Wanted::Ready {
            let outcome = proxy.run(&mut store, wanted);
            assert_eq!(fault(&outcome), Some(Fault::Garbled));
        }
        let outcome = Proxy::beside(&proxy).run(&mut store, acquire("b"));
        assert_eq!(fault(&outcome), Some(Fault::Garbled));
    }
    // Another resource's record in its place.
    let kept = proxy.known.kept().expect("of before").clone();
    let bytes = kept
        .encode("job:2", fencegate_core::quorum::Number::Restated)
        .expect("short");
    store.marks.insert(R.to_owned(), Value { bytes, ..sound });
    let outcome = proxy.run(&mut store, acquire("b"));
    assert_eq!(fault(&outcome), Some(Fault::Garbled));
    store.init.as_mut().expect("there").bytes[5] ^= 1;
    let outcome = Proxy::beside(&proxy).run(&mut store, acquire("b"));
    assert_eq!(fault(&outcome), Some(Fault::Garbled));
}

#[test]
fn a_newer_configuration_is_put_in_force_by_its_first_request_and_ends_the_older_one() {
    let (mut store, mut old, token) = leased();
    let mut new = Proxy {
        millis: old.millis,
        drawn: 500,
        ..Proxy::new(NEWER)
    };
    // A grant of the older generation may have been for other requests.
    assert_eq!(
        reason(&new.run(&mut store, write("a", token))),
        Some(Reason::NoGrant)
    );
    assert_eq!(
        (in_force(&store).generation, in_force(&store).mapping),
        (2, 10)
    );
    old.millis += 1_000;
    refuses_all(&mut store, &mut old, token, Fault::Superseded);
    // From then on without a call.
    old.calls.clear();
    refuses_all(&mut store, &mut old, token, Fault::Superseded);
    assert!(old.calls.is_empty());
    store.expire(store.locks[R].lease);
    let next = granted(&new.run(&mut store, acquire("b"))).token;
    assert!(next > token);
}

#[test]
fn a_generation_that_is_raised_while_an_older_one_acquires_keeps_it_from_putting() {
    let (mut store, mut old) = world();
    let mut new = Proxy::new(NEWER);
    let mut step = old.begin(acquire("a"));
    for _ in 0..2 {
        step = old.step(&mut store, step);
    }
    assert_eq!(new.run(&mut store, Wanted::Ready), Outcome::Ready(Ok(())));
    let outcome = old.finish(&mut store, step);
    assert_eq!(fault(&outcome), Some(Fault::Superseded));
    assert!(store.marks.is_empty() && store.leases.is_empty());
}

#[test]
fn the_same_generation_with_other_rules_is_superseded() {
    let (mut store, mut proxy) = world();
    proxy.terms.mapping = 8;
    let token = Token::new(5, 1).expect("above 0");
    refuses_all(&mut store, &mut proxy, token, Fault::Superseded);
}

#[test]
fn a_generation_is_raised_once_whatever_becomes_of_the_answer() {
    for fate in [Fate::Answered, Fate::AnswerLost, Fate::Lost] {
        let (mut store, mut first) = world();
        store.init = Some(Value {
            bytes: Init {
                generation: 0,
                mapping: 0,
                ..INIT
            }
            .encode(),
            at: 1,
        });
        first.fates = [Fate::Answered, fate].into();
        granted(&first.run(&mut store, acquire("a")));
        assert_eq!(in_force(&store), INIT, "{fate:?}");
        assert_eq!(store.init.as_ref().map(|init| init.at), Some(2), "{fate:?}");
    }
    let (mut store, mut proxy) = world();
    proxy.terms = NEWER;
    proxy.fates = [Fate::Answered, Fate::Refused].into();
    let outcome = proxy.run(&mut store, acquire("a"));
    assert_eq!(fault(&outcome), Some(Fault::Unreachable));
}

#[test]
fn nothing_is_granted_until_the_quarantine_is_over() {
    let terms = Terms {
        quarantine: Duration::from_secs(3),
        ..TERMS
    };
    let (mut store, mut holder, token) = leased();
    let mut proxy = Proxy::beside(&holder);
    proxy.terms = terms;
    store.expire(store.locks[R].lease);
    let outcome = proxy.run(&mut store, acquire("b"));
    assert_eq!(
        fault(&outcome),
        Some(Fault::Starting(Duration::from_secs(3)))
    );
    assert_eq!(
        fault(&proxy.run(&mut store, Wanted::Ready)),
        Some(Fault::Starting(Duration::from_millis(2_999)))
    );
    // What was granted goes on meanwhile.
    assert!(admitted(&proxy.run(&mut store, write("a", token))));
    proxy.millis += 3_000;
    assert_eq!(proxy.run(&mut store, Wanted::Ready), Outcome::Ready(Ok(())));
    granted(&proxy.run(&mut store, acquire("b")));
    // Another window does not begin it anew; another generation does.
    let wider = Init {
        wait: 2 * WINDOW,
        ..INIT
    };
    store.put_init(wider.encode());
    assert_eq!(proxy.run(&mut store, Wanted::Ready), Outcome::Ready(Ok(())));
    holder.terms = NEWER;
    holder.heard = Heard::default();
    holder.run(&mut store, Wanted::Ready);
    proxy.terms = Terms {
        quarantine: terms.quarantine,
        ..NEWER
    };
    let outcome = proxy.run(&mut store, Wanted::Ready);
    assert!(matches!(fault(&outcome), Some(Fault::Starting(_))));
}

#[test]
fn a_proxy_of_another_window_refuses_and_later_changes_are_followed() {
    let cases = [
        // Trust, wait, what is configured, whether it agrees.
        (250, 250, Some(250), true),
        (250, 250, None, true),
        (250, 250, Some(300), false),
        // While it is being changed it is both.
        (250, 500, Some(500), true),
        (250, 500, Some(250), true),
        (250, 500, Some(300), false),
    ];
    for (trust, wait, window, agrees) in cases {
        let (mut store, mut proxy) = world();
        let millis = Duration::from_millis;
        let init = Init {
            trust: millis(trust),
            wait: millis(wait),
            ..INIT
        };
        store.put_init(init.encode());
        proxy.terms.window = window.map(millis);
        let outcome = proxy.run(&mut store, Wanted::Look);
        let expected = (!agrees).then_some(Fault::OtherWindow);
        assert_eq!(fault(&outcome), expected, "{trust} {wait} {window:?}");
        let other = Init {
            trust: millis(700),
            wait: millis(700),
            ..INIT
        };
        store.put_init(other.encode());
        let outcome = proxy.run(&mut store, Wanted::Look);
        assert_eq!(fault(&outcome), expected, "{trust} {wait} {window:?}");
    }
}

/// A change of init empties what is known; a mark of before it that is not settled is waited for
/// anew.
#[test]
fn a_change_of_the_window_is_learned_on_the_way() {
    let (mut store, mut proxy) = world();
    let step = proxy.begin(acquire("a"));
    let step = proxy.until_wait(&mut store, step);
    let wider = Init {
        wait: Duration::from_secs(1),
        ..INIT
    };
    store.put_init(wider.encode());
    let began = proxy.millis;
    granted(&proxy.finish(&mut store, step));
    assert!(proxy.millis - began >= 1_000);
}

#[test]
fn what_stands_between_a_proxy_and_the_authority_is_said() {
    let mut proxy = Proxy::new(NEWER);
    assert_eq!(proxy.heard.standing(&NEWER), Standing::Unheard);
    let (mut store, _) = world();
    proxy.terms = TERMS;
    proxy.run(&mut store, Wanted::Look);
    let in_force = proxy.heard.in_force.expect("heard");
    assert_eq!(proxy.heard.standing(&TERMS), Standing::InForce(in_force));
    let raised = Init {
        generation: 2,
        mapping: 10,
        ..INIT
    };
    assert_eq!(proxy.heard.standing(&NEWER), Standing::Raise(raised));
    let call = proxy.calls.last().expect("it looked");
    assert!(matches!(call, Call::Transact(it) if it.init == 0));
}

#[test]
fn a_record_of_a_newer_generation_than_init_is_superseded() {
    let (mut store, mut new) = world();
    new.terms = NEWER;
    let token = granted(&new.run(&mut store, acquire("a"))).token;
    // Somebody put an older init back.
    store.put_init(INIT.encode());
    let mut old = Proxy::beside(&new);
    old.terms = TERMS;
    for wanted in [
        write("a", token),
        acquire("b"),
        renew("a", token, TTL),
        Wanted::Break,
    ] {
        let outcome = old.run(&mut store, wanted);
        assert_eq!(fault(&outcome), Some(Fault::Superseded));
    }
}

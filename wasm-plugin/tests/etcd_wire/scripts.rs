//! The conversations: every transaction that there is, and what goes wrong.

use crate::asked::{Asked, Asking, PREFIX, putting, reading};
use base64ct::{Base64, Encoding};
use fencegate::etcd::wire::Page;
use fencegate_core::quorum::{Call, LeaseId, LockChange, PutInit, Transaction};

/// A conversation: the file that it is recorded in, what it is about, options, steps.
pub struct Conversation {
    pub file: &'static str,
    pub about: &'static str,
    pub options: &'static [&'static str],
    pub steps: Vec<Asking>,
}

pub fn all() -> Vec<Conversation> {
    vec![
        transactions(),
        leases(),
        survey(),
        users(),
        quota(),
        no_quorum(),
    ]
}

fn base64(text: &str) -> String {
    Base64::encode_string(text.as_bytes())
}

/// What the operator's program does, or somebody who should not.
fn put(name: &'static str, key: &str, value: &str) -> Asking {
    let (key, value) = (base64(key), base64(value));
    let body = format!(r#"{{"key":"{key}","value":"{value}"}}"#);
    Asking::new(name, Asked::Else("/v3/kv/put", body))
}

fn put_init(name: &'static str, over: u64, bytes: &str) -> Asking {
    let bytes = bytes.as_bytes().to_vec();
    Asking::call(name, Call::PutInit(PutInit { over, bytes }))
}

/// The first revision is 1, so that init is put at 2.
fn init() -> Asking {
    put("init is put", "/fencegate/init", "init")
}

fn transactions() -> Conversation {
    let acquire = |init| Transaction {
        lock_since: Some(0),
        lock: LockChange::Put(LeaseId(88_001)),
        ..putting(init, 0, "first")
    };
    let longer = Transaction {
        lock_since: Some(3),
        lock: LockChange::Put(LeaseId(88_002)),
        ..putting(2, 4, "renewed")
    };
    let release = Transaction {
        lock: LockChange::Delete,
        ..putting(2, 5, "released")
    };
    let leaseless = Transaction {
        lock: LockChange::Put(LeaseId(99)),
        ..putting(2, 6, "never")
    };
    let break_it = Transaction {
        lock: LockChange::Put(LeaseId(88_002)),
        ..putting(2, 6, "broken")
    };
    let confirm = |since| Transaction {
        lock_since: Some(since),
        ..reading(2)
    };
    let end = base64("/fencegate0");
    let wipe = format!(r#"{{"key":"{}","range_end":"{end}"}}"#, base64(PREFIX));
    Conversation {
        file: "transactions",
        about: "A resource from its first lease to its last, and the prefix wiped under it.",
        options: &["nodes 1"],
        steps: vec![
            Asking::transact("where nothing is, there is no init", reading(0)),
            init(),
            Asking::transact("the first contact tells init", reading(0)),
            Asking::transact("a resource that nobody knows", reading(2)),
            Asking::grant("a lease", 88_001, 10),
            Asking::transact(
                "an acquire sees what it put, at its own revision",
                acquire(2),
            ),
            Asking::transact("a second one tells who was first", acquire(2)),
            Asking::transact(
                "settled: the lock stays as it is",
                putting(2, 3, "settled first"),
            ),
            Asking::keep_alive("a renewal keeps the lease alive", 88_001),
            Asking::transact("and confirms the lock", confirm(3)),
            Asking::transact("a lock since another revision is another one", confirm(2)),
            Asking::grant("a longer lease", 88_002, 60),
            Asking::transact("the lock goes to it, and is there since it was", longer),
            Asking::transact(
                "a release: the lock is gone, the mark stays",
                release.clone(),
            ),
            Asking::transact("its late copy changes nothing", release),
            Asking::transact("a lock for a lease that is not there", leaseless),
            Asking::transact("and nothing of that was done", reading(2)),
            Asking::transact("broken, with a lock for the lock delay", break_it),
            Asking::transact("an external token is raised", putting(2, 0, "9.1")).of("job:2"),
            Asking::transact("and raised again", putting(2, 8, "9.2")).of("job:2"),
            Asking::transact("but not from an older reading", putting(2, 8, "9.3")).of("job:2"),
            put_init("init is put anew", 2, "init two"),
            put_init("but not over what is no longer there", 2, "init three"),
            Asking::transact("whoever knows the old one is told the new one", acquire(2)),
            Asking::new(
                "the prefix is wiped",
                Asked::Else("/v3/kv/deleterange", wipe),
            ),
            Asking::transact("nothing is granted on a wiped prefix", acquire(10)),
            put_init("nor is init put over what is gone", 10, "init four"),
            put_init("but where there is none", 0, "init five"),
        ],
    }
}

fn leases() -> Conversation {
    let acquire = Transaction {
        lock_since: Some(0),
        lock: LockChange::Put(LeaseId(u64::MAX >> 1)),
        ..putting(2, 0, "first")
    };
    Conversation {
        file: "leases",
        about: "Leases of etcd: given, kept alive, given back, run out.",
        options: &["nodes 1"],
        steps: vec![
            init(),
            Asking::grant("a lease", 88_001, 10),
            Asking::grant("its number a second time", 88_001, 10),
            Asking::keep_alive("kept alive", 88_001),
            Asking::revoke("given back", 88_001),
            Asking::revoke("given back twice", 88_001),
            Asking::keep_alive("what was given back is not kept alive", 88_001),
            Asking::grant("no lease is that long", 88_003, 10_000_000_000),
            Asking::grant("the highest number, the shortest time", u64::MAX >> 1, 2),
            Asking::transact("an acquire with it", acquire),
            Asking::transact("run out: the lock is gone, the mark stays", reading(2))
                .before("wait 4000"),
            Asking::keep_alive("what has run out is not kept alive", u64::MAX >> 1),
        ],
    }
}

fn survey() -> Conversation {
    let page = |init, begin, after, limit| {
        let page = Page {
            init,
            begin,
            after,
            limit,
        };
        Asked::Page(page)
    };
    let leased = Transaction {
        lock_since: Some(0),
        lock: LockChange::Put(LeaseId(88_001)),
        ..putting(2, 0, "b")
    };
    let page = |name, init, begin, after, limit| Asking::new(name, page(init, begin, after, limit));
    Conversation {
        file: "survey",
        about: "What is read in the background, and pages of leases.",
        options: &["nodes 1"],
        steps: vec![
            init(),
            Asking::survey("nothing was put yet", 2, 0),
            Asking::transact("the first mark", putting(2, 0, "a")).of("job:a"),
            Asking::grant("a lease", 88_001, 10),
            Asking::transact("the second, with a lock", leased).of("job:b"),
            Asking::transact("the third", putting(2, 0, "c")).of("tree:\u{e9}/x"),
            put("no version: capitals", "/fencegate/v/1FF", ""),
            put("no version: too high", "/fencegate/v/200", ""),
            Asking::survey("all versions", 2, 0),
            Asking::survey("those since a revision", 2, 5),
            Asking::survey("none since a later one", 2, 6),
            Asking::survey("with another init", 1, 0),
            page("a page with all", 2, "", None, 10),
            page("a short page", 2, "", None, 1),
            page("the next page", 2, "", Some("job:a"), 1),
            page("the last page", 2, "", Some("job:b"), 1),
            page("those that begin alike", 2, "job:", None, 10),
            page("the rest of those", 2, "job:", Some("job:a"), 10),
            page("a page with another init", 1, "", None, 10),
        ],
    }
}

fn users() -> Conversation {
    let set_up = |name, path, body: &str| Asking::new(name, Asked::Else(path, body.to_owned()));
    let (from, to) = (base64(PREFIX), base64("/fencegate0"));
    let permission = format!(
        r#"{{"name":"fencegate","perm":{{"permType":"READWRITE","key":"{from}","range_end":"{to}"}}}}"#
    );
    let other = format!(
        r#"{{"name":"fencegate","perm":{{"permType":"READ","key":"{}"}}}}"#,
        base64("other")
    );
    let token = "Authorization: $TOKEN1";
    let mut outside = Asking::transact("outside of what the role may", reading(2)).header(token);
    outside.prefix = "/other/";
    let login = |name, password| Asking::new(name, Asked::Login("proxy", password));
    let root = r#"{"name":"root","password":"root's"}"#;
    Conversation {
        file: "users",
        about: "Users and roles are on.",
        options: &["nodes 1"],
        steps: vec![
            init(),
            login("a login while there are no users", "secret"),
            set_up("a user for root", "/v3/auth/user/add", root),
            set_up("a role", "/v3/auth/role/add", r#"{"name":"fencegate"}"#),
            set_up("what it may", "/v3/auth/role/grant", &permission),
            set_up(
                "a user for proxies",
                "/v3/auth/user/add",
                r#"{"name":"proxy","password":"secret"}"#,
            ),
            set_up(
                "which has the role",
                "/v3/auth/user/grant",
                r#"{"user":"proxy","role":"fencegate"}"#,
            ),
            set_up("root's role", "/v3/auth/role/add", r#"{"name":"root"}"#),
            set_up(
                "which root has",
                "/v3/auth/user/grant",
                r#"{"user":"root","role":"root"}"#,
            ),
            set_up("users are on", "/v3/auth/enable", "{}"),
            Asking::transact("no token", reading(2)),
            Asking::transact("a token that was never given out", reading(2))
                .header("Authorization: never.1"),
            login("the wrong password", "not it"),
            login("the right one", "secret"),
            Asking::transact("with the token", reading(2)).header(token),
            Asking::grant("a lease with the token", 88_001, 10).header(token),
            Asking::keep_alive("kept alive with the token", 88_001).header(token),
            Asking::grant("a lease without", 88_002, 10),
            Asking::keep_alive("kept alive without", 88_001),
            outside,
            Asking::new("root's token", Asked::Login("root", "root's")),
            set_up(
                "what the role may is changed",
                "/v3/auth/role/grant",
                &other,
            )
            .header(token),
            Asking::transact("the token from before the change", reading(2)).header(token),
        ],
    }
}

fn quota() -> Conversation {
    let filler = "x".repeat(6000);
    // What was put counts when it was written to the disk, every 100 ms.
    let written = "wait 300";
    let full = putting(2, 0, "too much");
    Conversation {
        file: "quota",
        about: "The store is full.",
        options: &["nodes 1", "quota 40000"],
        steps: vec![
            init(),
            Asking::grant("a lease", 88_001, 10),
            put("what takes room", "/filler/1", &filler),
            put("more of it", "/filler/2", &filler).before(written),
            put("more than there is room for", "/filler/3", &filler).before(written),
            Asking::transact("a write", full),
            Asking::grant("a new lease", 88_002, 10),
            Asking::keep_alive("a lease is kept alive", 88_001),
            Asking::transact("a reading", reading(2)),
            Asking::survey("a background reading", 2, 0),
        ],
    }
}

fn no_quorum() -> Conversation {
    let leader = "Grpc-Metadata-hasleader: true";
    Conversation {
        file: "no-quorum",
        about: "One member is left of three, and has noticed that.",
        options: &["nodes 3"],
        steps: vec![
            init(),
            Asking::grant("a lease", 88_001, 60),
            Asking::transact("a reading, with a leader asked for", reading(2))
                .before("kill the others")
                .header(leader),
            Asking::transact("a write, with a leader asked for", putting(2, 0, "x")).header(leader),
            Asking::grant("a new lease", 88_002, 10).header(leader),
            Asking::keep_alive("a lease to be kept alive", 88_001).header(leader),
        ],
    }
}

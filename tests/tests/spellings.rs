//! One write in many spellings, through a plain and a hardened Envoy, over HTTP/1.1 and HTTP/2: the
//! same key, or refused; never another key, never past the fence. The store's journal proves it, and
//! `docs/spellings.md` is made of what was seen.

use std::fmt::Write;

use fencegate_tests::config::Config;
use fencegate_tests::issuer::Grant;
use fencegate_tests::rig::Rig;
use fencegate_tests::spellings::{HOST, KEY, Outcome, Probe, Row, hosts, paths, requests};
use fencegate_tests::tables::{cell, is_fresh};
use fencegate_tests::wire::Wire;
use serde_json::json;

const HEAD: &str = "# Spellings\n\n\
    One write in many spellings, and what becomes of it at a real Envoy: with the plain configuration\n\
    ([fencegate.yaml](../examples/fencegate.yaml)) and with a strict one\n\
    ([hardened.yaml](../examples/hardened.yaml)), over HTTP/1.1 and HTTP/2. Made from what\n\
    `tests/tests/spellings.rs` saw; the test fails when it is stale, and\n\
    `FENCEGATE_RENEW=1 cargo test -p fencegate-tests --release --test spellings` writes it anew.\n\n\
    The rule is `/jobs/{job}/{*rest}` on `store.example`, the resource `job:{job}:{rest}`, and what no\n\
    rule matches passes. Every spelling is sent three times: without a token, with the token of\n\
    another resource, and with the right one. *same* means: refused without the token and with the\n\
    other one, under the key of the plain spelling, and admitted with the right one. A status with a\n\
    reason is the filter's answer; *Envoy* says that Envoy refused by itself, with a status or by\n\
    closing. Where Envoy brings a path into another form first, that form is what filter and store\n\
    see alike. *passes to other.example* means that Envoy chose that host, the store sees no other,\n\
    and no rule is for it. Nothing that was refused reached the store.\n";

const COLUMNS: [(&str, Wire); 4] = [
    ("fencegate", Wire::Http1),
    ("fencegate", Wire::Http2),
    ("hardened", Wire::Http1),
    ("hardened", Wire::Http2),
];

struct Column {
    rig: Rig,
    wire: Wire,
    right: Grant,
    decoy: Grant,
}

impl Column {
    fn probe(&self) -> Probe<'_> {
        Probe {
            address: self.rig.address,
            origin: &self.rig.origin,
            wire: self.wire,
        }
    }
}

fn started(example: &str, wire: Wire) -> Column {
    let config = Config::example(example)
        .expect("the example")
        .with_policy(|policy| {
            policy["rules"][0]["match"]["authority"] = json!([HOST]);
            policy["rules"][0]["resource"] = json!("job:{job}:{rest}");
        })
        .with_connection_manager(|manager| {
            // What Envoy refuses by closing is seen at once.
            manager["delayed_close_timeout"] = json!("0.05s");
            // Both kinds of tunnels are allowed, so that it is the fence that refuses them.
            manager["upgrade_configs"] =
                json!([{ "upgrade_type": "websocket" }, { "upgrade_type": "CONNECT" }]);
            manager["http2_protocol_options"] = json!({ "allow_connect": true });
        });
    let rig = Rig::start(config).expect("a fenced store");
    let right = rig.grant(KEY, "worker-a", 60_000);
    let decoy = rig.grant("job:decoy:x", "worker-a", 60_000);
    Column {
        rig,
        wire,
        right,
        decoy,
    }
}

/// A spelling of the place: judged by three requests.
fn same_or_refused(row: &Row, column: &Column) -> String {
    let probe = column.probe();
    let bare = probe.bare(row);
    let other = probe.with_grant(row, &column.decoy);
    let right = probe.with_grant(row, &column.right);
    let told = format!("{} {}: {bare:?} {other:?} {right:?}", row.shown, row.why);
    match (&bare, &other, &right) {
        (
            Outcome::Refused(428, missing, Some(key)),
            Outcome::Refused(412 | 403, _, Some(key_of_other)),
            Outcome::Reached(_),
        ) => {
            assert_eq!(missing, "token_required", "{told}");
            assert_eq!((key.as_str(), key_of_other.as_str()), (KEY, KEY), "{told}");
            "same".to_owned()
        }
        (Outcome::Refused(428, _, Some(key)), _, Outcome::Refused(412, no_grant, _)) => {
            assert_eq!(no_grant, "no_grant", "{told}");
            elsewhere(row, column, key)
        }
        (_, _, Outcome::Refused(400, reason, _)) => {
            assert_eq!((&bare, &other), (&right, &right), "{told}");
            format!("400 `{reason}`")
        }
        (_, _, Outcome::Envoy(status)) => {
            assert_eq!((&bare, &other), (&right, &right), "{told}");
            assert!((400..500).contains(status), "{told}");
            format!("Envoy {status}")
        }
        (Outcome::Closed, Outcome::Closed, Outcome::Closed) => "Envoy closes".to_owned(),
        _ => panic!("{told}"),
    }
}

/// Envoy itself has resolved the path into another place before the filter saw it: then the key must
/// be that of the place where the store gets the write.
fn elsewhere(row: &Row, column: &Column, key: &str) -> String {
    let grant = column.rig.grant(key, "worker-a", 60_000);
    let Outcome::Reached(arrived) = column.probe().with_grant(row, &grant) else {
        panic!("{}: not admitted under {key}", row.shown);
    };
    let plain = arrived
        .path
        .trim_start_matches("/jobs/")
        .trim_end_matches('/');
    assert_eq!(format!("job:{}", plain.replacen('/', ":", 1)), key);
    assert!(row.shown.contains(".."), "{}: another key", row.shown);
    format!("`{key}`, where the store gets it")
}

/// A request that says more than one thing: sent as it is.
fn as_it_is(row: &Row, column: &Column) -> String {
    match column.probe().with_grant(row, &column.right) {
        Outcome::Reached(arrived) if arrived.host == HOST => "admitted".to_owned(),
        // Another host, and the only one that anybody sees from here on: no rule is for it.
        Outcome::Reached(arrived) => format!("passes to {}", arrived.host),
        Outcome::Refused(status, reason, _) => format!("{status} `{reason}`"),
        Outcome::Envoy(status) => format!("Envoy {status}"),
        Outcome::Closed => "Envoy closes".to_owned(),
    }
}

type Cells = Vec<[String; 4]>;

/// What all rows became at each of the four, which work at the same time.
fn seen(columns: &[Column; 4], rows: &[Row], see: fn(&Row, &Column) -> String) -> Cells {
    let of_column = |column: &Column| rows.iter().map(|row| see(row, column)).collect::<Vec<_>>();
    let mut seen = std::thread::scope(|scope| {
        let workers = columns
            .each_ref()
            .map(|column| scope.spawn(move || of_column(column)));
        workers.map(|worker| worker.join().expect("a column").into_iter())
    });
    rows.iter()
        .map(|_| seen.each_mut().map(|cells| cells.next().expect("a cell")))
        .collect()
}

/// Whether a cell is what the fence promises, or a refusal of Envoy's own.
fn is_allowed(row: &Row, cell: &str) -> bool {
    // Envoy brings some spellings into the plain form, or resolves them, before the filter sees them.
    let resolved = cell == "same" || cell.ends_with("where the store gets it");
    let chosen = row.expected.ends_with("or Envoy chooses one")
        && ["400 `ambiguous`", "admitted", "passes to other.example"].contains(&cell);
    cell.starts_with("Envoy")
        || cell.replace('`', "") == row.expected
        || (row.expected == "400 ambiguous" && resolved)
        || chosen
}

fn table(title: &str, rows: &[Row], cells: &Cells) -> String {
    let mut text = format!(
        "\n## {title}\n\n| sent | what it is | plain, HTTP/1.1 | plain, HTTP/2 | hardened, HTTP/1.1 | hardened, HTTP/2 |\n|---|---|---|---|---|---|\n"
    );
    for (row, cells) in rows.iter().zip(cells) {
        for seen in cells {
            let told = format!("{}: {} expected, {cells:?}", row.shown, row.expected);
            assert!(is_allowed(row, seen), "{told}");
        }
        let (shown, why) = (cell(&row.shown), cell(&row.why));
        writeln!(text, "| `` {shown} `` | {why} | {} |", cells.join(" | ")).expect("text");
    }
    text
}

#[test]
fn every_spelling_reaches_the_same_key_or_is_refused() {
    let columns = COLUMNS.map(|(example, wire)| started(example, wire));
    let (paths, hosts, requests) = (paths(), hosts(), requests());
    assert!(paths.len() + hosts.len() >= 60);
    let page = [
        HEAD.to_owned(),
        table("Paths", &paths, &seen(&columns, &paths, same_or_refused)),
        table("Hosts", &hosts, &seen(&columns, &hosts, same_or_refused)),
        table("Requests", &requests, &seen(&columns, &requests, as_it_is)),
    ];
    println!(
        "{} spellings and {} requests, at four",
        paths.len() + hosts.len(),
        requests.len()
    );
    is_fresh("spellings.md", &page.concat());
}

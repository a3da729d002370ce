//! `docs/fail-closed.md`, made from the rows that the tests act.

use std::fmt::Write;

use fencegate_tests::tables::is_fresh;

use super::rows::ROWS;

const HEAD: &str = "# While etcd is not well

What becomes of requests with the authority in etcd, by what is wrong with it. Each row is a test on
two real Envoys of two workers over a real etcd, `tests/tests/closed/rows.rs`, by the name that stands
in it; this table is made from it (`FENCEGATE_RENEW=1 cargo test -p fencegate-tests --release --test
closed`), and a test fails when it is stale.

In all rows: a stale write never lands; each 503 comes with `Retry-After`, within `timeout_ms` and the
window (a call of the lease API within three times that and the window); reads that the rules let pass go
on; and no Envoy is restarted when it is over. A write that is admitted from memory
in the first `window_ms` is admitted rightly: nobody else was answered meanwhile.

| what is wrong | the holder's writes | a stale write | acquire | until | shown by |
|---|---|---|---|---|---|
";

#[test]
fn the_page_is_fresh() {
    let mut made = String::from(HEAD);
    for row in ROWS {
        let _ = writeln!(
            made,
            "| {} | {} | {} | {} | {} | `{}` |",
            row.wrong,
            row.current.text(),
            row.stale.text(),
            row.acquire.text(),
            row.until,
            row.test
        );
    }
    is_fresh("fail-closed.md", &made);
}

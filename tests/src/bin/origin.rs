//! The small atomic store of `fencegate_tests::origin` as a process of its own, for the demo.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Parser;
use fencegate_tests::origin::Origin;
use fencegate_tests::process::wait_for_stop_signal;

/// A small HTTP store: whole objects on disk, atomic writes, one entity tag a version.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Where the objects are kept; created if absent.
    #[arg(long)]
    folder: PathBuf,
    /// Where objects are read and written; port 0 means any free one.
    #[arg(long, default_value = "127.0.0.1:9000")]
    listen: SocketAddr,
    /// Where the journal of all requests is read (GET /journal).
    #[arg(long, default_value = "127.0.0.1:0")]
    control: SocketAddr,
}

fn main() -> std::io::Result<()> {
    let arguments = Arguments::parse();
    let origin = Origin::start_at(&arguments.folder, arguments.listen, arguments.control)?;
    let started =
        serde_json::json!({ "address": origin.address(), "control": origin.control_address() });
    println!("{started}");
    wait_for_stop_signal()
}

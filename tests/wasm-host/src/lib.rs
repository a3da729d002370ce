//! A hostile proxy for the filter's very `.wasm`.
//!
//! The compiled filter runs in wasmtime: 1 to 4 instances over one shared store, in one thread.
//! Where a host call of one instance takes its time, the next requests are served inside that call
//! by the other instances, so every race between a reading and a writing can be tried, and a day
//! runs the same way each time.
//!
//! ```text
//!   generate --> day --> run --> worker --> instance ==> the filter
//!    (a seed)   (data)    |                                 | host calls
//!                         v                                 v
//!                       ending                imports --> world: shared, clocks, counters
//!                                                           |
//!      shrink <-- what was broken <-- checker <-- ticket <--+
//! ```
//! A [`day`] is data: at least 200 requests, and what goes wrong with them. The [`checker`] sees
//! what leaves the filter, and holds it against the core's laws and against what lies between a
//! filter and its proxy. [`shrink`] makes a day that breaks something small. Nothing here knows a
//! function of the filter; [`record`] alone knows where a shared value's head ends.
//!
//! # Why not `proxy-wasm-host`
//!
//! `proxy-wasm-host` 0.2.0 is a careful host of ABI 0.2.1 on wasmtime. Its clocks, shared services
//! and streams are traits, so several instances, other dialects of shared data and another time
//! could be had. But what must go wrong here lies below those traits. They answer a value or a
//! status of a fixed list: none can say that all is well and give no data, half of them, or a block
//! of headers that cannot be read, since the host itself writes the block; log lines, the clock and
//! contexts have no status that could be refused. `random_get` is the operating system's, so no day
//! could be repeated. It gives out the contexts, and refuses callbacks for those that it does not
//! know: right for a proxy, and the contrary of what is wanted here, where they are announced twice
//! or not at all, and called after their end. And it needs Rust 1.96 with wasmtime 49, where this
//! workspace has 1.95. The fifteen host functions that the filter imports fit into one file.

pub mod abi;
pub mod answer;
pub mod ask;
pub mod believers;
pub mod breach;
pub mod checker;
pub mod client;
pub mod configuration;
pub mod day;
mod ending;
pub mod figures;
pub mod generate;
pub mod guest;
pub mod imports;
pub mod instance;
pub mod known;
mod odd;
pub mod pairs;
pub mod record;
mod request;
pub mod run;
pub mod seed;
pub mod shared;
pub mod shrink;
pub mod ticket;
pub mod worker;
pub mod world;

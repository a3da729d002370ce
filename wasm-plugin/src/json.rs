//! JSON, in and out, in as little code as will do.
//!
//! The filter reads its configuration and a few small bodies, and writes names and numbers. The
//! usual library does that too, but brings floating-point numbers, and a third of the filter's
//! size: see ARCHITECTURE.md. This reader is stricter (whole numbers only, limited depth) and
//! is compared with that library in its tests. What others say, of which little is needed, becomes a
//! [`Tree`]: code that is derived for a type takes some kilobytes for each.

mod fault;
mod read;
mod reader;
mod tree;
mod write;

pub use read::{ReadError, read};
pub use tree::Tree;
pub use write::{List, Object};

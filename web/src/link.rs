//! A moment as a short text, and back: what the page's address carries behind its `#`.

mod codec;
mod numbers;
mod text;

pub use codec::{LINK_MAX, Link, LinkError, Moment};

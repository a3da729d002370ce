//! Draw; they decide nothing. Plain functions from a [`Look`] to elements: a component of its own
//! is only what must not be drawn anew at every frame.

mod lanes;
mod look;
mod nodes;
mod page;
mod still;
mod svg;

pub(crate) use look::Look;
pub(crate) use page::page;

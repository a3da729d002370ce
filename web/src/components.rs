//! Draw; they decide nothing. Plain functions that write what a [`Look`] shows with a `Pen`: a
//! component of its own is only what must not be drawn anew at every frame.

mod caption;
mod compare;
mod dialog;
mod faults;
mod gallery;
mod guard;
mod guide;
mod header;
mod heard;
mod icon;
mod lanes;
mod laws;
mod log;
mod look;
mod nodes;
mod numbered;
mod page;
mod pen;
mod player;
mod press;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod seam;
mod still;
mod strips;
mod svg;

pub(crate) use look::Look;
pub(crate) use page::page;

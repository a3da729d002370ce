//! The visualizer: stories of leases, pauses and rejected writes, step by step.
//!
//! ```text
//!   play         what is played: subjects, runs and their branches, over the core's timeline
//!   link         a moment as a short text, and back
//!   scene        a played story as a picture: bars, arrows and marks on lanes, without a colour
//!   state        everything that the page depends on, and how each action changes it
//!   words        every word of the page; a language is one file
//!   components   draw; they decide nothing
//!   browser      the only folder that names the browser's own types
//!   app          composes them
//! ```
//!
//! Imports point from the bottom to the top. `play` to `state` do no I/O and run anywhere;
//! what is decided in a story is decided by the core, never here.

pub mod app;
pub mod browser;
mod components;
pub mod link;
pub mod play;
pub mod scene;
pub mod state;
pub mod words;

#[cfg(all(test, target_arch = "wasm32"))]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

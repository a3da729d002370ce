//! The page on which one check is decided, by the core, in the visitor's browser.
//!
//! ```text
//!   state      what the visitor has set, and how an action changes it
//!   judge      asks the core about it
//!   words      says the answer; every word of the page stands there
//!   app        composes the components, which only draw
//!   browser    the only module that names the browser's own types
//! ```
//!
//! Imports point from the bottom to the top; `state` and `judge` run anywhere.

pub mod app;
mod browser;
mod components;
pub mod judge;
pub mod state;
pub mod words;

#[cfg(all(test, target_arch = "wasm32"))]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

//! JSON, in and out, in as little code as will do.
//!
//! The filter reads its configuration and a few small bodies, and writes names and numbers. The
//! usual libraries do that too, but bring floating-point numbers, and code of its own for every
//! type: see ARCHITECTURE.md. This reader is stricter (whole numbers only, limited depth) and is
//! compared with them in its tests.
//!
//! ```text
//!   read      what can be read                      reader  from value to value, and what is wrong
//!   form      objects and choices, by their names   leaf    numbers and texts, byte by byte
//!   write     objects and lists
//! ```

mod form;
mod leaf;
mod read;
mod reader;
mod write;

pub use form::{Member, Others, Value};
pub use read::{Read, Slot, read};
pub use reader::{Failed, ReadError, Reader};
pub use write::{List, Object};

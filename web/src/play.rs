//! What is played. No I/O, no clock, no dice.
//!
//! ```text
//!   Subject --scenario--> Run (the core's timeline and its branches) --> Track, one a branch
//!      story, variant,      |  an Edit forks a branch                      every state, explained
//!      parameters, guard    |                                                   |
//!                           +--- up to four Strips beside each other --- Together: one order
//!                                                                          Axis: its true time, to scale
//!                                                                          Playhead: a place in it
//! ```

pub mod axis;
pub mod edit;
pub mod faults;
pub mod guard;
pub mod guide;
pub mod kind;
pub mod playhead;
pub mod range;
pub mod run;
pub mod standing;
pub mod strip;
pub mod subject;
pub mod together;
pub mod track;

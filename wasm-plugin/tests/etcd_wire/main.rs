//! How etcd is asked, and what is made of its answers: against answers that a real etcd gave, which
//! are recorded beside this file (see `script.rs`), and against everything that is no answer.

#![allow(
    unreachable_pub,
    reason = "modules of one test share what is public in them"
)]

mod asked;
mod damaged;
mod recorded;
mod script;
mod scripts;
mod spelled;
mod strict;

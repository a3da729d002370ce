//! `fencegate`: what an operator of many proxies needs, beside etcd's own tools.
//!
//! ```text
//!   arguments --> command/* --> init --> gateway --> etcd's JSON gateway
//!                     \--> fencegate-core says what is put, and when
//! ```

mod arguments;
mod command;
mod gateway;
mod init;

use std::error::Error;

pub use arguments::Arguments;
use arguments::Command;
use gateway::Gateway;
use init::Prefix;

/// Does what the command line says; the answer is for people, and so are the steps that `tell` gets.
///
/// # Errors
/// What is in the way, in a sentence.
pub fn run(arguments: &Arguments, tell: impl FnMut(String)) -> Result<String, Box<dyn Error>> {
    let gateway = Gateway::open(&arguments.door()?)?;
    let prefix = Prefix(arguments.prefix.clone());
    match arguments.command {
        Command::Init { window } => command::init::run(&gateway, &prefix, window.0),
        Command::Status => command::status::run(&gateway, &prefix),
        Command::Window { window } => command::window::run(&gateway, &prefix, window.0, tell),
        Command::Reseed => command::reseed::run(&gateway, &prefix),
    }
}

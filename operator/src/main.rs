//! `fencegate`: the operator's command.

use std::process::ExitCode;

use clap::Parser;
use fencegate_operator::{Arguments, run};

fn main() -> ExitCode {
    match run(&Arguments::parse(), |said| println!("{said}")) {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("fencegate: {error}");
            ExitCode::FAILURE
        }
    }
}

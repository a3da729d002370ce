//! `make demo`: tells the story of `fencegate_tests::story` to a person.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Parser;
use fencegate_tests::process::end_all_on_signal;
use fencegate_tests::site::Site;
use fencegate_tests::story::{Authority, Settings, tell};

/// A worker pauses, another takes over, the first one wakes and writes: once without the fence, once
/// with it. Exit code 0: the unfenced report became trash and the fenced one is whole.
#[derive(Parser)]
#[command(
    version,
    after_help = "FENCEGATE_ENVOY names the Envoy, FENCEGATE_PLUGIN the compiled filter; \
`make demo` sets both. NO_COLOR=1 leaves colours out."
)]
struct Arguments {
    /// Where leases and marks are kept: in the one Envoy, or in an etcd of three members behind two Envoys.
    #[arg(value_enum, default_value = "memory")]
    authority: Where,
    /// A lease of 30 s and a pause of 35 s instead of 3 s and 3.5 s.
    #[arg(long)]
    seed_numbers: bool,
    /// Leaves the store and the Envoy running after the story, with things to try, until Ctrl-C.
    #[arg(long)]
    keep: bool,
    /// Serves the page that was built into this folder while the story runs (`make demo` names it).
    #[arg(long, value_name = "FOLDER")]
    page: Option<PathBuf>,
    /// Leaves the page there after the story, until Ctrl-C.
    #[arg(long, requires = "page")]
    keep_page: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Where {
    Memory,
    Etcd,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("the story could not be told: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode, Box<dyn std::error::Error>> {
    // One folder for all temporary files, so that a Ctrl-C can take it away.
    let folder = tempfile::tempdir()?;
    tempfile::env::override_temp_dir(folder.path())
        .map_err(|set| format!("temporary files already go to {}", set.display()))?;
    let told = Arc::new(AtomicBool::new(false));
    let (all_told, temporary) = (Arc::clone(&told), folder.path().to_owned());
    end_all_on_signal(move || {
        std::fs::remove_dir_all(temporary).ok();
        if all_told.load(Ordering::SeqCst) {
            0
        } else {
            130
        }
    })?;

    let site = serve(arguments)?;
    let stay = || {
        told.store(true, Ordering::SeqCst);
        loop {
            std::thread::park();
        }
    };
    let stay_with_all: Option<&dyn Fn()> = if arguments.keep { Some(&stay) } else { None };
    let outcome = tell(&settings(arguments)?, &mut io::stdout(), stay_with_all)?;
    if outcome.verdict().is_err() {
        return Ok(ExitCode::FAILURE);
    }
    told.store(true, Ordering::SeqCst);
    if let (Some(site), true) = (&site, arguments.keep_page) {
        println!("\nThe page stays until Ctrl-C: {}", site.url());
        stay();
    }
    Ok(ExitCode::SUCCESS)
}

/// Serves the page, if there is one to be served, and says where and for how long.
fn serve(arguments: &Arguments) -> io::Result<Option<Site>> {
    let Some(folder) = &arguments.page else {
        return Ok(None);
    };
    let site = Site::start(folder)?;
    let until = if arguments.keep || arguments.keep_page {
        "until Ctrl-C"
    } else {
        "while this runs; --keep-page: until Ctrl-C"
    };
    println!("See why, step by step: {} ({until})\n", site.url());
    Ok(Some(site))
}

fn settings(arguments: &Arguments) -> io::Result<Settings> {
    let programs = std::env::current_exe()?
        .parent()
        .map_or_else(PathBuf::new, PathBuf::from);
    let colours =
        io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty());
    let settings = Settings {
        colours,
        authority: match arguments.authority {
            Where::Memory => Authority::Memory,
            Where::Etcd => Authority::Etcd,
        },
        ..Settings::quick(programs)
    };
    Ok(if arguments.seed_numbers {
        settings.with_seed_numbers()
    } else {
        settings
    })
}

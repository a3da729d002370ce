//! What is written on the command line.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Parser, Subcommand};

use crate::gateway::Door;

/// The shortest window: below it no answer of etcd would ever be young enough.
const WINDOW_MIN: Duration = Duration::from_millis(10);
/// The longest window: every takeover waits for it.
const WINDOW_MAX: Duration = Duration::from_secs(60);

/// Makes, changes and describes what the proxies of one authority share in etcd.
#[derive(Parser)]
#[command(
    version,
    after_help = "Leases are looked at and broken through any of the proxies, at the issuer's path: \
GET leases/RESOURCE, POST break. Backups are made with etcd's own `etcdctl snapshot save`; after one was restored, run `reseed`."
)]
pub struct Arguments {
    /// Members of etcd, with commas between them; each is tried until one answers
    #[arg(
        long,
        global = true,
        env = "FENCEGATE_ETCD_ENDPOINTS",
        value_delimiter = ',',
        default_value = "http://127.0.0.1:2379"
    )]
    endpoints: Vec<String>,
    /// The proxies' authority.etcd.prefix
    #[arg(long, global = true, default_value = "/fencegate/")]
    pub(crate) prefix: String,
    /// Whom to trust, a PEM file; without it the public authorities are trusted
    #[arg(long, global = true, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// A client certificate, a PEM file
    #[arg(long, global = true, value_name = "FILE", requires = "key")]
    cert: Option<PathBuf>,
    /// Its key, a PEM file
    #[arg(long, global = true, value_name = "FILE", requires = "cert")]
    key: Option<PathBuf>,
    /// A user of etcd; the password is the first line of --password-file, or FENCEGATE_ETCD_PASSWORD
    #[arg(long, global = true)]
    user: Option<String>,
    /// A file whose first line is the user's password
    #[arg(long, global = true, value_name = "FILE")]
    password_file: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Makes an authority, once, before the first proxy is started
    Init {
        /// How long a proxy may rely on what it read, and so how much longer a takeover takes: 250ms, 2s
        #[arg(long, default_value = "250ms")]
        window: Window,
    },
    /// Shows what is there, and what is wrong with it
    Status,
    /// Changes the window while proxies run
    Window {
        /// The new one: 250ms, 2s
        window: Window,
    },
    /// Begins a new epoch, after a backup was restored: every token granted before is refused
    Reseed,
}

/// A window as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window(pub(crate) Duration);

impl FromStr for Window {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (digits, unit) = match text.strip_suffix("ms") {
            Some(digits) => (digits, 1),
            None => (text.strip_suffix('s').unwrap_or(""), 1000),
        };
        let millis = digits.parse::<u64>().ok().and_then(|n| n.checked_mul(unit));
        let window = millis
            .map(Duration::from_millis)
            .ok_or("write it like 250ms or 2s")?;
        if (WINDOW_MIN..=WINDOW_MAX).contains(&window) {
            Ok(Self(window))
        } else {
            Err(format!(
                "give {} ms to {} s",
                WINDOW_MIN.as_millis(),
                WINDOW_MAX.as_secs()
            ))
        }
    }
}

impl Arguments {
    pub(crate) fn door(&self) -> Result<Door, Box<dyn Error>> {
        if !self.prefix.starts_with('/') || !self.prefix.ends_with('/') {
            return Err(
                "--prefix: write it as in authority.etcd.prefix, with a slash at both ends".into(),
            );
        }
        let user = match &self.user {
            None => None,
            Some(user) => Some((user.clone(), self.password()?)),
        };
        Ok(Door {
            endpoints: self.endpoints.clone(),
            ca: self.ca.clone(),
            certificate: self.cert.clone().zip(self.key.clone()),
            user,
        })
    }

    fn password(&self) -> Result<String, Box<dyn Error>> {
        match &self.password_file {
            Some(file) => {
                let text = fs::read_to_string(file)
                    .map_err(|error| format!("--password-file {}: {error}", file.display()))?;
                Ok(text.lines().next().unwrap_or_default().to_owned())
            }
            None => Ok(std::env::var("FENCEGATE_ETCD_PASSWORD").map_err(
                |_| "--user needs a password: give --password-file, or set FENCEGATE_ETCD_PASSWORD",
            )?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_read_as_it_is_written() {
        for (text, millis) in [("250ms", Some(250)), ("2s", Some(2000)), ("10ms", Some(10))] {
            let window: Option<Window> = text.parse().ok();
            assert_eq!(window.map(|it| it.0.as_millis()), millis, "{text}");
        }
        for text in [
            "",
            "250",
            "ms",
            "9ms",
            "61s",
            "-1s",
            "1.5s",
            "99999999999999999999s",
        ] {
            assert!(text.parse::<Window>().is_err(), "{text}");
        }
    }
}

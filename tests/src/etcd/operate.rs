//! What an operator does with `fencegate`, done to a cluster of the tests.

use clap::Parser;
use fencegate_operator::{Arguments, run};

use super::{Etcd, EtcdError};

impl Etcd {
    /// Runs one of the operator's commands: `operate(&["init", "--window", "250ms"])`. What it says.
    ///
    /// # Errors
    /// What it says when it does not do it.
    pub fn operate(&self, command: &[&str]) -> Result<String, EtcdError> {
        let scheme = match self.certificates() {
            Some(_) => "https",
            None => "http",
        };
        let endpoints = self.addresses();
        let endpoints = endpoints
            .iter()
            .map(|address| format!("{scheme}://{address}"));
        let endpoints = endpoints.collect::<Vec<_>>().join(",");
        let mut line = vec!["fencegate".to_owned(), "--endpoints".to_owned(), endpoints];
        if let Some(certificates) = self.certificates() {
            let files = [
                ("--ca", &certificates.authority),
                ("--cert", &certificates.client),
                ("--key", &certificates.client_key),
            ];
            for (name, file) in files {
                line.extend([name.to_owned(), file.display().to_string()]);
            }
        }
        line.extend(command.iter().map(|&word| word.to_owned()));
        let refused = |error: &dyn std::fmt::Display| EtcdError::Refused(error.to_string());
        let arguments = Arguments::try_parse_from(line).map_err(|error| refused(&error))?;
        let mut told = Vec::new();
        let said = run(&arguments, |step| told.push(step)).map_err(|error| refused(&error))?;
        told.push(said);
        Ok(told.join("\n"))
    }
}

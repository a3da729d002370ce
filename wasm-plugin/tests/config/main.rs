//! What configurations are refused, each with one sentence that names the field and the mend; and
//! what is accepted, the examples before all.
#![allow(
    unreachable_pub,
    reason = "modules of one test share what is public in them"
)]

#[path = "../support/mod.rs"]
mod support;

mod accepted;
mod etcd;
mod form;
mod meaning;

use serde_json::Value;

/// That a configuration is refused with exactly this sentence.
fn refused(config: &Value, sentence: &str) {
    refused_text(&config.to_string(), sentence);
}

fn refused_text(config: &str, sentence: &str) {
    match fencegate::config::read(config.as_bytes()) {
        Ok(_) => panic!("it is accepted: {config}"),
        Err(error) => assert_eq!(error.to_string(), sentence, "{config}"),
    }
}

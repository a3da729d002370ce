//! What is asked is what the real etcd was asked, and its answers mean what is written there.
//!
//! `make recordings` writes both anew; read the difference.

use crate::script::Script;
use crate::scripts::{Conversation, all};
use std::fs;
use std::path::PathBuf;

pub fn file(conversation: &Conversation) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/etcd_wire");
    folder.join(format!("{}.txt", conversation.file))
}

/// The recorded script, and as it should be.
pub fn both(conversation: &Conversation) -> (Script, Script) {
    let text = fs::read_to_string(file(conversation)).unwrap_or_default();
    let recorded = Script::parse(&text);
    let mut options = vec![format!("etcd {}", recorded.option("etcd").unwrap_or("?"))];
    options.extend(conversation.options.iter().copied().map(str::to_owned));
    let steps = conversation.steps.iter();
    let right = Script {
        about: conversation.about.to_owned(),
        options,
        steps: steps.map(|asking| asking.step(&recorded)).collect(),
    };
    (recorded, right)
}

#[test]
fn every_call_is_asked_and_every_answer_understood_as_recorded() {
    for conversation in all() {
        let (recorded, right) = both(&conversation);
        if std::env::var_os("FENCEGATE_RENEW").is_some() {
            fs::write(file(&conversation), right.print()).expect("written");
            continue;
        }
        for (recorded, right) in recorded.steps.iter().zip(&right.steps) {
            assert_eq!(
                format!("{recorded:#?}"),
                format!("{right:#?}"),
                "{}: run make recordings",
                conversation.file
            );
            assert!(recorded.status > 0, "{}: no answer", recorded.name);
        }
        assert_eq!(recorded.print(), right.print(), "{}", conversation.file);
    }
}

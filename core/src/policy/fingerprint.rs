//! A stable hash of what maps requests to resources.
//!
//! The `generation` of a configuration must rise when the mapping changes; this is how a change is
//! noticed. Only hosts, paths and resources count, not modes; the order of rules, the names of
//! variables and whether two hosts share a rule do not. The value is the same on every target.

use siphasher::sip::SipHasher13;

use super::Rule;
use super::path_template::{Piece, Place};
use super::resource_template::Part;

/// Two numbers without meaning, fixed for ever: other keys would make every mapping look new.
const KEYS: (u64, u64) = (0x6665_6e63_6567_6174, 0x6d61_7070_696e_6731);

/// Hashes the mapping of all rules.
pub(super) fn of(rules: &[Rule]) -> u64 {
    // Sorted as they come: a general sort would be a hundredth of the filter's size.
    let mut sorted: Vec<Vec<u8>> = Vec::new();
    for entry in rules.iter().flat_map(entries) {
        let at = sorted.partition_point(|other| *other < entry);
        sorted.insert(at, entry);
    }
    let mut all = Vec::new();
    for entry in &sorted {
        push(&mut all, b'e', entry);
    }
    SipHasher13::new_with_keys(KEYS.0, KEYS.1).hash(&all)
}

/// One entry for each host of the rule.
fn entries(rule: &Rule) -> impl Iterator<Item = Vec<u8>> {
    rule.hosts.iter().map(|host| {
        let mut entry = Vec::new();
        push(&mut entry, b'h', host.to_string().as_bytes());
        for piece in rule.path.fixed() {
            match piece {
                Piece::Literal(text) => push(&mut entry, b'l', text),
                Piece::Variable(_) => push(&mut entry, b'v', b""),
            }
        }
        if rule.path.has_rest() {
            push(&mut entry, b'r', b"");
        }
        for part in rule.resource.parts() {
            match part {
                Part::Literal(text) => push(&mut entry, b'L', text.as_bytes()),
                Part::Value {
                    place: Place::Segment { at: number },
                    ..
                } => {
                    push(&mut entry, b'V', &wide(*number).to_le_bytes());
                }
                Part::Value {
                    place: Place::Rest { from: number },
                    ..
                } => {
                    push(&mut entry, b'R', &wide(*number).to_le_bytes());
                }
            }
        }
        entry
    })
}

/// Appends a kind, a length and the bytes, so that no two lists of items look alike.
fn push(out: &mut Vec<u8>, kind: u8, bytes: &[u8]) {
    out.push(kind);
    out.extend_from_slice(&wide(bytes.len()).to_le_bytes());
    out.extend_from_slice(bytes);
}

/// The same width on every target.
fn wide(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

//! Base64 with padding, as etcd's JSON has keys and values.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The spelling of some bytes.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for (at, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            let digit = usize::try_from(bits >> shift & 63).ok();
            let digit = digit.filter(|_| at <= chunk.len());
            let digit = digit.and_then(|digit| ALPHABET.get(digit));
            out.push(char::from(*digit.unwrap_or(&b'=')));
        }
    }
    out
}

/// The bytes that are spelled so; `None` unless this is the very spelling that [`encode`] gives them.
#[must_use]
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for chunk in text.as_bytes().chunks(4) {
        let mut bits = 0_u32;
        for digit in chunk {
            bits = bits << 6 | value(*digit);
        }
        let padding = chunk.iter().filter(|digit| **digit == b'=').count();
        let [_, bytes @ ..] = bits.to_be_bytes();
        out.extend(bytes.iter().take(bytes.len().saturating_sub(padding)));
    }
    (encode(&out) == text).then_some(out)
}

/// What a digit stands for; 0 for what is none.
fn value(digit: u8) -> u32 {
    let (first, is_first) = match digit {
        b'A'..=b'Z' => (b'A', 0),
        b'a'..=b'z' => (b'a', 26),
        b'0'..=b'9' => (b'0', 52),
        b'+' => (b'+', 62),
        b'/' => (b'/', 63),
        _ => (digit, 0),
    };
    u32::from(digit.saturating_sub(first)).saturating_add(is_first)
}

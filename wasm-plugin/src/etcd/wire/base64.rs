//! Keys and values as etcd's JSON has them: base64 in its usual alphabet, with padding.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const PADDING: u8 = b'=';

/// Writes bytes as base64.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut out = String::new();
    for part in bytes.chunks(3) {
        let byte = |at: usize| part.get(at).copied().unwrap_or_default();
        let bits = u32::from_be_bytes([0, byte(0), byte(1), byte(2)]);
        for (at, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            // Three bytes are four signs, two are three, one is two.
            let digit = ALPHABET.get((bits >> shift & 63) as usize);
            let sign = digit.filter(|_| at <= part.len());
            out.push(sign.copied().unwrap_or(PADDING).into());
        }
    }
    out
}

/// Reads what [`encode`] writes, and nothing else.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for part in text.as_bytes().chunks(4) {
        let [a, b, c, d] = *part else {
            return None;
        };
        let (signs, shift, len): (&[u8], u32, usize) = match (c, d) {
            (PADDING, PADDING) => (&[a, b], 12, 1),
            (_, PADDING) => (&[a, b, c], 6, 2),
            _ => (&[a, b, c, d], 0, 3),
        };
        let mut bits = 0_u32;
        for sign in signs {
            let digit = ALPHABET.iter().position(|other| other == sign)?;
            bits = bits << 6 | u32::try_from(digit).ok()?;
        }
        let [_, bytes @ ..] = (bits << shift).to_be_bytes();
        out.extend_from_slice(bytes.get(..len)?);
    }
    // So nothing stands behind padding, and no bit is left over.
    (encode(&out) == text).then_some(out)
}

//! Numbers as bytes, seven bits to a byte, and bytes as text: base64url without padding (RFC 4648).
//! Written out for these two: what does it for every type and alphabet takes much more room.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Writes a number behind some bytes, its last bits first.
pub(super) fn put(number: u32, bytes: &mut Vec<u8>) {
    let mut rest = number;
    while rest > 0x7f {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

/// Takes a number off the front of some bytes; `None`: it is cut off, or too large.
pub(super) fn take(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    for shift in [0, 7, 14, 21, 28] {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return u32::try_from(number).ok();
        }
    }
    None
}

/// Some bytes as text.
pub(super) fn of(bytes: &[u8]) -> String {
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let mut bits = 0;
        for at in 0..3 {
            bits = bits << 8 | usize::from(*three.get(at).unwrap_or(&0));
        }
        for at in 0..=three.len() {
            let digit = bits >> (18 - 6 * at) & 63;
            text.push(char::from(DIGITS[digit]));
        }
    }
    text
}

/// The bytes of a text; `None`: it is not what [`of`] writes.
pub(super) fn bytes(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut bits, mut known) = (Vec::new(), 0, 0);
    for letter in text.bytes() {
        bits = bits << 6 | DIGITS.iter().position(|digit| *digit == letter)?;
        known += 6;
        if known >= 8 {
            known -= 8;
            bytes.push((bits >> known) as u8);
            bits &= (1 << known) - 1;
        }
    }
    // Behind the last byte there is less than a digit, and nothing in it.
    (known < 6 && bits == 0).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn bytes_are_written_as_everybody_writes_them() {
        // The vectors of RFC 4648, without padding.
        let table = [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
            ("\u{ff}\u{fe}", "w7_Dvg"),
        ];
        for (plain, text) in table {
            assert_eq!(of(plain.as_bytes()), text);
            assert_eq!(bytes(text).as_deref(), Some(plain.as_bytes()), "{text}");
        }
    }

    #[test]
    fn what_nobody_writes_is_refused() {
        // Another alphabet, padding, a single digit, and bits behind the last byte.
        for text in ["Zm+v", "Zm/v", "Zg==", "Z", "Zm9vY", "Zh", "Zm9", "é"] {
            assert_eq!(bytes(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_come_back_and_those_that_are_too_large_do_not() {
        for number in [0, 1, 127, 128, 300, 36_140, u32::MAX - 1, u32::MAX] {
            let mut written = Vec::new();
            put(number, &mut written);
            let all = &mut &written[..];
            assert_eq!(take(all), Some(number));
            assert!(all.is_empty());
            assert_eq!(take(&mut &written[..written.len() - 1]), None, "{number}");
        }
        assert_eq!(take(&mut &[0xff, 0xff, 0xff, 0xff, 0x1f][..]), None);
        assert_eq!(take(&mut &[0x80, 0x80, 0x80, 0x80, 0x80, 0x00][..]), None);
    }
}

//! Tokens: every spelling that is one, every spelling that is none, and their order.

use fencegate_core::token::{Token, TokenError};

fn token(epoch: u32, number: u64) -> Token {
    Token::new(epoch, number).expect("a number above 0")
}

#[test]
fn a_token_has_one_spelling() {
    for (text, epoch, number) in [
        ("1", 0, 1),
        ("42", 0, 42),
        ("18446744073709551615", 0, u64::MAX),
        ("1.1", 1, 1),
        ("2.41", 2, 41),
        ("4294967295.18446744073709551615", u32::MAX, u64::MAX),
        (
            "1796049503.2305843009213693953",
            1_796_049_503,
            2_305_843_009_213_693_953,
        ),
    ] {
        assert_eq!(
            Token::parse(text.as_bytes()),
            Ok(token(epoch, number)),
            "{text}"
        );
        assert_eq!(token(epoch, number).to_string(), text);
        assert!(text.len() <= Token::TEXT_LEN_MAX);
    }
}

#[test]
fn nothing_else_is_a_token() {
    use TokenError::{Empty, LeadingZero, NotDecimal, TooLarge, Zero};
    for (text, error) in [
        ("", Empty),
        (".", Empty),
        (".1", Empty),
        ("1.", Empty),
        ("0", Zero),
        ("0.1", Zero),
        ("1.0", Zero),
        ("00", LeadingZero),
        ("007", LeadingZero),
        ("1.01", LeadingZero),
        ("01.1", LeadingZero),
        ("+1", NotDecimal),
        ("-1", NotDecimal),
        (" 1", NotDecimal),
        ("1 ", NotDecimal),
        ("1, 2", NotDecimal),
        ("1,2", NotDecimal),
        ("1e3", NotDecimal),
        ("0x1f", NotDecimal),
        ("1_000", NotDecimal),
        ("\"1\"", NotDecimal),
        ("1.2.3", NotDecimal),
        ("1..2", NotDecimal),
        ("\u{0661}", NotDecimal), // an Arabic one
        ("18446744073709551616", TooLarge),
        ("99999999999999999999999999", TooLarge),
        ("4294967296.1", TooLarge),
        ("1.18446744073709551616", TooLarge),
    ] {
        assert_eq!(text.parse::<Token>(), Err(error), "{text:?}");
        assert!(!error.to_string().is_empty());
    }
    assert_eq!(Token::parse(b"1\xc0"), Err(NotDecimal));
    assert_eq!(Token::parse(b"1\0"), Err(NotDecimal));
    assert_eq!(Token::new(7, 0), None);
}

#[test]
fn epochs_come_before_numbers() {
    let rising = [
        token(0, 1),
        token(0, 9),
        token(0, 10),
        token(0, u64::MAX),
        token(1, 1),
        token(2, 1),
        token(10, 1),
        token(u32::MAX, u64::MAX),
    ];
    assert!(rising.is_sorted_by(|low, high| low < high));
}

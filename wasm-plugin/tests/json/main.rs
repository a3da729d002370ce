//! The JSON reader agrees with the usual library wherever it reads at all, and is stricter in the
//! documented ways only; what it writes is read back as it was given.

#![allow(
    unreachable_pub,
    reason = "modules of one test share what is public in them"
)]

mod texts;

use fencegate::json::{Object, read};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde::Deserialize;
use serde_json::Value;
use texts::{shape, space};

/// Everything that configurations and bodies are made of.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shape {
    number: u32,
    long: u64,
    truth: bool,
    text: String,
    #[serde(default)]
    list: Vec<Inner>,
    maybe: Option<u32>,
    #[serde(default = "Word::plain")]
    word: Word,
    within: Option<Box<Shape>>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Inner {
    a: u64,
    b: Vec<String>,
}

impl Default for Inner {
    fn default() -> Self {
        Self {
            a: 7,
            b: Vec::new(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    Plain,
    Valued(u32),
    Within(Inner),
}

impl Word {
    fn plain() -> Self {
        Self::Plain
    }
}

fencegate::object! { Shape {
    number,
    long,
    truth,
    text,
    list = Vec::new(),
    maybe = None,
    word = Word::plain(),
    within = None,
} }
fencegate::object! { Inner { a = 7, b = Vec::new() } }
fencegate::choice! { Word {
    "plain" = Plain,
    "valued" = Valued(number),
    "within" = Within(inner),
} }

/// What others say, and what they may add to it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Asked {
    asked: u32,
}

fencegate::object! { Asked and others { asked } }

/// That both readers make the same of a text, or ours is stricter in a way that is meant.
fn agree(json: &[u8]) -> Result<(), TestCaseError> {
    let theirs = serde_json::from_slice::<Shape>(json);
    match (read::<Shape>(json), theirs) {
        (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours, theirs),
        (Ok(ours), Err(why)) => prop_assert!(false, "only we read {:?}: {}", ours, why),
        (Err(why), Ok(_)) => {
            let meant = [
                "it is nested too deep",
                // The library takes a list for an object without names,
                "give an object",
                // and `{"plain": null}` for "plain".
                "this one has no value of its own: give its name as a text",
            ];
            prop_assert!(
                meant.contains(&why.what.as_str()),
                "only they read it: {}",
                why
            );
        }
        (Err(ours), Err(_)) => prop_assert!(!ours.what.is_empty()),
    }
    Ok(())
}

/// Any text, control characters before all: what the library makes by itself has none.
fn any_text() -> impl Strategy<Value = String> {
    let c = prop_oneof![
        any::<char>(),
        prop::char::range('\0', '\u{7f}'),
        prop::char::range('\0', ' ')
    ];
    prop::collection::vec(c, 0..8).prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn both_readers_agree_on_what_is_nearly_right(json in shape(), tail in space()) {
        agree(format!("{json}{tail}").as_bytes())?;
    }

    #[test]
    fn both_readers_agree_on_what_is_damaged(
        json in shape(), at in any::<prop::sample::Index>(), byte in any::<u8>(), how in 0..3_u8,
    ) {
        let mut json = json.into_bytes();
        let at = at.index(json.len());
        match how {
            0 => json[at] = byte,
            1 => json.insert(at, byte),
            _ => json.truncate(at),
        }
        agree(&json)?;
    }

    #[test]
    fn any_bytes_are_read_or_refused(json in prop::collection::vec(any::<u8>(), 0..64)) {
        agree(&json)?;
    }

    #[test]
    fn any_jsonish_text_is_read_or_refused(json in "[\\[\\]{}:,\"a-z0-9\\\\ .-]{0,40}") {
        agree(json.as_bytes())?;
    }

    /// Where others add to what they say, what nobody asked for is passed over, if it is JSON at all.
    #[test]
    fn what_is_not_asked_for_is_passed_over(
        other in prop_oneof![
            shape(), "[\\[\\]{}:,\"a-z0-9\\\\ .-]{0,12}", "-?(0|[0-9]{1,3})([.][0-9]{0,2})?([eE][+-]?[0-9]{0,2})?",
            any::<f64>().prop_map(|number| serde_json::json!([number, {}]).to_string()),
        ],
        tail in space(),
    ) {
        let json = format!(r#"{{"other":{other}{tail},"asked":7}}"#);
        let ours = read::<Asked>(json.as_bytes());
        let theirs = serde_json::from_str::<Asked>(&json);
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours, theirs),
            (Ok(ours), Err(why)) => prop_assert!(false, "only we read {:?}: {}", ours, why),
            // Texts that nobody asked for are looked at all the same.
            (Err(why), Ok(_)) => prop_assert_eq!(&why.what, "a text has a broken \\u escape"),
            (Err(_), Err(_)) => {}
        }
    }

    #[test]
    fn what_is_written_in_lists_is_read_back(lists in prop::collection::vec(0..4_usize, 0..4)) {
        let mut out = String::new();
        let mut object = Object::begin(&mut out);
        for (index, len) in lists.iter().enumerate() {
            let mut inner = object.object(&format!("object{index}"));
            let mut list = inner.list("list");
            for number in 0..*len {
                let mut element = list.object();
                element.value("number", number);
                element.end();
            }
            list.end();
            inner.value("after", len);
            inner.end();
        }
        object.end();
        let read: Value = serde_json::from_str(&out)
            .map_err(|why| TestCaseError::fail(format!("{why}: {out}")))?;
        for (index, len) in lists.iter().enumerate() {
            let list: Vec<_> = (0..*len).map(|number| serde_json::json!({ "number": number })).collect();
            let right = serde_json::json!({ "list": list, "after": len });
            prop_assert_eq!(&read[format!("object{index}")], &right);
        }
    }

    #[test]
    fn what_is_written_is_read_back(
        fields in prop::collection::vec((any_text(), any::<u64>(), any::<bool>()), 0..6),
    ) {
        let mut out = String::from("before ");
        let mut object = Object::begin(&mut out);
        for (index, (text, number, truth)) in fields.iter().enumerate() {
            object.text(&format!("text{index}"), text).value(&format!("number{index}"), number);
            object.value(&format!("truth{index}"), truth).plain_text(&format!("plain{index}"), number);
        }
        object.end();
        let read: Value = serde_json::from_str(out.strip_prefix("before ").expect("appended"))
            .map_err(|why| TestCaseError::fail(format!("{why}: {out}")))?;
        prop_assert_eq!(read.as_object().expect("an object").len(), fields.len() * 4);
        for (index, (text, number, truth)) in fields.iter().enumerate() {
            prop_assert_eq!(&read[format!("text{index}")], text);
            prop_assert_eq!(&read[format!("number{index}")], number);
            prop_assert_eq!(&read[format!("truth{index}")], truth);
            prop_assert_eq!(&read[format!("plain{index}")], &number.to_string());
        }
        prop_assert!(!out.bytes().any(|byte| byte < b' '), "no control characters: {out:?}");
    }
}

/// A text that both read, whatever of the above they refuse.
const GOOD: &str = r#"{ "number": 1, "long": 2, "truth": true, "text": "t", "maybe": 3,
    "list": [ { "a": 4, "b": [ "x", "y" ] }, { "a": 5 } ], "word": { "within": { "a": 6 } },
    "within": { "number": 8, "long": 9, "truth": false, "text": "u", "word": { "valued": 10 } } }"#;

#[test]
fn a_good_text_is_read_by_both() {
    let ours = read::<Shape>(GOOD.as_bytes()).expect("it is good");
    assert_eq!(ours, serde_json::from_str(GOOD).expect("it is good"));
    assert_eq!(
        ours.list[1],
        Inner {
            a: 5,
            b: Vec::new()
        }
    );
}

#[test]
fn the_place_of_an_error_is_the_field() {
    for (good, bad, at) in [
        ("\"number\": 1", "\"number\": {}", "number"),
        ("\"long\": 2", "\"long\": -2", "long"),
        ("\"truth\": true", "\"truth\": 1", "truth"),
        ("\"t\"", "t", "text"),
        ("\"maybe\": 3", "\"maybe\": \"3\"", "maybe"),
        ("\"maybe\": 3", "\"number\": 3", "number"),
        ("\"maybe\": 3", "\"may be\": 3", "may be"),
        ("\"a\": 4", "\"a\": null", "list[0].a"),
        ("\"y\"", "7", "list[0].b[1]"),
        ("\"y\"", "\"\\y\"", "list[0].b[1]"),
        ("{ \"a\": 5 }", "5", "list[1]"),
        ("\"a\": 5", "\"c\": 5", "list[1].c"),
        (
            "\"within\": { \"a\"",
            "\"without\": { \"a\"",
            "word.without",
        ),
        ("\"a\": 6", "\"a\": true", "word.within.a"),
        ("\"number\": 8", "\"number\": 4294967296", "within.number"),
        ("\"number\": 8, ", "", "within"),
        ("\"valued\": 10", "\"valued\": []", "within.word.valued"),
        ("\"valued\": 10", "\"plain\": 10", "within.word.plain"),
    ] {
        assert!(GOOD.contains(good), "{good}");
        let json = GOOD.replacen(good, bad, 1);
        let error = read::<Shape>(json.as_bytes()).expect_err(bad);
        assert_eq!(error.at, at, "{bad}: {error}");
        assert!(serde_json::from_str::<Shape>(&json).is_err(), "{bad}");
    }
}

#[test]
fn nesting_is_bounded_far_above_what_is_needed() {
    let nested = |depth: usize| {
        let head = r#"{"number":1,"long":2,"truth":true,"text":"t","within":"#;
        format!("{}null{}", head.repeat(depth), "}".repeat(depth))
    };
    assert!(read::<Shape>(nested(32).as_bytes()).is_ok());
    for depth in [33, 100, 100_000] {
        let error = read::<Shape>(nested(depth).as_bytes()).expect_err("too deep");
        assert_eq!(error.what, "it is nested too deep");
    }
    assert!(read::<Shape>("[".repeat(1_000_000).as_bytes()).is_err());
}
/// A comparison of texts that both refuse would show nothing.
#[test]
fn the_texts_that_are_compared_are_good_and_bad() {
    let mut runner = TestRunner::deterministic();
    let mut good = 0;
    for _ in 0..1000 {
        let text = shape().new_tree(&mut runner).expect("a text").current();
        good += usize::from(read::<Shape>(text.as_bytes()).is_ok());
    }
    assert!((100..900).contains(&good), "{good} of 1000 are good");
}

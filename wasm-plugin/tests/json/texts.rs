//! Texts that are JSON nearly always and what is asked for quite often: odd spaces, escapes and
//! numbers, members in any order, left out, twice or unknown.

use proptest::prelude::*;

/// Space, and what is none in JSON.
pub fn space() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        80 => Just(""),
        20 => prop::sample::select(&[" ", "\n", "\t\r\n "][..]),
        1 => prop::sample::select(&["\u{c}", "\u{b}", "\u{a0}", "//"][..]),
    ]
}

/// The inside of a string: anything that a string may hold, and what it may not.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        60 => "[a-z ]{0,4}",
        9 => any::<char>().prop_filter("quoted elsewhere", |c| !"\"\\".contains(*c)).prop_map(String::from),
        9 => prop::sample::select(&[
            "\\n", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\r", "\\t", "\\u0041", "\\u00e9",
            "\\ud83d\\ude00", "\\uD83D\\uDE00", "\\u0000",
        ][..]).prop_map(String::from),
        1 => prop::sample::select(&[
            "\\ud83d", "\\ude00", "\\ud83dx", "\\ud83d\\u0041", "\\u12", "\\u+041", "\\x", "\\",
            "\n", "\u{1}", "\u{7f}",
        ][..]).prop_map(String::from),
    ]
}

fn string() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..4).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        40 => any::<u32>().prop_map(|number| number.to_string()),
        20 => any::<u64>().prop_map(|number| number.to_string()),
        1 => prop::sample::select(&[
            "0", "4294967295", "4294967296", "18446744073709551615", "18446744073709551616", "00",
            "01", "-0", "-1", "1.0", "1e2", "1E+2", "0x1", "+1", "1_0", ".5", "1.",
        ][..]).prop_map(String::from),
    ]
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        number(),
        string(),
        prop::sample::select(&["true", "false", "null", "True", "nul", "truefalse"][..])
            .prop_map(String::from),
    ]
}

/// The right kind mostly, sometimes any.
fn mostly(right: impl Strategy<Value = String> + 'static) -> impl Strategy<Value = String> {
    prop_oneof![60 => right, 1 => scalar(), 1 => Just("[]".into()), 1 => Just("{}".into())]
}

fn truth() -> impl Strategy<Value = String> {
    prop::sample::select(&["true", "false"][..]).prop_map(String::from)
}

fn list(element: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    prop::collection::vec(element, 0..3).prop_map(|elements| format!("[{}]", elements.join(",")))
}

/// An object of these members, in any order, some of them left out, twice or unknown.
fn object(members: Vec<(&'static str, BoxedStrategy<String>)>) -> BoxedStrategy<String> {
    let member = |(name, value): (&'static str, BoxedStrategy<String>)| {
        (space(), value, space(), 0..400_u16).prop_map(move |(before, value, after, odd)| {
            let member = format!("{before}\"{name}\"{after}:{before}{value}{after}");
            match odd {
                0 => Vec::new(),
                1 => vec![member.clone(), member],
                2 => vec![member, "\"unknown\":1".into()],
                3 => vec![member.replace(
                    name,
                    &format!("\\u{:04x}{}", name.as_bytes()[0], &name[1..]),
                )],
                _ => vec![member],
            }
        })
    };
    let members: Vec<_> = members.into_iter().map(member).collect();
    let shuffled = members.prop_map(|members| members.concat()).prop_shuffle();
    shuffled
        .prop_map(|members| format!("{{{}}}", members.join(",")))
        .boxed()
}

fn inner() -> BoxedStrategy<String> {
    let b = list(mostly(string()));
    object(vec![
        ("a", mostly(number()).boxed()),
        ("b", mostly(b).boxed()),
    ])
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        9 => Just("\"plain\"".into()),
        9 => number().prop_map(|number| format!("{{\"valued\":{number}}}")),
        9 => inner().prop_map(|inner| format!("{{ \"within\" : {inner} }}")),
        1 => prop::sample::select(&[
            "\"valued\"", "\"other\"", "{\"plain\":null}", "{\"valued\":1,\"plain\":1}", "{}",
        ][..]).prop_map(String::from),
    ]
}

/// The text of a `Shape`, nearly right.
pub fn shape() -> BoxedStrategy<String> {
    let leaf = Just("null".to_owned()).boxed();
    leaf.prop_recursive(2, 8, 1, |within| {
        object(vec![
            (
                "number",
                mostly(any::<u32>().prop_map(|n| n.to_string())).boxed(),
            ),
            ("long", mostly(number()).boxed()),
            ("truth", mostly(truth()).boxed()),
            ("text", mostly(string()).boxed()),
            ("list", mostly(list(inner())).boxed()),
            (
                "maybe",
                mostly(any::<u32>().prop_map(|n| n.to_string())).boxed(),
            ),
            ("word", mostly(word()).boxed()),
            ("within", within),
        ])
    })
    .boxed()
}

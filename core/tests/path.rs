//! Paths, request targets and hosts: one reading or none.

use fencegate_core::host_name::{HostAmbiguity, HostName};
use fencegate_core::path::{Form, PATH_LEN_MAX, Path, PathAmbiguity, Target};
use proptest::prelude::*;

fn segments(raw: &[u8]) -> Result<Vec<String>, PathAmbiguity> {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("checked segments are UTF-8");
    Ok(Path::read(raw)?
        .segments()
        .map(|segment| text(segment.decoded().collect()))
        .collect())
}

#[test]
fn segments_are_decoded_once() {
    let table: [(&str, &[&str]); 9] = [
        ("/", &[]),
        ("/a", &["a"]),
        ("/a/", &["a"]),
        ("/a/b%20c/d", &["a", "b c", "d"]),
        ("/%C3%A9/\u{e9}", &["\u{e9}", "\u{e9}"]),
        ("/...", &["..."]),
        ("/..a/.b", &["..a", ".b"]),
        ("/a%2Bb", &["a+b"]),
        ("/{a}|^,=:@!$&'()*~", &["{a}|^,=:@!$&'()*~"]),
    ];
    for (raw, wanted) in table {
        assert_eq!(
            segments(raw.as_bytes()).as_deref(),
            Ok(&wanted.map_to_strings()[..]),
            "{raw}"
        );
    }
}

trait Strings {
    fn map_to_strings(&self) -> Vec<String>;
}

impl Strings for [&str] {
    fn map_to_strings(&self) -> Vec<String> {
        self.iter().map(ToString::to_string).collect()
    }
}

#[test]
fn a_canonical_segment_has_one_spelling() {
    let path = Path::read(b"/%41%7e+".strip_suffix(b"+").unwrap()).unwrap();
    let spelled: Vec<u8> = path
        .segments()
        .flat_map(|segment| segment.canonical())
        .collect();
    assert_eq!(spelled, b"A~");
    let path = Path::read("/\u{e9}%3a:".as_bytes()).unwrap();
    let spelled: Vec<u8> = path
        .segments()
        .flat_map(|segment| segment.canonical())
        .collect();
    assert_eq!(spelled, b"%C3%A9%3A%3A");
}

/// `///` is no root, however it is trimmed.
#[test]
fn slashes_alone() {
    assert_eq!(segments(b"/"), Ok(vec![]));
    for slashes in ["//", "///", "////"] {
        assert_eq!(
            segments(slashes.as_bytes()),
            Err(PathAmbiguity::EmptySegment)
        );
    }
}

#[test]
fn a_path_is_bounded() {
    let long = |len: usize| format!("/{}", "a".repeat(len - 1));
    assert!(Path::read(long(PATH_LEN_MAX).as_bytes()).is_ok());
    assert_eq!(
        segments(long(PATH_LEN_MAX + 1).as_bytes()),
        Err(PathAmbiguity::TooLong)
    );
}

/// All 256 bytes, raw and encoded, in the middle of a segment.
#[test]
fn every_byte_is_plain_or_refused() {
    let mut plain = [0, 0];
    for byte in 0..=255_u8 {
        let raw = [b"/a", &[byte][..], b"b"].concat();
        let encoded = format!("/a%{byte:02x}b").into_bytes();
        for (kind, path) in [raw, encoded].into_iter().enumerate() {
            let Ok(read) = segments(&path) else { continue };
            plain[kind] += 1;
            // A raw slash separates; everything else that is let through is itself.
            let wanted = if byte == b'/' {
                vec!["a".into(), "b".into()]
            } else {
                vec![format!("a{}b", byte as char)]
            };
            assert_eq!(read, wanted, "{path:?}");
        }
    }
    // 128 ASCII less 32 controls, DEL and `\ ; % ? #`; raw also less space and plus, and with the
    // separating slash; encoded without it, but with space and plus.
    assert_eq!(plain, [88, 89]);
}

/// A target, and of it the authority, the number of segments and the query.
type Row = (
    &'static str,
    Option<&'static str>,
    Result<usize, PathAmbiguity>,
    Option<&'static str>,
);

#[test]
fn a_target_is_taken_apart() {
    let table: [Row; 12] = [
        ("/a/b?c", None, Ok(2), Some("c")),
        ("/a?b?c", None, Ok(1), Some("b?c")),
        ("/?", None, Ok(0), Some("")),
        ("http://h", Some("h"), Ok(0), None),
        ("HTTPS://h:1/a?b", Some("h:1"), Ok(1), Some("b")),
        ("http://h?b/c", Some("h"), Ok(0), Some("b/c")),
        ("http:///a", Some(""), Ok(1), None),
        ("ftp://h/a", None, Err(PathAmbiguity::Form), None),
        ("", None, Err(PathAmbiguity::Form), None),
        ("a?b", None, Err(PathAmbiguity::Form), Some("b")),
        (
            "/a;b?_method=PUT",
            None,
            Err(PathAmbiguity::Semicolon),
            Some("_method=PUT"),
        ),
        ("/a?b#c", None, Err(PathAmbiguity::Fragment), Some("b#c")),
    ];
    for (raw, authority, wanted, query) in table {
        let target = Target::read(raw.as_bytes());
        assert_eq!(target.authority, authority.map(str::as_bytes), "{raw}");
        assert_eq!(target.query, query.map(str::as_bytes), "{raw}");
        let count = target.form.map(|form| match form {
            Form::Path(path) => path.segments().count(),
            Form::Asterisk => usize::MAX,
        });
        assert_eq!(count, wanted, "{raw}");
    }
    assert!(matches!(Target::read(b"*").form, Ok(Form::Asterisk)));
}

#[test]
fn one_host_in_many_spellings() {
    let plain = HostName::read(b"store.example").unwrap();
    for same in [
        "STORE.Example",
        "store.example:80",
        "store.example.",
        "store.example.:8080",
        "store.example:",
    ] {
        assert_eq!(HostName::read(same.as_bytes()), Ok(plain), "{same}");
    }
    for other in [
        "store.examples",
        "xstore.example",
        "store",
        "store-example",
        "store.example.example",
    ] {
        assert_ne!(HostName::read(other.as_bytes()), Ok(plain), "{other}");
    }
    let loopback = HostName::read(b"[::1]").unwrap();
    for same in ["[0:0:0:0:0:0:0:1]", "[::1]:80", "[0000::0001]:"] {
        assert_eq!(HostName::read(same.as_bytes()), Ok(loopback), "{same}");
    }
    assert_ne!(loopback, HostName::read(b"[::2]").unwrap());
    assert!(HostName::read(b"127.0.0.1:8080").is_ok());
}

#[test]
fn hosts_with_two_readings() {
    use HostAmbiguity as A;
    let table: [(&str, A); 29] = [
        ("", A::Empty),
        (":80", A::Empty),
        (".", A::Empty),
        ("a,b", A::List),
        ("a, a", A::List),
        ("user@a", A::Userinfo),
        ("user:pw@a:80", A::Userinfo),
        ("a b", A::Byte),
        (" a", A::Byte),
        ("a\t", A::Byte),
        ("a/b", A::Byte),
        ("a%2eb", A::Byte),
        ("\u{e9}.example", A::Byte),
        ("*.example", A::Byte),
        ("a..b", A::Label),
        (".a", A::Label),
        ("a..", A::Label),
        ("a:b", A::Port),
        ("a:-1", A::Port),
        ("a:65536", A::Port),
        ("a:1:2", A::Port),
        ("::1", A::Port),
        ("[::1", A::Brackets),
        ("[::1]x", A::Brackets),
        ("[a]", A::Brackets),
        ("[::1%25eth0]", A::Brackets),
        ("127.1", A::Number),
        ("0x7f.1", A::Number),
        ("2130706433", A::Number),
    ];
    for (raw, wanted) in table {
        assert_eq!(HostName::read(raw.as_bytes()), Err(wanted), "{raw:?}");
    }
    assert_eq!(HostName::read(b"a\xff"), Err(A::Byte));
    assert_eq!(HostName::read("a".repeat(261).as_bytes()), Err(A::TooLong));
}

proptest! {
    #[test]
    fn random_bytes_never_panic(raw in proptest::collection::vec(any::<u8>(), 0..64)) {
        let target = Target::read(&raw);
        if let Ok(Form::Path(path)) = target.form {
            for segment in path.segments() {
                let decoded: Vec<u8> = segment.decoded().collect();
                prop_assert!(!decoded.is_empty() && decoded != b"." && decoded != b"..");
                prop_assert!(core::str::from_utf8(&decoded).is_ok());
            }
        }
        let _ = HostName::read(&raw);
    }

    /// Reading the canonical spelling again changes nothing.
    #[test]
    fn canonical_is_canonical(raw in "(/[a-z%2-7.~A-F +é]{1,4}){1,3}") {
        let Ok(path) = Path::read(raw.as_bytes()) else { return Ok(()) };
        let again: Vec<u8> = path.segments().flat_map(|segment| b"/".iter().copied().chain(segment.canonical())).collect();
        let read = Path::read(&again).expect("a canonical path is clear");
        let once: Vec<Vec<u8>> = path.segments().map(|segment| segment.decoded().collect()).collect();
        let twice: Vec<Vec<u8>> = read.segments().map(|segment| segment.decoded().collect()).collect();
        prop_assert_eq!(once, twice);
    }
}

//! The smallest filter there is, byte by byte: what its `proxy_on_request_headers` does is given.

const I32: u8 = 0x7f;
const END: u8 = 0x0b;

/// The bytes of one section: its number, its length, and so many entries.
fn section(number: u8, entries: &[Vec<u8>]) -> Vec<u8> {
    let mut content = vec![u8::try_from(entries.len()).expect("few entries")];
    content.extend(entries.concat());
    // Sections are shorter than 128 * 128 bytes, and a length may be written longer than it has to be.
    let len = u8::try_from(content.len() / 128).expect("a short section");
    let low = u8::try_from(content.len() % 128).expect("below 128");
    [vec![number, low | 0x80, len], content].concat()
}

fn name(text: &str) -> Vec<u8> {
    let mut bytes = vec![u8::try_from(text.len()).expect("a short name")];
    bytes.extend(text.bytes());
    bytes
}

fn function_type(arguments: usize) -> Vec<u8> {
    let mut bytes = vec![0x60, u8::try_from(arguments).expect("few")];
    bytes.extend(vec![I32; arguments]);
    bytes.extend([1, I32]);
    bytes
}

fn export(text: &str, kind: u8, index: u8) -> Vec<u8> {
    [name(text), vec![kind, index]].concat()
}

fn code(body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![u8::try_from(body.len() + 2).expect("a short body"), 0];
    bytes.extend(body);
    bytes.push(END);
    bytes
}

/// A module that agrees to everything, and at the headers does `body`, which leaves one number.
/// Function 0 is `proxy_log`.
pub(crate) fn module(body: &[u8]) -> Vec<u8> {
    let types = [function_type(3), function_type(1), function_type(2)];
    let log = [name("env"), name("proxy_log"), vec![0, 0]].concat();
    let exports = [
        export("memory", 2, 0),
        export("proxy_on_memory_allocate", 0, 1),
        export("proxy_on_configure", 0, 2),
        export("proxy_on_request_headers", 0, 3),
    ];
    let constant = |number: u8| code(&[0x41, number]);
    [
        b"\0asm\x01\0\0\0".to_vec(),
        section(1, &types),
        section(2, &[log]),
        section(3, &[vec![1], vec![2], vec![0]]),
        section(5, &[vec![0, 1]]),
        section(7, &exports),
        section(10, &[constant(32), constant(1), code(body)]),
    ]
    .concat()
}

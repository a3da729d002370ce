//! Requests that must be refused whatever their token is: each names a guarded resource in a way
//! that some store reads otherwise, or cannot be read at all.

use crate::ask::{ODDITIES, Pick};
use crate::client::{API, Composed, Meaning, holder, plain};
use crate::known::Known;

/// The odd request of this number, with a token that is good.
pub(crate) fn compose(oddity: u8, job: u8, resource: &str, known: &Known) -> Composed {
    let token = known.pick(resource, Pick::Newest);
    let owner = known.owner(resource, token).unwrap_or_else(|| holder(0));
    let path = format!("/jobs/j{job}/part");
    let token = token.to_string();
    let put = |path: &str| plain("PUT", path, Meaning::Never);
    let also = |mut sent: Composed, name: &str, value: &[u8]| {
        sent.headers
            .push((name.as_bytes().to_vec(), value.to_vec()));
        sent
    };
    let post = |name: &str, body: &[u8]| Composed {
        body: body.to_vec(),
        ..plain("POST", &format!("{API}/{name}"), Meaning::Never)
    };
    let sent = match oddity % ODDITIES {
        0 => put(&format!("/jobs/j{job}/../part")),
        1 => put(&format!("/jobs/j{job}%2Fpart")),
        2 => put(&format!("/jobs\\j{job}\\part")),
        3 => put(&format!("/jobs/j{job};v=1/part")),
        4 => also(put(&path), "upgrade", b"websocket"),
        5 => plain("CONNECT", &path, Meaning::Never),
        6 => also(put(&path), "early-data", b"1"),
        7 => also(put(&path), "fencing_token", b"1"),
        8 => also(put(&path), "host", b"other.example"),
        9 => post("acquire", b"{"),
        10 => post("acquire", b"\xff\xfe"),
        11 => post("acquire", &vec![b' '; 20 * 1024]),
        12 => post("acquire", br#"{"resource":"other:x","holder":"worker-0"}"#),
        13 => post("nothing", b"{}"),
        14 => post(
            "renew",
            br#"{"resource":"job:j0","holder":"worker-0","token":"1","surprise":1}"#,
        ),
        _ => put(&format!("/jobs/j{job}%00/part")),
    };
    if sent
        .headers
        .iter()
        .any(|(_, value)| value.starts_with(API.as_bytes()))
    {
        return sent;
    }
    let sent = also(sent, "fencing-token", token.as_bytes());
    also(sent, "fencing-holder", owner.as_bytes())
}

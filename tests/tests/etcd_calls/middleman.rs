//! Stands between the proxies and a member of etcd, and is not always honest.
//!
//! A connection that is closed while something lies unread in it is reset: so what is to be answered is
//! looked at first, and read only where it is passed on.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fencegate_tests::http::Connection;

/// What becomes of a call. Health checks are always passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// It is passed on, and so is its answer.
    Honest,
    /// The connection is reset before the answer's headers.
    ResetBeforeHeaders,
    /// And after them, in the middle of the body.
    ResetAfterHeaders,
    /// What puts something is carried out, and the connection is reset in place of its answer.
    PutsUnanswered,
    /// Headers come, and then nothing.
    SilentAfterHeaders,
    /// Nothing comes.
    Silent,
    /// An answer comes that is longer than any of etcd's.
    LongAnswer,
}

/// The answer's length where it is too long, in bytes.
const LONG: usize = 5 << 20;

#[derive(Clone)]
pub(crate) struct Middleman {
    pub(crate) address: SocketAddr,
    manner: Arc<Mutex<Manner>>,
}

impl Middleman {
    /// Begins to stand before this member.
    pub(crate) fn before(member: SocketAddr) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let middleman = Self {
            address: listener.local_addr().expect("an address"),
            manner: Arc::new(Mutex::new(Manner::Honest)),
        };
        let manner = middleman.manner.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let manner = manner.clone();
                std::thread::spawn(move || serve(stream, member, &manner));
            }
        });
        middleman
    }

    pub(crate) fn behaves(&self, manner: Manner) {
        *self.manner.lock().unwrap_or_else(PoisonError::into_inner) = manner;
    }
}

fn serve(mut stream: TcpStream, member: SocketAddr, manner: &Mutex<Manner>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut behind = Connection::open(member)?;
    loop {
        let (is_health_check, len) = look(&stream)?;
        let manner = match is_health_check {
            true => Manner::Honest,
            false => *manner.lock().unwrap_or_else(PoisonError::into_inner),
        };
        match manner {
            Manner::Honest => pass_on(&mut stream, len, &mut behind)?,
            Manner::ResetBeforeHeaders => return Ok(()),
            Manner::ResetAfterHeaders => {
                stream.write_all(&head(100))?;
                stream.write_all(b"{\"header\":{")?;
                // What was sent before a reset is lost if it follows at once.
                std::thread::sleep(Duration::from_millis(20));
                return Ok(());
            }
            Manner::PutsUnanswered => {
                let mut request = vec![0; len];
                stream.peek(&mut request)?;
                if !String::from_utf8_lossy(&request).contains("request_put") {
                    pass_on(&mut stream, len, &mut behind)?;
                    continue;
                }
                behind.send(&request)?;
                behind.receive("POST")?;
                return Ok(());
            }
            Manner::SilentAfterHeaders => {
                stream.write_all(&head(100))?;
                return until_closed(&mut stream);
            }
            Manner::Silent => return until_closed(&mut stream),
            Manner::LongAnswer => {
                stream.read_exact(&mut vec![0; len])?;
                stream.write_all(&head(LONG))?;
                stream.write_all(&vec![b' '; LONG])?;
            }
        }
    }
}

/// Waits for a whole request without reading it: whether it is a health check, and its length.
fn look(stream: &TcpStream) -> io::Result<(bool, usize)> {
    let mut seen = vec![0; 1 << 16];
    loop {
        let len = stream.peek(&mut seen)?;
        if len == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let text = String::from_utf8_lossy(&seen[..len]);
        if let Some((head, _)) = text.split_once("\r\n\r\n") {
            let mut lines = head.lines();
            let is_health_check = lines.next().is_some_and(|line| line.contains(" /health"));
            let body = lines.find_map(|line| {
                let (name, value) = line.split_once(": ")?;
                let is_length = name.eq_ignore_ascii_case("content-length");
                is_length.then(|| value.parse::<usize>().ok())?
            });
            let whole = head.len() + 4 + body.unwrap_or(0);
            if len >= whole {
                return Ok((is_health_check, whole));
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn pass_on(stream: &mut TcpStream, len: usize, behind: &mut Connection) -> io::Result<()> {
    let mut request = vec![0; len];
    stream.read_exact(&mut request)?;
    behind.send(&request)?;
    let answer = behind.receive("POST")?;
    let mut bytes = format!("HTTP/1.1 {} Passed On\r\n", answer.status).into_bytes();
    for (name, value) in &answer.headers {
        if name != "content-length" && name != "transfer-encoding" {
            bytes.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
        }
    }
    bytes.extend(format!("content-length: {}\r\n\r\n", answer.body.len()).into_bytes());
    bytes.extend(answer.body);
    stream.write_all(&bytes)
}

fn head(len: usize) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len}\r\n\r\n")
        .into_bytes()
}

fn until_closed(stream: &mut TcpStream) -> io::Result<()> {
    io::copy(stream, &mut io::sink()).map(drop)
}

//! A raw HTTP/2 client: it sends exactly the header bytes it is given and reads what comes back.
//!
//! The counterpart of [`crate::http`] with prior knowledge and without TLS. Header blocks are written
//! as plain literals, so that a path may hold any byte, a pseudo-header may come twice and trailers may
//! say what they like; client libraries forbid all of that. It keeps to the flow control of the other
//! side, so bodies may be large. One request at a time; knows nothing of tokens.

use std::io::{self, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use loona_hpack::Decoder;

use crate::http::{Answer, Fields, PATIENCE, Request};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// The largest frame that anybody must take, in bytes.
const FRAME_BYTES_MAX: usize = 16_384;
/// The window before settings and updates, in bytes.
const WINDOW: i64 = 65_535;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const WINDOW_UPDATE: u8 = 8;
const CONTINUATION: u8 = 9;

const END_STREAM: u8 = 1;
const ACK: u8 = 1;
const END_HEADERS: u8 = 4;
const PADDED: u8 = 8;
const PRIORITY: u8 = 32;

const INITIAL_WINDOW_SIZE: u16 = 4;

/// A connection on which requests follow each other, each on a stream of its own.
pub struct Connection {
    stream: BufReader<TcpStream>,
    decoder: Decoder<'static>,
    next_stream: u32,
    /// What may still be sent: on the connection, on a new stream, on the current stream.
    windows: Windows,
}

#[derive(Clone, Copy)]
struct Windows {
    connection: i64,
    initial: i64,
    current: i64,
}

struct Frame {
    kind: u8,
    flags: u8,
    stream: u32,
    payload: Vec<u8>,
}

/// An answer as far as it has come.
#[derive(Default)]
struct Draft {
    headers: Vec<(String, Vec<u8>)>,
    block: Vec<u8>,
    body: Vec<u8>,
    done: bool,
}

impl Connection {
    /// Connects and says hello; reads and writes give up after [`PATIENCE`].
    ///
    /// # Errors
    /// When nobody listens there.
    pub fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut connection = Self {
            stream: BufReader::new(stream),
            decoder: Decoder::new(),
            next_stream: 1,
            windows: Windows {
                connection: WINDOW,
                initial: WINDOW,
                current: WINDOW,
            },
        };
        let mut hello = PREFACE.to_vec();
        hello.extend_from_slice(&frame(SETTINGS, 0, 0, &[]));
        connection.stream.get_mut().write_all(&hello)?;
        Ok(connection)
    }

    /// Sends one request and reads its answer; lines after the answer's body stand behind its headers.
    ///
    /// # Errors
    /// When the connection or the stream is reset, ends or times out: so an HTTP/2 proxy refuses what
    /// is malformed.
    pub fn exchange(&mut self, request: &Request) -> io::Result<Answer> {
        let ends = request.content().is_empty() && request.trailers().is_empty();
        let stream = self.send_head(&fields(request), ends)?;
        let mut draft = Draft::default();
        if !request.content().is_empty() {
            let last = request.trailers().is_empty();
            self.send_data_of(stream, request.content(), last, &mut draft)?;
        }
        if !request.trailers().is_empty() && !draft.done {
            self.send_block(stream, &lower(request.trailers()), true)?;
        }
        self.receive_rest(stream, draft)
    }

    /// Opens a stream with these headers, pseudo-headers included, in this order.
    ///
    /// # Errors
    /// When the other side is gone.
    pub fn send_head(&mut self, headers: &Fields, last: bool) -> io::Result<u32> {
        let stream = self.next_stream;
        self.next_stream += 2;
        self.windows.current = self.windows.initial;
        self.send_block(stream, headers, last)?;
        Ok(stream)
    }

    /// Sends a part of the body.
    ///
    /// # Errors
    /// When the other side is gone, resets the stream, or opens no window in time.
    pub fn send_data(&mut self, stream: u32, bytes: &[u8], last: bool) -> io::Result<()> {
        self.send_data_of(stream, bytes, last, &mut Draft::default())
    }

    /// Reads the answer on a stream.
    ///
    /// # Errors
    /// As [`Self::exchange`].
    pub fn receive(&mut self, stream: u32) -> io::Result<Answer> {
        self.receive_rest(stream, Draft::default())
    }

    fn receive_rest(&mut self, stream: u32, mut draft: Draft) -> io::Result<Answer> {
        while !draft.done {
            self.take_frame(stream, &mut draft)?;
        }
        let at = draft
            .headers
            .iter()
            .position(|(name, _)| name == ":status")
            .ok_or_else(|| broken("an answer without status"))?;
        let (_, status) = draft.headers.remove(at);
        let status = String::from_utf8_lossy(&status).parse();
        Ok(Answer {
            status: status.map_err(|_| broken("a status that is no number"))?,
            headers: draft.headers,
            body: draft.body,
        })
    }

    /// An answer that comes to its end before all is sent ends the sending.
    fn send_data_of(
        &mut self,
        stream: u32,
        mut bytes: &[u8],
        last: bool,
        draft: &mut Draft,
    ) -> io::Result<()> {
        while !draft.done {
            let room = self.windows.connection.min(self.windows.current);
            if room <= 0 {
                self.take_frame(stream, draft)?;
                continue;
            }
            let length = bytes.len().min(room as usize).min(FRAME_BYTES_MAX);
            let (part, rest) = bytes.split_at(length);
            let flags = if last && rest.is_empty() {
                END_STREAM
            } else {
                0
            };
            self.windows.connection -= length as i64;
            self.windows.current -= length as i64;
            self.stream
                .get_mut()
                .write_all(&frame(DATA, flags, stream, part))?;
            bytes = rest;
            if bytes.is_empty() {
                break;
            }
        }
        Ok(())
    }

    fn send_block(&mut self, stream: u32, lines: &Fields, last: bool) -> io::Result<()> {
        let block = literals(lines);
        let mut parts = block.chunks(FRAME_BYTES_MAX).peekable();
        let mut kind = HEADERS;
        let mut flags = if last { END_STREAM } else { 0 };
        while let Some(part) = parts.next() {
            if parts.peek().is_none() {
                flags |= END_HEADERS;
            }
            self.stream
                .get_mut()
                .write_all(&frame(kind, flags, stream, part))?;
            (kind, flags) = (CONTINUATION, 0);
        }
        Ok(())
    }

    fn take_frame(&mut self, stream: u32, draft: &mut Draft) -> io::Result<()> {
        let frame = self.read_frame()?;
        let ours = frame.stream == stream;
        match frame.kind {
            SETTINGS if frame.flags & ACK == 0 => self.take_settings(&frame.payload)?,
            PING if frame.flags & ACK == 0 => self.answer(PING, ACK, 0, &frame.payload)?,
            WINDOW_UPDATE => {
                let by = i64::from(number(&frame.payload)? & 0x7fff_ffff);
                if frame.stream == 0 {
                    self.windows.connection += by;
                } else if ours {
                    self.windows.current += by;
                }
            }
            HEADERS | CONTINUATION => {
                draft.block.extend_from_slice(unpadded(&frame)?);
                if frame.flags & END_HEADERS != 0 {
                    let block = std::mem::take(&mut draft.block);
                    let decoded = self.decoder.decode(&block);
                    let decoded = decoded.map_err(|_| broken("a header block"))?;
                    let lines = decoded.into_iter().map(|(name, value)| {
                        (String::from_utf8_lossy(&name).into_owned(), value.to_vec())
                    });
                    draft.headers.extend(lines);
                    // An interim answer.
                    let interim = |(name, value): &(String, Vec<u8>)| {
                        name == ":status" && value.starts_with(b"1")
                    };
                    if draft.headers.iter().any(interim) {
                        draft.headers.clear();
                    }
                }
                draft.done |= frame.kind == HEADERS && frame.flags & END_STREAM != 0;
            }
            DATA if ours => {
                draft.body.extend_from_slice(unpadded(&frame)?);
                draft.done |= frame.flags & END_STREAM != 0;
                let taken = (frame.payload.len() as u32).to_be_bytes();
                if !frame.payload.is_empty() {
                    self.answer(WINDOW_UPDATE, 0, 0, &taken)?;
                    self.answer(WINDOW_UPDATE, 0, stream, &taken)?;
                }
            }
            RST_STREAM if ours => return Err(io::ErrorKind::ConnectionReset.into()),
            GOAWAY => return Err(io::ErrorKind::ConnectionAborted.into()),
            _ => {}
        }
        Ok(())
    }

    fn take_settings(&mut self, payload: &[u8]) -> io::Result<()> {
        for setting in payload.chunks_exact(6) {
            let id = u16::from_be_bytes([setting[0], setting[1]]);
            if id == INITIAL_WINDOW_SIZE {
                let initial = i64::from(number(&setting[2..])?);
                self.windows.current += initial - self.windows.initial;
                self.windows.initial = initial;
            }
        }
        self.answer(SETTINGS, ACK, 0, &[])
    }

    fn answer(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) -> io::Result<()> {
        self.stream
            .get_mut()
            .write_all(&frame(kind, flags, stream, payload))
    }

    fn read_frame(&mut self) -> io::Result<Frame> {
        let mut head = [0; 9];
        self.stream.read_exact(&mut head)?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; length as usize];
        self.stream.read_exact(&mut payload)?;
        Ok(Frame {
            kind: head[3],
            flags: head[4],
            stream: number(&head[5..])? & 0x7fff_ffff,
            payload,
        })
    }
}

/// Sends a request on a connection of its own and reads the answer.
///
/// # Errors
/// As [`Connection::open`] and [`Connection::exchange`].
pub fn send_to(address: SocketAddr, request: &Request) -> io::Result<Answer> {
    Connection::open(address)?.exchange(request)
}

/// A request as HTTP/2 has it: pseudo-headers first, the first `Host` as `:authority`, names in lower
/// case. Headers whose names begin with a colon replace the pseudo-header of that name.
pub fn fields(request: &Request) -> Fields {
    let given = |name: &[u8]| {
        let mut lines = request.headers().iter();
        lines.any(|(found, _)| found == name)
    };
    let mut fields = Fields::new();
    let mut pseudo = |name: &[u8], value: &[u8]| {
        if !given(name) {
            fields.push((name.to_vec(), value.to_vec()));
        }
    };
    pseudo(b":method", request.method().as_bytes());
    pseudo(b":scheme", b"http");
    pseudo(b":path", request.target());
    let mut host = None;
    for (name, value) in request.headers() {
        if host.is_none() && name.eq_ignore_ascii_case(b"host") {
            host = Some(value);
        }
    }
    if let Some(host) = host {
        pseudo(b":authority", host);
    }
    let mut hosts = 0;
    let (mut first, mut rest) = (Fields::new(), Fields::new());
    for (name, value) in request.headers() {
        let line = (name.to_ascii_lowercase(), value.clone());
        hosts += u32::from(line.0 == b"host");
        if name.starts_with(b":") {
            first.push(line);
        } else if line.0 != b"host" || hosts > 1 {
            rest.push(line);
        }
    }
    fields.extend(first);
    fields.extend(rest);
    fields
}

fn lower(lines: &Fields) -> Fields {
    let lines = lines.iter();
    lines
        .map(|(name, value)| (name.to_ascii_lowercase(), value.clone()))
        .collect()
}

/// A header block of literals that are never indexed and not compressed.
fn literals(lines: &Fields) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in lines {
        block.push(0x10);
        for text in [name, value] {
            write_length(&mut block, text.len());
            block.extend_from_slice(text);
        }
    }
    block
}

/// An integer with a prefix of 7 bits (RFC 7541, 5.1).
fn write_length(block: &mut Vec<u8>, length: usize) {
    if length < 127 {
        block.push(length as u8);
        return;
    }
    block.push(127);
    let mut rest = length - 127;
    while rest >= 128 {
        block.push((rest % 128) as u8 | 128);
        rest /= 128;
    }
    block.push(rest as u8);
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let mut bytes = (payload.len() as u32).to_be_bytes()[1..].to_vec();
    bytes.extend_from_slice(&[kind, flags]);
    bytes.extend_from_slice(&stream.to_be_bytes());
    bytes.extend_from_slice(payload);
    bytes
}

fn unpadded(frame: &Frame) -> io::Result<&[u8]> {
    let mut payload = frame.payload.as_slice();
    if frame.kind != CONTINUATION && frame.flags & PADDED != 0 {
        let (padding, rest) = payload.split_first().ok_or_else(|| broken("padding"))?;
        let length = rest.len().checked_sub(usize::from(*padding));
        payload = &rest[..length.ok_or_else(|| broken("padding"))?];
    }
    if frame.kind == HEADERS && frame.flags & PRIORITY != 0 {
        payload = payload.get(5..).ok_or_else(|| broken("a priority"))?;
    }
    Ok(payload)
}

fn number(bytes: &[u8]) -> io::Result<u32> {
    let bytes = bytes.first_chunk().ok_or_else(|| broken("a number"))?;
    Ok(u32::from_be_bytes(*bytes))
}

fn broken(what: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("not HTTP/2: {what} is broken"),
    )
}

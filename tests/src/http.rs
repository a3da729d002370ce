//! A raw HTTP/1.1 client: it sends exactly the bytes it is given and reads what comes back.
//!
//! Made for what a good client library forbids: duplicate headers, broken names, bytes that are no
//! text, a body that stops in the middle. Blocking, keep-alive, with a time limit on every read and
//! write; it follows nothing, retries nothing and knows nothing of tokens.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// How long a connection waits for the other side, unless told otherwise.
pub const PATIENCE: Duration = Duration::from_secs(15);

/// The longest header line that is read, in bytes.
const LINE_BYTES_MAX: u64 = 64 * 1024;

/// Header lines in order: the name, in lower case where it was read, and the value's bytes.
pub type Headers = Vec<(String, Vec<u8>)>;

/// A TCP connection on which requests follow each other.
#[derive(Debug)]
pub struct Connection {
    stream: BufReader<TcpStream>,
}

/// An answer as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// Every header line in order.
    pub headers: Headers,
    /// The body, without its framing.
    pub body: Vec<u8>,
}

impl Connection {
    /// Connects; reads and writes give up after [`PATIENCE`].
    ///
    /// # Errors
    /// When nobody listens there.
    pub fn open(address: SocketAddr) -> io::Result<Self> {
        Self::open_within(address, PATIENCE)
    }

    /// Like [`Self::open`], with another time limit on connecting and on each read and write.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_within(address: SocketAddr, patience: Duration) -> io::Result<Self> {
        let stream = TcpStream::connect_timeout(&address, patience)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(patience))?;
        stream.set_write_timeout(Some(patience))?;
        Ok(Self {
            stream: BufReader::new(stream),
        })
    }

    /// Sends the bytes as they are, with one write.
    ///
    /// # Errors
    /// When the other side is gone or does not take them in time.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    /// Reads one answer; interim answers (100 and so on) are passed over.
    ///
    /// # Errors
    /// When the connection ends, times out, or what comes is no HTTP/1.1.
    pub fn receive(&mut self, method: &str) -> io::Result<Answer> {
        loop {
            let (status, headers) = self.read_head()?;
            if (100..200).contains(&status) && status != 101 {
                continue;
            }
            let mut answer = Answer {
                status,
                headers,
                body: Vec::new(),
            };
            if method != "HEAD" && status >= 200 && status != 204 && status != 304 {
                answer.body = self.read_body(&answer)?;
            }
            return Ok(answer);
        }
    }

    /// Sends one request and reads its answer.
    ///
    /// # Errors
    /// As [`Self::send`] and [`Self::receive`].
    pub fn exchange(&mut self, request: &Request) -> io::Result<Answer> {
        self.send(&request.bytes())?;
        self.receive(&request.method)
    }

    fn read_head(&mut self) -> io::Result<(u16, Headers)> {
        let line = self.read_line()?;
        let text = String::from_utf8_lossy(&line);
        let status = text
            .strip_prefix("HTTP/1.1 ")
            .and_then(|rest| rest.get(..3)?.parse().ok());
        let status = status.ok_or_else(|| broken(&format!("no status line: {text:?}")))?;
        let mut headers = Vec::new();
        loop {
            let line = self.read_line()?;
            if line.is_empty() {
                return Ok((status, headers));
            }
            let colon = line
                .iter()
                .position(|byte| *byte == b':')
                .ok_or_else(|| broken("a header without colon"))?;
            let name = String::from_utf8_lossy(&line[..colon]).to_ascii_lowercase();
            headers.push((name, line[colon + 1..].trim_ascii().to_vec()));
        }
    }

    fn read_body(&mut self, answer: &Answer) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        if answer.text("transfer-encoding").as_deref() == Some("chunked") {
            while let Some(chunk) = self.read_chunk()? {
                body.extend_from_slice(&chunk);
            }
        } else if let Some(length) = answer.text("content-length") {
            let length = length
                .parse()
                .map_err(|_| broken("a Content-Length that is no number"))?;
            self.stream.by_ref().take(length).read_to_end(&mut body)?;
            if body.len() as u64 != length {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        } else {
            self.stream.read_to_end(&mut body)?;
        }
        Ok(body)
    }

    fn read_chunk(&mut self) -> io::Result<Option<Vec<u8>>> {
        let line = self.read_line()?;
        let size = String::from_utf8_lossy(&line);
        let size = usize::from_str_radix(size.split(';').next().unwrap_or("").trim(), 16);
        let size = size.map_err(|_| broken("a chunk without size"))?;
        let mut chunk = vec![0; size];
        self.stream.read_exact(&mut chunk)?;
        // After the last chunk: trailers up to the empty line; after any other: one line end.
        while !self.read_line()?.is_empty() {}
        Ok((size > 0).then_some(chunk))
    }

    fn read_line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        self.stream
            .by_ref()
            .take(LINE_BYTES_MAX)
            .read_until(b'\n', &mut line)?;
        if line.pop() != Some(b'\n') {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        Ok(line)
    }
}

impl Answer {
    /// The first value of a header as text; `name` in lower case.
    pub fn text(&self, name: &str) -> Option<String> {
        self.all(name)
            .next()
            .map(|value| String::from_utf8_lossy(value).into_owned())
    }

    /// Every value of a header; `name` in lower case.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> {
        self.headers
            .iter()
            .filter(move |(found, _)| found == name)
            .map(|(_, value)| value.as_slice())
    }

    /// The body as JSON; `Null` when it is none.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// The `reason` of a problem body, or an empty text.
    pub fn reason(&self) -> String {
        self.json()["reason"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// The body as text, for people.
    pub fn body_text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// A request to be sent as it is: nothing is added but a `Content-Length` when there is a body.
#[derive(Clone, Debug)]
pub struct Request {
    method: String,
    target: Vec<u8>,
    headers: Fields,
    body: Vec<u8>,
    trailers: Fields,
}

/// Header lines to be sent, in order: name and value, any bytes.
pub type Fields = Vec<(Vec<u8>, Vec<u8>)>;

impl Request {
    /// A request without headers; `target` is sent as given.
    pub fn new(method: &str, target: impl AsRef<[u8]>) -> Self {
        Self {
            method: method.to_owned(),
            target: target.as_ref().to_vec(),
            headers: Vec::new(),
            body: Vec::new(),
            trailers: Vec::new(),
        }
    }

    /// The method.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// The target, as given.
    pub fn target(&self) -> &[u8] {
        &self.target
    }

    /// The header lines, as given.
    pub fn headers(&self) -> &Fields {
        &self.headers
    }

    /// What is sent as body.
    pub fn content(&self) -> &[u8] {
        &self.body
    }

    /// The lines after the body, as given.
    pub fn trailers(&self) -> &Fields {
        &self.trailers
    }

    /// Adds a line after the body, which is then sent in chunks (HTTP/1.1) or followed by a second
    /// block of headers (HTTP/2).
    #[must_use]
    pub fn trailer(mut self, name: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Self {
        self.trailers
            .push((name.as_ref().to_vec(), value.as_ref().to_vec()));
        self
    }

    /// Adds a header line, also one that is there already; any bytes.
    #[must_use]
    pub fn header(mut self, name: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Self {
        self.headers
            .push((name.as_ref().to_vec(), value.as_ref().to_vec()));
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: impl AsRef<[u8]>) -> Self {
        self.body = body.as_ref().to_vec();
        self
    }

    /// The bytes on the wire.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.head();
        if self.trailers.is_empty() {
            bytes.extend_from_slice(&self.body);
            return bytes;
        }
        if !self.body.is_empty() {
            bytes.extend_from_slice(format!("{:x}\r\n", self.body.len()).as_bytes());
            bytes.extend_from_slice(&self.body);
            bytes.extend_from_slice(b"\r\n");
        }
        bytes.extend_from_slice(b"0\r\n");
        write_lines(&mut bytes, &self.trailers);
        bytes.extend_from_slice(b"\r\n");
        bytes
    }

    /// The bytes on the wire up to the body.
    pub fn head(&self) -> Vec<u8> {
        let mut bytes = format!("{} ", self.method).into_bytes();
        bytes.extend_from_slice(&self.target);
        bytes.extend_from_slice(b" HTTP/1.1\r\n");
        write_lines(&mut bytes, &self.headers);
        if !self.trailers.is_empty() {
            bytes.extend_from_slice(b"Transfer-Encoding: chunked\r\n");
        } else if !self.body.is_empty() || matches!(self.method.as_str(), "PUT" | "POST" | "PATCH")
        {
            bytes.extend_from_slice(format!("Content-Length: {}\r\n", self.body.len()).as_bytes());
        }
        bytes.extend_from_slice(b"\r\n");
        bytes
    }

    /// Sends it on a connection of its own and reads the answer.
    ///
    /// # Errors
    /// As [`Connection::open`] and [`Connection::exchange`].
    pub fn send_to(&self, address: SocketAddr) -> io::Result<Answer> {
        Connection::open(address)?.exchange(self)
    }
}

fn write_lines(bytes: &mut Vec<u8>, lines: &Fields) {
    for (name, value) in lines {
        bytes.extend_from_slice(&[name, b": ".as_slice(), value, b"\r\n"].concat());
    }
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

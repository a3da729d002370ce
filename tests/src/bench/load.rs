//! A closed loop: so many connections, on each of which the next request follows the answer.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Contender;

/// How much is asked, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// How many requests are under way at once.
    pub connections: usize,
    /// For how long.
    pub duration: Duration,
}

/// What one contender did under a load.
#[derive(Clone, Debug)]
pub struct Slice {
    /// Answers a second.
    pub rate: f64,
    /// The contender's processor time for each answer, in microseconds.
    pub cpu_us: f64,
    /// Half of the answers came within so many microseconds.
    pub p50_us: f64,
    /// All but one in a hundred did.
    pub p99_us: f64,
}

impl Load {
    /// Loads a contender.
    ///
    /// # Errors
    /// A connection that breaks, or an answer that is not as it must be.
    pub fn put_on(&self, contender: &Contender) -> io::Result<Slice> {
        let over = AtomicBool::new(false);
        let ready = Barrier::new(self.connections + 1);
        std::thread::scope(|scope| {
            let clients: Vec<_> = (0..self.connections)
                .map(|_| scope.spawn(|| client(contender, &ready, &over)))
                .collect();
            ready.wait();
            let (start, before) = (Instant::now(), cpu_time(contender.pid)?);
            std::thread::sleep(self.duration);
            over.store(true, Ordering::Relaxed);
            let (seconds, after) = (start.elapsed().as_secs_f64(), cpu_time(contender.pid)?);
            let mut times = Vec::new();
            for client in clients {
                times.extend(client.join().expect("a client does not panic")?);
            }
            Ok(slice(times, seconds, after.saturating_sub(before)))
        })
    }
}

fn slice(mut times: Vec<u32>, seconds: f64, cpu: Duration) -> Slice {
    times.sort_unstable();
    let answers = times.len().max(1) as f64;
    let at = |share: f64| {
        let index = (answers * share) as usize;
        times
            .get(index)
            .map_or(0.0, |nanos| f64::from(*nanos) / 1e3)
    };
    Slice {
        rate: answers / seconds,
        cpu_us: cpu.as_secs_f64() * 1e6 / answers,
        p50_us: at(0.5),
        p99_us: at(0.99),
    }
}

/// How long each answer took, in nanoseconds.
fn client(contender: &Contender, ready: &Barrier, over: &AtomicBool) -> io::Result<Vec<u32>> {
    let opened = Client::open(contender.address);
    // Everybody waits here, also who has no connection: else the others would wait for ever.
    ready.wait();
    let mut client = opened?;
    let mut times = Vec::with_capacity(1 << 16);
    while !over.load(Ordering::Relaxed) {
        let start = Instant::now();
        let status = client.exchange(&contender.request)?;
        if status != contender.status {
            let sentence = format!(
                "{}: {status} in place of {}",
                contender.name, contender.status
            );
            return Err(io::Error::other(sentence));
        }
        times.push(u32::try_from(start.elapsed().as_nanos()).unwrap_or(u32::MAX));
    }
    Ok(times)
}

/// A client that reads no more of an answer than its end: it must cost less than the proxy.
struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(crate::http::PATIENCE))?;
        Ok(Self {
            stream,
            buffer: vec![0; 16 * 1024],
        })
    }

    fn exchange(&mut self, request: &[u8]) -> io::Result<u16> {
        self.stream.write_all(request)?;
        let mut filled = 0;
        loop {
            let read = self.stream.read(&mut self.buffer[filled..])?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            filled += read;
            if let Some(status) = whole(&self.buffer[..filled])? {
                return Ok(status);
            }
        }
    }
}

/// The status of an answer, if all of it is there.
fn whole(bytes: &[u8]) -> io::Result<Option<u16>> {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
    let length = head
        .split("content-length:")
        .nth(1)
        .and_then(|rest| rest.lines().next()?.trim().parse().ok())
        .unwrap_or(0_usize);
    let status = head.get(9..12).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| io::Error::other("no status line"))?;
    Ok((bytes.len() >= end + 4 + length).then_some(status))
}

/// The processor time that a process has used so far.
fn cpu_time(pid: u32) -> io::Result<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name in brackets may hold anything; after it, the 12th and 13th fields are user and system time.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = fields
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    let per_second = rustix::param::clock_ticks_per_second();
    Ok(Duration::from_secs_f64(ticks as f64 / per_second as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_whole_when_its_body_is() {
        let answer = b"HTTP/1.1 412 Precondition Failed\r\nContent-Length: 3\r\n\r\nabc";
        for len in 0..answer.len() {
            assert_eq!(
                whole(&answer[..len]).expect("no error"),
                None,
                "{len} bytes"
            );
        }
        assert_eq!(whole(answer).expect("an answer"), Some(412));
    }

    #[test]
    fn processor_time_only_rises_while_one_counts() {
        let pid = std::process::id();
        let before = cpu_time(pid).expect("this process");
        let start = Instant::now();
        while cpu_time(pid).expect("this process") == before {
            assert!(start.elapsed() < Duration::from_secs(10), "no time passes");
        }
    }
}

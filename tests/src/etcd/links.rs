//! What lies between the members of a cluster: a way to each of them that can be cut.
//!
//! Members look for each other at these addresses; whoever calls is known by the process that owns the
//! other end of the connection. A cut way is silent: connections stay, new ones are taken, and
//! nothing gets through in either direction until it is whole again, as with a cable. So it needs
//! neither root nor anything of the operating system but `/proc`.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The ways to all members. Dropping it ends them.
#[derive(Debug)]
pub(super) struct Links {
    addresses: Vec<SocketAddr>,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Of each member: whether it is cut off, and its process.
    cut_off: Vec<bool>,
    processes: Vec<Option<u32>>,
    ended: bool,
}

impl Links {
    /// A way to each of these listeners.
    pub(super) fn between(members: &[SocketAddr]) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                cut_off: vec![false; members.len()],
                processes: vec![None; members.len()],
                ended: false,
            }),
            changed: Condvar::new(),
        });
        let mut addresses = Vec::new();
        for (to, address) in members.iter().copied().enumerate() {
            let listener = TcpListener::bind(("127.0.0.1", 0))?;
            addresses.push(listener.local_addr()?);
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.accept(&listener, to, address));
        }
        Ok(Self { addresses, shared })
    }

    pub(super) fn addresses(&self) -> Vec<SocketAddr> {
        self.addresses.clone()
    }

    /// A member is this process from now on.
    pub(super) fn belongs_to(&self, process: u32, member: usize) {
        self.shared.state().processes[member] = Some(process);
    }

    pub(super) fn cut_off(&self, member: usize) {
        self.shared.state().cut_off[member] = true;
    }

    pub(super) fn reconnect(&self, member: usize) {
        self.shared.state().cut_off[member] = false;
        self.shared.changed.notify_all();
    }
}

impl Drop for Links {
    fn drop(&mut self) {
        self.shared.state().ended = true;
        self.shared.changed.notify_all();
        for address in &self.addresses {
            // Wakes whoever waits for a connection.
            TcpStream::connect(address).ok();
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes connections to one member until the end.
    fn accept(self: Arc<Self>, listener: &TcpListener, to: usize, address: SocketAddr) {
        for stream in listener.incoming() {
            if self.state().ended {
                return;
            }
            let (Ok(stream), shared) = (stream, Arc::clone(&self)) else {
                continue;
            };
            thread::spawn(move || shared.connect(stream, to, address));
        }
    }

    /// Brings one connection to its member.
    fn connect(self: Arc<Self>, stream: TcpStream, to: usize, address: SocketAddr) -> Option<()> {
        let port = stream.peer_addr().ok()?.port();
        let processes = self.state().processes.clone();
        let from = processes
            .iter()
            .position(|process| process.is_some_and(|process| owns(process, port)))?;
        self.wait_until_whole(from, to)?;
        let onward = TcpStream::connect(address).ok()?;
        for stream in [&stream, &onward] {
            stream.set_nodelay(true).ok()?;
        }
        let (back_from, back_to) = (onward.try_clone().ok()?, stream.try_clone().ok()?);
        let shared = Arc::clone(&self);
        thread::spawn(move || shared.carry(back_from, back_to, from, to));
        self.carry(stream, onward, from, to);
        Some(())
    }

    /// Carries what comes in one direction.
    fn carry(&self, mut from: TcpStream, mut to: TcpStream, one: usize, other: usize) {
        let mut bytes = vec![0; 64 * 1024];
        while let Ok(count) = from.read(&mut bytes) {
            let whole = self.wait_until_whole(one, other).is_some();
            if count == 0 || !whole || to.write_all(&bytes[..count]).is_err() {
                break;
            }
        }
        to.shutdown(Shutdown::Write).ok();
        from.shutdown(Shutdown::Read).ok();
    }

    /// Waits while either of the two is cut off; `None` at the end of all.
    fn wait_until_whole(&self, one: usize, other: usize) -> Option<()> {
        let cut = |state: &mut State| !state.ended && (state.cut_off[one] || state.cut_off[other]);
        let state = self.changed.wait_while(self.state(), cut);
        let state = state.unwrap_or_else(PoisonError::into_inner);
        (!state.ended).then_some(())
    }
}

/// Whether a process has the connection that comes from this port.
fn owns(process: u32, port: u16) -> bool {
    let Some(socket) = socket_at(port) else {
        return false;
    };
    let Ok(open) = fs::read_dir(format!("/proc/{process}/fd")) else {
        return false;
    };
    open.flatten()
        .filter_map(|entry| fs::read_link(entry.path()).ok())
        .any(|target| target.as_os_str() == socket.as_str())
}

/// How `/proc` names the socket with this local port on 127.0.0.1.
fn socket_at(port: u16) -> Option<String> {
    let table = fs::read_to_string("/proc/net/tcp").ok()?;
    let local = format!("0100007F:{port:04X}");
    // Number, local and remote address, state, queues, timer, retries, user, time-out, inode.
    let mut lines = table.lines().map(|line| line.split_whitespace());
    let inode = lines.find_map(|mut fields| {
        (fields.nth(1)? == local).then_some(())?;
        fields.nth(7).filter(|inode| *inode != "0")
    })?;
    Some(format!("socket:[{inode}]"))
}

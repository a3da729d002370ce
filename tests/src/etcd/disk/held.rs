//! System calls that the kernel holds until they are let go.
#![allow(unsafe_code, reason = "nothing but libc has these calls")]

use std::io;
use std::mem;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Arc;
use std::{ptr, thread};

use libc::{
    BPF_ABS, BPF_JEQ, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, CMSG_DATA, CMSG_FIRSTHDR, CMSG_LEN,
    CMSG_SPACE, c_ulong, cmsghdr, iovec, msghdr, sock_filter, sock_fprog,
};

use super::Delay;

/// The numbers of the two calls, from the kernel's `seccomp.h`.
const RECEIVE: c_ulong = 0xc050_2100;
const SEND: c_ulong = 0xc018_2101;

/// What `command` starts has its writes to disk held. Where the one who lets them go is told of each
/// start.
pub(super) fn hold(command: &mut Command) -> io::Result<UnixStream> {
    let (told, telling) = UnixStream::pair()?;
    // SAFETY: between fork and exec only system calls are made, on memory that is there already.
    unsafe {
        command.pre_exec(move || {
            let listener = install()?;
            send(telling.as_raw_fd(), listener)
        });
    }
    Ok(told)
}

/// Lets the held calls of a process that was just started go on, each after the delay of the moment.
pub(super) fn let_go(told: &UnixStream, delay: Arc<Delay>) -> io::Result<()> {
    let listener = receive(told.as_raw_fd())?;
    thread::spawn(move || {
        while let Some(held) = next(&listener) {
            thread::sleep(delay.now());
            go_on(&listener, held);
        }
    });
    Ok(())
}

fn install() -> io::Result<RawFd> {
    let statement = |code, k| sock_filter {
        code: code as u16,
        jt: 0,
        jf: 0,
        k,
    };
    let equal = |k, jt, jf| sock_filter {
        code: (BPF_JMP | BPF_JEQ | BPF_K) as u16,
        jt,
        jf,
        k,
    };
    let mut filter = [
        // The call's number comes first in what the filter sees.
        statement(BPF_LD | BPF_W | BPF_ABS, 0),
        equal(libc::SYS_fdatasync as u32, 1, 0),
        equal(libc::SYS_fsync as u32, 0, 1),
        statement(BPF_RET | BPF_K, libc::SECCOMP_RET_USER_NOTIF),
        statement(BPF_RET | BPF_K, libc::SECCOMP_RET_ALLOW),
    ];
    let program = sock_fprog {
        len: filter.len() as u16,
        filter: filter.as_mut_ptr(),
    };
    // SAFETY: the program outlives the call, which copies it.
    unsafe {
        if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
            return Err(io::Error::last_os_error());
        }
        let listener = libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
            &raw const program,
        );
        match listener {
            ..0 => Err(io::Error::last_os_error()),
            listener => Ok(listener as RawFd),
        }
    }
}

/// The next call that is held; `None` when the process is gone.
fn next(listener: &OwnedFd) -> Option<u64> {
    loop {
        let mut waiting = libc::pollfd {
            fd: listener.as_raw_fd(),
            events: libc::POLLIN,
            revents: 0,
        };
        // SAFETY: one entry, as it says.
        unsafe { libc::poll(&raw mut waiting, 1, -1) };
        if waiting.revents & libc::POLLIN == 0 && waiting.revents != 0 {
            return None;
        }
        // SAFETY: the kernel wants it zeroed, and zeroes are good values of it.
        let mut held: libc::seccomp_notif = unsafe { mem::zeroed() };
        // SAFETY: a pointer to a value of the type that the call fills.
        if unsafe { libc::ioctl(listener.as_raw_fd(), RECEIVE, &raw mut held) } == 0 {
            return Some(held.id);
        }
        // A signal came in between: the call comes again.
    }
}

fn go_on(listener: &OwnedFd, id: u64) {
    let mut answer = libc::seccomp_notif_resp {
        id,
        val: 0,
        error: 0,
        flags: libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32,
    };
    // SAFETY: a pointer to a value of the type that the call reads.
    unsafe { libc::ioctl(listener.as_raw_fd(), SEND, &raw mut answer) };
}

/// A message of one byte, with room for one descriptor beside it.
struct Message {
    byte: u8,
    beside: [u64; 8],
}

impl Message {
    /// Makes the call with it.
    fn with(&mut self, call: impl FnOnce(&mut msghdr) -> isize) -> io::Result<()> {
        let mut vector = iovec {
            iov_base: ptr::from_mut(&mut self.byte).cast(),
            iov_len: 1,
        };
        // SAFETY: zeroes are good values of it.
        let mut header: msghdr = unsafe { mem::zeroed() };
        header.msg_iov = &raw mut vector;
        header.msg_iovlen = 1;
        header.msg_control = self.beside.as_mut_ptr().cast();
        // SAFETY: arithmetic alone.
        header.msg_controllen = unsafe { CMSG_SPACE(FD_BYTES) } as _;
        match call(&mut header) {
            1 => Ok(()),
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

const FD_BYTES: u32 = size_of::<RawFd>() as u32;

fn send(socket: RawFd, descriptor: RawFd) -> io::Result<()> {
    let mut message = Message {
        byte: 0,
        beside: [0; 8],
    };
    message.with(|header| {
        // SAFETY: there is room for a header and a descriptor.
        unsafe {
            let beside: *mut cmsghdr = CMSG_FIRSTHDR(header);
            (*beside).cmsg_level = libc::SOL_SOCKET;
            (*beside).cmsg_type = libc::SCM_RIGHTS;
            (*beside).cmsg_len = CMSG_LEN(FD_BYTES) as _;
            CMSG_DATA(beside)
                .cast::<RawFd>()
                .write_unaligned(descriptor);
            libc::sendmsg(socket, header, 0)
        }
    })
}

fn receive(socket: RawFd) -> io::Result<OwnedFd> {
    let mut message = Message {
        byte: 0,
        beside: [0; 8],
    };
    let mut descriptor = -1;
    message.with(|header| {
        // SAFETY: the kernel says how much is there; without a descriptor there is no header.
        unsafe {
            let count = libc::recvmsg(socket, header, libc::MSG_CMSG_CLOEXEC);
            let beside: *mut cmsghdr = CMSG_FIRSTHDR(header);
            if count == 1 && !beside.is_null() {
                descriptor = CMSG_DATA(beside).cast::<RawFd>().read_unaligned();
            }
            count
        }
    })?;
    match descriptor {
        ..0 => Err(io::Error::other("no descriptor came")),
        // SAFETY: it was just received, and nobody else has it.
        descriptor => Ok(unsafe { OwnedFd::from_raw_fd(descriptor) }),
    }
}

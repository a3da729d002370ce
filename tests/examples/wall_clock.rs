//! A wall clock that can be stepped, to be preloaded into an Envoy (`LD_PRELOAD`).
//!
//! It answers `clock_gettime`, `gettimeofday` and `time` with the real wall clock plus the seconds that
//! stand in the file that `FENCEGATE_WALL_SHIFT` names; every other clock is left alone. libfaketime
//! does not serve here: with Envoy's allocator it hangs before `main`. So nothing here allocates.
#![cfg(target_os = "linux")]
#![allow(unsafe_code, reason = "it takes the place of functions of libc")]

use libc::{CLOCK_REALTIME, O_RDONLY, c_int, c_void, clockid_t, time_t, timespec, timeval};

/// The wall clock, shifted; any other clock as it is.
///
/// # Safety
/// As for the function of libc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_gettime(clock: clockid_t, out: *mut timespec) -> c_int {
    // SAFETY: the caller's pointer, as it is; written on success.
    let status = unsafe { libc::syscall(libc::SYS_clock_gettime, clock, out) };
    if status == 0 && clock == CLOCK_REALTIME {
        // SAFETY: the call succeeded, so the pointer is good.
        unsafe { (*out).tv_sec += shift() };
    }
    status as c_int
}

/// The same in microseconds.
///
/// # Safety
/// As for the function of libc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gettimeofday(out: *mut timeval, _zone: *mut c_void) -> c_int {
    let now = now();
    if !out.is_null() {
        // SAFETY: the caller's pointer.
        unsafe {
            (*out).tv_sec = now.tv_sec;
            (*out).tv_usec = now.tv_nsec / 1000;
        }
    }
    0
}

/// The same in seconds.
///
/// # Safety
/// As for the function of libc.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn time(out: *mut time_t) -> time_t {
    let now = now().tv_sec;
    if !out.is_null() {
        // SAFETY: the caller's pointer.
        unsafe { *out = now };
    }
    now
}

fn now() -> timespec {
    let mut now = timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: a pointer to a local value.
    unsafe { clock_gettime(CLOCK_REALTIME, &raw mut now) };
    now
}

/// What the file says, 0 where it says nothing.
fn shift() -> i64 {
    let mut text = [0_u8; 32];
    // SAFETY: strings end with NUL, the buffer is as long as it is said to be.
    let length = unsafe {
        let path = libc::getenv(c"FENCEGATE_WALL_SHIFT".as_ptr());
        if path.is_null() {
            return 0;
        }
        let file = libc::open(path, O_RDONLY);
        if file < 0 {
            return 0;
        }
        let length = libc::read(file, text.as_mut_ptr().cast(), text.len());
        libc::close(file);
        length
    };
    let text = text.get(..length.max(0) as usize).unwrap_or_default();
    let text = core::str::from_utf8(text).unwrap_or_default();
    text.trim().parse().unwrap_or(0)
}

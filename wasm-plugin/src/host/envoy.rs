//! The host calls of proxy-wasm 0.2.1: the only place that names them.
//!
//! A call that returns data asks this module for memory (`proxy_on_memory_allocate`) while it
//! runs. It is given the caller's own buffer, so nothing is copied or freed.

#![allow(unsafe_code, reason = "host calls are foreign functions")]

use super::{
    CallId, Cas, CounterId, HistogramId, Host, HostError, Level, NotSet, Post, Reply, pairs,
};
use core::cell::RefCell;
use core::time::Duration;
use fencegate_core::moment::{Moment, millis_down};

const OK: u32 = 0;
const NOT_FOUND: u32 = 1;
const CAS_MISMATCH: u32 = 8;
/// The host said that all is well and gave no data.
const NO_DATA: HostError = HostError(u32::MAX);

const REQUEST_HEADERS: u32 = 0;
const RESPONSE_HEADERS: u32 = 2;
const ANSWER_HEADERS: u32 = 6;
const REQUEST_BODY: u32 = 0;
const ANSWER_BODY: u32 = 4;
const REQUEST_STREAM: u32 = 0;
const PLUGIN_CONFIGURATION: u32 = 7;
const COUNTER: u32 = 0;
const HISTOGRAM: u32 = 2;
const CLOCK_REALTIME: u32 = 0;
const CLOCK_MONOTONIC: u32 = 1;

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    fn proxy_log(level: u32, text: *const u8, len: usize) -> u32;
    fn proxy_get_shared_data(
        key: *const u8,
        key_len: usize,
        value: *mut *mut u8,
        value_len: *mut usize,
        cas: *mut u32,
    ) -> u32;
    fn proxy_set_shared_data(
        key: *const u8,
        key_len: usize,
        value: *const u8,
        value_len: usize,
        cas: u32,
    ) -> u32;
    fn proxy_get_header_map_pairs(map: u32, data: *mut *mut u8, len: *mut usize) -> u32;
    fn proxy_replace_header_map_value(
        map: u32,
        name: *const u8,
        name_len: usize,
        value: *const u8,
        value_len: usize,
    ) -> u32;
    fn proxy_get_buffer_bytes(
        buffer: u32,
        start: usize,
        len_max: usize,
        data: *mut *mut u8,
        len: *mut usize,
    ) -> u32;
    fn proxy_get_property(
        path: *const u8,
        path_len: usize,
        data: *mut *mut u8,
        len: *mut usize,
    ) -> u32;
    fn proxy_set_property(
        path: *const u8,
        path_len: usize,
        value: *const u8,
        value_len: usize,
    ) -> u32;
    fn proxy_send_local_response(
        status: u32,
        details: *const u8,
        details_len: usize,
        body: *const u8,
        body_len: usize,
        headers: *const u8,
        headers_len: usize,
        grpc_status: i32,
    ) -> u32;
    fn proxy_continue_stream(stream: u32) -> u32;
    fn proxy_http_call(
        cluster: *const u8,
        cluster_len: usize,
        headers: *const u8,
        headers_len: usize,
        body: *const u8,
        body_len: usize,
        trailers: *const u8,
        trailers_len: usize,
        timeout: u32,
        id: *mut u32,
    ) -> u32;
    fn proxy_define_metric(kind: u32, name: *const u8, name_len: usize, id: *mut u32) -> u32;
    fn proxy_increment_metric(id: u32, by: i64) -> u32;
    fn proxy_record_metric(id: u32, value: u64) -> u32;
    fn proxy_set_tick_period_milliseconds(period: u32) -> u32;
    fn proxy_set_effective_context(context: u32) -> u32;
}

#[link(wasm_import_module = "wasi_snapshot_preview1")]
unsafe extern "C" {
    fn clock_time_get(clock: u32, precision: u64, time: *mut u64) -> u32;
    fn random_get(buffer: *mut u8, len: usize) -> u32;
}

thread_local! {
    /// Where the memory that the host asks for next is to lie.
    static LANDING: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Memory for the host to write what a call returns; null if there is none, which the host
/// takes as a failed call.
pub(super) fn allocate(len: usize) -> *mut u8 {
    LANDING.with(|landing| {
        let Ok(mut landing) = landing.try_borrow_mut() else {
            return core::ptr::null_mut();
        };
        landing.clear();
        match landing.try_reserve(len.max(1)) {
            Ok(()) => landing.as_mut_ptr(),
            Err(_) => core::ptr::null_mut(),
        }
    })
}

/// Makes a call that returns data, with `into` as the memory for it.
fn receive(
    into: &mut Vec<u8>,
    call: impl FnOnce(*mut *mut u8, *mut usize) -> u32,
) -> Result<(), HostError> {
    LANDING.with(|landing| landing.swap(&RefCell::new(core::mem::take(into))));
    let mut data: *mut u8 = core::ptr::null_mut();
    let mut len = 0_usize;
    let status = call(&raw mut data, &raw mut len);
    *into = LANDING.with(RefCell::take);
    if status != OK {
        into.clear();
        return Err(HostError(status));
    }
    if len == 0 {
        into.clear();
        return Ok(());
    }
    if data != into.as_mut_ptr() || len > into.capacity() {
        into.clear();
        return Err(NO_DATA);
    }
    // SAFETY: `data` is the buffer's own memory, of at least `len` bytes, which the host has
    // just written.
    unsafe { into.set_len(len) };
    Ok(())
}

/// Header pairs as the host takes them.
fn block(headers: &[(&str, &str)]) -> Vec<u8> {
    let mut block = Vec::new();
    let pairs = headers.iter();
    pairs::write(
        pairs.map(|(name, value)| (name.as_bytes(), value.as_bytes())),
        &mut block,
    );
    block
}

fn done(status: u32) -> Result<(), HostError> {
    if status == OK {
        Ok(())
    } else {
        Err(HostError(status))
    }
}

/// At most `len_max` bytes of one of the host's buffers.
fn buffer(buffer: u32, len_max: u32, into: &mut Vec<u8>) -> Result<(), HostError> {
    let len_max = usize::try_from(len_max).map_err(|_| NO_DATA)?;
    // SAFETY: both pointers are to live variables.
    receive(into, |data, len| unsafe {
        proxy_get_buffer_bytes(buffer, 0, len_max, data, len)
    })
}

fn metric(kind: u32, name: &str) -> Result<u32, HostError> {
    let mut id = 0_u32;
    // SAFETY: the pointers are to a text and a variable that live until the call returns.
    done(unsafe { proxy_define_metric(kind, name.as_ptr(), name.len(), &raw mut id) })?;
    Ok(id)
}

fn clock(clock: u32) -> Result<u64, HostError> {
    let mut nanos = 0_u64;
    // SAFETY: the pointer is to a live variable.
    done(unsafe { clock_time_get(clock, 0, &raw mut nanos) })?;
    Ok(nanos)
}

/// The proxy that this module was loaded into.
#[derive(Clone, Copy, Debug)]
pub(super) struct Envoy;

// SAFETY, for every call below: pointers and lengths are those of slices and variables that live
// until the call returns, and the host keeps none of them.
impl Host for Envoy {
    fn now(&self) -> Result<Moment, HostError> {
        clock(CLOCK_MONOTONIC).map(Moment::from_nanos)
    }

    fn wall(&self) -> Result<Duration, HostError> {
        clock(CLOCK_REALTIME).map(Duration::from_nanos)
    }

    fn random(&self) -> Result<u64, HostError> {
        let mut bytes = [0_u8; 8];
        done(unsafe { random_get(bytes.as_mut_ptr(), bytes.len()) })?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn shared(&self, key: &[u8], into: &mut Vec<u8>) -> Result<Option<Cas>, HostError> {
        let mut cas = 0_u32;
        let answer = receive(into, |data, len| unsafe {
            proxy_get_shared_data(key.as_ptr(), key.len(), data, len, &raw mut cas)
        });
        match answer {
            Ok(()) => Ok(Some(Cas(cas))),
            Err(HostError(NOT_FOUND)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn set_shared(&self, key: &[u8], value: &[u8], cas: u32) -> Result<(), NotSet> {
        let status = unsafe {
            proxy_set_shared_data(key.as_ptr(), key.len(), value.as_ptr(), value.len(), cas)
        };
        match status {
            OK => Ok(()),
            CAS_MISMATCH => Err(NotSet::Mismatch),
            status => Err(NotSet::Failed(HostError(status))),
        }
    }

    fn request_headers(&self, into: &mut Vec<u8>) -> Result<(), HostError> {
        receive(into, |data, len| unsafe {
            proxy_get_header_map_pairs(REQUEST_HEADERS, data, len)
        })
    }

    fn request_body(&self, len_max: u32, into: &mut Vec<u8>) -> Result<(), HostError> {
        buffer(REQUEST_BODY, len_max, into)
    }

    fn answer_headers(&self, into: &mut Vec<u8>) -> Result<(), HostError> {
        receive(into, |data, len| unsafe {
            proxy_get_header_map_pairs(ANSWER_HEADERS, data, len)
        })
    }

    fn answer_body(&self, len_max: u32, into: &mut Vec<u8>) -> Result<(), HostError> {
        buffer(ANSWER_BODY, len_max, into)
    }

    fn configuration(&self, into: &mut Vec<u8>) -> Result<(), HostError> {
        buffer(PLUGIN_CONFIGURATION, u32::MAX, into)
    }

    fn property(&self, path: &str, into: &mut Vec<u8>) -> Result<Option<()>, HostError> {
        let answer = receive(into, |data, len| unsafe {
            proxy_get_property(path.as_ptr(), path.len(), data, len)
        });
        match answer {
            Ok(()) => Ok(Some(())),
            Err(HostError(NOT_FOUND)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn set_property(&self, name: &str, value: &[u8]) {
        // It is for the log only: a host that does not take it changes no decision.
        let _status =
            unsafe { proxy_set_property(name.as_ptr(), name.len(), value.as_ptr(), value.len()) };
    }

    fn set_response_header(&self, name: &str, value: &str) {
        let _status = unsafe {
            proxy_replace_header_map_value(
                RESPONSE_HEADERS,
                name.as_ptr(),
                name.len(),
                value.as_ptr(),
                value.len(),
            )
        };
    }

    fn reply(&self, reply: &Reply<'_>) -> Result<(), HostError> {
        let headers = block(reply.headers);
        let details = "fencegate";
        done(unsafe {
            proxy_send_local_response(
                reply.status.into(),
                details.as_ptr(),
                details.len(),
                reply.body.as_ptr(),
                reply.body.len(),
                headers.as_ptr(),
                headers.len(),
                reply.grpc_status.map_or(-1, i32::from),
            )
        })
    }

    fn resume(&self) -> Result<(), HostError> {
        done(unsafe { proxy_continue_stream(REQUEST_STREAM) })
    }

    fn post(&self, post: &Post<'_>) -> Result<CallId, HostError> {
        let headers = block(post.headers);
        // No trailers, said as an empty list of them.
        let trailers = 0_u32.to_le_bytes();
        let timeout = u32::try_from(millis_down(post.timeout)).unwrap_or(u32::MAX);
        let mut id = 0_u32;
        done(unsafe {
            proxy_http_call(
                post.cluster.as_ptr(),
                post.cluster.len(),
                headers.as_ptr(),
                headers.len(),
                post.body.as_ptr(),
                post.body.len(),
                trailers.as_ptr(),
                trailers.len(),
                timeout,
                &raw mut id,
            )
        })?;
        Ok(CallId(id))
    }

    fn counter(&self, name: &str) -> Result<CounterId, HostError> {
        metric(COUNTER, name).map(CounterId)
    }

    fn count(&self, counter: CounterId) {
        let _status = unsafe { proxy_increment_metric(counter.0, 1) };
    }

    fn histogram(&self, name: &str) -> Result<HistogramId, HostError> {
        metric(HISTOGRAM, name).map(HistogramId)
    }

    fn record(&self, histogram: HistogramId, value: u64) {
        let _status = unsafe { proxy_record_metric(histogram.0, value) };
    }

    fn log(&self, level: Level, text: &str) {
        let _status = unsafe { proxy_log(level as u32, text.as_ptr(), text.len()) };
    }

    fn tick_every(&self, period: Duration) {
        let millis = u32::try_from(millis_down(period)).unwrap_or(u32::MAX);
        let _status = unsafe { proxy_set_tick_period_milliseconds(millis) };
    }

    fn enter_context(&self, context: u32) -> Result<(), HostError> {
        done(unsafe { proxy_set_effective_context(context) })
    }
}

//! The host functions that the filter imports, as a proxy would do them where nothing goes wrong.

use crate::abi;
use crate::answer::Answer;
use crate::day::Fault;
use crate::guest::{Call, Guest, begin, give, read, write};
use crate::{pairs, record};
use wasmtime::{Caller, ExternType, Linker, Module, Val};

type Result = wasmtime::Result<u32>;

/// Links whatever `module` imports. What is not known here is there and unimplemented, as on
/// hosts that lack it.
///
/// # Errors
/// It imports something that is no function.
pub fn link(linker: &mut Linker<Guest>, module: &Module) -> wasmtime::Result<()> {
    linker.allow_shadowing(true);
    for import in module.imports() {
        let ExternType::Func(kind) = import.ty() else {
            continue;
        };
        linker.func_new(import.module(), import.name(), kind, |_, _, results| {
            results.fill(Val::I32(abi::UNIMPLEMENTED.cast_signed()));
            Ok(())
        })?;
    }
    linker.func_wrap("env", "proxy_log", log)?;
    linker.func_wrap("env", "proxy_get_shared_data", get_shared)?;
    linker.func_wrap("env", "proxy_set_shared_data", set_shared)?;
    linker.func_wrap("env", "proxy_get_header_map_pairs", get_headers)?;
    linker.func_wrap("env", "proxy_replace_header_map_value", replace_header)?;
    linker.func_wrap("env", "proxy_get_buffer_bytes", get_buffer)?;
    linker.func_wrap("env", "proxy_get_property", get_property)?;
    linker.func_wrap("env", "proxy_set_property", set_property)?;
    linker.func_wrap("env", "proxy_send_local_response", send_answer)?;
    linker.func_wrap("env", "proxy_define_metric", define_counter)?;
    linker.func_wrap("env", "proxy_increment_metric", count)?;
    linker.func_wrap("env", "proxy_set_tick_period_milliseconds", set_tick)?;
    linker.func_wrap("env", "proxy_set_effective_context", enter_context)?;
    linker.func_wrap("wasi_snapshot_preview1", "clock_time_get", clock)?;
    linker.func_wrap("wasi_snapshot_preview1", "random_get", random)?;
    Ok(())
}

fn log(mut caller: Caller<'_, Guest>, level: u32, at: u32, len: u32) -> Result {
    let call = begin(&mut caller)?;
    if let Some(status) = call.refused() {
        return Ok(status);
    }
    let Some(text) = read(&mut caller, at, len) else {
        return Ok(abi::BAD_ARGUMENT);
    };
    let worker = caller.data().worker;
    let line = format!(
        "worker {worker}, level {level}: {}",
        String::from_utf8_lossy(&text)
    );
    call.run.world.borrow_mut().line(line);
    Ok(call.says(abi::OK))
}

fn get_shared(
    mut caller: Caller<'_, Guest>,
    key: u32,
    key_len: u32,
    data: u32,
    len: u32,
    cas: u32,
) -> Result {
    let call = begin(&mut caller)?;
    let Some(key) = read(&mut caller, key, key_len) else {
        return Ok(abi::BAD_ARGUMENT);
    };
    let found = call.run.world.borrow().shared.get(&key);
    let Some(found) = found else {
        with_record(&call, &key, |ticket| ticket.record_sound = Some(false));
        return Ok(call.says(abi::NOT_FOUND));
    };
    let (status, bytes) = call.spoil(found.bytes);
    with_record(&call, &key, |ticket| {
        let sound = record::is_sound(&found.set, bytes.as_deref());
        ticket.record_sound = Some(sound);
        ticket.once_sound |= sound;
        ticket.store_failed = false;
    });
    let Some(bytes) = bytes else {
        return Ok(status);
    };
    if write(&mut caller, cas, &found.cas.to_le_bytes()).is_none() {
        return Ok(abi::BAD_ARGUMENT);
    }
    give(&mut caller, &bytes, data, len)
}

fn set_shared(
    mut caller: Caller<'_, Guest>,
    key: u32,
    key_len: u32,
    at: u32,
    len: u32,
    cas: u32,
) -> Result {
    let call = begin(&mut caller)?;
    let (key, value) = (read(&mut caller, key, key_len), read(&mut caller, at, len));
    let (Some(key), Some(value)) = (key, value) else {
        return Ok(abi::BAD_ARGUMENT);
    };
    let status = match call.refused() {
        Some(status) => status,
        None => match call.run.world.borrow_mut().shared.set(&key, &value, cas) {
            Ok(()) => call.says(abi::OK),
            Err(_) => call.says(abi::CAS_MISMATCH),
        },
    };
    with_record(&call, &key, |ticket| {
        ticket.store_failed = status != abi::OK
    });
    Ok(status)
}

fn with_record(call: &Call, key: &[u8], change: impl FnOnce(&mut crate::ticket::Ticket)) {
    if record::is_key(key) {
        with_ticket(call, change);
    }
}

fn with_ticket(call: &Call, change: impl FnOnce(&mut crate::ticket::Ticket)) {
    let mut world = call.run.world.borrow_mut();
    if let Some(ticket) = call.ticket.and_then(|id| world.checker.ticket(id)) {
        change(ticket);
    }
}

fn get_headers(mut caller: Caller<'_, Guest>, map: u32, data: u32, len: u32) -> Result {
    let call = begin(&mut caller)?;
    if map != abi::MAP_REQUEST_HEADERS {
        return Ok(abi::BAD_ARGUMENT);
    }
    let mut headers = None;
    let broken = call.fault.is_some();
    with_ticket(&call, |ticket| {
        headers = Some(ticket.sent.headers.clone());
        ticket.headers_sound &= !broken;
    });
    let Some(headers) = headers else {
        return Ok(abi::BAD_ARGUMENT);
    };
    let block = pairs::write(&headers);
    let (status, bytes) = match call.fault {
        // A bit of a name or a value would make another request of it, which nobody could tell.
        Some(Fault::Flip(bit)) => {
            let lens = 8 * (4 + 8 * headers.len());
            let mut block = block;
            crate::shared::flip(&mut block, (usize::from(bit) % lens) as u16);
            (abi::OK, Some(block))
        }
        _ => call.spoil(block),
    };
    match bytes {
        Some(bytes) => give(&mut caller, &bytes, data, len),
        None => Ok(status),
    }
}

fn replace_header(
    mut caller: Caller<'_, Guest>,
    map: u32,
    name: u32,
    name_len: u32,
    at: u32,
    len: u32,
) -> Result {
    let call = begin(&mut caller)?;
    if let Some(status) = call.refused() {
        return Ok(status);
    }
    let (name, value) = (
        read(&mut caller, name, name_len),
        read(&mut caller, at, len),
    );
    let (Some(name), Some(value)) = (name, value) else {
        return Ok(abi::BAD_ARGUMENT);
    };
    if map == abi::MAP_RESPONSE_HEADERS
        && name == b"fencing-token-mark"
        && let Some(ticket) = call.ticket
    {
        call.run
            .world
            .borrow_mut()
            .checker
            .marks_the_answer(ticket, &value);
    }
    Ok(call.says(abi::OK))
}

fn get_buffer(
    mut caller: Caller<'_, Guest>,
    buffer: u32,
    start: u32,
    max: u32,
    data: u32,
    len: u32,
) -> Result {
    let call = begin(&mut caller)?;
    let bytes = match buffer {
        abi::BUFFER_CONFIGURATION => Some(caller.data().configuration.clone()),
        abi::BUFFER_REQUEST_BODY => {
            let mut body = None;
            with_ticket(&call, |ticket| {
                body = Some(ticket.sent.body[..ticket.body_len].to_vec())
            });
            if let Some(ticket) = call.ticket
                && call.fault.is_some()
            {
                let mut world = call.run.world.borrow_mut();
                world.checker.garbled(ticket);
            }
            body
        }
        _ => None,
    };
    let Some(bytes) = bytes else {
        return Ok(abi::NOT_FOUND);
    };
    let bytes = bytes
        .into_iter()
        .skip(start as usize)
        .take(max as usize)
        .collect();
    match call.spoil(bytes) {
        (_, Some(bytes)) => give(&mut caller, &bytes, data, len),
        (status, None) => Ok(status),
    }
}

fn get_property(
    mut caller: Caller<'_, Guest>,
    _path: u32,
    _path_len: u32,
    _data: u32,
    _len: u32,
) -> Result {
    let call = begin(&mut caller)?;
    Ok(call.refused().unwrap_or(call.says(abi::NOT_FOUND)))
}

fn set_property(
    mut caller: Caller<'_, Guest>,
    path: u32,
    path_len: u32,
    at: u32,
    len: u32,
) -> Result {
    let call = begin(&mut caller)?;
    if let Some(status) = call.refused() {
        return Ok(status);
    }
    let (path, value) = (
        read(&mut caller, path, path_len),
        read(&mut caller, at, len),
    );
    if let (Some(path), Some(value)) = (path, value)
        && path == b"fence"
    {
        let json: serde_json::Value = serde_json::from_slice(&value).unwrap_or_default();
        let decision = json["decision"].as_str().unwrap_or("not JSON").to_owned();
        with_ticket(&call, |ticket| ticket.logged = Some(decision));
    }
    Ok(call.says(abi::OK))
}

#[allow(clippy::too_many_arguments, reason = "the specification has so many")]
fn send_answer(
    mut caller: Caller<'_, Guest>,
    status: u32,
    _details: u32,
    _details_len: u32,
    body: u32,
    body_len: u32,
    headers: u32,
    headers_len: u32,
    grpc: i32,
) -> Result {
    let call = begin(&mut caller)?;
    let (body, headers) = (
        read(&mut caller, body, body_len),
        read(&mut caller, headers, headers_len),
    );
    let headers = headers.and_then(|block| pairs::read(&block));
    let (Some(body), Some(headers)) = (body, headers) else {
        return Ok(abi::BAD_ARGUMENT);
    };
    let says = call.refused().unwrap_or(call.says(abi::OK));
    let Some(ticket) = call.ticket else {
        return Ok(abi::BAD_ARGUMENT);
    };
    let answer = Answer {
        status,
        headers,
        body,
        grpc,
    };
    let mut world = call.run.world.borrow_mut();
    let now = world.monotonic;
    world.checker.answers(ticket, &answer, says == abi::OK, now);
    Ok(says)
}

fn define_counter(
    mut caller: Caller<'_, Guest>,
    _kind: u32,
    name: u32,
    name_len: u32,
    id: u32,
) -> Result {
    let call = begin(&mut caller)?;
    if let Some(status) = call.refused() {
        return Ok(status);
    }
    let Some(name) = read(&mut caller, name, name_len) else {
        return Ok(abi::BAD_ARGUMENT);
    };
    let name = String::from_utf8_lossy(&name).into_owned();
    let number = {
        let mut world = call.run.world.borrow_mut();
        let there = world.counters.iter().position(|each| *each == name);
        there.unwrap_or_else(|| {
            world.counters.push(name);
            world.counters.len() - 1
        })
    };
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    let written = write(&mut caller, id, &number.to_le_bytes());
    Ok(written.map_or(abi::BAD_ARGUMENT, |()| call.says(abi::OK)))
}

fn count(mut caller: Caller<'_, Guest>, id: u32, by: i64) -> Result {
    let call = begin(&mut caller)?;
    if let Some(status) = call.refused() {
        return Ok(status);
    }
    let admitted = {
        let world = call.run.world.borrow();
        world
            .counters
            .get(id as usize)
            .map(|name| name == "fencegate_admitted_total")
    };
    match admitted {
        Some(true) if by > 0 => with_ticket(&call, |ticket| ticket.counted_admitted += 1),
        Some(_) => {}
        None => return Ok(abi::NOT_FOUND),
    }
    Ok(call.says(abi::OK))
}

fn set_tick(mut caller: Caller<'_, Guest>, _ms: u32) -> Result {
    let call = begin(&mut caller)?;
    Ok(call.refused().unwrap_or(call.says(abi::OK)))
}

fn enter_context(mut caller: Caller<'_, Guest>, context: u32) -> Result {
    let call = begin(&mut caller)?;
    if let Some(status) = call.refused() {
        return Ok(status);
    }
    let worker = caller.data().worker;
    {
        let mut world = call.run.world.borrow_mut();
        let Some(ticket) = world.contexts.get(&(worker, context)).copied() else {
            return Ok(abi::BAD_ARGUMENT);
        };
        world.checker.asking(ticket);
    }
    caller.data_mut().context = context;
    Ok(call.says(abi::OK))
}

fn clock(mut caller: Caller<'_, Guest>, which: u32, _precision: u64, at: u32) -> Result {
    let call = begin(&mut caller)?;
    if let Some(status) = call.refused() {
        return Ok(status);
    }
    let nanos = {
        let mut world = call.run.world.borrow_mut();
        // Looking takes a microsecond.
        world.monotonic += 1_000;
        world.wall += 1_000;
        if which == 0 {
            world.wall
        } else {
            world.monotonic
        }
    };
    let written = write(&mut caller, at, &nanos.to_le_bytes());
    Ok(written.map_or(abi::BAD_ARGUMENT, |()| call.says(abi::OK)))
}

fn random(mut caller: Caller<'_, Guest>, at: u32, len: u32) -> Result {
    let call = begin(&mut caller)?;
    if let Some(status) = call.refused() {
        return Ok(status);
    }
    let bytes: Vec<u8> = {
        let mut world = call.run.world.borrow_mut();
        (0..len.min(4096)).map(|_| world.random.u8(..)).collect()
    };
    let written = write(&mut caller, at, &bytes);
    Ok(written.map_or(abi::BAD_ARGUMENT, |()| call.says(abi::OK)))
}

//! The callbacks of proxy-wasm 0.2.1: what the host calls, handed on to [`Plugin`].
//!
//! Only what is needed is exported: the host enters the VM for nothing else.

#![allow(unsafe_code, reason = "exports need no_mangle")]

use super::envoy::{self, Envoy};
use crate::exchange::Action;
use crate::host::CallId;
use crate::plugin::Plugin;
use core::cell::RefCell;

thread_local! {
    static PLUGIN: RefCell<Plugin> = RefCell::new(Plugin::default());
}

/// Runs `call` on the plugin; gives `otherwise` if it is called from within a host call, which
/// would be a host's mistake.
fn with<T>(otherwise: T, call: impl FnOnce(&mut Plugin) -> T) -> T {
    PLUGIN.with(|plugin| match plugin.try_borrow_mut() {
        Ok(mut plugin) => call(&mut plugin),
        Err(_) => otherwise,
    })
}

const fn code(action: Action) -> u32 {
    match action {
        Action::Continue => 0,
        Action::Pause => 1,
    }
}

#[unsafe(no_mangle)]
extern "C" fn proxy_abi_version_0_2_1() {}

#[unsafe(no_mangle)]
extern "C" fn proxy_on_memory_allocate(len: usize) -> *mut u8 {
    envoy::allocate(len)
}

#[unsafe(no_mangle)]
extern "C" fn proxy_on_vm_start(_root: u32, _configuration_len: usize) -> bool {
    true
}

#[unsafe(no_mangle)]
extern "C" fn proxy_on_configure(root: u32, _configuration_len: usize) -> bool {
    with(false, |plugin| plugin.on_configure(&Envoy, root))
}

#[unsafe(no_mangle)]
extern "C" fn proxy_on_context_create(context: u32, parent: u32) {
    if parent != 0 {
        with((), |plugin| plugin.on_request(context, parent));
    }
}

#[unsafe(no_mangle)]
extern "C" fn proxy_on_request_headers(context: u32, _count: usize, last: bool) -> u32 {
    with(code(Action::Pause), |plugin| {
        code(plugin.on_request_headers(&Envoy, context, last))
    })
}

#[unsafe(no_mangle)]
extern "C" fn proxy_on_request_body(context: u32, size: u32, last: bool) -> u32 {
    with(code(Action::Pause), |plugin| {
        code(plugin.on_request_body(&Envoy, context, size, last))
    })
}

#[unsafe(no_mangle)]
extern "C" fn proxy_on_request_trailers(context: u32, _count: usize) -> u32 {
    with(code(Action::Pause), |plugin| {
        code(plugin.on_request_trailers(&Envoy, context))
    })
}

#[unsafe(no_mangle)]
extern "C" fn proxy_on_response_headers(context: u32, _count: usize, _last: bool) -> u32 {
    with((), |plugin| plugin.on_response_headers(&Envoy, context));
    code(Action::Continue)
}

#[unsafe(no_mangle)]
extern "C" fn proxy_on_http_call_response(
    root: u32,
    id: u32,
    headers: usize,
    _body_len: usize,
    _trailers: usize,
) {
    with((), |plugin| {
        plugin.on_answer(&Envoy, root, CallId(id), headers > 0);
    });
}

#[unsafe(no_mangle)]
extern "C" fn proxy_on_tick(root: u32) {
    with((), |plugin| plugin.on_tick(&Envoy, root));
}

#[unsafe(no_mangle)]
extern "C" fn proxy_on_delete(context: u32) {
    with((), |plugin| plugin.on_delete(&Envoy, context));
}

//! One instance of the filter: the compiled module, its memory and its callbacks.

use crate::guest::{Died, Guest};
use crate::imports;
use core::fmt;
use std::path::Path;
use wasmtime::{
    Config, Engine, InstancePre, Linker, Module, Store, StoreLimitsBuilder, Trap, TypedFunc,
};

/// What a callback may burn: a hundred times what any of them needs.
const FUEL: u64 = 2_000_000_000;
/// What an instance may have where nothing else is said: more than any needs.
const MEMORY_MAX: usize = 256 << 20;

/// A module, compiled once and run many times.
#[derive(Clone)]
pub struct Loaded {
    engine: Engine,
    ready: InstancePre<Guest>,
    memory_max: usize,
}

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Loaded")
    }
}

/// How a callback ended that did not return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fall {
    /// The proxy ended it, because the day says so.
    Died,
    /// The guest trapped, or did not end by itself.
    Trapped(String),
}

impl Loaded {
    /// Compiles the module in a file.
    ///
    /// # Errors
    /// It cannot be read, or is no module that this host can run.
    pub fn from_file(path: &Path) -> wasmtime::Result<Self> {
        let bytes = std::fs::read(path)
            .map_err(|error| wasmtime::Error::msg(format!("{}: {error}", path.display())))?;
        Self::from_bytes(&bytes)
    }

    /// Compiles a module.
    ///
    /// # Errors
    /// It is no module that this host can run.
    pub fn from_bytes(bytes: &[u8]) -> wasmtime::Result<Self> {
        let mut config = Config::new();
        config.consume_fuel(true);
        let engine = Engine::new(&config)?;
        let module = Module::new(&engine, bytes)?;
        let mut linker = Linker::new(&engine);
        imports::link(&mut linker, &module)?;
        let ready = linker.instantiate_pre(&module)?;
        Ok(Self {
            engine,
            ready,
            memory_max: MEMORY_MAX,
        })
    }

    /// The same module, whose memory never gets larger than so many bytes.
    #[must_use]
    pub fn with_memory_max(self, memory_max: usize) -> Self {
        Self { memory_max, ..self }
    }
}

/// One instance.
pub struct Instance {
    store: Store<Guest>,
    instance: wasmtime::Instance,
    on_headers: Option<TypedFunc<(u32, u32, u32), u32>>,
    on_body: Option<TypedFunc<(u32, u32, u32), u32>>,
    on_trailers: Option<TypedFunc<(u32, u32), u32>>,
    on_answer: Option<TypedFunc<(u32, u32, u32), u32>>,
}

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instance")
            .field("guest", self.store.data())
            .finish_non_exhaustive()
    }
}

impl Instance {
    /// A new instance, started as a proxy starts it.
    ///
    /// # Errors
    /// It did not come up.
    pub fn new(loaded: &Loaded, guest: Guest) -> Result<Self, Fall> {
        let mut store = Store::new(&loaded.engine, guest);
        let limits = StoreLimitsBuilder::new().memory_size(loaded.memory_max);
        store.data_mut().limits = limits.build();
        store.limiter(|guest| &mut guest.limits);
        store.set_fuel(FUEL).map_err(fall)?;
        let instance = loaded.ready.instantiate(&mut store).map_err(fall)?;
        let memory = instance.get_memory(&mut store, "memory");
        let allocate = instance
            .get_typed_func(&mut store, "proxy_on_memory_allocate")
            .ok();
        store.data_mut().exports = memory.zip(allocate);
        let mut this = Self {
            on_headers: instance
                .get_typed_func(&mut store, "proxy_on_request_headers")
                .ok(),
            on_body: instance
                .get_typed_func(&mut store, "proxy_on_request_body")
                .ok(),
            on_trailers: instance
                .get_typed_func(&mut store, "proxy_on_request_trailers")
                .ok(),
            on_answer: instance
                .get_typed_func(&mut store, "proxy_on_response_headers")
                .ok(),
            store,
            instance,
        };
        // Hosts call what there is of these.
        this.call("_initialize", ())?;
        Ok(this)
    }

    /// What stands behind it.
    pub fn guest(&mut self) -> &mut Guest {
        self.store.data_mut()
    }

    /// The size of its memory in bytes.
    #[must_use]
    pub fn memory_size(&self) -> usize {
        self.store
            .data()
            .exports
            .as_ref()
            .map_or(0, |(memory, _)| memory.data_size(&self.store))
    }

    fn refuel(&mut self) {
        // Only an engine without fuel refuses it.
        let _fueled = self.store.set_fuel(FUEL);
    }

    /// Makes a callback that returns nothing, if there is one of this name.
    fn call<P: wasmtime::WasmParams>(&mut self, name: &str, arguments: P) -> Result<(), Fall> {
        self.refuel();
        let Ok(callback) = self.instance.get_typed_func::<P, ()>(&mut self.store, name) else {
            return Ok(());
        };
        callback.call(&mut self.store, arguments).map_err(fall)
    }

    fn asked(&mut self, name: &str, arguments: (u32, u32)) -> Result<bool, Fall> {
        self.refuel();
        let Ok(callback) = self
            .instance
            .get_typed_func::<(u32, u32), u32>(&mut self.store, name)
        else {
            return Ok(true);
        };
        Ok(callback.call(&mut self.store, arguments).map_err(fall)? != 0)
    }

    /// `proxy_on_vm_start`; whether it agrees.
    ///
    /// # Errors
    /// It trapped.
    pub fn vm_start(&mut self, root: u32) -> Result<bool, Fall> {
        self.asked("proxy_on_vm_start", (root, 0))
    }

    /// `proxy_on_configure`; whether it agrees.
    ///
    /// # Errors
    /// It trapped.
    pub fn configure(&mut self, root: u32) -> Result<bool, Fall> {
        let len = u32::try_from(self.guest().configuration.len()).unwrap_or(u32::MAX);
        self.asked("proxy_on_configure", (root, len))
    }

    /// `proxy_on_context_create`
    ///
    /// # Errors
    /// It trapped.
    pub fn create(&mut self, context: u32, parent: u32) -> Result<(), Fall> {
        self.call("proxy_on_context_create", (context, parent))
    }

    /// `proxy_on_request_headers`
    ///
    /// # Errors
    /// It trapped.
    pub fn headers(&mut self, context: u32, count: u32, last: bool) -> Result<u32, Fall> {
        self.refuel();
        let Some(callback) = &self.on_headers else {
            return Ok(crate::abi::CONTINUE);
        };
        callback
            .call(&mut self.store, (context, count, last.into()))
            .map_err(fall)
    }

    /// `proxy_on_request_body`
    ///
    /// # Errors
    /// It trapped.
    pub fn body(&mut self, context: u32, size: u32, last: bool) -> Result<u32, Fall> {
        self.refuel();
        let Some(callback) = &self.on_body else {
            return Ok(crate::abi::CONTINUE);
        };
        callback
            .call(&mut self.store, (context, size, last.into()))
            .map_err(fall)
    }

    /// `proxy_on_request_trailers`
    ///
    /// # Errors
    /// It trapped.
    pub fn trailers(&mut self, context: u32) -> Result<u32, Fall> {
        self.refuel();
        let Some(callback) = &self.on_trailers else {
            return Ok(crate::abi::CONTINUE);
        };
        callback.call(&mut self.store, (context, 1)).map_err(fall)
    }

    /// `proxy_on_response_headers`
    ///
    /// # Errors
    /// It trapped.
    pub fn answer(&mut self, context: u32) -> Result<u32, Fall> {
        self.refuel();
        let Some(callback) = &self.on_answer else {
            return Ok(crate::abi::CONTINUE);
        };
        callback
            .call(&mut self.store, (context, 1, 0))
            .map_err(fall)
    }

    /// `proxy_on_tick`
    ///
    /// # Errors
    /// It trapped.
    pub fn tick(&mut self, root: u32) -> Result<(), Fall> {
        self.call("proxy_on_tick", root)
    }

    /// `proxy_on_done`, `proxy_on_log`, `proxy_on_delete`
    ///
    /// # Errors
    /// It trapped.
    pub fn delete(&mut self, context: u32) -> Result<(), Fall> {
        self.refuel();
        let done = self
            .instance
            .get_typed_func::<u32, u32>(&mut self.store, "proxy_on_done");
        if let Ok(done) = done {
            done.call(&mut self.store, context).map_err(fall)?;
        }
        self.call("proxy_on_log", context)?;
        self.call("proxy_on_delete", context)
    }
}

fn fall(error: wasmtime::Error) -> Fall {
    if error.downcast_ref::<Died>().is_some() {
        return Fall::Died;
    }
    match error.downcast_ref::<Trap>() {
        Some(trap) => Fall::Trapped(trap.to_string()),
        None => Fall::Trapped(format!("{error:?}")),
    }
}

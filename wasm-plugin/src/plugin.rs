//! What one VM of the proxy runs: its configured filters and the requests under way.
//!
//! Callbacks of the proxy end here. It refuses to know how they arrive (`host::abi`).

use crate::config;
use crate::contexts::Contexts;
use crate::exchange::{Action, Exchange};
use crate::filter::{Filter, Scratch};
use crate::host::{CallId, Host, Level};
use core::time::Duration;
use std::rc::Rc;

/// How often late bodies are looked for.
const TICK: Duration = Duration::from_secs(1);
/// How often it is asked again for leases that are waited for.
const TICK_WHILE_WAITING: Duration = Duration::from_millis(20);

/// Everything in one VM.
#[derive(Debug, Default)]
pub struct Plugin {
    filters: Contexts<Rc<Filter>>,
    exchanges: Contexts<Exchange>,
    scratch: Scratch,
    /// Whether somebody waited at the last look.
    waiting: bool,
}

impl Plugin {
    /// A filter gets its configuration. `false`: it is refused, and the log says why.
    pub fn on_configure(&mut self, host: &dyn Host, root: u32) -> bool {
        match self.configure(host, root) {
            Ok(()) => true,
            Err(sentence) => {
                host.log(
                    Level::Error,
                    &format!("fencegate: configuration refused: {sentence}"),
                );
                false
            }
        }
    }

    fn configure(&mut self, host: &dyn Host, root: u32) -> Result<(), String> {
        host.configuration(&mut self.scratch.body)
            .map_err(|error| format!("the proxy gave no configuration (status {})", error.0))?;
        let settings = config::read(&self.scratch.body).map_err(|error| error.0)?;
        let Some(settings) = settings else {
            host.log(Level::Info, "fencegate: keeping the shared data");
            return Ok(());
        };
        let generation = settings.generation;
        let filter = Filter::set_up(host, &mut self.scratch, settings)?;
        self.filters.insert(root, Rc::new(filter));
        host.tick_every(TICK);
        host.log(
            Level::Info,
            &format!("fencegate: configured, generation {generation}"),
        );
        Ok(())
    }

    /// A request begins under the filter `root`. One that is there already was told twice: it
    /// stays as it is, or it would be decided twice.
    pub fn on_request(&mut self, context: u32, root: u32) {
        if self.exchanges.get(context).is_some() {
            return;
        }
        let filter = self.filters.get(root).cloned();
        self.exchanges
            .insert(context, Exchange::new(context, filter));
    }

    /// Its headers have come.
    pub fn on_request_headers(&mut self, host: &dyn Host, context: u32, last: bool) -> Action {
        let scratch = &mut self.scratch;
        match self.exchanges.get_mut(context) {
            Some(exchange) => exchange.on_headers(host, scratch, last),
            None => Action::Pause,
        }
    }

    /// A part of its body has come.
    pub fn on_request_body(
        &mut self,
        host: &dyn Host,
        context: u32,
        size: u32,
        last: bool,
    ) -> Action {
        let scratch = &mut self.scratch;
        let Some(exchange) = self.exchanges.get_mut(context) else {
            return Action::Pause;
        };
        let action = exchange.on_body(host, scratch, size, last);
        let waits = exchange.is_waiting();
        self.set_tick(host, self.waiting || waits);
        action
    }

    /// Its trailers have come.
    pub fn on_request_trailers(&mut self, host: &dyn Host, context: u32) -> Action {
        let scratch = &mut self.scratch;
        let Some(exchange) = self.exchanges.get_mut(context) else {
            return Action::Pause;
        };
        let action = exchange.on_trailers(host, scratch);
        let waits = exchange.is_waiting();
        self.set_tick(host, self.waiting || waits);
        action
    }

    /// The headers of its answer have come.
    pub fn on_response_headers(&self, host: &dyn Host, context: u32) {
        if let Some(exchange) = self.exchanges.get(context) {
            exchange.on_response_headers(host);
        }
    }

    /// A call of the filter `root` is answered, with headers or without.
    pub fn on_answer(&mut self, _host: &dyn Host, _root: u32, _id: CallId, _has_headers: bool) {}

    /// A request or a filter is over.
    pub fn on_delete(&mut self, host: &dyn Host, context: u32) {
        if let Some(exchange) = self.exchanges.get(context) {
            exchange.on_end(host, &mut self.scratch);
        }
        if !self.exchanges.remove(context) {
            self.filters.remove(context);
        }
    }

    /// Time passes.
    pub fn on_tick(&mut self, host: &dyn Host) {
        let Ok(now) = host.now() else { return };
        let mut waiting = false;
        for (context, exchange) in self.exchanges.iter_mut() {
            if exchange.is_due(now) && host.enter_context(context).is_ok() {
                exchange.on_tick(host, &mut self.scratch, now);
            }
            waiting |= exchange.is_waiting();
        }
        self.set_tick(host, waiting);
    }

    fn set_tick(&mut self, host: &dyn Host, waiting: bool) {
        if waiting != self.waiting {
            self.waiting = waiting;
            host.tick_every(if waiting { TICK_WHILE_WAITING } else { TICK });
        }
    }
}

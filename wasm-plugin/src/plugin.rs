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
/// How often it is looked for what is due while somebody waits, or knowledge is to be kept fresh.
const TICK_AWAKE: Duration = Duration::from_millis(20);
/// How many requests are answered, or let go on, in one callback. The proxy does that after the callback,
/// each inside the one before, and some hundreds are more than its stack holds.
const ANSWERED_AT_ONCE: usize = 64;

/// Everything in one VM.
#[derive(Debug, Default)]
pub struct Plugin {
    filters: Contexts<Configured>,
    exchanges: Contexts<Exchange>,
    scratch: Scratch,
}

/// A filter that was configured.
#[derive(Debug)]
struct Configured {
    filter: Rc<Filter>,
    /// Whether it is called often. Each filter has ticks of its own.
    awake: bool,
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
        let filter = Rc::new(Filter::set_up(host, &mut self.scratch, root, settings)?);
        let awake = false;
        self.filters.insert(root, Configured { filter, awake });
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
        let configured = self.filters.get(root);
        let filter = configured.map(|configured| Rc::clone(&configured.filter));
        let exchange = Exchange::new(context, root, filter);
        self.exchanges.insert(context, exchange);
    }

    /// Its headers have come.
    pub fn on_request_headers(&mut self, host: &dyn Host, context: u32, last: bool) -> Action {
        self.on_part(host, context, |exchange, scratch| {
            exchange.on_headers(host, scratch, last)
        })
    }

    /// A part of its body has come.
    pub fn on_request_body(
        &mut self,
        host: &dyn Host,
        context: u32,
        size: u32,
        last: bool,
    ) -> Action {
        self.on_part(host, context, |exchange, scratch| {
            exchange.on_body(host, scratch, size, last)
        })
    }

    /// Its trailers have come.
    pub fn on_request_trailers(&mut self, host: &dyn Host, context: u32) -> Action {
        self.on_part(host, context, |exchange, scratch| {
            exchange.on_trailers(host, scratch)
        })
    }

    fn on_part(
        &mut self,
        host: &dyn Host,
        context: u32,
        part: impl FnOnce(&mut Exchange, &mut Scratch) -> Action,
    ) -> Action {
        let Some(exchange) = self.exchanges.get_mut(context) else {
            return Action::Pause;
        };
        let action = part(exchange, &mut self.scratch);
        if exchange.is_awake() {
            let root = exchange.root();
            self.wake(host, root, true);
            // What could be said at once.
            if let Some(Configured { filter, .. }) = self.filters.get(root) {
                let filter = Rc::clone(filter);
                self.tell_finished(host, &filter);
            }
        }
        action
    }

    /// The headers of its answer have come.
    pub fn on_response_headers(&self, host: &dyn Host, context: u32) {
        if let Some(exchange) = self.exchanges.get(context) {
            exchange.on_response_headers(host);
        }
    }

    /// A call of the filter `root` is answered, with headers or without.
    pub fn on_answer(&mut self, host: &dyn Host, root: u32, id: CallId, has_headers: bool) {
        if let Some(Configured { filter, .. }) = self.filters.get(root) {
            let filter = Rc::clone(filter);
            filter.authority.on_answer(host, id, has_headers);
            self.tell_finished(host, &filter);
        }
    }

    /// Hands what the authority said to the requests that asked. One that the host does not let be
    /// entered is told at the next tick, and so are those that are too many. Returns how many were told.
    fn tell_finished(&mut self, host: &dyn Host, filter: &Filter) -> usize {
        let mut told = filter.authority.take_finished();
        let mut not_told = told.split_off(told.len().min(ANSWERED_AT_ONCE));
        let count = told.len();
        for finished in told {
            let Some(exchange) = self.exchanges.get_mut(finished.asker) else {
                continue;
            };
            if host.enter_context(finished.asker).is_ok() {
                exchange.on_said(host, &mut self.scratch, finished);
            } else {
                not_told.push(finished);
            }
        }
        if !not_told.is_empty() {
            filter.authority.tell_later(not_told);
        }
        count
    }

    /// A request or a filter is over.
    pub fn on_delete(&mut self, host: &dyn Host, context: u32) {
        if let Some(exchange) = self.exchanges.get(context) {
            exchange.on_end(host, &mut self.scratch);
        }
        if !self.exchanges.remove(context) {
            self.filters.remove(context);
        }
    }

    /// Time passes for the filter `root`, and for requests whose filter is gone.
    pub fn on_tick(&mut self, host: &dyn Host, root: u32) {
        let Ok(now) = host.now() else { return };
        let configured = self.filters.get(root);
        let filter = configured.map(|configured| Rc::clone(&configured.filter));
        let (mut awake, mut answered) = (false, 0);
        if let Some(filter) = &filter {
            filter.authority.on_tick(host);
            answered = self.tell_finished(host, filter);
            awake = filter.authority.is_awake();
        }
        for (context, exchange) in self.exchanges.iter_mut() {
            if exchange.root() != root && self.filters.get(exchange.root()).is_some() {
                continue;
            }
            if exchange.is_due(now) {
                if answered >= ANSWERED_AT_ONCE {
                    awake = true;
                    break;
                }
                if host.enter_context(context).is_ok() {
                    exchange.on_tick(host, &mut self.scratch, now);
                }
                // One that waits on was not answered.
                answered = answered.saturating_add(usize::from(!exchange.is_waiting()));
            }
            awake |= exchange.is_waiting();
        }
        self.wake(host, root, awake);
    }

    /// Has the filter `root` called often, or seldom.
    fn wake(&mut self, host: &dyn Host, root: u32, awake: bool) {
        if let Some(configured) = self.filters.get_mut(root)
            && configured.awake != awake
        {
            configured.awake = awake;
            host.tick_every(if awake { TICK_AWAKE } else { TICK });
        }
    }
}

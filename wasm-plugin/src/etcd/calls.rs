//! Calls to etcd: sending them, with a token where etcd wants one, and what is under way.
//!
//! All calls are sent from the filter's own context: a client that leaves does not lose them, and with
//! them what they would have taught. Each has the proxy's time limit, and etcd's own word that a member
//! without the others answers at once that it has none.

use super::setup::Env;
use super::setup::Setup;
use super::wire::{self, Keys, Page};
use crate::contexts::Contexts;
use crate::host::{CallId, Host, HostError, Post};
use fencegate_core::quorum::{Call, Survey};
use fencegate_core::window::Instants;

/// What a call is for.
#[derive(Clone, Debug)]
pub(super) enum Way {
    /// A request's next step.
    Step {
        /// The request.
        ask: u32,
        /// Its resource.
        resource: String,
        /// What is called.
        call: Call,
    },
    /// The background read.
    Survey(Survey),
    /// A page of leases.
    Page {
        /// The request.
        ask: u32,
        /// Init's revision.
        init: u64,
        /// Where to go on.
        after: Option<String>,
        /// How many.
        limit: u32,
    },
    /// Nobody needs the answer.
    Aside(Call),
    /// A token for the user.
    Login,
}

impl Way {
    /// Its path and body.
    fn request(&self, setup: &Setup) -> (&'static str, String) {
        let prefix = &setup.prefix;
        let keys = |resource| Keys { prefix, resource };
        match self {
            Self::Step { resource, call, .. } => wire::request(call, &keys(resource)),
            Self::Survey(survey) => wire::request(&Call::Survey(*survey), &keys("")),
            Self::Aside(call) => wire::request(call, &keys("")),
            Self::Page {
                init, after, limit, ..
            } => page(*init, after.as_deref(), *limit).request(&keys("")),
            Self::Login => match &setup.auth {
                Some(auth) => wire::login(&auth.user, &auth.password.0),
                None => wire::login("", ""),
            },
        }
    }
}

/// A page of all leases.
pub(super) const fn page(init: u64, after: Option<&str>, limit: u32) -> Page<'_> {
    Page {
        init,
        begin: "",
        after,
        limit,
    }
}

/// A call that is under way.
#[derive(Debug)]
pub(super) struct UnderWay {
    /// What it is for.
    pub(super) way: Way,
    /// When it was sent.
    pub(super) sent: Instants,
    /// Whether it was sent before, and refused for its token.
    pub(super) again: bool,
    /// With which of the user's tokens.
    login: u32,
}

/// All calls of one worker.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// To be sent, first one first; whether that is done again.
    waiting: Vec<(Way, bool)>,
    under_way: Contexts<UnderWay>,
    /// The user's token.
    token: Option<String>,
    /// Which one it is.
    login: u32,
    /// Whether one was asked for.
    logging_in: bool,
}

impl Calls {
    /// To be sent next.
    pub(super) fn add(&mut self, way: Way) {
        self.waiting.push((way, false));
    }

    /// To be sent once more, with a newer token than the one that it was refused for.
    pub(super) fn add_again(&mut self, refused: UnderWay) {
        if refused.login == self.login {
            self.token = None;
        }
        self.waiting.push((refused.way, true));
    }

    /// The answer to a login.
    pub(super) fn logged_in(&mut self, token: Option<String>) {
        self.logging_in = false;
        self.login = self.login.wrapping_add(1);
        self.token = token;
    }

    /// All that waits to be sent.
    pub(super) fn take_waiting(&mut self) -> Vec<(Way, bool)> {
        core::mem::take(&mut self.waiting)
    }

    /// What is to be sent now, first one first: a login before all else where one is needed, nothing
    /// while its answer is waited for.
    pub(super) fn take_ready(&mut self, setup: &Setup) -> Vec<(Way, bool)> {
        let needs_token = setup.auth.is_some() && self.token.is_none();
        match needs_token && !self.waiting.is_empty() {
            false => self.take_waiting(),
            true if core::mem::replace(&mut self.logging_in, true) => Vec::new(),
            true => vec![(Way::Login, false)],
        }
    }

    /// Whether something is under way or is to be sent.
    pub(super) const fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.under_way.is_empty()
    }

    /// Sends one, from the filter's context, which must be entered.
    ///
    /// # Errors
    /// It cannot be sent, and comes back.
    pub(super) fn send(
        &mut self,
        env: &Env<'_>,
        (way, again): (Way, bool),
        now: Instants,
    ) -> Result<(), Way> {
        let Env { host, setup } = *env;
        setup.counters.called(host, matches!(way, Way::Survey(_)));
        match self.post(host, setup, &way) {
            Ok(id) => {
                let under_way = UnderWay {
                    way,
                    sent: now,
                    again,
                    login: self.login,
                };
                self.under_way.insert(id.0, under_way);
                Ok(())
            }
            Err(_) => Err(way),
        }
    }

    fn post(&self, host: &dyn Host, setup: &Setup, way: &Way) -> Result<CallId, HostError> {
        let (path, body) = way.request(setup);
        let mut headers = vec![
            (":method", "POST"),
            (":path", path),
            (":authority", &*setup.cluster),
            ("content-type", "application/json"),
            ("grpc-metadata-hasleader", "true"),
        ];
        if let (Some(token), false) = (&self.token, matches!(way, Way::Login)) {
            headers.push(("authorization", token));
        }
        host.post(&Post {
            cluster: &setup.cluster,
            headers: &headers,
            body: body.as_bytes(),
            timeout: setup.timeout,
        })
    }

    /// The call of this number, answered now; `None`: there is none, or it was answered before.
    pub(super) fn answered(&mut self, id: CallId) -> Option<UnderWay> {
        self.under_way.take(id.0)
    }
}

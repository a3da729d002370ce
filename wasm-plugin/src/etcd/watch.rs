//! What an operator is told: a line where something changes, not one for every call.

use super::setup::Env;
use crate::host::Level;
use fencegate_core::moment::millis_down;
use fencegate_core::quorum::{Heard, Standing};
use fencegate_core::verdict::Fault;

/// What was told last.
#[derive(Debug, Default)]
pub(super) struct Watch {
    fails: bool,
    refused: Option<Fault>,
    init: (Option<u64>, Option<u32>),
}

impl Watch {
    /// A call was answered.
    pub(super) fn answers(&mut self, env: &Env<'_>) {
        if core::mem::take(&mut self.fails) {
            env.host.log(Level::Info, "fencegate: etcd answers again");
        }
    }

    /// A call was refused, or not answered (status 0).
    pub(super) fn fails(&mut self, env: &Env<'_>, status: u16) {
        env.setup.counters.failed(env.host);
        if !core::mem::replace(&mut self.fails, true) {
            let cluster = &env.setup.cluster;
            let line =
                format!("fencegate: etcd (cluster {cluster}) does not answer: status {status}");
            env.host.log(Level::Warn, &line);
        }
    }

    /// Whether another init is in force, or none, than at the last look.
    pub(super) fn sees_change(&mut self, env: &Env<'_>, heard: &Heard) -> bool {
        let refused = match heard.standing(&env.setup.terms) {
            Standing::Refused(fault) => Some(fault),
            Standing::Unheard if heard.refused.is_some() => Some(Fault::Replaced),
            _ => None,
        };
        if self.refused != refused {
            self.refused = refused;
            self.tell(env, heard);
        }
        let init = (heard.in_force.map(|in_force| in_force.at), heard.refused);
        core::mem::replace(&mut self.init, init) != init
    }

    fn tell(&self, env: &Env<'_>, heard: &Heard) {
        let line = match (self.refused, heard.window(), env.setup.terms.window) {
            (Some(Fault::OtherWindow), Some(init), Some(window)) => format!(
                "fencegate: window_mismatch: authority.etcd.window_ms is {}, and {}init has trust {} ms and wait {} ms: change one, every request is refused until then",
                millis_down(window),
                env.setup.prefix,
                millis_down(init.trust),
                millis_down(init.wait),
            ),
            (Some(Fault::Replaced), ..) => format!(
                "fencegate: authority_replaced: what is under {} is not what it was: a restored snapshot, or another etcd; every request is refused until an operator reseeds it",
                env.setup.prefix
            ),
            (Some(fault), ..) => format!("fencegate: {}", fault.word()),
            (None, ..) => "fencegate: the authority is as it must be again".to_owned(),
        };
        let level = match self.refused {
            Some(_) => Level::Error,
            None => Level::Info,
        };
        env.host.log(level, &line);
    }
}

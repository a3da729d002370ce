//! Hammering while the leader of etcd has a bad time, again and again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{Plan, Report, Target, Tokens, run};
use crate::config::Config;
use crate::etcd::{Etcd, EtcdError};
use crate::fleet::{Fleet, FleetError};

/// Short, so that there are many takeovers.
const WINDOW: &str = "50ms";
/// How long a member is away after another one leads, and how long all of them are well then.
const AWAY: Duration = Duration::from_millis(500);
const WELL: Duration = Duration::from_secs(3);

/// Proxies over an etcd in trouble.
pub struct Troubled {
    /// The proxies.
    pub fleet: Fleet,
    /// The etcd.
    pub etcd: Etcd,
    tokens: Tokens,
}

impl Troubled {
    /// Two Envoys of `config` over an etcd of three members.
    ///
    /// # Errors
    /// See [`FleetError`].
    pub fn start(config: Config, tokens: Tokens) -> Result<Self, FleetError> {
        let etcd = Etcd::start(3)?;
        etcd.operate(&["init", "--window", WINDOW])?;
        let config = config.with_direct_response().with_policy(|policy| {
            // Whatever the prefix has.
            if let Some(etcd) = policy["authority"]["etcd"].as_object_mut() {
                etcd.remove("window_ms");
            }
        });
        let fleet = Fleet::start(2, config, &etcd)?;
        fleet.wait_until_ready()?;
        Ok(Self {
            fleet,
            etcd,
            tokens,
        })
    }

    /// Hammers, and how often the leader had a bad time meanwhile.
    ///
    /// # Errors
    /// When a proxy accepts no connection, or etcd does not come back.
    pub fn hammer(&mut self, plan: &Plan) -> Result<(Report, usize), FleetError> {
        let target = Target {
            addresses: self
                .fleet
                .proxies
                .iter()
                .map(|proxy| proxy.address)
                .collect(),
            tokens: self.tokens,
            ttl_ms: 2000,
        };
        let (etcd, done) = (&mut self.etcd, AtomicBool::new(false));
        std::thread::scope(|scope| {
            let trouble = scope.spawn(|| {
                let mut troubles = 0;
                while !done.load(Ordering::SeqCst) {
                    trouble(etcd, troubles)?;
                    troubles += 1;
                }
                Ok::<_, EtcdError>(troubles)
            });
            let report = run(&target, plan);
            done.store(true, Ordering::SeqCst);
            let troubles = trouble.join().expect("no panic")?;
            Ok((report?, troubles))
        })
    }
}

/// Kills, stops or cuts off whoever leads, and lets it come back when another one does.
fn trouble(etcd: &mut Etcd, turn: usize) -> Result<(), EtcdError> {
    let leader = etcd.wait_for_leader(&[])?;
    match turn % 3 {
        0 => etcd.kill(leader)?,
        1 => etcd.stop(leader)?,
        _ => etcd.cut_off(leader),
    }
    etcd.wait_for_leader(&[leader])?;
    std::thread::sleep(AWAY);
    match turn % 3 {
        0 => etcd.restart(leader)?,
        1 => etcd.resume(leader)?,
        _ => etcd.reconnect(leader),
    }
    etcd.wait_until_ready()?;
    std::thread::sleep(WELL);
    Ok(())
}

//! What the lease service does.

use super::super::super::dialect::Dialect;
use super::super::super::told::Told;
use super::super::super::who::Who;
use super::super::Words;
use super::{English, capital, mark, name, secs};

impl English {
    pub(super) fn issuer(self, told: &Told, dialect: Dialect) -> String {
        match *told {
            Told::Grants(by, token, _, true) => format!(
                "The issuer repeats its grant of {} to {}.",
                dialect.text(token),
                name(by)
            ),
            Told::Grants(by, token, ms, false) => format!(
                "The issuer grants {} to {} for {}.",
                dialect.text(token),
                name(by),
                secs(ms)
            ),
            Told::GrantWaits(by, _, ms, 0) => format!(
                "{} is told so only after {}, when nobody trusts older knowledge any more.",
                name(by),
                secs(ms)
            ),
            Told::GrantWaits(by, _, ms, older) => format!(
                "{} is told so only when the {older} older write(s) under way are answered, or after {}.",
                name(by),
                secs(ms)
            ),
            Told::GrantAnswered(by, token) => format!(
                "The wait is over: {} is told of {}, and the lease begins.",
                name(by),
                dialect.text(token)
            ),
            Told::Held(by, Some(holder), ms) => format!(
                "The issuer tells {} that {} has the lease, for {} at least.",
                name(by),
                name(holder),
                secs(ms)
            ),
            Told::Held(by, None, ms) => format!(
                "The issuer tells {} to wait {} at least.",
                name(by),
                secs(ms)
            ),
            Told::Tells(proxy, now) => format!(
                "The authority tells {} that the mark is {}.",
                self.who(Who::Proxy(proxy)),
                mark(now, dialect)
            ),
            Told::Queued(by) => format!("{} will be woken when it is gone.", name(by)),
            Told::NotNow(who) => format!("{} cannot say now.", capital(&self.who(who))),
            Told::GrantEnded(by) => format!("{}'s grant is over.", name(by)),
            Told::Keeps(by, ms) => format!(
                "The issuer lets {} keep the lease for {} more.",
                name(by),
                secs(ms)
            ),
            Told::SaysLost(by, reason) => format!(
                "The issuer tells {} that the lease is lost ({}).",
                name(by),
                reason.word()
            ),
            Told::Released(by) => format!("{}'s lease is given back.", name(by)),
            Told::WatchFires(by) => {
                format!(
                    "The lock node before {}'s is gone: its watch fires.",
                    name(by)
                )
            }
            Told::WillPull(by, ms) => format!(
                "The plug of {}'s machine will be pulled in {}.",
                name(by),
                secs(ms)
            ),
            Told::Pulled(by) => format!("{}'s machine is switched off.", name(by)),
            Told::Broke(Some(by), Some(now)) => format!(
                "{}'s lease is ended, and the mark is {} now.",
                name(by),
                dialect.text(now)
            ),
            _ => "There was no lease to end.".to_owned(),
        }
    }
}

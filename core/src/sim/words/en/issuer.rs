//! What the lease service says and does.

use super::super::super::told::Told;

/// The sentence, of which [`super::super::gap::of`] knows the gaps.
pub(super) const fn text(told: &Told) -> Option<&'static str> {
    Some(match told {
        Told::Grants(_, _, _, true) => "The issuer repeats its grant of {1} to {0}.",
        Told::Grants(..) => "The issuer grants {1} to {0} for {2}.",
        Told::GrantWaits(_, _, _, 0) => {
            "{0} is told so only after {1}, when nobody trusts older knowledge any more."
        }
        Told::GrantWaits(..) => {
            "{0} is told so only when the {2} older write(s) under way are answered, or after {1}."
        }
        Told::GrantAnswered(..) => "The wait is over: {0} is told of {1}, and the lease begins.",
        Told::Held(_, Some(_), _) => {
            "The issuer tells {0} that {1} has the lease, for {2} at least."
        }
        Told::Held(..) => "The issuer tells {0} to wait {2} at least.",
        Told::Tells(..) => "The authority tells {0} that the mark is {1}.",
        Told::Queued(_) => "{0} will be woken when it is gone.",
        Told::NotNow(_) => "{0} cannot say now.",
        Told::GrantEnded(_) => "{0}'s grant is over.",
        Told::Keeps(..) => "The issuer lets {0} keep the lease for {1} more.",
        Told::SaysLost(..) => "The issuer tells {0} that the lease is lost ({1}).",
        Told::Released(_) => "{0}'s lease is given back.",
        Told::WatchFires(_) => "The lock node before {0}'s is gone: its watch fires.",
        Told::WillPull(..) => "The plug of {0}'s machine will be pulled in {1}.",
        Told::Pulled(_) => "{0}'s machine is switched off.",
        Told::Broke(Some(_), Some(_)) => "{0}'s lease is ended, and the mark is {1} now.",
        Told::Broke(..) => "There was no lease to end.",
        Told::Marked => "The issuer hears that its mark is set.",
        _ => return None,
    })
}

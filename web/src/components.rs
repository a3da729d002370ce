//! Components that only draw: what they are given in, actions out.

mod cases;
mod exchange;
mod fields;
mod holder_field;
mod number_field;
mod rule_switch;
mod verdict_card;
mod zones;

pub(crate) use cases::Cases;
pub(crate) use exchange::Exchange;
pub(crate) use fields::Fields;
use holder_field::HolderField;
use number_field::NumberField;
pub(crate) use rule_switch::RuleSwitch;
pub(crate) use verdict_card::VerdictCard;
pub(crate) use zones::Zones;

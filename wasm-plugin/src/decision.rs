//! The decision of one request, left for the access log.

use crate::host::Host;
use crate::json::Object;
use fencegate_core::token::Token;

/// The name under which the log finds it: `%FILTER_STATE(wasm.fence:PLAIN)%` in Envoy.
const PROPERTY: &str = "fence";

/// What was decided.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a> {
    /// `admitted`, `rejected`, `undecided` or `observed`.
    pub outcome: &'static str,
    /// Why not admitted.
    pub reason: Option<&'static str>,
    /// The resource, where it is known.
    pub resource: Option<&'a str>,
    /// The token that was presented.
    pub presented: Option<Token>,
    /// The mark that it was judged against.
    pub mark: Option<Token>,
    /// The holder that was presented.
    pub holder: Option<&'a str>,
    /// The generation of the configuration that decided.
    pub generation: u32,
}

impl Decision<'_> {
    /// Leaves it for the log. `buffer` is memory that is kept from request to request.
    pub fn leave(&self, host: &dyn Host, buffer: &mut String) {
        buffer.clear();
        let mut object = Object::begin(buffer);
        object.text("decision", self.outcome);
        for (name, text) in [
            ("reason", self.reason),
            ("resource", self.resource),
            ("holder", self.holder),
        ] {
            if let Some(text) = text {
                object.text(name, text);
            }
        }
        for (name, token) in [("presented", self.presented), ("mark", self.mark)] {
            if let Some(token) = token {
                object.plain_text(name, token);
            }
        }
        object.value("generation", self.generation).end();
        host.set_property(PROPERTY, buffer.as_bytes());
    }
}

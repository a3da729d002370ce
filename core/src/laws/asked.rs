//! What is known when a request is sent: only that binds its answer.

use crate::token::Token;

/// What was known of a resource when a request was sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    pub(super) start: u32,
    pub(super) granted: Option<Token>,
    pub(super) floor: Option<Token>,
    pub(super) mark: Option<Token>,
    pub(super) unreadable: bool,
}

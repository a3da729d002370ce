//! Which call a request to the lease API is.

use crate::reply::{Kind, Problem};
use fencegate_core::name;
use fencegate_core::path::Segment;

/// How many leases a page has where no number is asked for.
const LIMIT_DEFAULT: u16 = 100;
const LIMIT_MAX: u16 = 1000;

/// A call of the lease API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// It has no body and changes nothing.
    Look(Look),
    /// It has a body.
    Change(Change),
}

/// Calls that change nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// Whether leases can be granted.
    Ready,
    /// A page of all resources that have a record.
    Leases {
        /// Where to go on: what the page before called next. Empty: at the start.
        after: String,
        /// About how many.
        limit: u16,
    },
    /// One resource.
    Lease {
        /// Its name as it was sent, if it is one: a name can stand in a path as it is.
        sent: Option<String>,
        /// The same decoded: many clients encode colons.
        decoded: Option<String>,
    },
}

/// Calls that change something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the words say it")]
pub enum Change {
    Acquire,
    Renew,
    Release,
    Claim,
    Break,
}

impl Call {
    /// The call that `target` (the raw `:path`) and `method` ask for; `None` if the target is not
    /// under the API's path.
    ///
    /// # Errors
    /// There is no such call.
    pub fn read(
        api_path: &str,
        target: &[u8],
        method: &[u8],
    ) -> Option<Result<Self, Problem<'static>>> {
        let rest = target.strip_prefix(api_path.as_bytes())?;
        let (path, query) = match rest.iter().position(|&byte| byte == b'?') {
            Some(at) => rest.split_at_checked(at)?,
            None => (rest, &b""[..]),
        };
        let query = query.strip_prefix(b"?").unwrap_or_default();
        match path {
            b"" => Some(Err(Problem::new(Kind::NOT_FOUND))),
            [b'/', call @ ..] => Some(Self::find(call, query, method)),
            _ => None,
        }
    }

    fn find(path: &[u8], query: &[u8], method: &[u8]) -> Result<Self, Problem<'static>> {
        let (call, wanted) = match path {
            b"acquire" => (Self::Change(Change::Acquire), "POST"),
            b"renew" => (Self::Change(Change::Renew), "POST"),
            b"release" => (Self::Change(Change::Release), "POST"),
            b"claim" => (Self::Change(Change::Claim), "POST"),
            b"break" => (Self::Change(Change::Break), "POST"),
            b"ready" => (Self::Look(Look::Ready), "GET"),
            b"leases" => (Self::Look(page(query)?), "GET"),
            _ => (Self::Look(one(path)?), "GET"),
        };
        if method != wanted.as_bytes() {
            return Err(Problem::detailed(Kind::METHOD, format!("send {wanted}")));
        }
        Ok(call)
    }
}

fn one(path: &[u8]) -> Result<Look, Problem<'static>> {
    let sent = path
        .strip_prefix(b"leases/")
        .ok_or(Problem::new(Kind::NOT_FOUND))?;
    let name = |bytes: &[u8]| name::resource(bytes).map(str::to_owned).ok();
    let decoded: Option<Vec<u8>> = Segment::read(sent)
        .ok()
        .map(|segment| segment.decoded().collect());
    let lease = Look::Lease {
        sent: name(sent),
        decoded: decoded.and_then(|decoded| name(&decoded)),
    };
    Ok(lease)
}

fn page(query: &[u8]) -> Result<Look, Problem<'static>> {
    let (mut after, mut limit) = (String::new(), LIMIT_DEFAULT);
    for field in query
        .split(|&byte| byte == b'&')
        .filter(|field| !field.is_empty())
    {
        let text = core::str::from_utf8(field).unwrap_or_default();
        let read = match text.split_once('=') {
            Some(("after", value)) => {
                value.clone_into(&mut after);
                !value.is_empty()
            }
            Some(("limit", value)) => value.parse().map(|value| limit = value).is_ok(),
            _ => false,
        };
        if !read || !(1..=LIMIT_MAX).contains(&limit) {
            return Err(not_a_page());
        }
    }
    Ok(Look::Leases { after, limit })
}

/// The problem of a page that there cannot be.
pub(super) fn not_a_page() -> Problem<'static> {
    Problem::detailed(
        Kind::MALFORMED,
        format!(
            "the query takes after (next of the page before) and limit (1 to {LIMIT_MAX}) only"
        ),
    )
}

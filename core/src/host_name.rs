//! The canonical host of a request: case, port and one last dot do not matter.
//!
//! What a second reader could take for another host (userinfo, two joined `Host` headers, numbers
//! that are addresses to some) is refused. Looks nothing up; an address is never compared with a
//! name.

use core::fmt;
use core::net::{Ipv4Addr, Ipv6Addr};

/// The longest host, in bytes, with its port: a DNS name of 253, a dot, a colon and five digits.
pub const HOST_LEN_MAX: usize = 260;

/// A checked host.
#[derive(Clone, Copy, Debug)]
pub enum HostName<'a> {
    /// A name or an IPv4 address, in the case in which it was sent.
    Name(&'a str),
    /// An IPv6 address, whatever its spelling was.
    Ipv6(Ipv6Addr),
}

/// Why a host has more than one reading, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostAmbiguity {
    /// Neither `:authority` nor `host`.
    Missing,
    /// Two `:authority`.
    Twice,
    /// `host`, `:authority` and an absolute `:path` name different hosts.
    Disagrees,
    /// No byte at all.
    Empty,
    /// More than [`HOST_LEN_MAX`] bytes.
    TooLong,
    /// `user@host`.
    Userinfo,
    /// A comma: two `Host` headers joined.
    List,
    /// Something other than letters, digits, `-`, `_` and `.`.
    Byte,
    /// Brackets without an IPv6 address in them.
    Brackets,
    /// A port that is not a number below 65536.
    Port,
    /// An empty label, as in `a..b`.
    Label,
    /// It ends in a number but is not a plain IPv4 address: `127.1` and `0x7f.1` are, to some.
    Number,
}

impl<'a> HostName<'a> {
    /// Reads an authority.
    ///
    /// # Errors
    /// Whatever could be read in two ways: see [`HostAmbiguity`].
    pub fn read(raw: &'a [u8]) -> Result<Self, HostAmbiguity> {
        if raw.is_empty() {
            return Err(HostAmbiguity::Empty);
        }
        if raw.len() > HOST_LEN_MAX {
            return Err(HostAmbiguity::TooLong);
        }
        // Said first, since these tell what happened better than a wrong byte does.
        if raw.contains(&b',') {
            return Err(HostAmbiguity::List);
        }
        if raw.contains(&b'@') {
            return Err(HostAmbiguity::Userinfo);
        }
        let text = core::str::from_utf8(raw).map_err(|_| HostAmbiguity::Byte)?;
        match text.strip_prefix('[') {
            Some(bracketed) => ipv6(bracketed),
            None => name(text),
        }
    }
}

impl PartialEq for HostName<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Name(left), Self::Name(right)) => left.eq_ignore_ascii_case(right),
            (Self::Ipv6(left), Self::Ipv6(right)) => left == right,
            _ => false,
        }
    }
}

impl Eq for HostName<'_> {}

fn ipv6(bracketed: &str) -> Result<HostName<'_>, HostAmbiguity> {
    let (address, after) = bracketed.split_once(']').ok_or(HostAmbiguity::Brackets)?;
    match after.strip_prefix(':') {
        Some(digits) => port(digits)?,
        None if after.is_empty() => {}
        None => return Err(HostAmbiguity::Brackets),
    }
    address
        .parse()
        .map(HostName::Ipv6)
        .map_err(|_| HostAmbiguity::Brackets)
}

fn name(text: &str) -> Result<HostName<'_>, HostAmbiguity> {
    let host = match text.split_once(':') {
        Some((host, digits)) => {
            port(digits)?;
            host
        }
        None => text,
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    if host.is_empty() {
        return Err(HostAmbiguity::Empty);
    }
    if !host
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
    {
        return Err(HostAmbiguity::Byte);
    }
    if host.split('.').any(str::is_empty) {
        return Err(HostAmbiguity::Label);
    }
    let last = host.rsplit('.').next().unwrap_or(host);
    if is_number(last) && host.parse::<Ipv4Addr>().is_err() {
        return Err(HostAmbiguity::Number);
    }
    Ok(HostName::Name(host))
}

/// Whether a browser would take a host with this last label for an IPv4 address.
fn is_number(label: &str) -> bool {
    let hexadecimal = label
        .strip_prefix("0x")
        .or_else(|| label.strip_prefix("0X"));
    match hexadecimal {
        Some(digits) => digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => label.bytes().all(|byte| byte.is_ascii_digit()),
    }
}

/// An empty port is one: `host:` means the default (RFC 3986, 3.2.3).
fn port(digits: &str) -> Result<(), HostAmbiguity> {
    let fine = digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits.is_empty() || digits.parse::<u16>().is_ok());
    if fine {
        Ok(())
    } else {
        Err(HostAmbiguity::Port)
    }
}

impl fmt::Display for HostAmbiguity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "there is no host",
            Self::Twice => "it is given twice",
            Self::Disagrees => "the request names different hosts",
            Self::Empty => "it is empty",
            Self::TooLong => "it is longer than 260 bytes",
            Self::Userinfo => "it has a user before the host",
            Self::List => "it is a list of hosts",
            Self::Byte => "a host has letters, digits and - _ . only",
            Self::Brackets => "the brackets do not hold an IPv6 address",
            Self::Port => "the port is not a number below 65536",
            Self::Label => "it has an empty label",
            Self::Number => "it is an address to some and a name to others",
        })
    }
}

impl core::error::Error for HostAmbiguity {}

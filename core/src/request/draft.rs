//! What has been seen of a request while its headers go by, and the reading made of it at the end.

use super::names::{Named, is_confused_with};
use super::{
    Access, Destination, HeaderNames, MethodFault, Reading, Request, Several, Tunnel, Twofold,
    is_read_method, query,
};
use crate::host_name::{HostAmbiguity, HostName};
use crate::name;
use crate::path::{Form, PathAmbiguity, Target};
use crate::token::Token;

/// A value that may come at most once.
#[derive(Clone, Copy, Debug, Default)]
struct Once<'a> {
    first: Option<&'a [u8]>,
    more: bool,
    /// Some came under a name that is only nearly the right one.
    misspelt: bool,
}

/// What the method and everything that overrides it say together.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    write: bool,
    post: bool,
    copy_or_move: bool,
}

#[derive(Debug, Default)]
pub(super) struct Draft<'a> {
    method: Once<'a>,
    path: Once<'a>,
    authority: Once<'a>,
    host: Once<'a>,
    /// `x-original-url` and its like.
    path_override: Once<'a>,
    destination: Once<'a>,
    token: Once<'a>,
    holder: Once<'a>,
    said: Said,
    protocol: bool,
    upgrade: bool,
    early_data: bool,
    repeated: bool,
    rename: bool,
    grpc: bool,
}

impl<'a> Once<'a> {
    /// Takes a value; the same one again counts as a second.
    fn put(&mut self, value: &'a [u8]) {
        self.more |= self.first.is_some();
        self.first.get_or_insert(value);
    }

    /// Takes a value that may come again if it is the same.
    fn put_same(&mut self, value: &'a [u8]) {
        self.more |= self.first.is_some_and(|first| first != value);
        self.first.get_or_insert(value);
    }

    fn put_misspelt(&mut self, value: &'a [u8]) {
        self.misspelt = true;
        self.put(value);
    }

    fn reading<T, E>(self, parse: impl Fn(&'a [u8]) -> Result<T, E>) -> Reading<T, E> {
        match self.first {
            None => Reading::Absent,
            Some(_) if self.misspelt => Reading::Ambiguous(Twofold::Spelling),
            Some(_) if self.more => Reading::Ambiguous(Twofold::Twice),
            Some(value) if value.contains(&b',') => Reading::Ambiguous(Twofold::List),
            Some(value) => parse(value).map_or_else(Reading::Malformed, Reading::Given),
        }
    }
}

impl Said {
    fn say(&mut self, method: &[u8]) {
        self.write |= !is_read_method(method);
        // Frameworks upper-case what overrides a method, so case does not excuse.
        self.post |= method.eq_ignore_ascii_case(b"POST");
        self.copy_or_move |=
            method.eq_ignore_ascii_case(b"COPY") || method.eq_ignore_ascii_case(b"MOVE");
    }
}

impl<'a> Draft<'a> {
    /// Takes one header.
    pub(super) fn take(&mut self, name: &[u8], value: &'a [u8], names: &HeaderNames) {
        if name.first() == Some(&b':') {
            return self.take_pseudo(name, value);
        }
        match names.which(name) {
            Named::Token => self.token.put(value),
            Named::Holder => self.holder.put(value),
            Named::NearlyToken => self.token.put_misspelt(value),
            Named::NearlyHolder => self.holder.put_misspelt(value),
            Named::Other => self.take_plain(name, value),
        }
    }

    fn take_pseudo(&mut self, name: &[u8], value: &'a [u8]) {
        let is = |wanted: &str| name.eq_ignore_ascii_case(wanted.as_bytes());
        if is(":method") {
            self.said.say(value);
            self.method.put(value);
        } else if is(":path") {
            self.path.put(value);
        } else if is(":authority") {
            self.authority.put(value);
        } else if is(":protocol") {
            self.protocol = true;
        }
    }

    fn take_plain(&mut self, name: &[u8], value: &'a [u8]) {
        // What an origin could take for the name counts as the name.
        let is = |wanted: &str| is_confused_with(name, wanted.as_bytes());
        if is("host") {
            self.host.put_same(value);
        } else if is("content-type") {
            self.grpc |= is_grpc(value);
        } else if is("upgrade") {
            self.upgrade = true;
        } else if is("early-data") {
            // Any value and any number of them mean 1 (RFC 8470, 5.1).
            self.early_data = true;
        } else if is("x-envoy-attempt-count") {
            self.repeated |= value != b"1";
        } else if is("x-http-method-override") || is("x-http-method") || is("x-method-override") {
            self.said.say(value);
        } else if is("x-original-url") || is("x-rewrite-url") {
            self.path_override.put_same(value);
        } else if is("destination") {
            self.destination.put(value);
        } else if is("x-amz-rename-source") || is("x-ms-rename-source") {
            self.rename = true;
        }
    }

    /// Makes a request of what was seen.
    pub(super) fn finish(mut self) -> Request<'a> {
        let target = self.path.first.map(Target::read);
        let query = target.and_then(|target| target.query);
        for method in query.into_iter().flat_map(query::methods) {
            // Longer than any read method: no more bytes are needed to know that it is a write.
            let method: Vec<u8> = method.take(8).collect();
            self.said.say(&method);
        }
        let method = self.method();
        let access = match method {
            Ok(_) if !self.said.write => Access::Read,
            _ => Access::Write,
        };
        Request {
            method,
            access,
            authority: self.authority(target),
            path: self.place(target),
            destination: self.said.copy_or_move.then(|| self.destination()).flatten(),
            several: (access == Access::Write)
                .then(|| self.several(query))
                .flatten(),
            tunnel: self.tunnel(),
            token: self.token.reading(Token::parse),
            holder: self.holder.reading(name::holder),
            early_data: self.early_data,
            repeated: self.repeated,
            grpc: self.grpc,
        }
    }

    fn method(&self) -> Result<&'a str, MethodFault> {
        match self.method.first {
            None => Err(MethodFault::Missing),
            Some(_) if self.method.more => Err(MethodFault::Twice),
            Some(b"") => Err(MethodFault::Malformed),
            Some(method) if !method.iter().all(|&byte| is_token_byte(byte)) => {
                Err(MethodFault::Malformed)
            }
            Some(method) => core::str::from_utf8(method).map_err(|_| MethodFault::Malformed),
        }
    }

    fn authority(&self, target: Option<Target<'a>>) -> Result<HostName<'a>, HostAmbiguity> {
        if self.authority.more {
            return Err(HostAmbiguity::Twice);
        }
        if self.host.more {
            return Err(HostAmbiguity::Disagrees);
        }
        let in_path = target.and_then(|target| target.authority);
        let mut agreed = Err(HostAmbiguity::Missing);
        for raw in [self.authority.first, self.host.first, in_path]
            .into_iter()
            .flatten()
        {
            let host = HostName::read(raw)?;
            if agreed.is_ok_and(|other| other != host) {
                return Err(HostAmbiguity::Disagrees);
            }
            agreed = Ok(host);
        }
        agreed
    }

    fn place(&self, target: Option<Target<'a>>) -> Result<Form<'a>, PathAmbiguity> {
        let target = target.ok_or(PathAmbiguity::Missing)?;
        if self.path.more {
            return Err(PathAmbiguity::Twice);
        }
        if self.path_override.more
            || self
                .path_override
                .first
                .is_some_and(|other| Some(other) != self.path.first)
        {
            return Err(PathAmbiguity::Rewritten);
        }
        let asks_only =
            self.method.first == Some(b"OPTIONS") && !self.said.write && self.tunnel().is_none();
        match target.form {
            Ok(Form::Asterisk) if !asks_only => Err(PathAmbiguity::Asterisk),
            form => form,
        }
    }

    /// `None` when there is no such header: then only the path is written to.
    fn destination(&self) -> Option<Destination<'a>> {
        let target = Target::read(self.destination.first?);
        let path = match target.form {
            _ if self.destination.more => Err(PathAmbiguity::Twice),
            Ok(Form::Asterisk) => Err(PathAmbiguity::Asterisk),
            form => form,
        };
        Some(Destination {
            authority: target.authority.map(HostName::read),
            path,
        })
    }

    fn several(&self, query: Option<&[u8]>) -> Option<Several> {
        if self.rename {
            return Some(Several::Rename);
        }
        query::several(query?, self.said.post)
    }

    fn tunnel(&self) -> Option<Tunnel> {
        let connects = self
            .method
            .first
            .is_some_and(|method| method.eq_ignore_ascii_case(b"CONNECT"));
        match (self.protocol, connects, self.upgrade) {
            (true, _, _) => Some(Tunnel::ExtendedConnect),
            (false, true, _) => Some(Tunnel::Connect),
            (false, false, true) => Some(Tunnel::Upgrade),
            (false, false, false) => None,
        }
    }
}

/// `application/grpc`, with a `+format` or parameters; not `application/grpc-web`.
fn is_grpc(content_type: &[u8]) -> bool {
    let (start, rest) = content_type
        .split_at_checked(16)
        .unwrap_or((content_type, b""));
    start.eq_ignore_ascii_case(b"application/grpc")
        && matches!(rest.first(), None | Some(b'+' | b';' | b' '))
}

const fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'!' | b'#'
                | b'$'
                | b'%'
                | b'&'
                | b'\''
                | b'*'
                | b'+'
                | b'-'
                | b'.'
                | b'^'
                | b'_'
                | b'`'
                | b'|'
                | b'~'
        )
}

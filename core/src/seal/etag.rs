//! Entity tags, compared strongly.

/// One entity tag as it stands in a header: quoted, perhaps weak.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Etag(String);

/// The value of If-Match or If-None-Match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EtagList {
    /// `*`
    Any,
    /// One of these.
    Of(Vec<Etag>),
}

impl Etag {
    /// Reads one tag: `"x"` or `W/"x"`; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches([' ', '\t']);
        let opaque = text.strip_prefix("W/").unwrap_or(text);
        let inner = opaque.strip_prefix('"')?.strip_suffix('"')?;
        let plain = |byte: u8| byte == 0x21 || (0x23..=0x7e).contains(&byte) || byte >= 0x80;
        inner.bytes().all(plain).then(|| Self(text.to_owned()))
    }

    /// Its text, with its quotes.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it may stand for more than one state of the object: no condition can rely on it.
    #[must_use]
    pub fn is_weak(&self) -> bool {
        self.0.starts_with("W/")
    }
}

impl EtagList {
    /// Reads a list; `None` if it is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches([' ', '\t']);
        if text == "*" {
            return Some(Self::Any);
        }
        let mut tags = Vec::new();
        let mut rest = text;
        loop {
            // A tag may contain a comma, so its quotes are looked for first.
            let open = rest.find('"')?.checked_add(1)?;
            let close = rest
                .get(open..)?
                .find('"')?
                .checked_add(open)?
                .checked_add(1)?;
            tags.push(Etag::parse(rest.get(..close)?)?);
            let after = rest.get(close..)?.trim_start_matches([' ', '\t']);
            match after.strip_prefix(',') {
                Some(next) => rest = next.trim_start_matches([' ', '\t', ',']),
                None if after.is_empty() => return Some(Self::Of(tags)),
                None => return None,
            }
            if rest.is_empty() {
                return Some(Self::Of(tags));
            }
        }
    }

    /// Whether `etag`, of an object that exists, is one of these. Weak ones equal nothing.
    #[must_use]
    pub fn contains(&self, etag: &Etag) -> bool {
        match self {
            Self::Any => true,
            Self::Of(tags) => !etag.is_weak() && tags.contains(etag),
        }
    }

    /// Whether `etag` is one of these where weak ones count as well, as If-None-Match compares.
    #[must_use]
    pub fn contains_weakly(&self, etag: &Etag) -> bool {
        let opaque = |etag: &Etag| etag.0.trim_start_matches("W/").to_owned();
        match self {
            Self::Any => true,
            Self::Of(tags) => tags.iter().any(|tag| opaque(tag) == opaque(etag)),
        }
    }
}

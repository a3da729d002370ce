//! What can be wrong with the rules and headers of a configuration, each with its mend.
//!
//! An error names the field by its JSON path and says in one sentence what to write instead.

use core::fmt;

use crate::host_name::HostAmbiguity;
use crate::path::PathAmbiguity;

/// Where a configuration is wrong, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The JSON path of the field, like `rules[1].resource`.
    pub at: String,
    /// What is wrong with it.
    pub flaw: Flaw,
}

/// What is wrong with one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// No rule, or too many.
    RuleCount {
        /// The most that is allowed.
        max: usize,
    },
    /// No authority, or too many.
    AuthorityCount {
        /// The most that is allowed.
        max: usize,
    },
    /// Not the name of a host.
    Authority(HostAmbiguity),
    /// A host with a port or a last dot, which requests are compared without.
    AuthorityNotPlain {
        /// The same host, plain.
        plain: String,
    },
    /// `*` beside others, which it includes.
    AuthorityBesideAny,
    /// The same host again.
    AuthorityTwice {
        /// Its first place in the list.
        first: usize,
    },
    /// A path template that does not start with `/`.
    PathStart,
    /// A path template that ends with `/`.
    PathEnd,
    /// A path template with too many bytes.
    PathTooLong {
        /// The most that is allowed.
        max: usize,
    },
    /// A literal segment that no clear request has.
    PathLiteral {
        /// The segment.
        segment: String,
        /// Why not.
        why: PathAmbiguity,
    },
    /// A segment with braces that is not exactly one variable.
    PathBraces {
        /// The segment.
        segment: String,
    },
    /// `{*rest}` before the end.
    RestNotLast {
        /// The variable.
        name: String,
    },
    /// Not the name of a variable.
    VariableName {
        /// What was given.
        name: String,
    },
    /// A variable that a template has twice.
    VariableTwice {
        /// The variable.
        name: String,
    },
    /// A resource template without any byte.
    ResourceEmpty,
    /// A resource template with too many bytes of its own.
    ResourceTooLong {
        /// The most that is allowed.
        max: usize,
    },
    /// A brace without its other half.
    ResourceBraces,
    /// A byte that no resource name has.
    ResourceByte {
        /// The first such character.
        found: char,
    },
    /// `{*rest}` in a resource.
    ResourceStar {
        /// The variable.
        name: String,
    },
    /// A variable that the path does not have.
    UnknownVariable {
        /// The variable.
        name: String,
        /// The path template.
        path: String,
        /// The variables that the path has.
        has: Vec<String>,
    },
    /// Two values could run into each other, so that two places get one resource.
    NotSeparated {
        /// The variable before.
        left: String,
        /// The variable after.
        right: String,
        /// Whether the one before may hold slashes.
        rest: bool,
    },
    /// Two rules that one request matches.
    Overlap {
        /// The place of the other rule.
        other: usize,
        /// A host that both match.
        authority: String,
        /// A path that both match.
        path: String,
    },
    /// No header name, or too many.
    HeaderCount {
        /// The most that is allowed.
        max: usize,
    },
    /// Not a lower-case header name.
    HeaderName {
        /// What was given.
        name: String,
    },
    /// A header that already means something else.
    HeaderTaken {
        /// What was given.
        name: String,
    },
    /// The same header name again.
    HeaderTwice {
        /// What was given.
        name: String,
        /// The JSON path of the first.
        at: String,
    },
}

impl ConfigError {
    /// A flaw at a JSON path.
    pub(crate) fn new(at: impl Into<String>, flaw: Flaw) -> Self {
        Self {
            at: at.into(),
            flaw,
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.flaw)
    }
}

impl core::error::Error for ConfigError {}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RuleCount { max } => write!(f, "write between 1 and {max} rules"),
            Self::AuthorityCount { max } => {
                write!(
                    f,
                    "write between 1 and {max} hosts, or [\"*\"] for any host"
                )
            }
            Self::Authority(why) => write!(f, "write a plain host name or \"*\": {why}"),
            Self::AuthorityNotPlain { plain } => {
                write!(
                    f,
                    "hosts are compared without port and last dot; write \"{plain}\""
                )
            }
            Self::AuthorityBesideAny => f.write_str("\"*\" stands alone; drop it or the others"),
            Self::AuthorityTwice { first } => {
                write!(f, "the host is already at [{first}]; drop one")
            }
            Self::PathStart => f.write_str("a path starts with /; put one in front"),
            Self::PathEnd => f.write_str("a last / makes no difference to requests; drop it"),
            Self::PathTooLong { max } => {
                write!(f, "a path template has at most {max} bytes; shorten it")
            }
            Self::PathLiteral { segment, why } => {
                write!(
                    f,
                    "no request reaches the segment \"{segment}\"; write another one: {why}"
                )
            }
            Self::PathBraces { segment } => write!(
                f,
                "\"{segment}\" mixes text and braces; a segment is text, or {{name}}, or at the end {{*name}}"
            ),
            Self::RestNotLast { name } => {
                write!(f, "{{*{name}}} takes all that follows; move it to the end")
            }
            Self::VariableName { name } => write!(
                f,
                "\"{name}\" is no variable name; write a letter, then letters, digits or _, at most 32, lower case"
            ),
            Self::VariableTwice { name } => {
                write!(f, "it has {{{name}}} twice; rename or drop one")
            }
            Self::ResourceEmpty => f.write_str("a resource has a name; write one, like job:{job}"),
            Self::ResourceTooLong { max } => {
                write!(
                    f,
                    "the text of a resource has at most {max} bytes; shorten it"
                )
            }
            Self::ResourceBraces => f.write_str("a brace has no other half; write {name}"),
            Self::ResourceByte { found } => {
                write!(
                    f,
                    "{found:?} cannot stand in a resource; use letters, digits and - . _ ~ : / @ + = %"
                )
            }
            Self::ResourceStar { name } => {
                write!(f, "write {{{name}}}: the star belongs to the path only")
            }
            Self::UnknownVariable { name, path, has } => {
                write!(
                    f,
                    "{{{name}}} is not a variable of the path {path}; it has "
                )?;
                variables(f, has)
            }
            Self::NotSeparated { left, right, rest } => {
                let marks = if *rest { ": @ + or =" } else { ": / @ + or =" };
                write!(
                    f,
                    "{{{left}}} and {{{right}}} could run into each other; begin the text between them with {marks}"
                )
            }
            Self::Overlap {
                other,
                authority,
                path,
            } => write!(
                f,
                "{path} on {authority} matches rules[{other}] too; change one, so that no request matches both"
            ),
            Self::HeaderCount { max } => write!(f, "write between 1 and {max} header names"),
            Self::HeaderName { name } => write!(
                f,
                "\"{name}\" is no header name here; write lower-case letters, digits and -, at most 64"
            ),
            Self::HeaderTaken { name } => write!(
                f,
                "\"{name}\" already has another meaning; choose another name"
            ),
            Self::HeaderTwice { name, at } => write!(f, "\"{name}\" is already at {at}; drop one"),
        }
    }
}

fn variables(f: &mut fmt::Formatter<'_>, names: &[String]) -> fmt::Result {
    let mut separator = "";
    for name in names {
        write!(f, "{separator}{{{name}}}")?;
        separator = ", ";
    }
    if names.is_empty() {
        f.write_str("none; write the resource without it")
    } else {
        Ok(())
    }
}

//! Conversations with etcd as text: what is asked, what a real one answered, what that means.
//!
//! The filter's tests write what is asked and what it means; the tests with a real etcd play what
//! is asked and write the answers. `make recordings` does both.
//!
//! ```text
//!   # what this is about
//!   ! etcd 3.4.23          the version that answered
//!   ! nodes 1              how many members, and other options of the cluster
//!
//!   == the name of a step
//!   ~ wait 2000            something to do first
//!   + Name: value          headers beyond the usual; $TOKEN1 is the first token that was given out
//!   > /v3/kv/txn
//!   {"compare":[...]}
//!   < 200
//!   {"header":{...}}
//!   = what the filter makes of it
//! ```

use std::fmt::Write;

/// A conversation.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// What it is about.
    pub about: String,
    /// Options, the first one is the version of etcd that answered.
    pub options: Vec<String>,
    /// What is asked, in order.
    pub steps: Vec<Step>,
}

/// One exchange.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// No two steps of a script have the same.
    pub name: String,
    /// What is done first.
    pub before: Option<String>,
    /// Headers beyond the usual.
    pub headers: Vec<String>,
    /// Where it is sent to.
    pub path: String,
    /// What is sent.
    pub request: String,
    /// The answer's status; 0 while it was not recorded.
    pub status: u16,
    /// The answer's body without the line's end.
    pub answer: String,
    /// What the filter makes of it; empty where that is not asked.
    pub told: String,
}

impl Script {
    /// The value of an option.
    pub fn option(&self, name: &str) -> Option<&str> {
        let mut options = self.options.iter();
        options.find_map(|option| option.strip_prefix(name)?.strip_prefix(' '))
    }

    /// Reads what [`Script::print`] wrote.
    pub fn parse(text: &str) -> Self {
        let mut script = Self::default();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let (sign, rest) = line.split_once(' ').unwrap_or((line, ""));
            if sign.is_empty() {
                continue;
            }
            if sign == "==" {
                let name = rest.to_owned();
                script.steps.push(Step {
                    name,
                    ..Step::default()
                });
                continue;
            }
            let body = match sign {
                ">" | "<" => lines.next().unwrap_or_default().to_owned(),
                _ => String::new(),
            };
            match script.steps.last_mut() {
                Some(step) => step.take(sign, rest, body),
                None if sign == "!" => script.options.push(rest.to_owned()),
                None => {
                    assert_eq!(sign, "#", "{line}");
                    let about = [script.about.as_str(), rest].join(" ");
                    script.about = about.trim().to_owned();
                }
            }
        }
        script
    }

    /// Writes it.
    pub fn print(&self) -> String {
        let mut out = format!("# {}\n", self.about);
        for option in &self.options {
            writeln!(out, "! {option}").expect("a string");
        }
        for step in &self.steps {
            step.print(&mut out).expect("a string");
        }
        out
    }
}

impl Step {
    fn take(&mut self, sign: &str, rest: &str, body: String) {
        let rest = rest.to_owned();
        match sign {
            "~" => self.before = Some(rest),
            "+" => self.headers.push(rest),
            ">" => (self.path, self.request) = (rest, body),
            "<" => (self.status, self.answer) = (rest.parse().expect("a status"), body),
            "=" => self.told = rest,
            other => panic!("{}: no line begins with {other:?}", self.name),
        }
    }

    fn print(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "\n== {}", self.name)?;
        if let Some(before) = &self.before {
            writeln!(out, "~ {before}")?;
        }
        for header in &self.headers {
            writeln!(out, "+ {header}")?;
        }
        writeln!(out, "> {}\n{}", self.path, self.request)?;
        if self.status > 0 {
            writeln!(out, "< {}\n{}", self.status, self.answer)?;
        }
        if !self.told.is_empty() {
            writeln!(out, "= {}", self.told)?;
        }
        Ok(())
    }
}

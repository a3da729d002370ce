//! The configuration's JSON Schema and reference are made from its types.
//!
//! Fails when they are stale; `make docs` (which sets `FENCEGATE_RENEW`) writes them anew.

use fencegate::config::Config;
use serde_json::Value;
use std::fmt::Write;
use std::path::PathBuf;

const HEAD: &str = "# Configuration\n\n\
    Made from the filter's types by `make docs`; a test fails when it is stale. The same as a\n\
    [JSON Schema](configuration.schema.json). What a field means together with others is said in\n\
    the [README](../README.md).\n\n\
    The configuration `\"keeper\"` (a JSON text) is the keeper's: it guards nothing and keeps the\n\
    shared data alive while listeners come and go.\n\n\
    | field | value | default | meaning |\n|---|---|---|---|\n";

fn is_fresh(name: &str, made: &str) {
    let docs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let path = docs.join(name);
    if std::env::var_os("FENCEGATE_RENEW").is_some() {
        std::fs::write(&path, made).expect("docs can be written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == made,
        "docs/{name} is stale: run `make docs` and read what it changed"
    );
}

fn schema() -> Value {
    schemars::schema_for!(Config).to_value()
}

#[test]
fn the_schema_is_fresh() {
    let text = serde_json::to_string_pretty(&schema()).expect("a value");
    is_fresh("configuration.schema.json", &(text + "\n"));
}

#[test]
fn the_reference_is_fresh() {
    let schema = schema();
    let mut reference = Reference {
        root: &schema,
        text: HEAD.to_owned(),
    };
    reference.fields("", &schema);
    is_fresh("configuration.md", &reference.text);
}

/// A table with a row for each field, depth first.
struct Reference<'a> {
    root: &'a Value,
    text: String,
}

impl<'a> Reference<'a> {
    /// What a field holds, whether it is named elsewhere and whether it may be left out.
    fn resolved(&self, schema: &'a Value) -> &'a Value {
        if let Some(path) = schema["$ref"].as_str() {
            let path = path.trim_start_matches('#');
            return self.root.pointer(path).expect("a definition");
        }
        let choices = schema["anyOf"].as_array().into_iter().flatten();
        let mut choices = choices.filter(|choice| choice["type"] != "null");
        match (choices.next(), choices.next()) {
            (Some(only), None) => self.resolved(only),
            _ => schema,
        }
    }

    fn row(&mut self, at: &str, kind: &str, default: &str, described: &Value) {
        let meaning = described["description"].as_str().unwrap_or_default();
        let meaning = meaning.replace('\n', " ");
        writeln!(self.text, "| `{at}` | {kind} | {default} | {meaning} |").expect("a text");
    }

    fn fields(&mut self, at: &str, schema: &'a Value) {
        let schema = self.resolved(schema);
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (name, field) in members(&schema["properties"]) {
            if self.is_never(field) {
                continue;
            }
            let at = if at.is_empty() {
                name.clone()
            } else {
                format!("{at}.{name}")
            };
            let default = match &field["default"] {
                _ if required.contains(&Value::from(name.as_str())) => "required".to_owned(),
                Value::Null => "none".to_owned(),
                default => format!("`{default}`"),
            };
            let target = self.resolved(field);
            self.row(&at, &kind(target), &default, field);
            self.inside(&at, target);
        }
    }

    fn inside(&mut self, at: &str, target: &'a Value) {
        self.fields(at, target);
        if !target["items"].is_null() {
            self.fields(&format!("{at}[]"), &target["items"]);
        }
        for choice in target["oneOf"].as_array().into_iter().flatten() {
            self.choice(at, choice);
        }
    }

    fn choice(&mut self, at: &str, choice: &'a Value) {
        if let Some(word) = choice["const"].as_str() {
            self.row(at, &format!("`\"{word}\"`"), "", choice);
        }
        for (name, inner) in members(&choice["properties"]) {
            if !self.is_never(inner) {
                let at = format!("{at}.{name}");
                let target = self.resolved(inner);
                self.row(&at, &kind(target), "", choice);
                self.inside(&at, target);
            }
        }
    }

    /// Whether no value is accepted: what this version does not do.
    fn is_never(&self, field: &'a Value) -> bool {
        *self.resolved(field) == Value::Bool(false)
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn kind(target: &Value) -> String {
    if target["oneOf"].is_array() {
        return "one of these:".into();
    }
    let kind = target["type"].as_str().or(target["type"][0].as_str());
    match kind {
        Some("integer") => "number".into(),
        Some("array") => "list".into(),
        Some("string") => "text".into(),
        Some("boolean") => "`true` or `false`".into(),
        Some(other) => other.into(),
        None => "value".into(),
    }
}

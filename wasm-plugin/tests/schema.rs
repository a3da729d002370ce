//! What is read is what the schema says: names, what must be given, words, and what is meant where
//! something is left out.
//!
//! The schema is made of the configuration's types, their readers stand elsewhere. This walks through the
//! schema, makes configurations of it, and asks the reader about each place of each.

use fencegate::config::Config;
use fencegate::json::{ReadError, read};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A name that nothing has.
const STRANGE: &str = "strange";

struct Schema {
    root: Value,
}

/// A place in a configuration, as a JSON pointer, and what the schema says of it.
type Place<'a> = (String, &'a Value);

impl Schema {
    fn new() -> Self {
        Self {
            root: schemars::schema_for!(Config).to_value(),
        }
    }

    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        match schema["$ref"].as_str() {
            Some(path) => self
                .root
                .pointer(path.trim_start_matches('#'))
                .expect("it is there"),
            None => schema,
        }
    }

    /// All that may stand here, in its kinds if not in its values.
    fn choices<'a>(&'a self, schema: &'a Value) -> Vec<&'a Value> {
        let schema = self.resolved(schema);
        match schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
            Some(choices) => choices
                .iter()
                .flat_map(|choice| self.choices(choice))
                .collect(),
            None => vec![schema],
        }
    }

    /// One value of each kind, the fullest first.
    fn examples(&self, schema: &Value) -> Vec<Value> {
        let choices = self.choices(schema);
        choices
            .iter()
            .flat_map(|choice| self.examples_of(choice))
            .collect()
    }

    fn examples_of(&self, schema: &Value) -> Vec<Value> {
        if *schema == json!(false) {
            return Vec::new();
        }
        if !schema["const"].is_null() {
            return vec![schema["const"].clone()];
        }
        let kinds = schema["type"].as_array().cloned();
        let kinds = kinds.unwrap_or_else(|| vec![schema["type"].clone()]);
        kinds
            .iter()
            .flat_map(|kind| match kind.as_str().expect("a kind") {
                "integer" => vec![json!(7)],
                "string" => vec![json!("text")],
                "boolean" => vec![json!(true), json!(false)],
                "null" => vec![json!(null)],
                "array" => self
                    .examples(&schema["items"])
                    .into_iter()
                    .map(|item| json!([item]))
                    .collect(),
                "object" => self.objects(schema),
                other => panic!("what is {other}?"),
            })
            .collect()
    }

    /// One with the first example of every member, and one for each further example.
    fn objects(&self, schema: &Value) -> Vec<Value> {
        let mut members = Map::new();
        let mut further = Vec::new();
        for (name, member) in schema["properties"].as_object().expect("members") {
            let mut examples = self.examples(member).into_iter();
            members.insert(name.clone(), examples.next().expect("null at least"));
            further.extend(examples.map(|example| (name, example)));
        }
        let with = |(name, example): (&String, Value)| {
            let mut members = members.clone();
            members.insert(name.clone(), example);
            Value::Object(members)
        };
        let mut all = vec![Value::Object(members.clone())];
        all.extend(further.into_iter().map(with));
        all
    }

    /// This place and all within it.
    fn places<'a>(&'a self, at: &str, schema: &'a Value, value: &Value, out: &mut Vec<Place<'a>>) {
        let schema = self.resolved(schema);
        if let Some(either) = schema["anyOf"].as_array() {
            let fits = |choice: &&Value| value.is_null() == (choice["type"] == "null");
            return either
                .iter()
                .filter(fits)
                .for_each(|choice| self.places(at, choice, value, out));
        }
        out.push((at.to_owned(), schema));
        for choice in self.choices(schema) {
            for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                self.places(&format!("{at}/{index}"), &choice["items"], item, out);
            }
            for (name, inner) in value.as_object().into_iter().flatten() {
                if let Some(member) = choice["properties"].get(name) {
                    self.places(&format!("{at}/{name}"), member, inner, out);
                }
            }
        }
    }

    fn configurations(&self) -> Vec<(Value, Vec<Place<'_>>)> {
        let with_places = |config: Value| {
            let mut places = Vec::new();
            self.places("", &self.root, &config, &mut places);
            (config, places)
        };
        self.examples(&self.root)
            .into_iter()
            .map(with_places)
            .collect()
    }
}

/// The members that an object has; `None` for a choice, and for what is no object.
fn members(schema: &Value) -> Option<&Map<String, Value>> {
    schema["properties"].as_object()
}

fn names<'a>(sentence: &'a str, head: &str) -> BTreeSet<&'a str> {
    let names = sentence
        .strip_prefix(head)
        .unwrap_or_else(|| panic!("{sentence}"));
    names.split(' ').collect()
}

fn tell(config: &Value) -> Result<String, ReadError> {
    read::<Config>(config.to_string().as_bytes()).map(|config| format!("{config:?}"))
}

/// A place as the reader tells it.
fn told(pointer: &str) -> String {
    let mut out = String::new();
    for step in pointer.split('/').skip(1) {
        match step.parse::<usize>() {
            Ok(index) => out.push_str(&format!("[{index}]")),
            Err(_) if out.is_empty() => out.push_str(step),
            Err(_) => out.push_str(&format!(".{step}")),
        }
    }
    out
}

fn at<'a>(config: &'a mut Value, pointer: &str) -> &'a mut Value {
    config.pointer_mut(pointer).expect("a place")
}

#[test]
fn whatever_the_schema_allows_has_the_form() {
    let schema = Schema::new();
    let configurations = schema.configurations();
    assert!(
        configurations.len() > 20,
        "{} of them",
        configurations.len()
    );
    for (config, _) in configurations {
        if let Err(why) = tell(&config) {
            panic!("{config}: {why}");
        }
    }
}

#[test]
fn an_object_has_the_members_of_its_schema_and_no_others() {
    let schema = Schema::new();
    let mut seen = BTreeSet::new();
    for (config, places) in schema.configurations() {
        for (pointer, within) in places {
            let Some(known) = members(within) else {
                continue;
            };
            let mut config = config.clone();
            at(&mut config, &pointer)[STRANGE] = json!(1);
            let why = tell(&config).expect_err("a strange member");
            assert_eq!(why.at, told(&format!("{pointer}/{STRANGE}")));
            let there = names(&why.what, "there is no such field; remove it. There are: ");
            assert_eq!(
                there,
                known.keys().map(String::as_str).collect(),
                "{pointer}"
            );
            seen.insert(pointer);
        }
    }
    assert!(seen.len() >= 12, "{seen:?}");
}

#[test]
fn what_may_be_left_out_is_then_what_the_schema_says() {
    let schema = Schema::new();
    let (mut needed, mut defaults) = (BTreeSet::new(), BTreeSet::new());
    for (config, places) in schema.configurations() {
        for (pointer, within) in places {
            for (name, member) in members(within).into_iter().flatten() {
                let mut config = config.clone();
                let object = at(&mut config, &pointer)
                    .as_object_mut()
                    .expect("an object");
                object.remove(name);
                let without = tell(&config);
                let required = within["required"].as_array().into_iter().flatten();
                if required
                    .into_iter()
                    .any(|required| required == name.as_str())
                {
                    let why = without.expect_err("it is needed");
                    assert_eq!(
                        (why.at, why.what),
                        (told(&pointer), format!("{name} is missing; add it"))
                    );
                    needed.insert(format!("{pointer}/{name}"));
                } else {
                    at(&mut config, &pointer)[name] = member["default"].clone();
                    assert_eq!(without, tell(&config), "{pointer}/{name}");
                    defaults.insert(format!("{pointer}/{name}"));
                }
            }
        }
    }
    assert!(
        needed.len() > 15 && defaults.len() > 20,
        "{needed:?} {defaults:?}"
    );
}

#[test]
fn a_choice_has_the_words_of_its_schema_and_no_others() {
    let schema = Schema::new();
    let mut seen = BTreeSet::new();
    for (config, places) in schema.configurations() {
        for (pointer, within) in places {
            let Some(choices) = within["oneOf"].as_array() else {
                continue;
            };
            let word = |choice: &Value| match choice["const"].as_str() {
                Some(word) => word.to_owned(),
                None => members(choice)
                    .and_then(|only| only.keys().next().cloned())
                    .expect("a name"),
            };
            let words: Vec<_> = choices.iter().map(word).collect();
            let mut config = config.clone();
            *at(&mut config, &pointer) = json!(STRANGE);
            let why = tell(&config).expect_err("a strange word");
            assert_eq!(why.at, told(&pointer));
            assert_eq!(
                names(&why.what, "give one of: "),
                words.iter().map(String::as_str).collect()
            );
            seen.insert(pointer);
        }
    }
    assert!(seen.len() > 8, "{seen:?}");
}

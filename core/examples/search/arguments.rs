//! What the command line asks for.

use fencegate_core::sim::laws::Law;
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::search::{Bounds, Kind, Network, Question, all_laws};
use fencegate_core::sim::stories;
use std::path::{Path, PathBuf};

pub(crate) const HELP: &str = "\
Searches for the shortest way in which a scenario breaks a law.

  search FILE | STORY | VARIANT | STORY/VARIANT [options]

FILE holds a scenario, or a question: {\"version\", \"scenario\", \"bounds\", \"laws\"}. Without options
a scenario is searched without its accidents, for the same kinds and number of faults at any step.

  --law NAME        look for this law (again for another one; `any` for all)
  --tokens N        at most N grants
  --messages N      at most N messages in flight
  --faults N        at most N faults
  --may KIND        faults of this kind (again for another one), in place of the scenario's own:
                    pauses suspensions proxy_pauses proxy_suspensions crashes proxy_restarts
                    issuer_restarts restores partitions stalls clock_steps breaks
                    losses doubles delays
  --any-order       messages come in any order, at any time, or never
  --delay MS        how long a message takes at least
  --until MS        no event after this true time
  --states N        give up after N states (default 10,000,000)
  --json FILE       write what was found as a run that plays on a timeline
  --help            these lines

Exits with 0: none found; 1: found; 2: it cannot be searched.
";

pub(crate) enum Asked {
    Help,
    Search(Box<Search>),
}

pub(crate) struct Search {
    pub(crate) question: Question,
    pub(crate) states_max: usize,
    pub(crate) json: Option<PathBuf>,
}

pub(crate) fn read(mut words: impl Iterator<Item = String>) -> Result<Asked, String> {
    let (mut what, mut options) = (None, Vec::new());
    while let Some(word) = words.next() {
        match word.as_str() {
            "--help" | "-h" => return Ok(Asked::Help),
            "--any-order" => options.push((word, String::new())),
            _ if word.starts_with("--") => {
                let value = words.next();
                let value = value.ok_or_else(|| format!("{word} needs a value"))?;
                options.push((word, value));
            }
            _ if what.is_none() => what = Some(word),
            _ => return Err(format!("one scenario at a time, so what is {word}?")),
        }
    }
    let what = what.ok_or("which scenario?")?;
    let mut asked = Search {
        question: found(&what)?,
        states_max: 10_000_000,
        json: None,
    };
    apply(&mut asked, &options)?;
    Ok(Asked::Search(Box::new(asked)))
}

fn apply(asked: &mut Search, options: &[(String, String)]) -> Result<(), String> {
    let Question {
        scenario,
        bounds,
        laws,
        ..
    } = &mut asked.question;
    let kinds = options.iter().filter(|(name, _)| name == "--may");
    if kinds.clone().next().is_some() {
        let faults = bounds.faults.max(1);
        *bounds = Bounds {
            faults,
            tokens: bounds.tokens,
            messages: bounds.messages,
            ..Bounds::calm(scenario)
        };
        for (_, name) in kinds {
            let kind = Kind::ALL.iter().find(|(_, known)| known == name);
            let (kind, _) = kind.ok_or_else(|| format!("--may {name}: no such kind of fault"))?;
            *bounds = bounds.clone().with(*kind, scenario);
        }
    }
    let mut named = Vec::new();
    let mut any = false;
    for (name, value) in options {
        match name.as_str() {
            "--may" => {}
            "--any-order" => bounds.network = Network::Asynchronous,
            "--law" if value == "any" => any = true,
            "--law" => named.push(law(value)?),
            "--tokens" => bounds.tokens = number(name, value)?,
            "--messages" => bounds.messages = number(name, value)?,
            "--faults" => bounds.faults = number(name, value)?,
            "--delay" => scenario.net.delay_ms = number(name, value)?,
            "--until" => bounds.until_ms = Some(number(name, value)?),
            "--states" => asked.states_max = number(name, value)?,
            "--json" => asked.json = Some(value.into()),
            _ => return Err(format!("{name}: no such option")),
        }
    }
    if any {
        *laws = all_laws(bounds);
    } else if !named.is_empty() {
        *laws = named;
    }
    Ok(())
}

fn number<N: std::str::FromStr>(name: &str, value: &str) -> Result<N, String> {
    let plain = value.replace('_', "");
    plain
        .parse()
        .map_err(|_| format!("{name} {value}: not a number, or too large"))
}

fn law(name: &str) -> Result<Law, String> {
    let mut laws = Law::ALL.iter().map(|(law, _)| *law);
    laws.find(|law| law.name() == name).ok_or_else(|| {
        let names: Vec<&str> = Law::ALL.iter().map(|(law, _)| law.name()).collect();
        format!("--law {name}: no such law; there are {}", names.join(", "))
    })
}

fn found(what: &str) -> Result<Question, String> {
    let variants = || stories::ALL.iter().flat_map(|story| story.variants());
    let dotted = what.replace('/', ".");
    if let Some(variant) = variants().find(|it| it.name == what || it.name == dotted) {
        return Ok(Question::of(&variant));
    }
    if let Some(story) = stories::ALL.iter().find(|story| story.name == what) {
        let first = story.variants().into_iter().next();
        return first
            .map(|first| Question::of(&first))
            .ok_or_else(|| format!("{what} has no variant"));
    }
    if !Path::new(what).exists() {
        let names: Vec<String> = variants().map(|it| it.name).collect();
        return Err(format!(
            "{what} is neither a file nor a story; there are\n  {}",
            names.join("\n  ")
        ));
    }
    let text = std::fs::read_to_string(what).map_err(|error| format!("{what}: {error}"))?;
    let value: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| format!("{what}: not JSON: {error}"))?;
    if value.get("scenario").is_some() {
        parsed(what, &text)
    } else {
        parsed::<Scenario>(what, &text).map(|scenario| Question::of(&scenario))
    }
}

/// Reads a form, and names the field that is wrong.
fn parsed<T: serde::de::DeserializeOwned>(file: &str, text: &str) -> Result<T, String> {
    let mut from = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut from).map_err(|error| {
        let (path, inner) = (error.path().to_string(), error.into_inner());
        format!("{file}: {path}: {inner}")
    })
}

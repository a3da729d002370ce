//! What the project shows to people is true: the examples load, the blocks in the texts are pieces
//! of the examples, the links lead somewhere.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use fencegate_operator::Arguments;
use fencegate_tests::config::{Config, ETCD, examples_folder};
use fencegate_tests::envoy::validate;
use fencegate_tests::etcd::Certificates;
use serde_json::Value;

fn root() -> PathBuf {
    examples_folder()
        .join("..")
        .canonicalize()
        .expect("the project's folder")
}

/// Every example with its text.
fn examples() -> Vec<(String, String)> {
    let files = fs::read_dir(examples_folder())
        .expect("the examples")
        .map(|file| file.expect("a file").path());
    let mut found: Vec<_> = files
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "yaml")
        })
        .map(|path| {
            let name = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (name, fs::read_to_string(&path).expect("text"))
        })
        .collect();
    found.sort();
    assert!(found.len() >= 2, "the examples are there");
    found
}

/// Every Markdown file of the project, with its text; what is built or fetched is left out.
fn texts() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry"))
        {
            let (path, name) = (
                entry.path(),
                entry.file_name().to_string_lossy().into_owned(),
            );
            let skipped = name.starts_with('.')
                || ["target", "dist", "node_modules"].contains(&name.as_str());
            if path.is_dir() && !skipped {
                folders.push(path);
            } else if name.ends_with(".md") {
                let text = fs::read_to_string(&path).expect("text");
                found.push((path, text));
            }
        }
    }
    found
}

/// The fenced code blocks of a text, each with its language.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            let inside: Vec<&str> = lines
                .by_ref()
                .take_while(|line| !line.trim_start().starts_with("```"))
                .collect();
            found.push((language.trim().to_owned(), inside.join("\n")));
        }
    }
    found
}

/// The lines without the indentation that they share with where they stand.
fn unindented(text: &str) -> String {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn envoy_accepts_every_example() {
    let folder = tempfile::tempdir().expect("a folder");
    let certificates = Certificates::write(folder.path()).expect("certificates");
    for (name, _) in examples() {
        let config = Config::example(&name).expect("an example that can be read");
        let config = config.with_certificates(&certificates);
        if let Err(log) = validate(&config).expect("an Envoy that judges") {
            panic!("examples/{name}.yaml is refused:\n{log}");
        }
    }
}

#[test]
fn no_example_fails_open() {
    for (name, text) in examples() {
        assert!(
            !text.contains("FAIL_OPEN") && !text.contains("fail_open"),
            "{name} lets requests pass unfenced"
        );
        assert!(
            text.contains("failure_policy: FAIL_RELOAD"),
            "{name} says what happens when the filter fails"
        );
        let mut bootstrap: Value = serde_saphyr::from_str(&text).expect("YAML");
        // What is asked of etcd is no write to the store.
        let clusters = bootstrap.pointer_mut("/static_resources/clusters");
        let clusters = clusters.and_then(Value::as_array_mut).expect("clusters");
        let etcd = clusters.iter().position(|cluster| cluster["name"] == ETCD);
        let etcd = etcd.map(|at| clusters.remove(at));
        assert!(
            text.contains("upstream_http_filters:")
                || !bootstrap.to_string().contains("retry_policy"),
            "{name} would repeat a write below the filter"
        );
        if let Some(etcd) = etcd {
            let options = etcd["typed_extension_protocol_options"].as_object();
            let options = options.and_then(|options| options.values().next());
            let retry_on = &options.expect("options")["retry_policy"]["retry_on"];
            assert_eq!(
                retry_on, "connect-failure",
                "{name} would repeat a call to etcd that was sent"
            );
        }
    }
}

#[test]
fn every_example_keeps_the_marks_alive() {
    for (name, text) in examples() {
        assert_eq!(
            text.matches("vm_id: fencegate").count(),
            2,
            "{name}: keeper and filter share one vm_id"
        );
        assert!(
            text.contains("envoy.bootstrap.wasm"),
            "{name} has the keeper"
        );
    }
}

#[test]
fn every_configuration_block_is_a_piece_of_an_example() {
    let examples: Vec<String> = examples()
        .iter()
        .map(|(_, text)| unindented(text))
        .collect();
    for (path, text) in texts() {
        for (language, block) in blocks(&text) {
            let shown = ["yaml", "yml"].contains(&language.as_str())
                || block.contains("\"authority\": { \"memory\"");
            let known = examples
                .iter()
                .any(|example| example.contains(&unindented(&block)));
            assert!(
                !shown || known,
                "{}: this block is in no example:\n{block}",
                path.display()
            );
        }
    }
}

#[test]
fn every_relative_link_leads_somewhere() {
    for (path, text) in texts() {
        for (_, rest) in text
            .match_indices("](")
            .map(|(at, _)| text.split_at(at + 2))
        {
            let target = rest.split([')', ' ', '#']).next().unwrap_or("");
            if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let there = path.parent().unwrap_or(Path::new(".")).join(target);
            assert!(there.exists(), "{}: no {target}", path.display());
        }
    }
}

#[test]
fn every_command_of_the_operator_is_one_that_it_takes() {
    let mut found = 0;
    for (path, text) in texts() {
        for (_, block) in blocks(&text) {
            for line in block.lines().filter(|line| line.starts_with("fencegate ")) {
                let command = line.split('#').next().unwrap_or("").split_whitespace();
                if let Err(error) = Arguments::try_parse_from(command) {
                    panic!("{}: {line}\n{error}", path.display());
                }
                found += 1;
            }
        }
    }
    assert!(found >= 4, "the operator's commands are shown");
}

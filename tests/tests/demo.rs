//! `make demo` as a person meets it: the program that tells the story and serves the page.

use std::fs;
use std::io::{BufRead, BufReader, Lines};
use std::net::SocketAddr;
use std::process::{ChildStdout, Command, Output, Stdio};
use std::time::Duration;

use fencegate_tests::http::Request;
use fencegate_tests::process::{Process, Signal};

fn story(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_story"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn refused(arguments: &[&str]) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = story(arguments).output().expect("the program ran");
    (status.code(), String::from_utf8_lossy(&stderr).into_owned())
}

/// The first line, from here on, that has this in it.
fn line_with(what: &str, lines: &mut Lines<BufReader<ChildStdout>>) -> String {
    lines
        .map(|line| line.expect("text"))
        .find(|line| line.contains(what))
        .unwrap_or_else(|| panic!("it never said {what:?}"))
}

/// Where the page is, as a line says it.
fn address_in(line: &str) -> SocketAddr {
    let (_, rest) = line.split_once("http://").expect("an address");
    let (address, _) = rest.split_once('/').expect("a path");
    address.parse().expect("a loopback address")
}

fn page_at(address: SocketAddr) -> std::io::Result<String> {
    let request = Request::new("GET", "/").header("Host", address.to_string());
    Ok(request.send_to(address)?.body_text())
}

#[test]
fn the_page_is_there_while_the_story_is_told_and_with_keep_page_until_ctrl_c() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("index.html"), "the page").expect("a file");
    let named = folder.path().to_str().expect("a plain path");

    let mut command = story(&["--page", named, "--keep-page"]);
    let mut process = Process::start(command.stdout(Stdio::piped())).expect("a story");
    let stdout = process.child().stdout.take().expect("stdout is piped");
    let mut lines = BufReader::new(stdout).lines();

    let address = address_in(&line_with("http://", &mut lines));
    assert_eq!(page_at(address).expect("a page"), "the page");
    line_with("In the end", &mut lines);
    let stays = line_with("stays until Ctrl-C", &mut lines);
    assert_eq!(address_in(&stays), address);
    assert_eq!(page_at(address).expect("the same page"), "the page");

    process.signal(Signal::INT).expect("Ctrl-C");
    let ended = process.wait(Duration::from_secs(10)).expect("an end");
    assert_eq!(ended.and_then(|status| status.code()), Some(0));
    assert!(page_at(address).is_err(), "nobody is left");
}

#[test]
fn a_page_that_is_not_built_stops_the_demo_with_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let named = folder.path().to_str().expect("a plain path");
    let (code, said) = refused(&["--page", named]);
    assert_eq!(code, Some(1));
    assert!(said.contains("has no index.html"), "{said}");

    let (code, said) = refused(&["--keep-page"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("--page <FOLDER>"), "{said}");
}

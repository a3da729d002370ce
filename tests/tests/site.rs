//! The demo's small server gives out the files of its folder, and nothing else.

use std::fs;
use std::os::unix::fs::symlink;

use fencegate_tests::http::{Answer, Request};
use fencegate_tests::site::Site;
use tempfile::TempDir;

/// A folder with a page in it, beside a file that nobody may see.
fn served() -> (TempDir, Site) {
    let around = tempfile::tempdir().expect("a folder");
    let page = around.path().join("page");
    fs::create_dir_all(page.join("more")).expect("folders");
    for (name, content) in [
        ("../secret.txt", "secret"),
        ("index.html", "<!doctype html>"),
        ("app-12ab.js", "export {}"),
        ("app-12ab_bg.wasm", "\0asm"),
        ("style.css", "a {}"),
        ("more/index.html", "more"),
        ("more/thing.unheard", "?"),
    ] {
        fs::write(page.join(name), content).expect("a file");
    }
    symlink(around.path(), page.join("out")).expect("a link");
    symlink(around.path().join("secret.txt"), page.join("out.txt")).expect("a link");
    let site = Site::start(&page).expect("a site");
    (around, site)
}

fn asked(site: &Site, method: &str, target: &str) -> Answer {
    let request = Request::new(method, target).header("Host", site.address().to_string());
    request.send_to(site.address()).expect("an answer")
}

#[test]
fn each_file_comes_with_its_type() {
    let (_folder, site) = served();
    for (target, kind, content) in [
        ("/", "text/html; charset=utf-8", "<!doctype html>"),
        ("/index.html", "text/html; charset=utf-8", "<!doctype html>"),
        ("/?embed", "text/html; charset=utf-8", "<!doctype html>"),
        (
            "/app-12ab.js",
            "text/javascript; charset=utf-8",
            "export {}",
        ),
        ("/app-12ab_bg.wasm", "application/wasm", "\0asm"),
        ("/style.css?v=1", "text/css; charset=utf-8", "a {}"),
        ("/more/", "text/html; charset=utf-8", "more"),
        ("/more/thing.unheard", "application/octet-stream", "?"),
    ] {
        let answer = asked(&site, "GET", target);
        assert_eq!(answer.status, 200, "{target}");
        assert_eq!(
            answer.text("content-type").as_deref(),
            Some(kind),
            "{target}"
        );
        assert_eq!(
            answer.text("x-content-type-options").as_deref(),
            Some("nosniff")
        );
        assert_eq!(answer.body_text(), content, "{target}");
    }
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let (_folder, site) = served();
    for target in [
        "/../secret.txt",
        "/more/../../secret.txt",
        "/more/../index.html",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/..\\secret.txt",
        "//secret.txt",
        "/./index.html",
        "/out/secret.txt",
        "/out.txt",
        "/etc/passwd",
        "//etc/passwd",
        "/index.html/",
        "/index.html%00.js",
        "/more",
        "/missing.js",
    ] {
        let answer = asked(&site, "GET", target);
        assert_eq!(answer.status, 404, "{target}: {}", answer.body_text());
        assert!(!answer.body_text().contains("secret"), "{target}");
    }
}

#[test]
fn it_is_only_to_be_read() {
    let (_folder, site) = served();
    let head = asked(&site, "HEAD", "/style.css");
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.text("content-length").as_deref(), Some("4"));
    for method in ["PUT", "POST", "DELETE", "OPTIONS"] {
        let answer = asked(&site, method, "/index.html");
        assert_eq!(answer.status, 405, "{method}");
        assert_eq!(answer.text("allow").as_deref(), Some("GET, HEAD"));
    }
}

#[test]
fn it_is_for_this_machine_alone_and_ends_with_its_value() {
    let (_folder, site) = served();
    let address = site.address();
    assert!(address.ip().is_loopback(), "{address}");
    assert_eq!(site.url(), format!("http://{address}/"));
    drop(site);
    let gone = Request::new("GET", "/").send_to(address);
    assert!(gone.is_err(), "somebody still answers: {gone:?}");
}

#[test]
fn a_folder_without_a_page_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = Site::start(folder.path()).err().expect("nothing to serve");
    assert!(
        refused.to_string().ends_with("has no index.html"),
        "{refused}"
    );
    assert!(Site::start(&folder.path().join("missing")).is_err());
}

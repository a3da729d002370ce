//! The page itself, mounted in a real browser.
#![cfg(target_arch = "wasm32")]

use fencegate_web::app::{App, AppProps};
use fencegate_web::state::Arrival;
use gloo::timers::future::sleep;
use gloo::utils::{body, document};
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement};

wasm_bindgen_test_configure!(run_in_browser);

async fn mounted(fragment: &str) -> Element {
    let root = document().create_element("div").expect("a div");
    body().append_child(&root).expect("a body");
    let arrival = Arrival {
        fragment: fragment.to_owned(),
        ..Arrival::default()
    };
    yew::Renderer::<App>::with_root_and_props(root.clone(), AppProps { arrival }).render();
    drawn().await;
    root
}

/// Yew draws in a later turn of the event loop.
async fn drawn() {
    sleep(Duration::from_millis(50)).await;
}

fn text(root: &Element, selector: &str) -> String {
    let found = root.query_selector(selector).expect("a selector");
    found
        .and_then(|found| found.text_content())
        .unwrap_or_default()
}

#[wasm_bindgen_test]
async fn opens_on_the_corrupting_write_and_turns_fencing_on() {
    let root = mounted("").await;
    let headline = text(&root, "h1");
    assert!(headline.contains("A woke up after 35 s"), "{headline}");
    let buttons = root.query_selector_all("button").expect("a selector");
    let fence = (0..buttons.length())
        .filter_map(|index| buttons.item(index)?.dyn_into::<HtmlElement>().ok())
        .find(|button| button.text_content().unwrap_or_default() == "Turn fencing on");
    fence.expect("the button").click();
    drawn().await;
    let headline = text(&root, "h1");
    assert!(headline.contains("rejects A's write"), "{headline}");
    root.remove();
}

#[wasm_bindgen_test]
async fn a_link_from_the_future_gets_a_sentence_and_the_page_goes_on() {
    // Version 9 of a moment.
    let root = mounted("~CQ").await;
    let notice = text(&root, "[role=status]");
    assert!(notice.contains("version 9"), "{notice}");
    assert!(text(&root, "h1").contains("A woke up after 35 s"));
    root.remove();
}

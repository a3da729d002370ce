//! The page itself, mounted in a real browser.
#![cfg(target_arch = "wasm32")]

use fencegate_web::app::App;
use gloo::timers::future::sleep;
use gloo::utils::{body, document};
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement};

wasm_bindgen_test_configure!(run_in_browser);

async fn mounted() -> Element {
    let root = document().create_element("div").expect("a div");
    body().append_child(&root).expect("a body");
    yew::Renderer::<App>::with_root(root.clone()).render();
    drawn().await;
    root
}

/// Yew draws in a later turn of the event loop.
async fn drawn() {
    sleep(Duration::from_millis(50)).await;
}

fn verdict(root: &Element) -> String {
    let status = root.query_selector("[role=status]").expect("a selector");
    status
        .and_then(|status| status.text_content())
        .unwrap_or_default()
}

#[wasm_bindgen_test]
async fn opens_on_the_old_leader_and_follows_a_step() {
    let root = mounted().await;
    assert!(verdict(&root).contains("412"), "{}", verdict(&root));
    let up = root
        .query_selector("[aria-label='Token: one higher']")
        .expect("a selector");
    up.expect("a button")
        .unchecked_into::<HtmlElement>()
        .click();
    drawn().await;
    assert!(verdict(&root).contains("409"), "{}", verdict(&root));
    root.remove();
}

//! Mounts the page.

use fencegate_web::app::{App, AppProps};
use fencegate_web::browser::arrival;

fn main() {
    let arrival = arrival();
    yew::Renderer::<App>::with_props(AppProps { arrival }).render();
}

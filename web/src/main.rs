//! Mounts the page.

fn main() {
    yew::Renderer::<fencegate_web::app::App>::new().render();
}

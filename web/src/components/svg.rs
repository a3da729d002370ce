//! The few elements that pictures are drawn from. Everything that a picture repeats is here once,
//! since each element that is written out costs bytes.

use yew::prelude::*;

/// A path.
pub(crate) fn path(class: &'static str, d: String) -> Html {
    html! { <path {class} {d} /> }
}

/// A straight line.
pub(crate) fn line(class: &'static str, (x, y): (i32, i32), (to_x, to_y): (i32, i32)) -> Html {
    path(class, format!("M{x} {y}L{to_x} {to_y}"))
}

/// An upright box.
pub(crate) fn bar(class: &'static str, (x, y): (i32, i32), (width, height): (i32, i32)) -> Html {
    html! {
        <rect {class} x={x.to_string()} y={y.to_string()} rx="3"
            width={width.to_string()} height={height.to_string()} />
    }
}

/// Shapes that stay upright wherever the picture's own axes point.
pub(crate) fn upright(class: &'static str, (x, y): (i32, i32), shapes: Html) -> Html {
    html! { <g transform={format!("translate({x} {y})")}><g class={classes!("up", class)}>{ shapes }</g></g> }
}

/// A text.
pub(crate) fn text(class: &'static str, at: (i32, i32), text: String) -> Html {
    upright(class, at, html! { <text>{ text }</text> })
}

/// A sign that is drawn around its middle.
pub(crate) fn glyph(class: &'static str, at: (i32, i32), d: &'static str) -> Html {
    upright(class, at, html! { <path {d} /> })
}

/// A group that can be clicked.
pub(crate) fn clickable(
    class: &'static str,
    title: String,
    onclick: Callback<MouseEvent>,
    shapes: Vec<Html>,
) -> Html {
    html! { <g {class} {onclick}><title>{ title }</title>{ for shapes }</g> }
}

//! The few elements that pictures are drawn from. Everything that a picture repeats is here once,
//! and through one function, since each element that is written out costs bytes.

use yew::prelude::*;
use yew::virtual_dom::{AttrValue, AttributeOrProperty, Attributes, VTag};

/// An element with attributes, in the order of their names.
pub(crate) fn element<const N: usize>(
    tag: &'static str,
    (names, values): (&'static [&'static str; N], [AttrValue; N]),
    children: Vec<Html>,
) -> VTag {
    built(tag, names, values.to_vec(), children)
}

fn built(
    tag: &'static str,
    names: &'static [&'static str],
    values: Vec<AttrValue>,
    children: Vec<Html>,
) -> VTag {
    let mut tag = VTag::new(tag);
    let values = values.into_iter().map(AttributeOrProperty::Attribute);
    tag.set_attributes(Attributes::Dynamic {
        keys: names,
        values: values.map(Some).collect(),
    });
    tag.add_children(children);
    tag
}

/// A path.
pub(crate) fn path(class: &'static str, d: impl Into<AttrValue>) -> Html {
    element(
        "path",
        (&["class", "d"], [class.into(), d.into()]),
        Vec::new(),
    )
    .into()
}

/// A straight line.
pub(crate) fn line(class: &'static str, (x, y): (i32, i32), (to_x, to_y): (i32, i32)) -> Html {
    path(class, format!("M{x} {y}L{to_x} {to_y}"))
}

/// An upright box.
pub(crate) fn bar(class: &'static str, (x, y): (i32, i32), (width, height): (i32, i32)) -> Html {
    path(class, format!("M{x} {y}h{width}v{height}h{}z", -width))
}

/// Shapes that stay upright wherever the picture's own axes point.
pub(crate) fn upright(class: &'static str, (x, y): (i32, i32), shapes: Vec<Html>) -> Html {
    let place = format!("translate({x} {y})");
    let up = element("g", (&["class"], [AttrValue::Static("up")]), shapes);
    let names = &["class", "transform"];
    element("g", (names, [class.into(), place.into()]), vec![up.into()]).into()
}

/// A text.
pub(crate) fn text(class: &'static str, at: (i32, i32), text: String) -> Html {
    upright(class, at, vec![label("", "0", "0", text)])
}

/// A text at a spot of something upright.
pub(crate) fn label(class: &'static str, x: &'static str, y: &'static str, text: String) -> Html {
    let values = [class.into(), x.into(), y.into()];
    element("text", (&["class", "x", "y"], values), vec![text.into()]).into()
}

/// A sign that is drawn around its middle.
pub(crate) fn glyph(class: &'static str, at: (i32, i32), d: &'static str) -> Html {
    upright(class, at, vec![path("", d)])
}

/// A group.
pub(crate) fn group(class: &'static str, shapes: Vec<Html>) -> Html {
    element("g", (&["class"], [class.into()]), shapes).into()
}

/// A group that can be clicked.
pub(crate) fn clickable(
    class: &'static str,
    title: String,
    onclick: Callback<MouseEvent>,
    mut shapes: Vec<Html>,
) -> Html {
    shapes.push(html! { <title>{ title }</title> });
    html! { <g {onclick}>{ group(class, shapes) }</g> }
}

//! Elements made by a function. `html!` writes code of its own for each element, some hundred
//! bytes every time; most of this page is made of a few plain elements with a class.

use yew::prelude::*;
use yew::virtual_dom::{VList, VTag};

/// An element with a class, or none.
pub(crate) fn el(tag: &'static str, class: &'static str, children: Vec<Html>) -> Html {
    with(tag, class, "", AttrValue::Static(""), children)
}

/// The same with one attribute more, where its value is not empty.
pub(crate) fn with(
    tag: &'static str,
    class: &'static str,
    name: &'static str,
    value: AttrValue,
    children: Vec<Html>,
) -> Html {
    let mut made = VTag::new(tag);
    if !class.is_empty() {
        made.add_attribute("class", class);
    }
    if !value.is_empty() {
        made.add_attribute(name, value);
    }
    made.add_children(children);
    made.into()
}

/// Controls under one name.
pub(crate) fn group(class: &'static str, name: AttrValue, children: Vec<Html>) -> Html {
    let mut made = VTag::new("div");
    made.add_attribute("class", class);
    made.add_attribute("role", "group");
    made.add_attribute("aria-label", name);
    made.add_children(children);
    made.into()
}

/// A text.
pub(crate) fn say(text: impl Into<AttrValue>) -> Html {
    let text: AttrValue = text.into();
    Html::from(yew::virtual_dom::VText::new(text))
}

/// What stands between two words.
pub(crate) fn space() -> Html {
    say(" ")
}

/// Several, without an element around them.
pub(crate) fn list(children: Vec<Html>) -> Html {
    VList::with_children(children, None).into()
}

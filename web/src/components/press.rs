//! Buttons.

use super::Look;
use super::el::{group, say, with};
use super::icon::icon;
use crate::state::Action;
use crate::words::Text;
use yew::prelude::*;

/// A button.
pub(crate) struct Press {
    /// What it looks like.
    pub(crate) class: &'static str,
    /// The path of its small picture, or nothing.
    pub(crate) icon: &'static str,
    /// Its words; they are also its name where only the picture is seen.
    pub(crate) text: AttrValue,
    /// Whether it is pressed, where it stays so.
    pub(crate) pressed: Option<bool>,
    /// What it does.
    pub(crate) action: Action,
}

impl Press {
    /// A plain button.
    pub(crate) fn new(text: impl Into<AttrValue>, action: Action) -> Self {
        Self {
            class: "",
            icon: "",
            text: text.into(),
            pressed: None,
            action,
        }
    }

    /// The same with a small picture, in a class.
    pub(crate) fn looks(mut self, class: &'static str, icon: &'static str) -> Self {
        (self.class, self.icon) = (class, icon);
        self
    }

    /// One that stays pressed.
    pub(crate) fn pressed(mut self, pressed: bool) -> Self {
        self.pressed = Some(pressed);
        self
    }

    /// The button.
    pub(crate) fn draw(self, look: &Look<'_>) -> Html {
        let pressed = self.pressed.map(|on| if on { "true" } else { "false" });
        let small = if self.icon.is_empty() {
            Html::default()
        } else {
            icon(self.icon)
        };
        html! {
            <button type="button" class={self.class} aria-pressed={pressed}
                onclick={look.on_click(self.action)}>
                { small }<span>{ self.text }</span>
            </button>
        }
    }
}

/// Buttons of which one is pressed, under a name.
pub(crate) fn choice(look: &Look<'_>, name: Text, all: Vec<Press>) -> Html {
    let mut parts = vec![say(look.text(name))];
    parts = vec![with("span", "", "aria-hidden", "true".into(), parts)];
    for press in all {
        parts.push(press.draw(look));
    }
    group("choice", look.text(name), parts)
}

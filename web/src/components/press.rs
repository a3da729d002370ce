//! Buttons.

use super::look::Look;
use super::pen::{Name, Pen};
use crate::state::Action;
use crate::words::Text;
use yew::AttrValue;

/// A button.
struct Press {
    /// What it looks like.
    class: &'static str,
    /// The path of its small picture, or nothing.
    icon: &'static str,
    /// Whether it is pressed, where it stays so; else nothing.
    pressed: &'static str,
}

impl Pen {
    /// A plain button. Its words are also its name where only the picture is seen.
    pub(crate) fn press(&mut self, look: &Look, text: impl Into<AttrValue>, action: Action) {
        self.sign(look, ("", ""), text, action);
    }

    /// One with a small picture, in a class.
    pub(crate) fn sign(
        &mut self,
        look: &Look,
        (class, icon): (&'static str, &'static str),
        text: impl Into<AttrValue>,
        action: Action,
    ) {
        let press = Press {
            class,
            icon,
            pressed: "",
        };
        self.button(look, press, text.into(), action);
    }

    /// One that stays pressed.
    pub(crate) fn switch(
        &mut self,
        look: &Look,
        is_on: bool,
        text: impl Into<AttrValue>,
        action: Action,
    ) {
        let press = Press {
            class: "",
            icon: "",
            pressed: if is_on { "true" } else { "false" },
        };
        self.button(look, press, text.into(), action);
    }

    #[inline(never)]
    fn button(&mut self, look: &Look, press: Press, text: AttrValue, action: Action) {
        self.el("button", press.class, |pen| {
            pen.attr(Name::Type, "button");
            pen.attr(Name::Pressed, press.pressed);
            pen.click(look, action);
            pen.icon(press.icon);
            pen.line("span", "", text);
        });
    }

    /// Controls under one name.
    #[inline(always)]
    pub(crate) fn group(
        &mut self,
        class: &'static str,
        name: AttrValue,
        controls: impl FnOnce(&mut Self),
    ) {
        self.open_group(class, name);
        controls(self);
        self.close();
    }

    #[inline(never)]
    fn open_group(&mut self, class: &'static str, name: AttrValue) {
        self.open("div", class);
        self.attr(Name::Role, "group");
        self.attr(Name::Label, name);
    }

    /// Buttons of which one is pressed, under a name.
    #[inline(always)]
    pub(crate) fn choice(&mut self, look: &Look, name: Text, all: impl FnOnce(&mut Self)) {
        self.open_choice(look, name);
        all(self);
        self.close();
    }

    #[inline(never)]
    fn open_choice(&mut self, look: &Look, name: Text) {
        self.open_group("choice", look.text(name));
        self.el("span", "", |pen| {
            pen.attr(Name::Hidden, "true");
            pen.say(look.text(name));
        });
    }
}

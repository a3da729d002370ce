//! What stands above and below everything: the name, the colours, the notice.

use super::icon;
use super::look::Look;
use super::pen::{Name, Pen};
use crate::state::{Action, Panel, Theme};
use crate::words::Text;

/// The place of the gallery on the page; no variant has such a name.
pub(crate) const STORIES: &str = "/stories";

pub(crate) fn header(look: &Look, pen: &mut Pen, _: usize) {
    pen.el("header", "", |pen| {
        pen.el("p", "", |pen| {
            look.line(pen, "b", "", Text::Name);
            pen.space();
            look.line(pen, "span", "", Text::Lead);
        });
        let subject = look.state.strip().subject;
        look.link(pen, STORIES, look.words.title(subject.story()).into());
        let keys = Action::Panel(Some(Panel::Keys));
        pen.press(look, look.text(Text::Keys), keys);
    });
}

pub(crate) fn footer(look: &Look, pen: &mut Pen, _: usize) {
    pen.el("footer", "", |pen| {
        look.line(pen, "p", "", Text::Footer);
        pen.choice(look, Text::Theme, |pen| {
            for theme in Theme::ALL {
                let text = match theme {
                    Theme::System => Text::ThemeSystem,
                    Theme::Light => Text::ThemeLight,
                    Theme::Dark => Text::ThemeDark,
                };
                let is_on = look.state.theme == theme;
                pen.switch(look, is_on, look.text(text), Action::Theme(theme));
            }
        });
    });
}

/// What the visitor should know, in a place that is announced.
pub(crate) fn notice(look: &Look, pen: &mut Pen) {
    pen.el("div", "notice", |pen| {
        pen.attr(Name::Role, "status");
        if let Some(notice) = &look.state.notice {
            pen.line("p", "", look.words.notice(notice));
            let close = look.text(Text::Close);
            pen.sign(look, ("bare", icon::CROSS), close, Action::Notice(None));
        }
    });
}

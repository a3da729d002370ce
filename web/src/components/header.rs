//! What stands above and below everything: the name, the colours, the notice.

use super::Look;
use super::el::{el, say, space, with};
use super::icon;
use super::press::{Press, choice};
use crate::state::{Action, Panel, Theme};
use crate::words::Text;
use yew::prelude::*;

pub(crate) fn header(look: &Look<'_>) -> Html {
    let keys = Press::new(look.text(Text::Keys), Action::Panel(Some(Panel::Keys)));
    let name = el("b", "", vec![say(look.text(Text::Name))]);
    let lead = el("span", "", vec![say(look.text(Text::Lead))]);
    let line = el("p", "", vec![name, space(), lead]);
    el("header", "", vec![line, keys.draw(look)])
}

pub(crate) fn footer(look: &Look<'_>) -> Html {
    let mut themes = Vec::new();
    for theme in Theme::ALL {
        let text = match theme {
            Theme::System => Text::ThemeSystem,
            Theme::Light => Text::ThemeLight,
            Theme::Dark => Text::ThemeDark,
        };
        let press = Press::new(look.text(text), Action::Theme(theme));
        themes.push(press.pressed(look.state.theme == theme));
    }
    let line = el("p", "", vec![say(look.text(Text::Footer))]);
    el("footer", "", vec![line, choice(look, Text::Theme, themes)])
}

/// What the visitor should know, in a place that is announced.
pub(crate) fn notice(look: &Look<'_>) -> Html {
    let mut parts = Vec::new();
    if let Some(notice) = &look.state.notice {
        parts.push(el("p", "", vec![say(look.words.notice(notice))]));
        let close = Press::new(look.text(Text::Close), Action::Notice(None));
        parts.push(close.looks("bare", icon::CROSS).draw(look));
    }
    with("div", "notice", "role", "status".into(), parts)
}

//! What stands above and below everything: the name, the colours, the notice.

use super::Look;
use super::icon;
use super::press::{Press, choice};
use crate::state::{Action, Panel, Theme};
use crate::words::Text;
use yew::prelude::*;

pub(crate) fn header(look: &Look<'_>) -> Html {
    let keys = Press::new(look.text(Text::Keys), Action::Panel(Some(Panel::Keys)));
    html! {
        <header>
            <p><b>{ look.text(Text::Name) }</b>{ " " }<span>{ look.text(Text::Lead) }</span></p>
            { keys.draw(look) }
        </header>
    }
}

pub(crate) fn footer(look: &Look<'_>) -> Html {
    let themes = Theme::ALL.map(|theme| {
        let text = match theme {
            Theme::System => Text::ThemeSystem,
            Theme::Light => Text::ThemeLight,
            Theme::Dark => Text::ThemeDark,
        };
        Press::new(look.text(text), Action::Theme(theme)).pressed(look.state.theme == theme)
    });
    html! {
        <footer>
            <p>{ look.text(Text::Footer) }</p>
            { choice(look, look.text(Text::Theme), themes.into()) }
        </footer>
    }
}

/// What the visitor should know, in a place that is announced.
pub(crate) fn notice(look: &Look<'_>) -> Html {
    html! {
        <div class="notice" role="status">
            if let Some(notice) = &look.state.notice {
                <p>{ look.words.notice(notice) }</p>
                { Press::new(look.text(Text::Close), Action::Notice(None)).looks("bare", icon::CROSS).draw(look) }
            }
        </div>
    }
}

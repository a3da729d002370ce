//! The events as a table: the text alternative of the picture.

use super::Look;
use super::icon;
use super::press::Press;
use super::still::{shown, still};
use crate::state::Action;
use crate::words::Text;
use fencegate_core::sim::told::Explained;
use yew::prelude::*;

pub(crate) fn log(look: &Look<'_>) -> Html {
    let state = look.state;
    still(look, [shown(state), state.head.place, 0, 0], draw)
}

fn draw(look: &Look<'_>) -> Html {
    let strips = look.state.shown.strips().iter().enumerate();
    html! {
        <section class="log" id="log">
            <h2>{ look.text(Text::Log) }</h2>
            { for strips.map(|(index, strip)| html! {
                <div class="scrolls">
                    <table>
                        <caption>{ look.words.subject(&strip.subject) }</caption>
                        <thead><tr>
                            { for [Text::When, Text::Who, Text::What, Text::Breaks].map(|text| html! {
                                <th scope="col">{ look.text(text) }</th>
                            }) }
                        </tr></thead>
                        <tbody>
                            { for (1..).zip(&strip.track().events).map(|(step, event)| row(look, index, step, event)) }
                        </tbody>
                    </table>
                </div>
            }) }
        </section>
    }
}

fn row(look: &Look<'_>, strip: usize, step: usize, event: &Explained) -> Html {
    let dialect = look.state.shown.strip(strip).track().scenario.dialect();
    let here = (look.state.step(strip) == step).then_some("step");
    let at = Press::new(look.words.lasts(event.at), Action::ToStep(strip, step));
    html! {
        <tr aria-current={here}>
            <td>{ at.draw(look) }</td>
            <td>{ look.words.who(event.who) }</td>
            <td>{ look.words.sentence(event, dialect) }</td>
            <td class="broken">{ for event.broken.iter().map(|law| html! {
                <span>{ icon::is_right(false) }{ look.words.law_name(*law) }</span>
            }) }</td>
        </tr>
    }
}

//! Every law at this instant, and where it was broken.

use super::Look;
use super::icon;
use super::press::Press;
use super::still::{shown, still};
use crate::play::standing::Standing;
use crate::play::strip::Strip;
use crate::state::Action;
use crate::words::Text;
use fencegate_core::sim::laws::Law;
use yew::prelude::*;

pub(crate) fn laws(look: &Look<'_>) -> Html {
    let state = look.state;
    still(look, [shown(state), state.head.place, 0, 0], draw)
}

fn draw(look: &Look<'_>) -> Html {
    let strips = look.state.shown.strips();
    html! {
        <section class="laws card">
            <h2>{ look.text(Text::Laws) }</h2>
            <table>
                <thead><tr>
                    <th scope="col">{ look.text(Text::Law) }</th>
                    { for strips.iter().map(|strip| html! {
                        <th scope="col">{ look.words.subject(&strip.subject) }</th>
                    }) }
                </tr></thead>
                <tbody>{ for Law::ALL.iter().map(|(law, _)| html! {
                    <tr>
                        <th scope="row"><b>{ look.words.law_name(*law) }</b>{ " " }<span>{ look.words.law(*law) }</span></th>
                        { for strips.iter().enumerate().map(|(index, strip)| stands(look, index, strip, *law)) }
                    </tr>
                }) }</tbody>
            </table>
        </section>
    }
}

fn stands(look: &Look<'_>, index: usize, strip: &Strip, law: Law) -> Html {
    let track = strip.track();
    let standing = Standing::of(track, look.state.step(index), law);
    let step = match standing {
        Standing::Holds => 0,
        Standing::Broken(step) | Standing::Again(step) => step,
    };
    let text = look.words.standing(standing, track.time(step));
    let is_broken = matches!(standing, Standing::Broken(_));
    let sign = if is_broken { icon::CROSS } else { icon::TICK };
    html! {
        <td class={is_broken.then_some("broken")}>
            if step == 0 {
                { icon::icon(icon::TICK) }{ text }
            } else {
                { Press::new(text, Action::ToStep(index, step)).looks("link", sign).draw(look) }
            }
        </td>
    }
}

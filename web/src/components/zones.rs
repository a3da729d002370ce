//! The rule at a glance: below, at and above the mark, and where this token stands.

use crate::judge::Answer;
use crate::state::Rule;
use crate::words;
use core::cmp::Ordering;
use fencegate_core::token::Token;
use fencegate_core::verdict::Verdict;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) rule: Rule,
    pub(crate) mark: Option<Token>,
    pub(crate) answer: Answer,
}

#[component]
pub(crate) fn Zones(props: &Props) -> Html {
    let Some(mark) = props.mark else {
        return Html::default();
    };
    let zone = |place| {
        let (heading, line) = words::zone(props.rule, place, mark);
        let here = match props.answer {
            Answer::Judged(token, verdict) if token.cmp(&mark) == place => Some((token, verdict)),
            _ => None,
        };
        html! {
            <li class={classes!(here.map(|(_, verdict)| class(verdict)))}>
                <b>{ heading }</b>
                <span>{ line }</span>
                if let Some((token, _)) = here {
                    <span class="here">{ words::here(token) }</span>
                }
            </li>
        }
    };
    html! {
        <section aria-labelledby="zones">
            <h2 id="zones">{ words::ZONES }</h2>
            <ol class="zones">
                { for [Ordering::Less, Ordering::Equal, Ordering::Greater].map(zone) }
            </ol>
        </section>
    }
}

const fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Admit(_) => "admitted",
        Verdict::Reject(_) | Verdict::Undecided(_) => "rejected",
    }
}

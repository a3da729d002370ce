//! One of the holders to choose.

use crate::browser;
use crate::state::Holder;
use crate::words;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) id: &'static str,
    pub(crate) label: &'static str,
    pub(crate) chosen: Holder,
    pub(crate) choose: Callback<Holder>,
}

#[component]
pub(crate) fn HolderField(props: &Props) -> Html {
    let Props {
        id, label, chosen, ..
    } = *props;
    let choose = props.choose.reform(|index: usize| {
        let holder = Holder::ALL.get(index).copied();
        holder.unwrap_or(Holder::Unnamed)
    });
    let option =
        |holder| html! { <option selected={holder == chosen}>{ words::holder(holder) }</option> };
    html! {
        <div class="field">
            <label for={id}>{ label }</label>
            <select {id} onchange={browser::on_chosen(choose)}>{ for Holder::ALL.map(option) }</select>
        </div>
    }
}

//! Small pictures beside words, never in their place: paths on 16 by 16.

use super::pen::{Name, Pen};

pub(crate) const PLAY: &str = "M4 2v12l10-6z";
pub(crate) const PAUSE: &str = "M4 3h2v10H4zM10 3h2v10h-2z";
pub(crate) const BACK: &str = "M4 3v10M13 3v10L6 8z";
pub(crate) const FORWARD: &str = "M12 3v10M3 3v10l7-5z";
pub(crate) const TICK: &str = "M2.5 8.5l4 4 7-9";
pub(crate) const CROSS: &str = "M3.5 3.5l9 9M12.5 3.5l-9 9";
pub(crate) const SHIELD: &str = "M8 1.5l5.5 2v4c0 3.5-2.2 5.8-5.5 7-3.3-1.2-5.5-3.5-5.5-7v-4z";
pub(crate) const CHAIN: &str =
    "M6.5 9.5l3-3M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3 3 0 0 1 3 8.5L4.5 7";

impl Pen {
    /// A small picture, if there is one; the words beside it say the same.
    pub(crate) fn icon(&mut self, path: &'static str) {
        if path.is_empty() {
            return;
        }
        self.el("svg", "icon", |pen| {
            pen.attr(Name::ViewBox, "0 0 16 16");
            pen.attr(Name::Hidden, "true");
            pen.path("", path);
        });
    }

    /// Whether something is right, as a small picture.
    pub(crate) fn is_right(&mut self, right: bool) {
        self.icon(if right { TICK } else { CROSS });
    }
}

//! The few shapes that pictures are drawn from.

use super::look::Look;
use super::numbered::numbered;
use super::pen::{Name, Pen};
use crate::state::Action;
use yew::AttrValue;

impl Pen {
    /// A path.
    pub(crate) fn path(&mut self, class: &'static str, d: impl Into<AttrValue>) {
        self.drawn(class, d.into());
    }

    fn drawn(&mut self, class: &'static str, d: AttrValue) {
        self.el("path", class, |pen| pen.attr(Name::D, d));
    }

    /// A path through places: each `#` of its pattern is the next of the numbers.
    pub(crate) fn through(&mut self, class: &'static str, pattern: &str, numbers: &[i32]) {
        self.drawn(class, numbered(pattern, numbers).into());
    }

    /// A straight line.
    pub(crate) fn straight(
        &mut self,
        class: &'static str,
        (x, y): (i32, i32),
        (to_x, to_y): (i32, i32),
    ) {
        self.through(class, "M# #L# #", &[x, y, to_x, to_y]);
    }

    /// An upright box.
    pub(crate) fn bar(
        &mut self,
        class: &'static str,
        (x, y): (i32, i32),
        (width, height): (i32, i32),
    ) {
        self.through(class, "M# #h#v#h#z", &[x, y, width, height, -width]);
    }

    /// Shapes that stay upright wherever the picture's own axes point.
    #[inline(always)]
    pub(crate) fn upright(
        &mut self,
        class: &'static str,
        at: (i32, i32),
        shapes: impl FnOnce(&mut Self),
    ) {
        self.open_upright(class, at);
        shapes(self);
        self.close();
        self.close();
    }

    #[inline(never)]
    fn open_upright(&mut self, class: &'static str, (x, y): (i32, i32)) {
        self.open("g", class);
        self.attr(Name::Transform, numbered("translate(# #)", &[x, y]));
        self.open("g", "up");
    }

    /// A text at a spot of the picture.
    pub(crate) fn label(&mut self, class: &'static str, at: (i32, i32), text: String) {
        self.upright(class, at, |pen| pen.within("", ("0", "0"), text));
    }

    /// A text at a spot of something upright.
    pub(crate) fn within(
        &mut self,
        class: &'static str,
        (x, y): (&'static str, &'static str),
        text: String,
    ) {
        self.el("text", class, |pen| {
            pen.attr(Name::X, x);
            pen.attr(Name::Y, y);
            pen.say(text);
        });
    }

    /// A sign that is drawn around its middle.
    pub(crate) fn glyph(&mut self, class: &'static str, at: (i32, i32), d: &'static str) {
        self.upright(class, at, |pen| pen.path("", d));
    }

    /// A group that can be clicked.
    #[inline(always)]
    pub(crate) fn clickable(
        &mut self,
        look: &Look,
        class: &'static str,
        title: String,
        action: Action,
        shapes: impl FnOnce(&mut Self),
    ) {
        self.el("g", "", |pen| {
            pen.click(look, action);
            pen.el("g", class, |pen| {
                shapes(pen);
                pen.line("title", "", title);
            });
        });
    }
}

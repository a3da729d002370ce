//! The reading guide: each point a link to the moment that shows it.

use super::look::Look;
use super::pen::Pen;
use crate::play::guide::GUIDE;
use crate::words::Text;

pub(crate) fn guide(look: &Look, pen: &mut Pen) {
    pen.still(look, [0; 4], draw);
}

fn draw(look: &Look, pen: &mut Pen, _: usize) {
    pen.el("section", "guide", |pen| {
        look.heading(pen, Text::Guide);
        pen.el("ol", "", |pen| {
            for (point, variant) in GUIDE {
                let [what, why] = look.words.point(point);
                pen.el("li", "", |pen| {
                    look.link(pen, variant, what.into());
                    pen.space();
                    pen.say(why);
                });
            }
        });
    });
}

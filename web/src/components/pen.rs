//! Writes elements, one into the other. `html!` writes code of its own for each element, some
//! hundred bytes every time; here an element is a call or two, whatever it is made of.

use super::numbered::numbered;
use std::rc::Rc;
use yew::Html;
use yew::virtual_dom::{
    AttrValue, AttributeOrProperty, Attributes, Listener, VList, VNode, VTag, VText,
};

macro_rules! names {
    ($($name:ident $text:literal)*) => {
        /// An attribute.
        #[derive(Clone, Copy)]
        pub(crate) enum Name { $($name),* }

        /// What each is called.
        static NAMES: &[&str] = &[$($text),*];
    };
}

// An element keeps a value, or none, for each name up to its last: the usual ones come first.
names! {
    Class "class"
    D "d"
    Transform "transform"
    X "x"
    Y "y"
    Type "type"
    Pressed "aria-pressed"
    Label "aria-label"
    Role "role"
    Hidden "aria-hidden"
    ViewBox "viewBox"
    Href "href"
    Scope "scope"
    Current "aria-current"
    Expanded "aria-expanded"
    Disabled "disabled"
    Live "aria-live"
    Style "style"
    Readonly "readonly"
    Min "min"
    Max "max"
    Step "step"
    ValueText "aria-valuetext"
    Width "width"
    Height "height"
    PatternUnits "patternUnits"
    Id "id"
    DataOf "data-of"
}

/// An element that is being written.
#[derive(Default)]
struct Element {
    tag: &'static str,
    attributes: Vec<Option<AttributeOrProperty>>,
    listeners: Vec<Option<Rc<dyn Listener>>>,
    value: Option<AttrValue>,
    children: Vec<VNode>,
}

/// What writes.
pub(crate) struct Pen {
    /// The elements that are open, the outermost first.
    outer: Vec<Element>,
    /// The one that is written now.
    now: Element,
}

impl Pen {
    /// What is written by this.
    pub(crate) fn written(draw: impl FnOnce(&mut Self)) -> Html {
        let mut pen = Self {
            outer: Vec::new(),
            now: Element::default(),
        };
        draw(&mut pen);
        VList::from(pen.now.children).into()
    }

    /// An element with a class, or none, and what is in it: first its attributes.
    #[inline(always)]
    pub(crate) fn el(
        &mut self,
        tag: &'static str,
        class: &'static str,
        inside: impl FnOnce(&mut Self),
    ) {
        self.open(tag, class);
        inside(self);
        self.close();
    }

    /// An element with a text in it.
    #[inline(never)]
    pub(crate) fn line(
        &mut self,
        tag: &'static str,
        class: &'static str,
        text: impl Into<AttrValue>,
    ) {
        self.open(tag, class);
        self.say(text);
        self.close();
    }

    #[inline(never)]
    pub(super) fn open(&mut self, tag: &'static str, class: &'static str) {
        let element = Element {
            tag,
            ..Element::default()
        };
        self.outer.push(std::mem::replace(&mut self.now, element));
        self.set(Name::Class, AttrValue::Static(class));
    }

    #[inline(never)]
    pub(super) fn close(&mut self) {
        let outer = self.outer.pop().unwrap_or_default();
        let done = std::mem::replace(&mut self.now, outer);
        let mut tag = VTag::new(done.tag);
        tag.set_attributes(Attributes::Dynamic {
            keys: &NAMES[..done.attributes.len()],
            values: done.attributes.into(),
        });
        tag.set_listeners(done.listeners.into());
        tag.set_value(done.value);
        if let Some(children) = tag.children_mut() {
            *children = VList::from(done.children).into();
        }
        self.put(tag.into());
    }

    /// An attribute of the element that is written; an empty one is left out.
    #[inline(never)]
    pub(crate) fn attr(&mut self, name: Name, value: impl Into<AttrValue>) {
        self.set(name, value.into());
    }

    #[inline(never)]
    fn set(&mut self, name: Name, value: AttrValue) {
        if value.is_empty() {
            return;
        }
        let (at, attributes) = (name as usize, &mut self.now.attributes);
        while attributes.len() <= at {
            attributes.push(None);
        }
        attributes[at] = Some(AttributeOrProperty::Attribute(value));
    }

    /// What stands in the field that is written.
    pub(crate) fn value(&mut self, value: String) {
        self.now.value = Some(value.into());
    }

    /// The field that is written is a slider: from where to where, and in which steps.
    pub(crate) fn slider(&mut self, (min, max): (i32, i32), step: i32) {
        self.attr(Name::Type, "range");
        for (name, number) in [(Name::Min, min), (Name::Max, max), (Name::Step, step)] {
            self.attr(name, numbered("#", &[number]));
        }
    }

    /// What the element that is written hears.
    pub(super) fn listens(&mut self, listener: Rc<dyn Listener>) {
        self.now.listeners.push(Some(listener));
    }

    /// A text.
    #[inline(never)]
    pub(crate) fn say(&mut self, text: impl Into<AttrValue>) {
        self.text(text.into());
    }

    #[inline(never)]
    fn text(&mut self, text: AttrValue) {
        self.put(VText::new(text).into());
    }

    /// What stands between two words.
    pub(crate) fn space(&mut self) {
        self.say(" ");
    }

    /// Stands for what is not there now. Yew compares lists from their ends: without it, what stands
    /// before would be made anew, and lose the focus.
    pub(crate) fn nothing(&mut self) {
        self.say("");
    }

    /// Something that was made elsewhere.
    pub(crate) fn put(&mut self, node: VNode) {
        self.now.children.push(node);
    }
}

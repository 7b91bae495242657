//! Scalars: their text, and what a reader takes it for.

use std::fmt::Write as _;
use std::sync::Arc;

use super::number::{self, Number};
use super::resolve::{self, Schema};
use super::tag;
use super::texts::Texts;
use super::timestamp;

/// What a scalar is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Nothing.
    Null,
    /// True or false.
    Bool,
    /// A number that was written as an integer.
    Integer,
    /// Any other number.
    Float,
    /// A date, or a date with a time. Becomes a string in the end.
    Timestamp,
    /// Text.
    String,
}

/// How a scalar was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// Without quotes.
    #[default]
    Plain,
    /// In `'`.
    Single,
    /// In `"`.
    Double,
    /// Behind `|`.
    Literal,
    /// Behind `>`.
    Folded,
}

/// What is known of a scalar besides what it looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    /// It is what its kind says.
    Kind,
    /// Nothing: a transformer wrote it, and kustomize gives such a value no tag. What is written over it is taken for what it
    /// looks like.
    None,
    /// The text is base64.
    Binary,
}

/// A scalar as it was written, with what it is taken for. Transformers that work on text see `1.50` as it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scalar {
    text: Arc<str>,
    kind: Kind,
    style: Style,
    tag: Tag,
}

/// The value of a scalar.
#[derive(Debug, Clone, PartialEq)]
pub enum Typed<'a> {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A number.
    Number(Number),
    /// Text, and what becomes text.
    String(std::borrow::Cow<'a, str>),
}

impl Scalar {
    /// Makes a scalar from what was read.
    pub(super) fn read(text: Arc<str>, kind: Kind, style: Style) -> Self {
        Self { text, kind, style, tag: Tag::Kind }
    }

    /// Makes a text that was written in base64, with the tag for that.
    pub(super) fn binary(text: Arc<str>, style: Style) -> Self {
        Self { text, kind: Kind::String, style, tag: Tag::Binary }
    }

    /// Marks what go-yaml v3 puts in quotes between brackets or braces, which makes a text of it: a null without any text, and a
    /// date with a time. The null becomes one in the end.
    pub(super) fn between_brackets(self) -> Self {
        if self.kind == Kind::Timestamp && self.text.contains(':') {
            return Self { kind: Kind::String, ..self };
        }
        let is_bare = self.kind == Kind::Null && self.text.is_empty() && self.style == Style::Plain;
        Self { style: if is_bare { Style::Literal } else { self.style }, ..self }
    }

    /// Returns `true` if it is a null that becomes an empty text in the end.
    pub(super) fn is_bare_null(&self) -> bool {
        self.kind == Kind::Null && self.style == Style::Literal
    }

    /// Makes a null.
    pub fn null() -> Self {
        Self::read(Arc::from("null"), Kind::Null, Style::Plain)
    }

    /// Makes a boolean.
    pub fn boolean(value: bool) -> Self {
        Self::read(Arc::from(if value { "true" } else { "false" }), Kind::Bool, Style::Plain)
    }

    /// Makes an integer.
    pub fn integer(value: i64) -> Self {
        Self::number(Number::Signed(value))
    }

    /// Makes a number.
    pub fn number(value: Number) -> Self {
        let kind = if matches!(value, Number::Float(_)) { Kind::Float } else { Kind::Integer };
        let mut text = String::new();
        // Writing into a String cannot fail.
        let _: std::fmt::Result = write!(text, "{value}");
        Self::read(text.into(), kind, Style::Plain)
    }

    /// Makes a string.
    pub fn string(text: impl Into<Arc<str>>) -> Self {
        Self::read(text.into(), Kind::String, Style::Double)
    }

    /// Makes what a resource file would hold if the text stood there without quotes.
    pub fn plain(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let kind = resolve::kind_of(&text, Schema::Resource);
        Self::read(text, kind, Style::Plain)
    }

    /// Makes what a transformer of kustomize writes: as [`Self::plain`], but what takes its place need not be of the same kind.
    pub fn untagged(text: impl Into<Arc<str>>) -> Self {
        Self { tag: Tag::None, ..Self::plain(text) }
    }

    /// Returns the scalar as it is if it takes the place of one that was written in a style: what has quotes is text, and text
    /// stays text.
    #[must_use]
    pub fn styled(&self, style: Style) -> Self {
        let kind = if style == Style::Plain { self.kind } else { Kind::String };
        Self { text: Arc::clone(&self.text), kind, style, tag: self.tag }
    }

    /// Returns the text as it was written, without quotes and with its escapes undone.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text to share.
    pub fn shared_text(&self) -> &Arc<str> {
        &self.text
    }

    /// Takes the one text with its characters.
    pub(super) fn share(&mut self, texts: &mut Texts) {
        self.text = texts.get(&self.text);
    }

    /// Returns what it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns how it was written.
    pub fn style(&self) -> Style {
        self.style
    }

    /// Returns `true` if a transformer wrote it, so that nothing tells its kind but its text.
    pub fn is_untagged(&self) -> bool {
        self.tag == Tag::None
    }

    /// Returns `true` if its text is base64, and its value is what that stands for.
    pub fn is_binary(&self) -> bool {
        self.tag == Tag::Binary
    }

    /// Returns the text of a string.
    pub fn as_str(&self) -> Option<&str> {
        (self.kind == Kind::String).then_some(&*self.text)
    }

    /// Returns the value.
    pub fn typed(&self) -> Typed<'_> {
        match self.kind {
            Kind::Null => Typed::Null,
            Kind::Bool => Typed::Bool(resolve::is_true(&self.text)),
            Kind::Integer | Kind::Float => match number::parse(&self.text) {
                // A number with the tag !!float is one, however it is written.
                Some(number) if self.kind == Kind::Float => Typed::Number(Number::Float(number.as_f64())),
                Some(number) => Typed::Number(number),
                None => Typed::String((&*self.text).into()),
            },
            Kind::Timestamp => Typed::String(timestamp::normal(&self.text).map_or((&*self.text).into(), Into::into)),
            Kind::String => match self.is_binary().then(|| tag::decoded(&self.text)).flatten() {
                Some(text) => Typed::String(text.into()),
                None => Typed::String((&*self.text).into()),
            },
        }
    }
}

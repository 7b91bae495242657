//! Scalars: their text and its type.

use std::fmt::Write as _;
use std::sync::Arc;

use super::number::{self, Number};
use super::resolve::{self, Schema};
use super::tag;
use super::texts::Texts;
use super::timestamp;

/// The type of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Null.
    Null,
    /// True or false.
    Bool,
    /// A number that was written as an integer.
    Integer,
    /// Another number.
    Float,
    /// A date, or a date with a time. Finally becomes a string.
    Timestamp,
    /// A string.
    String,
}

/// The style in which a scalar was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// Without quotes.
    #[default]
    Plain,
    /// In single quotes.
    Single,
    /// In double quotes.
    Double,
    /// As a literal block (`|`).
    Literal,
    /// As a folded block (`>`).
    Folded,
}

/// The tag of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    /// The tag of its kind.
    Kind,
    /// No tag: a transformer wrote it, and kustomize gives such a value no tag. The type of a value that replaces it is
    /// resolved from its text.
    None,
    /// The text is base64.
    Binary,
}

/// A scalar as it was written, with its type. Transformers that work on text see `1.50` as it is in the file.
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
    /// Null.
    Null,
    /// True or false.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string, or a value that becomes a string.
    String(std::borrow::Cow<'a, str>),
}

impl Scalar {
    /// Creates a scalar from parsed text.
    pub(super) fn read(text: Arc<str>, kind: Kind, style: Style) -> Self {
        Self { text, kind, style, tag: Tag::Kind }
    }

    /// Creates a string that was written in base64, with the tag `!!binary`.
    pub(super) fn binary(text: Arc<str>, style: Style) -> Self {
        Self { text, kind: Kind::String, style, tag: Tag::Binary }
    }

    /// Marks scalars that go-yaml v3 quotes between brackets or braces, which makes them strings: a null without text, and a
    /// date with a time. The null finally becomes an empty string.
    pub(super) fn between_brackets(self) -> Self {
        if self.kind == Kind::Timestamp && self.text.contains(':') {
            return Self { kind: Kind::String, ..self };
        }
        let is_bare = self.kind == Kind::Null && self.text.is_empty() && self.style == Style::Plain;
        Self { style: if is_bare { Style::Literal } else { self.style }, ..self }
    }

    /// Returns `true` for a null that finally becomes an empty string.
    pub(super) fn is_bare_null(&self) -> bool {
        self.kind == Kind::Null && self.style == Style::Literal
    }

    /// Creates a null.
    pub fn null() -> Self {
        Self::read(Arc::from("null"), Kind::Null, Style::Plain)
    }

    /// Creates a boolean.
    pub fn boolean(value: bool) -> Self {
        Self::read(Arc::from(if value { "true" } else { "false" }), Kind::Bool, Style::Plain)
    }

    /// Creates an integer.
    pub fn integer(value: i64) -> Self {
        Self::number(Number::Signed(value))
    }

    /// Creates a number.
    pub fn number(value: Number) -> Self {
        let kind = if matches!(value, Number::Float(_)) { Kind::Float } else { Kind::Integer };
        let mut text = String::new();
        // Writing into a String cannot fail.
        let _: std::fmt::Result = write!(text, "{value}");
        Self::read(text.into(), kind, Style::Plain)
    }

    /// Creates a string.
    pub fn string(text: impl Into<Arc<str>>) -> Self {
        Self::read(text.into(), Kind::String, Style::Double)
    }

    /// Creates the scalar that a resource file would contain if the text were written without quotes.
    pub fn plain(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let kind = resolve::kind_of(&text, Schema::Resource);
        Self::read(text, kind, Style::Plain)
    }

    /// Creates a scalar as kustomize's transformers do: like [`Self::plain`], but a replacement may be of a different kind.
    pub fn untagged(text: impl Into<Arc<str>>) -> Self {
        Self { tag: Tag::None, ..Self::plain(text) }
    }

    /// Returns the scalar as it becomes when it replaces one in the given style: a quoted value is a string, and a string
    /// stays a string.
    #[must_use]
    pub fn styled(&self, style: Style) -> Self {
        let kind = if style == Style::Plain { self.kind } else { Kind::String };
        Self { text: Arc::clone(&self.text), kind, style, tag: self.tag }
    }

    /// Returns the text as written, without quotes and with escapes resolved.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the shared text.
    pub fn shared_text(&self) -> &Arc<str> {
        &self.text
    }

    /// Replaces the text with the interned copy.
    pub(super) fn share(&mut self, texts: &mut Texts) {
        self.text = texts.get(&self.text);
    }

    /// Returns the type.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the style.
    pub fn style(&self) -> Style {
        self.style
    }

    /// Returns `true` if a transformer wrote it, so that only its text determines its kind.
    pub fn is_untagged(&self) -> bool {
        self.tag == Tag::None
    }

    /// Returns `true` if its text is base64, and its value is the decoded text.
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
                // A number with the tag !!float is a float, even if it is written as an integer.
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

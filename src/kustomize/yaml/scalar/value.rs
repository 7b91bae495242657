//! Scalars: their text and its type.

use std::fmt::Write as _;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::kind::{Kind, Style};
use super::number::Number;
use super::resolve::Schema;
use super::{number, resolve, timestamp};
use crate::yaml::tree::Interner;

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
    /// The tag of null, for a null without text between brackets or braces. It finally becomes an empty string.
    EmptyInFlow,
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
    pub(crate) fn read(text: Arc<str>, kind: Kind, style: Style) -> Self {
        Self { text, kind, style, tag: Tag::Kind }
    }

    /// Creates a string that was written in base64, with the tag `!!binary`.
    pub(crate) fn binary(text: Arc<str>, style: Style) -> Self {
        Self { text, kind: Kind::String, style, tag: Tag::Binary }
    }

    /// Returns the scalar as it becomes between brackets or braces, where go-yaml v3 quotes two kinds of scalars, which makes
    /// them strings: a date with a time, and a null without text. The null finally becomes an empty string.
    pub(crate) fn in_flow(self) -> Self {
        if self.kind == Kind::Timestamp && self.text.contains(':') {
            return Self { kind: Kind::String, ..self };
        }
        let is_bare = self.kind == Kind::Null && self.text.is_empty() && self.style == Style::Plain;
        Self { tag: if is_bare { Tag::EmptyInFlow } else { self.tag }, ..self }
    }

    /// Returns `true` for a null that finally becomes an empty string.
    pub(crate) fn is_empty_in_flow(&self) -> bool {
        self.tag == Tag::EmptyInFlow
    }

    /// Returns the text of a plain scalar whose type follows from its text by a schema, and not from a tag.
    pub fn plain_text(&self, schema: Schema) -> Option<&Arc<str>> {
        let is_plain = self.style == Style::Plain && self.tag != Tag::Binary;
        (is_plain && resolve::kind_of(&self.text, schema) == self.kind).then_some(&self.text)
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

    /// Creates a string that is written as a literal block (`|`).
    pub(crate) fn literal(text: impl Into<Arc<str>>) -> Self {
        Self::read(text.into(), Kind::String, Style::Literal)
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
    pub(crate) fn styled(&self, style: Style) -> Self {
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
    pub(crate) fn share(&mut self, interner: &mut Interner) {
        self.text = interner.get(&self.text);
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
    pub(crate) fn is_untagged(&self) -> bool {
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
            Kind::String => match self.is_binary().then(|| decode_base64(&self.text)).flatten() {
                Some(text) => Typed::String(text.into()),
                None => Typed::String((&*self.text).into()),
            },
        }
    }
}

/// Decodes base64. Bytes that are not UTF-8 are lost, as in Go's JSON.
pub(crate) fn decode_base64(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|c| !matches!(c, '\n' | '\r')).collect();
    Some(String::from_utf8_lossy(&STANDARD.decode(text).ok()?).into_owned())
}

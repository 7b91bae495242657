//! Scalars as the parser reports them.

use std::borrow::Cow;

use granit_parser::{ScalarStyle, Span, Tag};

use crate::yaml::scalar::Style;

/// A scalar from the parser.
pub(crate) struct RawScalar<'t> {
    pub(crate) text: Cow<'t, str>,
    pub(crate) style: Style,
    pub(crate) tag: Option<Cow<'t, Tag>>,
    pub(crate) span: Span,
}

impl<'t> RawScalar<'t> {
    /// Creates a scalar from the fields of the parser's event.
    pub(crate) fn new(text: Cow<'t, str>, style: ScalarStyle, tag: Option<Cow<'t, Tag>>, span: Span) -> Self {
        let style = match style {
            ScalarStyle::Plain => Style::Plain,
            ScalarStyle::SingleQuoted => Style::Single,
            ScalarStyle::DoubleQuoted => Style::Double,
            ScalarStyle::Literal => Style::Literal,
            ScalarStyle::Folded => Style::Folded,
        };
        Self { text, style, tag, span }
    }
}

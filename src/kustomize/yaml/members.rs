//! Parses mappings: keys, duplicates and merges.

use std::borrow::Cow;

use granit_parser::{Event, Span};

use super::compose::{Composer, Word, word};
use super::fault::Fault;
use super::mapping::{Key, Mapping};
use super::node::{Content, Node};
use super::number::Number;
use super::resolve::Schema;
use super::scalar::{Kind, Scalar, Style, Typed};
use super::tag;

impl<'t> Composer<'t, '_, '_> {
    /// Builds the mapping whose start event was read.
    pub(super) fn mapping(&mut self, level: usize) -> Result<Mapping, Fault> {
        let mut mapping = Mapping::new();
        // The mapping's own keys take precedence over merged ones, so merging waits until they are known.
        let mut merged: Option<Vec<Node>> = None;
        loop {
            let (event, span) = self.next()?;
            if matches!(event, Event::MappingEnd) {
                break;
            }
            let Some(key) = self.key(event, span, level)? else {
                let (event, at) = self.next()?;
                let value = self.node(event, &at, level + 1)?;
                let sources = self.merge_sources(value, &at)?;
                if self.shared.schema == Schema::Kustomization {
                    // Here the last of duplicate keys wins, and in a list of sources the first one.
                    sources
                        .into_iter()
                        .rev()
                        .flat_map(members)
                        .for_each(|(key, value)| drop(mapping.insert(key, value)));
                } else if merged.replace(sources).is_some() {
                    return Err(self.fault(&span, "\"<<\" is given twice in one mapping; give one of them a list"));
                }
                continue;
            };
            if mapping.contains(&key.text) {
                let message =
                    |what| format!("{:?} is given twice in one mapping{what}; remove one of the two", &*key.text);
                if self.shared.schema == Schema::Resource {
                    return Err(self.fault(&span, message("")));
                }
                let doubt = self.fault(&span, message(", and the last one counts"));
                self.shared.doubts.push(doubt);
            }
            let (event, at) = self.next()?;
            let mut value = self.node(event, &at, level + 1)?;
            if let Content::Scalar(scalar) = &mut value.content
                && matches!(&*key.text, "kind" | "apiVersion")
            {
                scalar.share(self.shared.texts);
            }
            mapping.insert(key, value);
        }
        for (key, value) in merged.into_iter().flatten().flat_map(members) {
            if !mapping.contains(&key.text) {
                mapping.insert(key, value);
            }
        }
        Ok(mapping)
    }

    /// Builds a key; returns `None` for the merge key.
    fn key(&mut self, event: Event<'t>, span: Span, level: usize) -> Result<Option<Key>, Fault> {
        let scalar = match word(event, span) {
            Ok((word, 0)) if tag::is_merge(&word) => return Ok(None),
            Ok((word, 0)) => self.scalar(word)?,
            Ok((Word { text, style, tag, span }, anchor)) => {
                let event = Event::Scalar(text, parser_style(style), anchor, tag);
                self.scalar_node(event, &span, level)?
            }
            Err(Event::Alias(id)) => self.scalar_node(Event::Alias(id), &span, level)?,
            Err(_) => {
                let message = format!("a key must be a string, and not a list or a mapping{}", self.hint(&span));
                return Err(self.fault(&span, message));
            }
        };
        let text = match self.shared.schema {
            Schema::Resource => resource_key(&scalar),
            Schema::Kustomization => kustomization_key(&scalar),
        };
        let text = text.ok_or_else(|| {
            let what = describe(scalar.kind());
            self.fault(
                &span,
                format!("the key {} is {what}, and keys must be strings; put it in quotes", scalar.text()),
            )
        })?;
        Ok(Some(Key { text: self.shared.texts.get(&text), origin: self.origin(&span) }))
    }

    fn scalar_node(&mut self, event: Event<'t>, span: &Span, level: usize) -> Result<Scalar, Fault> {
        match self.node(event, span, level + 1)?.content {
            Content::Scalar(scalar) => Ok(scalar),
            _ => Err(self.fault(span, "a key must be a string, and not an alias of a list or a mapping")),
        }
    }

    /// Returns the mappings in the value of `<<`, in order of precedence.
    fn merge_sources(&self, value: Node, span: &Span) -> Result<Vec<Node>, Fault> {
        let sources = match value.content {
            Content::Sequence(items) => items,
            _ => vec![value],
        };
        if sources.iter().all(|source| source.as_mapping().is_some()) {
            return Ok(sources);
        }
        Err(self.fault(span, "\"<<\" needs a mapping or a list of mappings; give it an alias of one"))
    }
}

fn members(source: Node) -> impl Iterator<Item = (Key, Node)> {
    let mapping = match source.content {
        Content::Mapping(mapping) => *mapping,
        _ => Mapping::new(),
    };
    mapping.into_iter()
}

fn parser_style(style: Style) -> granit_parser::ScalarStyle {
    match style {
        Style::Plain => granit_parser::ScalarStyle::Plain,
        Style::Single => granit_parser::ScalarStyle::SingleQuoted,
        Style::Double => granit_parser::ScalarStyle::DoubleQuoted,
        Style::Literal => granit_parser::ScalarStyle::Literal,
        Style::Folded => granit_parser::ScalarStyle::Folded,
    }
}

fn resource_key(scalar: &Scalar) -> Option<Cow<'_, str>> {
    scalar.as_str().map(Cow::Borrowed)
}

/// Returns the JSON key for a key of a kustomization file.
///
/// # Source
/// `sigs.k8s.io/yaml` `convertToJSONableObject`: booleans and numbers become strings, floats with 32-bit precision.
fn kustomization_key(scalar: &Scalar) -> Option<Cow<'_, str>> {
    match scalar.typed() {
        Typed::Null | Typed::Number(Number::Unsigned(_)) => None,
        Typed::Bool(value) => Some(value.to_string().into()),
        Typed::Number(Number::Float(float)) => Some((float as f32).to_string().into()),
        Typed::Number(number) => Some(number.to_string().into()),
        Typed::String(text) => Some(text),
    }
}

fn describe(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Bool => "a boolean",
        Kind::Integer | Kind::Float => "a number",
        Kind::Timestamp => "a date",
        Kind::String => "a string",
    }
}

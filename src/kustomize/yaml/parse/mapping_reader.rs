//! Parses mappings: keys, duplicates and merges.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use granit_parser::{Event, Span};

use super::composer::Composer;
use super::raw_scalar::RawScalar;
use super::tag;
use crate::yaml::origin::Error;
use crate::yaml::scalar::resolve::Schema;
use crate::yaml::scalar::value::{Scalar, Typed};
use crate::yaml::scalar::{Kind, Number};
use crate::yaml::tree::{Content, Key, Mapping, Node};

impl<'t> Composer<'t, '_, '_> {
    /// Builds the mapping whose start event was read.
    pub(crate) fn mapping(&mut self, level: usize) -> Result<Mapping, Error> {
        let mut mapping = Mapping::new();
        // The mapping's own keys take precedence over merged ones, so merging waits until they are known.
        let mut merged: Option<Vec<Node>> = None;
        // In the order of the file, a key overrides one that was merged before it.
        let mut overridable: HashSet<Arc<str>> = HashSet::new();
        loop {
            let (event, span) = self.next()?;
            if matches!(event, Event::MappingEnd) {
                break;
            }
            let Some(key) = self.key(event, span, level)? else {
                let (event, at) = self.next()?;
                let value = self.node(event, &at, level + 1)?;
                let sources = self.merge_sources(value, &at)?;
                if self.file.schema == Schema::Kustomization {
                    // Here the last of duplicate keys wins, and in a list of sources the first one.
                    for (key, value) in sources.into_iter().rev().flat_map(entries) {
                        if !self.file.allows_duplicates
                            && mapping.contains(&key.text)
                            && !overridable.contains(&key.text)
                        {
                            let message = format!(
                                "\"<<\" would replace {:?}, which is written before it; write \"<<\" as the first key of the mapping",
                                &*key.text
                            );
                            return Err(self.error(&span, message));
                        }
                        overridable.insert(Arc::clone(&key.text));
                        mapping.insert(key, value);
                    }
                } else if merged.replace(sources).is_some() {
                    return Err(self.error(&span, "\"<<\" is given twice in one mapping; give one of them a list"));
                }
                continue;
            };
            if mapping.contains(&key.text) && !overridable.remove(&key.text) {
                let message =
                    |what| format!("{:?} is given twice in one mapping{what}; remove one of the two", &*key.text);
                if !self.file.allows_duplicates {
                    return Err(self.error(&span, message("")));
                }
                let warning = self.origin(&span).warning(message(", and the last one counts"));
                self.file.warnings.push(warning);
            }
            let (event, at) = self.next()?;
            let mut value = self.node(event, &at, level + 1)?;
            if let Content::Scalar(scalar) = &mut value.content
                && matches!(&*key.text, "kind" | "apiVersion")
            {
                scalar.share(self.file.interner);
            }
            mapping.insert(key, value);
        }
        // The keys of a resource take precedence wherever they are.
        for (key, value) in merged.into_iter().flatten().flat_map(entries) {
            if !mapping.contains(&key.text) {
                mapping.insert(key, value);
            }
        }
        mapping.shrink_to_fit();
        Ok(mapping)
    }

    /// Builds a key; returns `None` for the merge key.
    fn key(&mut self, event: Event<'t>, span: Span, level: usize) -> Result<Option<Key>, Error> {
        self.take(1, &span)?;
        let scalar = match event {
            Event::Scalar(text, style, 0, tag) => {
                let raw = RawScalar::new(text, style, tag, span);
                if tag::is_merge(&raw) {
                    return Ok(None);
                }
                self.scalar(raw)?
            }
            Event::Scalar(..) | Event::Alias(_) => self.scalar_node(event, &span, level)?,
            _ => {
                let message = format!("a key must be a string, and not a list or a mapping{}", self.hint(&span));
                return Err(self.error(&span, message));
            }
        };
        let text = match self.file.schema {
            Schema::Resource => resource_key(&scalar),
            Schema::Kustomization => kustomization_key(&scalar),
        };
        let text = text.ok_or_else(|| {
            let what = describe(scalar.kind());
            self.error(
                &span,
                format!("the key {} is {what}, and keys must be strings; put it in quotes", scalar.text()),
            )
        })?;
        Ok(Some(Key { text: self.file.interner.get(&text), origin: self.origin(&span) }))
    }

    fn scalar_node(&mut self, event: Event<'t>, span: &Span, level: usize) -> Result<Scalar, Error> {
        match self.node(event, span, level + 1)?.content {
            Content::Scalar(scalar) => Ok(scalar),
            _ => Err(self.error(span, "a key must be a string, and not an alias of a list or a mapping")),
        }
    }

    /// Returns the mappings in the value of `<<`, in order of precedence.
    fn merge_sources(&self, value: Node, span: &Span) -> Result<Vec<Node>, Error> {
        let sources = match value.content {
            Content::Sequence(items) => items,
            _ => vec![value],
        };
        if sources.iter().all(|source| source.as_mapping().is_some()) {
            return Ok(sources);
        }
        Err(self.error(span, "\"<<\" needs a mapping or a list of mappings; give it an alias of one"))
    }
}

fn entries(source: Node) -> impl Iterator<Item = (Key, Node)> {
    let mapping = match source.content {
        Content::Mapping(mapping) => *mapping,
        _ => Mapping::new(),
    };
    mapping.into_iter()
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

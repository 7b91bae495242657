//! Writes trees, byte for byte as `kustomize build` prints them.

use super::analyze::{Allowed, allowed};
use super::emitter::{Emitter, STEP};
use super::key_order;
use crate::yaml::limits::MAX_DEPTH;
use crate::yaml::origin::Error;
use crate::yaml::scalar::resolve::needs_quotes;
use crate::yaml::scalar::value::Scalar;
use crate::yaml::scalar::{Kind, Style};
use crate::yaml::tree::{Content, Mapping, Node};

/// Maximum depth when writing: more than when parsing, because transformers may put trees into trees.
const MAX_WRITTEN: usize = 4 * MAX_DEPTH;
/// Maximum length of a key in the simple form, in bytes.
const MAX_SIMPLE_KEY: usize = 128;

/// The position of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Root,
    Item,
    Key,
    Value,
}

/// Returns the YAML of a tree in its final form, as [`super::normalize`] leaves it.
///
/// # Errors
/// [`Error`] if it nests deeper than any parsed tree can.
///
/// # Source
/// go-yaml v2 `Marshal`.
pub fn write(node: &Node) -> Result<String, Error> {
    append(node, String::new())
}

/// Returns the YAML of several trees, with `---` between them.
///
/// # Errors
/// As [`write()`].
pub fn write_all<'a>(nodes: impl IntoIterator<Item = &'a Node>) -> Result<String, Error> {
    let mut out = String::new();
    for (i, node) in nodes.into_iter().enumerate() {
        if i > 0 {
            out.push_str("---\n");
        }
        out = append(node, out)?;
    }
    Ok(out)
}

fn append(node: &Node, out: String) -> Result<String, Error> {
    let mut writer = Writer { emitter: Emitter::of_document(out), level: 0 };
    writer.node(node, Context::Root)?;
    writer.emitter.go_to_indent();
    Ok(writer.emitter.out)
}

struct Writer {
    emitter: Emitter,
    level: usize,
}

impl Writer {
    fn node(&mut self, node: &Node, context: Context) -> Result<(), Error> {
        self.level += 1;
        if self.level > MAX_WRITTEN {
            let message = format!("the object nests deeper than {MAX_WRITTEN} levels; flatten it");
            return Err(node.origin.error(message));
        }
        let indent = self.emitter.indent;
        match &node.content {
            Content::Scalar(scalar) => self.scalar(scalar, context),
            Content::Sequence(items) if items.is_empty() => self.empty("[", "]"),
            Content::Sequence(items) => {
                // A sequence is not indented below its key, unless it starts on the line of a complex key.
                if context != Context::Value || self.emitter.is_indentation {
                    self.emitter.indent = Some(indent.map_or(0, |indent| indent + STEP));
                }
                self.items(items)?;
            }
            Content::Mapping(mapping) if mapping.is_empty() => self.empty("{", "}"),
            Content::Mapping(mapping) => {
                self.emitter.indent = Some(indent.map_or(0, |indent| indent + STEP));
                self.entries(mapping)?;
            }
        }
        self.emitter.indent = indent;
        self.level -= 1;
        Ok(())
    }

    fn empty(&mut self, open: &str, close: &str) {
        self.emitter.indicator(open, true);
        self.emitter.indicator(close, false);
    }

    fn items(&mut self, items: &[Node]) -> Result<(), Error> {
        for item in items {
            self.emitter.go_to_indent();
            self.emitter.entry("-");
            self.node(item, Context::Item)?;
        }
        Ok(())
    }

    fn entries(&mut self, mapping: &Mapping) -> Result<(), Error> {
        for entry in key_order::sorted(mapping) {
            self.emitter.go_to_indent();
            let text = &entry.key().text;
            let key = Scalar::string(std::sync::Arc::clone(text));
            if text.len() <= MAX_SIMPLE_KEY && !allowed(text).multiline {
                self.in_scalar(|this| this.string(&key, Context::Key));
                self.emitter.indicator(":", false);
            } else {
                self.emitter.entry("?");
                self.in_scalar(|this| this.string(&key, Context::Value));
                self.emitter.go_to_indent();
                self.emitter.entry(":");
            }
            self.node(&entry.value, Context::Value)?;
        }
        Ok(())
    }

    /// Indents the continuation lines of a scalar.
    fn in_scalar(&mut self, inside: impl FnOnce(&mut Self)) {
        let indent = self.emitter.indent;
        self.emitter.indent = Some(indent.map_or(STEP, |indent| indent + STEP));
        inside(self);
        self.emitter.indent = indent;
    }

    fn scalar(&mut self, scalar: &Scalar, context: Context) {
        self.in_scalar(|this| match scalar.kind() {
            Kind::String => this.string(scalar, context),
            Kind::Null => this.emitter.plain("null", false),
            _ => this.emitter.plain(scalar.text(), false),
        });
    }

    fn string(&mut self, scalar: &Scalar, context: Context) {
        let text = scalar.text();
        let may_fold = context != Context::Key;
        match style(text, allowed(text), context) {
            Style::Plain => self.emitter.plain(text, may_fold),
            Style::Single => self.emitter.single(text, may_fold),
            Style::Double => self.emitter.double(text, may_fold),
            Style::Literal | Style::Folded => self.emitter.literal(text),
        }
    }
}

/// Returns the style of a string.
///
/// # Source
/// go-yaml v2 `stringv` and `yaml_emitter_select_scalar_style`.
fn style(text: &str, allowed: Allowed, context: Context) -> Style {
    let is_key = context == Context::Key;
    if text.contains('\n') {
        return if allowed.block && !is_key { Style::Literal } else { Style::Double };
    }
    if needs_quotes(text) || (is_key && allowed.multiline) {
        return Style::Double;
    }
    match (allowed.plain, allowed.single) {
        (true, _) => Style::Plain,
        (false, true) => Style::Single,
        (false, false) => Style::Double,
    }
}

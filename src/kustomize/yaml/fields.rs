//! Reads typed fields from nodes, and collects all errors in them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::describe::described;
use super::{Base, Error, Key, Kind, Node, Number, Origin, Scalar, Typed};
use tidegate_model::diagnostic::Diagnostic;
use tidegate_model::near::{nearest, remedy};

/// If this many fields or more are known, a message does not list them all.
const MANY: usize = 12;

/// A string, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) text: Arc<str>,
    pub(crate) origin: Origin,
    /// Where the string itself starts, for locations inside it.
    pub(crate) base: Base,
}

impl Text {
    pub(crate) fn error(&self, message: impl fmt::Display) -> Error {
        self.origin.error(message)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// String values by key, in key order.
pub(crate) type Pairs = BTreeMap<Arc<str>, (Key, Text)>;

/// The fields of a mapping by their exact names. Fields without a value are left out.
pub(crate) struct Fields<'n> {
    values: BTreeMap<&'static str, &'n Node>,
    pub(crate) origin: Origin,
}

impl<'n> Fields<'n> {
    pub(crate) fn get(&self, name: &str) -> Option<&'n Node> {
        self.values.get(name).copied()
    }
}

/// Reads fields, and collects errors and warnings.
#[derive(Default)]
pub(crate) struct Reader {
    pub(crate) errors: Vec<Error>,
    pub(crate) warnings: Vec<Diagnostic<Origin>>,
    /// Whether numbers and booleans are accepted as strings, and unknown fields have no effect.
    is_lenient: bool,
}

impl Reader {
    /// Creates a reader for the configurations of plugins.
    ///
    /// # Source
    /// `sigs.k8s.io/yaml` `Unmarshal`.
    pub(crate) fn lenient() -> Self {
        Self { is_lenient: true, ..Self::default() }
    }

    pub(crate) fn error(&mut self, origin: Origin, message: impl fmt::Display) {
        self.errors.push(origin.error(message));
    }

    pub(crate) fn warn(&mut self, origin: Origin, message: impl fmt::Display) {
        self.warnings.push(origin.warning(message));
    }

    /// Returns the fields of a mapping.
    pub(crate) fn fields<'n>(&mut self, node: &'n Node, what: &str, known: &[&'static str]) -> Fields<'n> {
        let mut fields = Fields { values: BTreeMap::new(), origin: node.origin };
        let Some(mapping) = node.as_mapping() else {
            if !node.is_null() {
                self.error(node.origin, format!("{what} is {}, but must be a mapping", described(node)));
            }
            return fields;
        };
        // Of fields that differ only in case, the last one in string order counts.
        let mut entries: Vec<_> = mapping.iter().collect();
        entries.sort_by(|a, b| a.key().text.cmp(&b.key().text));
        for entry in entries {
            let (key, name) = (entry.key(), &*entry.key().text);
            let exact = known.iter().find(|known| **known == name);
            let Some(right) = exact.or_else(|| known.iter().find(|known| known.eq_ignore_ascii_case(name))) else {
                let remedy = match known.len() {
                    0..MANY => remedy(name, known.iter().copied()),
                    _ => nearest(name, known.iter().copied())
                        .map_or_else(|| "remove it".to_owned(), |near| format!("did you mean {near:?}?")),
                };
                if self.is_lenient {
                    self.warn(key.origin, format!("{name:?} is not a field of {what} and has no effect; {remedy}"));
                } else {
                    self.error(key.origin, format!("{name:?} is not a field of {what}; {remedy}"));
                }
                continue;
            };
            if exact.is_none() {
                let message = format!("write {right:?} instead of {name:?}, which not every tool accepts");
                self.warn(key.origin, message);
            }
            if entry.value.is_null() {
                fields.values.remove(right);
            } else {
                fields.values.insert(right, &entry.value);
            }
        }
        fields
    }

    /// Returns the string of a node. Null is the empty string.
    pub(crate) fn text_of(&mut self, node: &Node, what: &str) -> Text {
        let empty = Text { text: Arc::default(), origin: node.origin, base: Base::default() };
        let Some(scalar) = node.as_scalar() else {
            self.error(node.origin, format!("{what} is {}, but must be a string", described(node)));
            return empty;
        };
        match scalar.kind() {
            Kind::Null => empty,
            Kind::String | Kind::Timestamp => Text {
                text: Arc::clone(scalar.shared_text()),
                origin: node.origin,
                base: Base::of_scalar(scalar, node.origin),
            },
            Kind::Bool | Kind::Integer | Kind::Float if self.is_lenient => {
                Text { text: Arc::clone(scalar.shared_text()), ..empty }
            }
            Kind::Bool | Kind::Integer | Kind::Float => {
                let message = format!("{what} is {}, but must be a string; put it in quotes", described(node));
                self.error(node.origin, message);
                empty
            }
        }
    }

    /// Returns the string of a field, or `None` if it is missing or empty.
    pub(crate) fn text(&mut self, fields: &Fields<'_>, name: &str) -> Option<Text> {
        let node = fields.get(name)?;
        Some(self.text_of(node, name)).filter(|text| !text.is_empty())
    }

    pub(crate) fn flag(&mut self, fields: &Fields<'_>, name: &str) -> bool {
        let Some(node) = fields.get(name) else { return false };
        if let Some(Typed::Bool(value)) = node.as_scalar().map(Scalar::typed) {
            return value;
        }
        self.error(node.origin, format!("{name} is {}, but must be true or false", described(node)));
        false
    }

    pub(crate) fn integer(&mut self, fields: &Fields<'_>, name: &str) -> Option<i64> {
        let node = fields.get(name)?;
        let number = match node.as_scalar().map(Scalar::typed) {
            Some(Typed::Number(number)) => number.through_json(),
            _ => None,
        };
        match number {
            Some(Number::Signed(value)) => Some(value),
            _ => {
                self.error(node.origin, format!("{name} is {}, but must be a whole number", described(node)));
                None
            }
        }
    }

    /// Returns the items of a field.
    pub(crate) fn items<'n>(&mut self, fields: &Fields<'n>, name: &str) -> &'n [Node] {
        let Some(node) = fields.get(name) else { return &[] };
        node.as_sequence().unwrap_or_else(|| {
            self.error(node.origin, format!("{name} is {}, but must be a list", described(node)));
            &[]
        })
    }

    pub(crate) fn texts(&mut self, fields: &Fields<'_>, name: &str) -> Vec<Text> {
        let what = format!("an item of {name}");
        self.items(fields, name).iter().map(|item| self.text_of(item, &what)).collect()
    }

    pub(crate) fn pairs(&mut self, fields: &Fields<'_>, name: &str) -> Pairs {
        let Some(node) = fields.get(name) else { return Pairs::new() };
        let Some(mapping) = node.as_mapping() else {
            self.error(node.origin, format!("{name} is {}, but must be a mapping of strings", described(node)));
            return Pairs::new();
        };
        let pair = |entry: &super::Entry<Node>| {
            let key = entry.key().clone();
            let text = self.text_of(&entry.value, &format!("{name}.{}", key.text));
            (Arc::clone(&key.text), (key, text))
        };
        mapping.iter().map(pair).collect()
    }
}

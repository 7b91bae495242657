//! Replacements that mean the same as vars.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::declaration::Var;
use super::expand::{Piece, pieces};
use super::value::{Known, Value};
use crate::overlay::model::Resource;
use crate::yaml::{Content, Node, Origin, Provenance};

/// Maximum length of proposed replacements, in bytes. Longer ones do not help in a message.
const MAX_TEXT: usize = 2_000;

/// A string with a `$` before vars were resolved.
#[derive(Debug)]
struct Place {
    /// The path of the field, as in replacements.
    path: String,
    text: Arc<str>,
}

/// The strings in which references may have been, by resource and origin.
#[derive(Debug, Default)]
pub(super) struct Places(Vec<HashMap<Origin, Place>>);

impl Places {
    /// Records the strings before vars are resolved.
    pub(super) fn of(resources: &[Resource]) -> Self {
        let strings = |resource: &Resource| {
            let mut places = HashMap::new();
            walk(&resource.node, &mut String::new(), &mut |node, path| {
                let text = node.as_scalar().map(|scalar| Arc::clone(scalar.shared_text()));
                if let Some(text) = text.filter(|text| text.contains('$')) {
                    places.insert(node.origin, Place { path: path.to_owned(), text });
                }
            });
            places
        };
        Self(resources.iter().map(strings).collect())
    }

    /// Returns replacements that mean the same as the vars, as YAML on one line. Returns `None` if there are none: a value is not
    /// a string, a reference is not a part of its own in the string, or a name is final only after all layers.
    pub(super) fn replacements<'v>(
        &self,
        vars: impl Iterator<Item = &'v Var>,
        values: &BTreeMap<Arc<str>, Known>,
        resources: &[Resource],
        provenance: &Provenance,
    ) -> Option<String> {
        let mut targets: BTreeMap<&str, Vec<Json>> = BTreeMap::new();
        for (resource, places) in resources.iter().zip(&self.0) {
            let mut changed = Vec::new();
            walk(&resource.node, &mut String::new(), &mut |node, _| {
                let step =
                    node.origin.step().and_then(|id| provenance.step(id)).filter(|step| &*step.field == super::FIELD);
                changed.extend(step.and_then(|step| step.before));
            });
            for before in changed {
                let place = places.get(&before)?;
                let (name, options) = reference(&place.text)?;
                let id = resource.id();
                let mut select = json!({"kind": &*id.kind, "name": &*id.name});
                set(&mut select, "group", id.group());
                set(&mut select, "namespace", &id.namespace);
                let mut target = json!({"select": select, "fieldPaths": [place.path]});
                if let (Some(options), Some(target)) = (options, target.as_object_mut()) {
                    target.insert("options".to_owned(), options);
                }
                targets.entry(name).or_default().push(target);
            }
        }
        let mut replacements = Vec::new();
        for var in vars {
            let Some(targets) = targets.remove(&*var.name) else { continue };
            let known = values.get(&var.name).filter(|known| matches!(known.value, Value::Text(_)))?;
            let step = known.origin.step().and_then(|id| provenance.step(id));
            // References and hashes are resolved after all replacements.
            if step.is_some_and(|step| matches!(&*step.field, "nameReference" | "hash of the data")) {
                return None;
            }
            let target = &var.target;
            let mut source = json!({"kind": &*target.kind, "name": &*target.name, "fieldPath": &*var.path.text});
            set(&mut source, "group", &target.group);
            set(&mut source, "version", &target.version);
            set(&mut source, "namespace", &target.namespace);
            replacements.push(json!({"source": source, "targets": targets}));
        }
        let is_complete = targets.is_empty() && !replacements.is_empty();
        let text = Json::Array(replacements).to_string();
        (is_complete && text.len() <= MAX_TEXT).then_some(text)
    }
}

fn set(object: &mut Json, key: &str, text: &str) {
    if let Some(object) = object.as_object_mut().filter(|_| !text.is_empty()) {
        object.insert(key.to_owned(), text.into());
    }
}

/// Returns the var in a string, and the options that select its part of the string.
fn reference(text: &str) -> Option<(&str, Option<Json>)> {
    let pieces = pieces(text);
    let (at, name) = pieces.iter().enumerate().find_map(|(at, piece)| match piece {
        Piece::Reference(name) => Some((at, *name)),
        Piece::Text(_) => None,
    })?;
    let is_text = |at: usize| matches!(pieces.get(at), Some(Piece::Text(_)));
    // Only one reference, without an escaped `$`.
    if pieces.iter().filter(|piece| matches!(piece, Piece::Reference(_))).count() > 1 || text.contains("$$") {
        return None;
    }
    if pieces.len() == 1 {
        return Some((name, None));
    }
    let whole = format!("$({name})");
    let (before, after) = text.split_once(&whole)?;
    let delimiter = after.chars().next().filter(|_| is_text(at + 1)).or_else(|| before.chars().next_back())?;
    let index = text.split(delimiter).position(|part| part == whole)?;
    let options: Map<String, Json> =
        [("delimiter".to_owned(), delimiter.to_string().into()), ("index".to_owned(), index.into())]
            .into_iter()
            .collect();
    Some((name, Some(options.into())))
}

/// Calls a function on each scalar, with its path as in replacements.
fn walk(node: &Node, path: &mut String, see: &mut dyn FnMut(&Node, &str)) {
    let mut below = |step: &str, value: &Node| {
        let length = path.len();
        if length > 0 {
            path.push('.');
        }
        path.push_str(&step.replace('.', "\\."));
        walk(value, path, see);
        path.truncate(length);
    };
    match &node.content {
        Content::Scalar(_) => see(node, path),
        Content::Sequence(items) => items.iter().enumerate().for_each(|(at, item)| below(&at.to_string(), item)),
        Content::Mapping(mapping) => mapping.iter().for_each(|entry| below(&entry.key().text, &entry.value)),
    }
}

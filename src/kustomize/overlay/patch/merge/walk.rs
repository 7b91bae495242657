//! Strategic merge: merges a patch that has the form of the object into it.

use super::directive;
use super::directive::Directive;
use super::merger::{List, Merged, Merger, Patch};
use super::types::{Field, Type, Types};
use crate::overlay::patch::Recorder;
use crate::overlay::patch::compare::{check_kinds, is_same};
use crate::yaml::{Content, Error, Key, Kind, Mapping, Node, Scalar, Schema, Style, kind_of};

/// Merges a patch into an object. Returns `false` if the patch deletes the object.
///
/// A directive `$patch: replace` on a whole object does nothing.
///
/// # Errors
/// [`Error`] at the place in the patch that does not match the object.
///
/// # Source
/// kyaml `merge2.Merge`, with new list elements prepended.
pub(crate) fn merge(
    object: &mut Node,
    patch: &Node,
    types: &Types,
    recorder: &mut Recorder<'_>,
) -> Result<bool, Error> {
    let mut merger = Merger { recorder, types };
    match merger.node(None, Some(object), Patch::With(patch))? {
        Merged::Gone => {
            recorder.changed = true;
            Ok(false)
        }
        Merged::Kept | Merged::New(_) => Ok(true),
    }
}

impl Merger<'_, '_> {
    /// Merges a node, which may be missing.
    pub(crate) fn node(
        &mut self,
        field: Option<Field<'_>>,
        dest: Option<&mut Node>,
        patch: Patch<'_>,
    ) -> Result<Merged, Error> {
        let dest = dest.filter(|dest| !dest.is_null() || matches!(patch, Patch::Nothing));
        match (dest, patch) {
            // An explicit null stays if the patch does not mention it.
            (Some(dest), Patch::Nothing) if dest.is_null() => {
                let is_written = dest.as_scalar().is_some_and(|scalar| !scalar.text().is_empty());
                Ok(if is_written { Merged::Kept } else { Merged::Gone })
            }
            (None, Patch::Nothing | Patch::Itself) => Ok(Merged::Gone),
            (_, Patch::With(patch)) if patch.is_null() => Ok(Merged::Gone),
            (None, Patch::With(patch)) => self.added(field, patch),
            (Some(dest), Patch::With(patch)) => {
                check_kinds(dest, patch)?;
                match &mut dest.content {
                    Content::Scalar(_) => Ok(Merged::New(patch.clone())),
                    Content::Sequence(_) => self.sequence(field, dest, Patch::With(patch)),
                    Content::Mapping(_) => self.object(field, dest, patch),
                }
            }
            (Some(dest), patch) => match &dest.content {
                Content::Scalar(_) => Ok(Merged::Kept),
                Content::Sequence(_) => self.sequence(field, dest, patch),
                Content::Mapping(_) => self.own(field, dest, patch),
            },
        }
    }

    /// Adds a node from the patch.
    fn added(&mut self, field: Option<Field<'_>>, patch: &Node) -> Result<Merged, Error> {
        let mut node = patch.clone();
        let merged = match (&node.content, field) {
            (Content::Mapping(_), _) => match directive::of_mapping(&node) {
                Ok(Some(Directive::Delete)) => Merged::Gone,
                // An unknown directive stays at the top of the added node.
                directive => {
                    if directive.is_ok() {
                        remove_directive(&mut node);
                    }
                    self.fields(field, &mut node, Patch::Itself)?
                }
            },
            (Content::Sequence(_), Some(Field::Keyed(keys, kind))) => {
                self.elements(List { keys, kind }, &mut node, Patch::Itself)?
            }
            (Content::Sequence(_), Some(Field::Set)) => self.elements(List::SET, &mut node, Patch::Itself)?,
            _ => Merged::Kept,
        };
        Ok(match merged {
            Merged::Kept => Merged::New(node),
            other => other,
        })
    }

    /// Walks a mapping that has no counterpart in the patch.
    fn own(&mut self, field: Option<Field<'_>>, dest: &mut Node, patch: Patch<'_>) -> Result<Merged, Error> {
        if matches!(patch, Patch::Itself) {
            if directive::of_mapping(dest)? == Some(Directive::Delete) {
                return Ok(Merged::Gone);
            }
            remove_directive(dest);
        }
        self.fields(field, dest, patch)
    }

    fn fields(&mut self, field: Option<Field<'_>>, dest: &mut Node, patch: Patch<'_>) -> Result<Merged, Error> {
        let kind = type_of(self.types, field, dest, None);
        let keys: Vec<_> = keys(dest).collect();
        for key in keys {
            let Some(value) = dest.get_mut(&key.text) else { continue };
            let below = kind.and_then(|kind| kind.field(&key.text));
            let merged = self.node(below, Some(value), patch)?;
            quote(value);
            self.put(dest, key, merged, false);
        }
        Ok(Merged::Kept)
    }

    fn object(&mut self, field: Option<Field<'_>>, dest: &mut Node, patch: &Node) -> Result<Merged, Error> {
        let directive = directive::of_mapping(patch)?;
        match directive {
            Some(Directive::Delete) => return Ok(Merged::Gone),
            Some(Directive::Replace) => return self.added(field, patch),
            Some(Directive::Merge) | None => {}
        }
        let kind = type_of(self.types, field, dest, Some(patch));
        let mut keys: Vec<_> = keys(dest).collect();
        let new = |key: &Key| dest.get(&key.text).is_none() && !(directive.is_some() && *key.text == *directive::KEY);
        let added: Vec<_> = self::keys(patch).filter(new).collect();
        keys.extend(added);
        for key in keys {
            let below = kind.and_then(|kind| kind.field(&key.text));
            // The directive itself is not a value.
            let given = patch.get(&key.text).filter(|_| directive.is_none() || *key.text != *directive::KEY);
            let patch = given.map_or(Patch::Nothing, Patch::With);
            let mut value = dest.get_mut(&key.text);
            let merged = self.node(below, value.as_deref_mut(), patch)?;
            value.into_iter().for_each(quote);
            self.put(dest, key, merged, given.is_some());
        }
        Ok(Merged::Kept)
    }

    fn sequence(&mut self, field: Option<Field<'_>>, dest: &mut Node, patch: Patch<'_>) -> Result<Merged, Error> {
        match (field, patch) {
            (Some(Field::Keyed(keys, kind)), patch) => self.list(List { keys, kind }, dest, patch),
            (Some(Field::Set), patch) => self.list(List::SET, dest, patch),
            (_, Patch::With(patch)) => Ok(Merged::New(patch.clone())),
            (_, _) => Ok(Merged::Kept),
        }
    }

    /// Stores the result of merging a field.
    fn put(&mut self, dest: &mut Node, key: Key, merged: Merged, is_given: bool) {
        let Some(mapping) = dest.as_mapping_mut() else { return };
        match merged {
            Merged::Kept => {}
            Merged::Gone => {
                let removed = mapping.remove(&key.text);
                self.recorder.changed |= removed.is_some() && is_given;
            }
            Merged::New(node) => self.set(mapping, key, node),
        }
    }

    fn set(&mut self, mapping: &mut Mapping, key: Key, mut node: Node) {
        match mapping.get_mut(&key.text) {
            None => {
                self.recorder.record(&mut node, None);
                let key = Key { origin: self.recorder.add(key.origin), ..key };
                mapping.insert(key, node);
            }
            Some(old) => {
                if let (Content::Scalar(new), Some(old)) = (&mut node.content, old.as_scalar()) {
                    // The new value keeps the quotes of the one that it replaces.
                    *new = new.styled(old.style());
                }
                if !is_same(old, &node) {
                    self.recorder.record(&mut node, Some(old.origin));
                    *old = node;
                }
            }
        }
    }
}

/// Quotes a value that a transformer wrote and that does not look like a string: during a merge, everything in the object counts as
/// a string.
///
/// # Source
/// kyaml `FieldSetter`.
fn quote(value: &mut Node) {
    if let Content::Scalar(scalar) = &mut value.content
        && scalar.is_untagged()
        && scalar.style() == Style::Plain
        && !scalar.text().is_empty()
        && kind_of(scalar.text(), Schema::Kustomization) != Kind::String
    {
        *scalar = scalar.styled(Style::Double);
    }
}

fn remove_directive(node: &mut Node) {
    if let Some(mapping) = node.as_mapping_mut() {
        mapping.remove(directive::KEY);
    }
}

fn keys(node: &Node) -> impl Iterator<Item = Key> {
    node.as_mapping().into_iter().flatten().map(|entry| entry.key().clone())
}

/// Returns the type of a mapping: by its place, or else by its `apiVersion` and `kind`.
fn type_of<'t>(types: &'t Types, field: Option<Field<'t>>, dest: &Node, patch: Option<&Node>) -> Option<Type<'t>> {
    if let Some(Field::Object(kind)) = field {
        return Some(kind);
    }
    std::iter::once(dest).chain(patch).find_map(|node| {
        let text = |key| node.get(key).and_then(Node::as_scalar).map(Scalar::text);
        types.of_kind(text("apiVersion")?, text("kind")?)
    })
}

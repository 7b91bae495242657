//! Lists that a strategic merge merges element by element.

use std::collections::HashMap;
use std::sync::Arc;

use super::directive::Directive;
use super::element_setter::is_empty;
use super::merger::{List, Merged, Merger, Patch};
use super::{directive, elements};
use crate::yaml::{Content, Error, Node, Scalar};

/// Warning for elements with `$patch: replace`.
const NOT_REPLACED: &str =
    "$patch: replace does nothing on one element of a list; first delete the element in a separate patch";

impl Merger<'_, '_> {
    /// Merges a list. The elements of the patch come first, in their order.
    ///
    /// # Errors
    /// [`Error`] at the place in the patch that does not match the list.
    pub(crate) fn list(&mut self, list: List<'_>, dest: &mut Node, patch: Patch<'_>) -> Result<Merged, Error> {
        let directive = match patch {
            Patch::Nothing => None,
            Patch::Itself => directive::of_list(dest.as_sequence().unwrap_or_default())?,
            Patch::With(patch) => directive::of_list(patch.as_sequence().unwrap_or_default())?,
        };
        let Some(directive) = directive else { return self.elements(list, dest, patch) };
        if directive == Directive::Delete {
            return Ok(Merged::Gone);
        }
        let Patch::With(patch) = patch else {
            if let Some(items) = dest.as_sequence_mut() {
                items.retain(|item| !directive::goes_with(item, directive));
            }
            return self.elements(list, dest, Patch::Itself);
        };
        let items = patch.as_sequence().unwrap_or_default();
        let rest = items.iter().filter(|item| !directive::goes_with(item, directive)).cloned().collect();
        let mut rest = Node::sequence(rest, patch.origin);
        if directive == Directive::Merge {
            return self.elements(list, dest, Patch::With(&rest));
        }
        Ok(match self.elements(list, &mut rest, Patch::Itself)? {
            Merged::Kept => Merged::New(rest),
            other => other,
        })
    }

    /// Merges the elements of a list without regard to a directive of the list itself.
    ///
    /// # Errors
    /// As [`Self::list`].
    pub(crate) fn elements(&mut self, list: List<'_>, dest: &mut Node, patch: Patch<'_>) -> Result<Merged, Error> {
        let Content::Sequence(items) = &mut dest.content else { return Ok(Merged::Kept) };
        let given = match patch {
            Patch::With(patch) => Some(patch.as_sequence().unwrap_or_default()),
            _ => None,
        };
        let key = list.keys.single().filter(|key| !key.is_empty());
        let simple = key.and_then(|key| {
            let known = index(key, items)?;
            index(key, given.unwrap_or_default()).map(|_| (key, known))
        });
        match (simple, given) {
            (Some((key, known)), Some(given)) => {
                let simple = Simple { key, list, known };
                simple.merge(self, items, given)?;
            }
            (Some(_), None) => {
                let mut kept = Vec::with_capacity(items.len());
                for mut item in std::mem::take(items) {
                    let merged = self.node(list.element(), Some(&mut item), patch)?;
                    kept.extend(result(merged, item).filter(|item| !is_empty(item)));
                }
                *items = kept;
            }
            (None, _) => elements::merge(self, list, items, patch)?,
        }
        Ok(Merged::Kept)
    }
}

/// Returns the result of a merged element. If it was replaced, kustomize puts the old one back.
fn result(merged: Merged, old: Node) -> Option<Node> {
    match merged {
        Merged::Gone => None,
        Merged::Kept | Merged::New(_) => Some(old),
    }
}

/// Returns the indices of the elements by key, or `None` if an element has no key or two have the same.
fn index(key: &str, items: &[Node]) -> Option<HashMap<Arc<str>, usize>> {
    let mut index = HashMap::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let value = item.get(key).filter(|value| !value.is_null()).and_then(Node::as_scalar)?;
        let is_new = !value.text().is_empty() && index.insert(Arc::clone(value.shared_text()), at).is_none();
        if !is_new {
            return None;
        }
    }
    Some(index)
}

/// A list whose elements all have a unique key, as in nearly all lists.
struct Simple<'t> {
    key: &'t str,
    list: List<'t>,
    known: HashMap<Arc<str>, usize>,
}

impl Simple<'_> {
    fn merge(&self, merger: &mut Merger<'_, '_>, items: &mut Vec<Node>, given: &[Node]) -> Result<(), Error> {
        let mut old: Vec<_> = std::mem::take(items).into_iter().map(Some).collect();
        let mut order = Vec::with_capacity(old.len());
        for patch in given {
            let at = self.text(patch).and_then(|text| self.known.get(text)).copied();
            let Some(mut item) = at.and_then(|at| old.get_mut(at)?.take()) else {
                let merged = merger.node(self.list.element(), None, Patch::With(patch))?;
                if let Merged::New(mut item) = merged
                    && !is_empty(&item)
                {
                    merger.recorder.record(&mut item, None);
                    items.push(item);
                }
                continue;
            };
            let merged = merger.node(self.list.element(), Some(&mut item), Patch::With(patch))?;
            if matches!(merged, Merged::New(_)) {
                merger.recorder.lost.push((patch.origin, NOT_REPLACED));
            }
            match result(merged, item) {
                Some(item) if !is_empty(&item) => {
                    order.extend(at);
                    items.push(item);
                }
                _ => merger.recorder.changed = true,
            }
        }
        for (at, item) in old.into_iter().enumerate() {
            let Some(mut item) = item else { continue };
            let merged = merger.node(self.list.element(), Some(&mut item), Patch::Nothing)?;
            if let Some(item) = result(merged, item).filter(|item| !is_empty(item)) {
                order.push(at);
                items.push(item);
            }
        }
        merger.recorder.changed |= !order.is_sorted();
        Ok(())
    }

    fn text<'a>(&self, item: &'a Node) -> Option<&'a str> {
        item.get(self.key).and_then(Node::as_scalar).map(Scalar::text)
    }
}

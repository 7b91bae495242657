//! Finds objects without searching all of them.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::selector::Selector;
use crate::overlay::model::{Id, Resource};
use tidegate_model::near::nearest;

/// An index of objects by all ids that they have or had.
///
/// Results may match but need not: names that an object lost to a patch stay in the index.
#[derive(Debug, Default)]
pub(crate) struct Index {
    ids: HashMap<Id, Vec<usize>>,
    names: HashMap<Arc<str>, HashMap<Arc<str>, Vec<usize>>>,
}

impl Index {
    /// Creates the index of some objects.
    pub(crate) fn new(resources: &[Resource]) -> Self {
        let mut index = Self::default();
        resources.iter().enumerate().for_each(|(at, resource)| index.add(at, resource));
        index
    }

    /// Adds the ids of an object.
    pub(crate) fn add(&mut self, at: usize, resource: &Resource) {
        let kind = resource.kind();
        for id in resource.ids() {
            // Patch targets look up the current kind with any name, replacements the kind and name of any one id.
            for kind in [&kind, &id.kind] {
                let names = self.names.entry(Arc::clone(kind)).or_default();
                push(names.entry(Arc::clone(&id.name)).or_default(), at);
            }
            push(self.ids.entry(id.effective()).or_default(), at);
        }
    }

    /// Returns the indices of the objects that have or had an id, in order.
    pub(crate) fn with_id(&self, id: &Id, resources: &[Resource]) -> Vec<usize> {
        let found = self.ids.get(&id.effective()).map_or(&[] as &[usize], Vec::as_slice);
        let has_id = |resource: &Resource| is_there(resource) && resource.ids().any(|one| one.is_same(id));
        found.iter().copied().filter(|at| resources.get(*at).is_some_and(has_id)).collect()
    }

    /// Returns the indices of the objects that may have, or have had, a kind and a name. `None` unless both are given.
    pub(crate) fn named(&self, kind: &str, name: &str) -> Option<&[usize]> {
        let is_given = !kind.is_empty() && !name.is_empty();
        is_given.then(|| self.names.get(kind).and_then(|names| names.get(name)).map_or(&[] as &[usize], Vec::as_slice))
    }

    /// Returns the indices of the objects that a selector for one kind and name may match. `None` for other selectors.
    pub(crate) fn plain(&self, selector: &Selector) -> Option<&[usize]> {
        let (kind, name) = selector.plain()?;
        self.named(kind, name)
    }

    /// Returns a suggestion for the kind or name that a selector without matches probably meant.
    pub(crate) fn meant(&self, selector: &Selector) -> Option<String> {
        let kind = selector.plain_kind()?;
        let Some(names) = self.names.get(kind) else {
            let kinds: BTreeSet<&str> = self.names.keys().map(|kind| &**kind).collect();
            return nearest(kind, kinds).map(|near| format!("did you mean the kind {near:?}?"));
        };
        let (_, name) = selector.plain().filter(|(_, name)| !names.contains_key(*name))?;
        let names: BTreeSet<&str> = names.keys().map(|name| &**name).collect();
        nearest(name, names).map(|near| format!("did you mean the name {near:?}?"))
    }

    /// Returns the indices of the objects that a target matches, in order.
    pub(crate) fn selected(&self, selector: &Selector, resources: &[Resource]) -> Vec<usize> {
        let matches =
            |at: &usize| resources.get(*at).is_some_and(|resource| is_there(resource) && selector.matches(resource));
        if let Some(found) = self.plain(selector) {
            return found.iter().copied().filter(matches).collect();
        }
        let Some(kind) = selector.plain_kind() else { return (0..resources.len()).filter(matches).collect() };
        let names = self.names.get(kind).into_iter().flatten();
        let found = names.filter(|(name, _)| selector.name.matches(name)).flat_map(|(_, places)| places);
        let found: BTreeSet<_> = found.copied().filter(matches).collect();
        found.into_iter().collect()
    }
}

fn push(places: &mut Vec<usize>, at: usize) {
    if let Err(place) = places.binary_search(&at) {
        places.insert(place, at);
    }
}

/// Returns `true` if an object has not been deleted.
fn is_there(resource: &Resource) -> bool {
    !resource.node.is_null()
}

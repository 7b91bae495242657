//! Finding objects without looking at all of them.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::selector::Selector;
use crate::overlay::id::Id;
use crate::overlay::resource::Resource;
use tidegate_model::near::nearest;

/// Where objects are, by all that they are and were called.
///
/// What is found is what may fit, since names that an object has lost by a patch are still known.
#[derive(Debug, Default)]
pub(in crate::overlay) struct Index {
    ids: HashMap<Id, Vec<usize>>,
    names: HashMap<Arc<str>, HashMap<Arc<str>, Vec<usize>>>,
}

impl Index {
    /// Makes the index of some objects.
    pub(in crate::overlay) fn new(resources: &[Resource]) -> Self {
        let mut index = Self::default();
        resources.iter().enumerate().for_each(|(at, resource)| index.add(at, resource));
        index
    }

    /// Adds what an object is called.
    pub(in crate::overlay) fn add(&mut self, at: usize, resource: &Resource) {
        let kind = resource.kind();
        for id in resource.ids() {
            // Targets of patches ask for the present kind with any name, replacements for both as they once were.
            for kind in [&kind, &id.kind] {
                let names = self.names.entry(Arc::clone(kind)).or_default();
                push(names.entry(Arc::clone(&id.name)).or_default(), at);
            }
            push(self.ids.entry(id.effective()).or_default(), at);
        }
    }

    /// Returns where the objects with an id are, in order.
    pub(in crate::overlay) fn with_id(&self, id: &Id, resources: &[Resource]) -> Vec<usize> {
        let found = self.ids.get(&id.effective()).map_or(&[] as &[usize], Vec::as_slice);
        let has_id = |resource: &Resource| is_there(resource) && resource.ids().any(|one| one.is_same(id));
        found.iter().copied().filter(|at| resources.get(*at).is_some_and(has_id)).collect()
    }

    /// Returns where the objects may be that have, or had, a kind and a name; `None` if not both are given.
    pub(in crate::overlay) fn named(&self, kind: &str, name: &str) -> Option<&[usize]> {
        let is_given = !kind.is_empty() && !name.is_empty();
        is_given.then(|| self.names.get(kind).and_then(|names| names.get(name)).map_or(&[] as &[usize], Vec::as_slice))
    }

    /// Returns where the objects may be that a selector takes by exactly one kind and name; `None` if it takes more.
    pub(in crate::overlay) fn plain(&self, selector: &Selector) -> Option<&[usize]> {
        let (kind, name) = selector.plain()?;
        self.named(kind, name)
    }

    /// Returns the kind or the name that was probably meant by a selector that takes nothing.
    pub(in crate::overlay) fn meant(&self, selector: &Selector) -> Option<String> {
        let kind = selector.plain_kind()?;
        let Some(names) = self.names.get(kind) else {
            let kinds: BTreeSet<&str> = self.names.keys().map(|kind| &**kind).collect();
            return nearest(kind, kinds).map(|near| format!("did you mean the kind {near:?}?"));
        };
        let (_, name) = selector.plain().filter(|(_, name)| !names.contains_key(*name))?;
        let names: BTreeSet<&str> = names.keys().map(|name| &**name).collect();
        nearest(name, names).map(|near| format!("did you mean the name {near:?}?"))
    }

    /// Returns where the objects are that a target takes, in order.
    pub(in crate::overlay) fn selected(&self, selector: &Selector, resources: &[Resource]) -> Vec<usize> {
        let takes =
            |at: &usize| resources.get(*at).is_some_and(|resource| is_there(resource) && selector.takes(resource));
        if let Some(found) = self.plain(selector) {
            return found.iter().copied().filter(takes).collect();
        }
        let Some(kind) = selector.plain_kind() else { return (0..resources.len()).filter(takes).collect() };
        let names = self.names.get(kind).into_iter().flatten();
        let found = names.filter(|(name, _)| selector.name.takes(name)).flat_map(|(_, places)| places);
        let found: BTreeSet<_> = found.copied().filter(takes).collect();
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

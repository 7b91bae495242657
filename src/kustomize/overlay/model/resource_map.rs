//! The resource map of a layer: its objects, indexed by id.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::id::Id;
use super::resource::Resource;
use crate::yaml::{Error, Node, Origin, Provenance, Scalar};

/// Maximum number of objects in a rendering.
pub(crate) const MAX_OBJECTS: usize = 50_000;

/// Objects in order. No two have the same id, unless transformers made the ids equal and nothing was added since.
#[derive(Debug, Default)]
pub(crate) struct ResourceMap {
    resources: Vec<Resource>,
    /// Indices by every id that objects have or had. Built on first use, and kept up to date from then on.
    by_any: Option<HashMap<Id, Vec<usize>>>,
    /// Indices by current id. Built when an object is added.
    by_current: Option<HashMap<Id, usize>>,
}

impl ResourceMap {
    /// Adds an object.
    ///
    /// # Errors
    /// [`Error`] if an object with its id exists, or there are too many.
    pub(crate) fn append(&mut self, resource: Resource, provenance: &Provenance) -> Result<(), Error> {
        let at = self.resources.len();
        if at >= MAX_OBJECTS {
            let message = format!("there are more than {MAX_OBJECTS} objects; split the kustomization");
            return Err(resource.node.origin.error(message));
        }
        let by_current = match &mut self.by_current {
            Some(by_current) => by_current,
            // Existing objects may share an id, as in kustomize.
            none => {
                none.insert(self.resources.iter().enumerate().map(|(at, old)| (old.id().effective(), at)).collect())
            }
        };
        claim(by_current, &self.resources, (at, &resource), provenance)?;
        if let Some(by_any) = &mut self.by_any {
            note(by_any, &resource, at);
        }
        self.resources.push(resource);
        Ok(())
    }

    /// Adds the objects of a lower layer.
    ///
    /// # Errors
    /// As [`ResourceMap::append`].
    pub(crate) fn extend(&mut self, below: Self, provenance: &Provenance) -> Result<(), Error> {
        if !self.resources.is_empty() {
            return below.resources.into_iter().try_for_each(|resource| self.append(resource, provenance));
        }
        let mut by_current = HashMap::with_capacity(below.resources.len());
        for object in below.resources.iter().enumerate() {
            claim(&mut by_current, &below.resources, object, provenance)?;
        }
        *self = Self { by_current: Some(by_current), by_any: None, resources: below.resources };
        Ok(())
    }

    /// Returns the indices of the objects that have or had an id.
    pub(crate) fn by_any_id(&mut self, id: &Id) -> Vec<usize> {
        let by_any = self.by_any.get_or_insert_with(|| {
            let mut by_any = HashMap::new();
            self.resources.iter().enumerate().for_each(|(at, resource)| note(&mut by_any, resource, at));
            by_any
        });
        by_any.get(&id.effective()).cloned().unwrap_or_default()
    }

    /// Replaces an object with another one that has the same ids.
    pub(crate) fn replace(&mut self, at: usize, make: impl FnOnce(Resource) -> Resource) {
        if let Some(place) = self.resources.get_mut(at) {
            let nothing = Resource::new(Node::scalar(Scalar::null(), Origin::default()));
            *place = make(std::mem::replace(place, nothing));
        }
    }

    /// Returns the objects, for changes of any kind.
    pub(crate) fn into_resources(self) -> Vec<Resource> {
        self.resources
    }

    /// Creates a map of objects after their transformers ran. Ids that have become equal are found when something is added to the
    /// map, or when the map is added to another one.
    pub(crate) fn of(resources: Vec<Resource>) -> Self {
        Self { by_current: None, by_any: None, resources }
    }
}

/// Claims the id of an object.
fn claim(
    by_current: &mut HashMap<Id, usize>,
    resources: &[Resource],
    (at, resource): (usize, &Resource),
    provenance: &Provenance,
) -> Result<(), Error> {
    let id = resource.id();
    match by_current.entry(id.effective()) {
        Entry::Vacant(place) => {
            place.insert(at);
            Ok(())
        }
        Entry::Occupied(other) => {
            let first = resources.get(*other.get()).map_or(Origin::default(), |other| other.node.origin);
            Err(clash(&id, first, resource, provenance))
        }
    }
}

fn note(by_any: &mut HashMap<Id, Vec<usize>>, resource: &Resource, at: usize) {
    for id in resource.ids() {
        let places = by_any.entry(id.effective()).or_default();
        if places.last() != Some(&at) {
            places.push(at);
        }
    }
}

/// Returns the error for two objects with the same id.
pub(crate) fn clash(id: &Id, first: Origin, second: &Resource, provenance: &Provenance) -> Error {
    let message = if first == second.node.origin {
        format!("{id} is used twice; list its file or directory once, or let each use change the namespace or the name")
    } else {
        format!("{id} already exists, from {}; rename or remove one of them", provenance.place(first))
    };
    second.node.origin.error(message)
}

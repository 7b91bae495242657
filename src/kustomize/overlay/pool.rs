//! The objects of a layer, with an index by their ids.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::id::Id;
use super::resource::Resource;
use crate::yaml::{Fault, Node, Origin, Provenance, Scalar};

/// The most objects of a rendering.
pub(super) const MAX_OBJECTS: usize = 50_000;

/// Objects in order. No two have the same id, but for what transformers left behind and nobody has added to yet.
#[derive(Debug, Default)]
pub(super) struct Pool {
    resources: Vec<Resource>,
    /// Places by every id that objects had and have; built when it is needed first, and kept from then on.
    by_any: Option<HashMap<Id, Vec<usize>>>,
    /// Places by present ids; built when an object is added.
    by_current: Option<HashMap<Id, usize>>,
}

impl Pool {
    /// Adds an object.
    ///
    /// # Errors
    /// [`Fault`] if there is one with its id, or if there are too many.
    pub(super) fn append(&mut self, resource: Resource, provenance: &Provenance) -> Result<(), Fault> {
        let at = self.resources.len();
        if at >= MAX_OBJECTS {
            let message = format!("there are more than {MAX_OBJECTS} objects; split the kustomization");
            return Err(Fault::new(resource.node.origin, message));
        }
        let by_current = match &mut self.by_current {
            Some(by_current) => by_current,
            // Among those that are there, two of one id are as kustomize has them.
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

    /// Adds the objects of a layer below.
    ///
    /// # Errors
    /// As [`Pool::append`].
    pub(super) fn extend(&mut self, below: Self, provenance: &Provenance) -> Result<(), Fault> {
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

    /// Returns the places of the objects that have or had an id.
    pub(super) fn by_any_id(&mut self, id: &Id) -> Vec<usize> {
        let by_any = self.by_any.get_or_insert_with(|| {
            let mut by_any = HashMap::new();
            self.resources.iter().enumerate().for_each(|(at, resource)| note(&mut by_any, resource, at));
            by_any
        });
        by_any.get(&id.effective()).cloned().unwrap_or_default()
    }

    /// Puts an object with the same ids in the place of another one.
    pub(super) fn replace(&mut self, at: usize, make: impl FnOnce(Resource) -> Resource) {
        if let Some(place) = self.resources.get_mut(at) {
            let nothing = Resource::new(Node::scalar(Scalar::null(), Origin::default()));
            *place = make(std::mem::replace(place, nothing));
        }
    }

    /// Returns the objects to change them as one likes.
    pub(super) fn into_resources(self) -> Vec<Resource> {
        self.resources
    }

    /// Makes a pool of objects that transformers left behind. Ids that came to be the same are found when something is added to it, or
    /// it to another one.
    pub(super) fn of(resources: Vec<Resource>) -> Self {
        Self { by_current: None, by_any: None, resources }
    }
}

/// Gives an id to an object.
fn claim(
    by_current: &mut HashMap<Id, usize>,
    resources: &[Resource],
    (at, resource): (usize, &Resource),
    provenance: &Provenance,
) -> Result<(), Fault> {
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

/// Returns the fault of two objects with one id.
pub(super) fn clash(id: &Id, first: Origin, second: &Resource, provenance: &Provenance) -> Fault {
    let message = if first == second.node.origin {
        format!("{id} is used twice; list its file or directory once, or let each use change the namespace or the name")
    } else {
        format!("there is a {id} already, from {}; rename one of them, or take it out", provenance.place(first))
    };
    Fault::new(second.node.origin, message)
}

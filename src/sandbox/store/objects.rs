//! The store of objects.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde_json::{Value, json};

use super::history::History;
use super::{Change, Key, Place, Stored, TooOld};
use crate::object;

/// All objects of all kinds, in their storage versions.
#[derive(Debug)]
pub(crate) struct Store {
    revision: u64,
    collections: Vec<Collection>,
    places: HashMap<String, Place>,
    dependants: HashMap<String, BTreeSet<Place>>,
}

#[derive(Debug, Default)]
struct Collection {
    objects: BTreeMap<Key, Stored>,
    history: History,
}

impl Store {
    /// Creates an empty store for a number of kinds. The first revision is 1, because 0 means "any" in the API.
    pub(crate) fn new(kinds: usize) -> Self {
        let collections = (0..kinds).map(|_| Collection::default()).collect();
        Self { revision: 1, collections, places: HashMap::new(), dependants: HashMap::new() }
    }

    /// Makes room for more kinds.
    pub(crate) fn grow(&mut self, kinds: usize) {
        while self.collections.len() < kinds {
            let mut collection = Collection::default();
            collection.history.begin(self.revision);
            self.collections.push(collection);
        }
    }

    /// Starts the history at the current revision: earlier changes only set up the hub.
    pub(crate) fn begin_history(&mut self) {
        for collection in &mut self.collections {
            collection.history.begin(self.revision);
        }
    }

    /// Returns the revision of the last change.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns an object.
    pub(crate) fn get(&self, place: &Place) -> Option<Arc<Value>> {
        self.stored(place).map(|stored| Arc::new(stored.value()))
    }

    /// Returns `true` if the object exists.
    pub(crate) fn contains(&self, place: &Place) -> bool {
        self.stored(place).is_some()
    }

    /// Returns an object in its stored form.
    pub(crate) fn stored(&self, place: &Place) -> Option<&Stored> {
        self.collections.get(place.kind)?.objects.get(&place.key)
    }

    /// Returns the objects of a kind in a namespace (in all namespaces if it is empty), sorted by key.
    pub(crate) fn objects(&self, kind: usize, namespace: &str) -> impl Iterator<Item = (&Key, &Stored)> {
        let first = Key::first_of(namespace);
        let objects = self.collections.get(kind).map(|collection| collection.objects.range(first.clone()..));
        objects.into_iter().flatten().take_while(move |(key, _)| key.as_str().starts_with(first.as_str()))
    }

    /// Returns the objects of a kind in a namespace as they were at a revision.
    ///
    /// # Errors
    /// [`TooOld`] if the history does not reach back to that revision.
    pub(crate) fn objects_at(
        &self,
        kind: usize,
        namespace: &str,
        revision: u64,
    ) -> Result<BTreeMap<Key, Stored>, TooOld> {
        let present = self.objects(kind, namespace);
        let mut objects: BTreeMap<Key, Stored> = present.map(|(key, value)| (key.clone(), value.clone())).collect();
        for change in self.changes_after(kind, revision)?.rev() {
            if !namespace.is_empty() && change.key.namespace() != namespace {
                continue;
            }
            match &change.previous {
                Some(previous) => objects.insert(change.key.clone(), previous.clone()),
                None => objects.remove(&change.key),
            };
        }
        Ok(objects)
    }

    /// Returns the changes of a kind after a revision, in order.
    ///
    /// # Errors
    /// [`TooOld`] if some of them were dropped.
    pub(crate) fn changes_after(
        &self,
        kind: usize,
        revision: u64,
    ) -> Result<impl DoubleEndedIterator<Item = &Change>, TooOld> {
        let history = self.collections.get(kind).map(|collection| collection.history.after(revision)).transpose()?;
        Ok(history.into_iter().flatten())
    }

    /// Writes an object and returns it as stored, with a new resourceVersion.
    pub(crate) fn put(&mut self, place: Place, mut value: Value) -> Arc<Value> {
        self.revision += 1;
        object::set(&mut value, "resourceVersion", Some(json!(self.revision.to_string())));
        self.set(place, object::text(&value, "uid"), Stored::new(&value));
        Arc::new(value)
    }

    fn set(&mut self, place: Place, uid: &str, stored: Stored) {
        let previous = self.stored(&place).cloned();
        let is_owned_alike = previous.as_ref().is_some_and(|previous| previous.owners().eq(stored.owners()));
        if !is_owned_alike {
            if let Some(previous) = &previous {
                self.unlink(&place, previous);
            }
            for owner in stored.owners() {
                self.dependants.entry(owner.to_owned()).or_default().insert(place.clone());
            }
        }
        if previous.is_none() {
            self.places.insert(uid.to_owned(), place.clone());
        }
        if let Some(collection) = self.collections.get_mut(place.kind) {
            collection.objects.insert(place.key.clone(), stored.clone());
        }
        self.record(place, stored, previous, false);
    }

    /// Returns a copy of all objects at this revision, without history.
    pub(crate) fn copy(&self) -> Self {
        let collections = self.collections.iter().map(|collection| {
            let mut copy = Collection { objects: collection.objects.clone(), history: History::default() };
            copy.history.begin(self.revision);
            copy
        });
        Self {
            revision: self.revision,
            collections: collections.collect(),
            places: self.places.clone(),
            dependants: self.dependants.clone(),
        }
    }

    /// Returns a separate store with only the objects at the given places, at this revision and without history.
    pub(crate) fn excerpt(&self, places: &[Place]) -> Self {
        let mut excerpt = Self { revision: self.revision, ..Self::new(self.collections.len()) };
        for place in places {
            if let (Some(stored), Some(collection)) = (self.stored(place), excerpt.collections.get_mut(place.kind)) {
                collection.objects.insert(place.key.clone(), stored.clone());
            }
        }
        excerpt
    }

    /// Returns the changes made to an excerpt, with the indexes of their kinds.
    pub(crate) fn into_changes(self) -> Vec<(usize, Change)> {
        let collections = self.collections.into_iter().enumerate();
        collections.flat_map(|(kind, collection)| collection.history.into_changes().map(move |c| (kind, c))).collect()
    }

    /// Applies a change made to an excerpt as the next revision of this store, and returns that revision.
    ///
    /// The object must still be the same here as in the excerpt. Returns `None` if the write must be repeated on this store.
    pub(crate) fn take_over(&mut self, kind: usize, change: Change, uid: &str) -> Option<u64> {
        let revision = self.revision + 1;
        let stored = change.object.at_revision(change.revision, revision)?;
        self.revision = revision;
        self.set(Place::new(kind, change.key), uid, stored);
        Some(revision)
    }

    /// Removes an object and returns its last state, at the revision of the removal.
    pub(crate) fn remove(&mut self, place: &Place) -> Option<Arc<Value>> {
        let previous = self.collections.get_mut(place.kind)?.objects.remove(&place.key)?;
        self.unlink(place, &previous);
        let mut last = previous.value();
        self.places.remove(object::text(&last, "uid"));
        self.revision += 1;
        object::set(&mut last, "resourceVersion", Some(json!(self.revision.to_string())));
        self.record(place.clone(), Stored::new(&last), Some(previous), true);
        Some(Arc::new(last))
    }

    /// Returns the place of the object with a UID.
    pub(crate) fn place_of(&self, uid: &str) -> Option<&Place> {
        self.places.get(uid)
    }

    /// Returns the dependents of an object: those that name its UID among their owners.
    pub(crate) fn dependants(&self, uid: &str) -> impl Iterator<Item = &Place> {
        self.dependants.get(uid).into_iter().flatten()
    }

    fn unlink(&mut self, place: &Place, object: &Stored) {
        for owner in object.owners() {
            if let Some(dependants) = self.dependants.get_mut(owner) {
                dependants.remove(place);
                if dependants.is_empty() {
                    self.dependants.remove(owner);
                }
            }
        }
    }

    fn record(&mut self, place: Place, object: Stored, previous: Option<Stored>, removed: bool) {
        let change = Change::new(self.revision, place.key, object, previous, removed);
        if let Some(collection) = self.collections.get_mut(place.kind) {
            collection.history.push(change);
        }
    }
}

//! What is known of the hub: the objects of every watched kind, and which of two reports about one is the newer.
//!
//! Pure and synchronous. Reports come from lists, watches and the answers to our own writes, in any order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::kind::GroupKind;
use super::observed::{self, Observed};
use crate::api::fleet::Fleet;
use crate::model::name::NamespacedName;

/// What is known of the hub.
#[derive(Debug, Default)]
pub struct State {
    /// Shared with the snapshots that were handed out: copied before the first change after one, and only then. The copy is of
    /// pointers.
    fleet: Arc<Fleet>,
    kinds: BTreeMap<GroupKind, Held>,
    /// How often the fleet has changed.
    generation: u64,
    /// How many reports have come in; orders the answers to writes against the lists that run meanwhile.
    reports: u64,
}

/// The objects of a kind.
#[derive(Debug, Default)]
struct Held {
    listed: bool,
    objects: BTreeMap<NamespacedName, Entry>,
}

/// What is known of an object beside its content.
#[derive(Debug)]
struct Entry {
    uid: String,
    version: Option<u64>,
    /// The report that said so.
    report: u64,
    /// We have deleted it, and no watch has said so yet: late news of it is no news.
    gone: bool,
}

/// All objects of a kind at one moment.
#[derive(Debug)]
pub struct Listing {
    /// The objects.
    pub objects: Vec<Observed>,
    /// The resource version of the list as a number.
    pub version: Option<u64>,
    /// What [`State::mark`] returned before the list was asked for.
    pub begun: u64,
}

impl State {
    /// Makes room for a kind. Reports about other kinds are ignored.
    pub fn watch(&mut self, kind: &GroupKind) {
        if !self.kinds.contains_key(kind) {
            self.kinds.insert(kind.clone(), Held::default());
        }
    }

    /// Returns everything as it is known, at the cost of a pointer.
    pub fn fleet(&self) -> Arc<Fleet> {
        Arc::clone(&self.fleet)
    }

    /// Returns a number that grows with every change of the fleet.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Returns the number of objects held.
    pub fn len(&self) -> usize {
        self.kinds.values().map(|held| held.objects.len()).sum()
    }

    /// Says whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the kinds whose first list has not come in.
    pub fn pending(&self) -> BTreeSet<GroupKind> {
        self.kinds.iter().filter(|(_, held)| !held.listed).map(|(kind, _)| kind.clone()).collect()
    }

    /// Returns the point in the order of reports at which a list begins.
    pub fn mark(&self) -> u64 {
        self.reports
    }

    /// Takes in an object as a watch or the answer to a write shows it. What is older than what is held is ignored.
    pub fn apply(&mut self, object: Observed) {
        let Some(held) = self.kinds.get_mut(&object.kind) else { return };
        if held.objects.get(&object.name).is_some_and(|entry| !entry.is_before(&object)) {
            return;
        }
        if object.is_foreign() {
            let (kind, name, version) = (object.kind, object.name, object.version);
            return self.delete(&kind, &name, version);
        }
        self.reports += 1;
        held.objects.insert(object.name.clone(), Entry::of(&object, self.reports));
        self.generation += 1;
        let fleet = Arc::make_mut(&mut self.fleet);
        observed::remove(fleet, &object.kind, &object.name);
        object.place(fleet);
    }

    /// Takes in the answer to a patch: like [`State::apply`], but only if that very object is held.
    ///
    /// The answer to the patch that removes the last finalizer may come in after the watch has told that the object is gone.
    pub fn amend(&mut self, object: Observed) {
        let entry = self.kinds.get(&object.kind).and_then(|held| held.objects.get(&object.name));
        if entry.is_some_and(|entry| entry.uid == object.uid) {
            self.apply(object);
        }
    }

    /// Takes out an object that a watch shows as gone, at a resource version; ignored if a newer one is held.
    pub fn delete(&mut self, kind: &GroupKind, name: &NamespacedName, version: Option<u64>) {
        let Some(held) = self.kinds.get_mut(kind) else { return };
        let Some(entry) = held.objects.get(name) else { return };
        if entry.version.zip(version).is_some_and(|(held, gone)| held > gone) {
            return;
        }
        self.reports += 1;
        if let Some(entry) = held.objects.remove(name)
            && !entry.gone
        {
            self.generation += 1;
            observed::remove(Arc::make_mut(&mut self.fleet), kind, name);
        }
    }

    /// Takes out an object that we have deleted, and remembers it until a watch or a list says so too.
    pub fn forget(&mut self, kind: &GroupKind, name: &NamespacedName, uid: &str) {
        let held = self.kinds.get_mut(kind).and_then(|held| held.objects.get_mut(name));
        if let Some(entry) = held
            && entry.uid == uid
            && !entry.gone
        {
            entry.gone = true;
            self.reports += 1;
            self.generation += 1;
            observed::remove(Arc::make_mut(&mut self.fleet), kind, name);
        }
    }

    /// Takes in a whole list of a kind. It wins over what was known before it began, even if that has a higher resource version: a
    /// hub that was restored from a backup counts anew. What our own writes have shown since then is kept where it is newer.
    pub fn replace_all(&mut self, kind: &GroupKind, listing: Listing) {
        let Some(held) = self.kinds.get_mut(kind) else { return };
        let mut before = std::mem::take(&mut held.objects);
        held.listed = true;
        self.reports += 1;
        for object in listing.objects {
            match before.remove(&object.name) {
                Some(entry) if entry.outlives(&object, listing.begun) => {
                    held.objects.insert(object.name, entry);
                }
                entry => {
                    self.generation += 1;
                    let fleet = Arc::make_mut(&mut self.fleet);
                    if entry.is_some() {
                        observed::remove(fleet, kind, &object.name);
                    }
                    if !object.is_foreign() {
                        held.objects.insert(object.name.clone(), Entry::of(&object, self.reports));
                        object.place(fleet);
                    }
                }
            }
        }
        for (name, entry) in before {
            let newer = entry.version.zip(listing.version).is_some_and(|(held, listed)| held > listed);
            if !entry.gone && entry.report > listing.begun && newer {
                held.objects.insert(name, entry);
            } else if !entry.gone {
                self.generation += 1;
                observed::remove(Arc::make_mut(&mut self.fleet), kind, &name);
            }
        }
    }
}

impl Entry {
    fn of(object: &Observed, report: u64) -> Self {
        Self { uid: object.uid.clone(), version: object.version, report, gone: false }
    }

    /// Says whether a report tells something newer.
    fn is_before(&self, object: &Observed) -> bool {
        if self.uid == object.uid && self.gone {
            return false;
        }
        // Without numbers nothing can be compared, and the last report wins.
        self.version.zip(object.version).is_none_or(|(held, new)| held < new)
    }

    /// Says whether it stays although a list shows the object otherwise.
    fn outlives(&self, listed: &Observed, begun: u64) -> bool {
        if self.uid == listed.uid && (self.gone || (self.version.is_some() && self.version == listed.version)) {
            return true;
        }
        self.report > begun && self.version.zip(listed.version).is_some_and(|(held, listed)| held > listed)
    }
}

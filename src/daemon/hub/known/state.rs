//! The known state of the hub: the objects of every watched kind. Decides which of two reports about an object is newer.
//!
//! Pure and synchronous. Reports come from lists, watches and the answers to our own writes, in any order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::hub::known::observed;
use crate::hub::known::observed::Observed;
use tidegate_api::fleet::Fleet;
use tidegate_model::name::NamespacedName;
use tidegate_model::object::GroupKind;

/// The known state of the hub.
#[derive(Debug, Default)]
pub struct State {
    /// Shared with snapshots: copied before the first change after a snapshot, and only then. The copy is shallow: it
    /// copies pointers.
    fleet: Arc<Fleet>,
    kinds: BTreeMap<GroupKind, Held>,
    /// How often the fleet has changed.
    generation: u64,
    /// How often the hub was found to have gone back in time.
    rewinds: u64,
    /// Number of reports so far. It orders the answers to writes relative to concurrent lists.
    reports: u64,
    /// How often everything that was known became out of date.
    distrusts: u64,
}

/// The known state of the hub at one moment.
#[derive(Debug, Clone)]
pub struct Seen {
    /// All objects.
    pub fleet: Arc<Fleet>,
    /// How often the hub had gone back in time. States with different numbers are from different histories and must not be
    /// compared.
    pub rewinds: u64,
}

/// The objects of a kind.
#[derive(Debug, Default)]
struct Held {
    listed: bool,
    /// Whether the hub was found to have gone back in time and this kind has not been listed since.
    has_to_be_listed_again: bool,
    /// Whether this kind is out of date until it has been listed again.
    is_old: bool,
    /// The highest resource version seen in a list, an event, a bookmark or the answer to a write.
    reached: Option<u64>,
    objects: BTreeMap<NamespacedName, Entry>,
}

/// The metadata of a known object.
#[derive(Debug)]
struct Entry {
    uid: String,
    version: Option<u64>,
    /// The number of the last report about it.
    report: u64,
    /// Whether we have deleted it and no watch has confirmed that yet. Late reports about it are ignored.
    gone: bool,
}

/// All objects of a kind at one moment.
#[derive(Debug)]
pub struct Listing {
    /// The objects.
    pub objects: Vec<Observed>,
    /// The resource version of the list as a number.
    pub version: Option<u64>,
    /// What [`State::mark`] returned before the list was requested.
    pub begun: Mark,
}

/// A point in the order of reports about one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mark {
    reports: u64,
    reached: Option<u64>,
    distrusts: u64,
}

impl State {
    /// Starts to track a kind. Reports about other kinds are ignored.
    pub fn watch(&mut self, kind: &GroupKind) {
        if !self.kinds.contains_key(kind) {
            self.kinds.insert(kind.clone(), Held::default());
        }
    }

    /// Returns all known objects, at the cost of a pointer copy.
    pub fn fleet(&self) -> Arc<Fleet> {
        Arc::clone(&self.fleet)
    }

    /// Returns all known objects with the history that they belong to, at the cost of a pointer copy.
    pub fn seen(&self) -> Seen {
        Seen { fleet: self.fleet(), rewinds: self.rewinds }
    }

    /// Returns a number that grows with every change of the fleet.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Returns the number of objects held.
    pub fn len(&self) -> usize {
        self.kinds.values().map(|held| held.objects.len()).sum()
    }

    /// Returns `true` if nothing is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes every kind [pending](State::pending) until it has been listed again. A list that has begun does not count.
    pub fn distrust(&mut self) {
        self.distrusts += 1;
        self.kinds.values_mut().for_each(|held| held.is_old = held.listed);
    }

    /// Returns the kinds that have not been listed yet, or not since the hub went back in time, or since they were out of date.
    pub fn pending(&self) -> BTreeSet<GroupKind> {
        let is_pending = |held: &Held| !held.listed || held.has_to_be_listed_again || held.is_old;
        self.kinds.iter().filter(|(_, held)| is_pending(held)).map(|(kind, _)| kind.clone()).collect()
    }

    /// Returns the highest resource version seen in any kind.
    ///
    /// All kinds share one counter, because the API server keeps them in one etcd. If it keeps some kinds elsewhere, the
    /// value is less exact, but never lower than what was seen.
    pub fn reached(&self) -> Option<u64> {
        self.kinds.values().filter_map(|held| held.reached).max()
    }

    /// Returns the current point in the order of reports, for a list of a kind that is about to start.
    pub fn mark(&self, kind: &GroupKind) -> Mark {
        Mark {
            reports: self.reports,
            distrusts: self.distrusts,
            reached: self.kinds.get(kind).and_then(|held| held.reached),
        }
    }

    /// Records that the hub has reached a resource version, as reported by a bookmark or an event.
    pub fn reach(&mut self, kind: &GroupKind, version: Option<u64>) {
        if let Some(held) = self.kinds.get_mut(kind) {
            held.reached = held.reached.max(version);
        }
    }

    /// Stores an object from a watch or from the answer to a write. An older version than the stored one is ignored.
    pub fn apply(&mut self, object: Observed) {
        let Some(held) = self.kinds.get_mut(&object.kind) else { return };
        held.reached = held.reached.max(object.version);
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

    /// Stores the answer to a patch: like [`State::apply`], but only if an object with the same uid is stored.
    ///
    /// The answer to a patch that removes the last finalizer may arrive after the watch has reported the deletion.
    pub fn amend(&mut self, object: Observed) {
        let entry = self.kinds.get(&object.kind).and_then(|held| held.objects.get(&object.name));
        if entry.is_some_and(|entry| entry.uid == object.uid) {
            self.apply(object);
        }
    }

    /// Removes an object that a watch reports as deleted at a resource version; ignored if a newer version is stored.
    pub fn delete(&mut self, kind: &GroupKind, name: &NamespacedName, version: Option<u64>) {
        let Some(held) = self.kinds.get_mut(kind) else { return };
        held.reached = held.reached.max(version);
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

    /// Removes an object that we have deleted, and remembers that until a watch or a list confirms it.
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

    /// Returns the uid of a known object.
    pub fn uid(&self, kind: &GroupKind, name: &NamespacedName) -> Option<String> {
        Some(self.kinds.get(kind)?.objects.get(name)?.uid.clone())
    }

    /// Stores a whole list of a kind. It replaces everything that was known before the list started, even with a higher
    /// resource version: a hub that was restored from a backup counts from an older version again. Answers to our own
    /// writes since then are kept if they are newer.
    ///
    /// If the list proves that the hub went back in time, returns two resource versions: the one seen before, and the lower
    /// one of the list. Then every other kind is [pending](State::pending) until it has been listed again, because its
    /// known state is from another history. Later proofs from lists of those kinds are part of the same event, and are not
    /// returned.
    pub fn replace_all(&mut self, kind: &GroupKind, listing: Listing) -> Option<(u64, u64)> {
        let proof = self.contradiction(kind, &listing);
        self.replace(kind, listing, proof.is_some());
        let is_new = self.kinds.get_mut(kind).is_some_and(|held| !std::mem::take(&mut held.has_to_be_listed_again));
        let proof = proof.filter(|_| is_new)?;
        self.rewinds += 1;
        for (_, held) in self.kinds.iter_mut().filter(|(other, held)| *other != kind && held.listed) {
            held.has_to_be_listed_again = true;
        }
        Some(proof)
    }

    /// Returns a resource version before and a lower one now, if there are any. They prove that the hub went back in time:
    /// the resource versions of lists and of each object only grow.
    fn contradiction(&self, kind: &GroupKind, listing: &Listing) -> Option<(u64, u64)> {
        let held = self.kinds.get(kind)?;
        let of_list = listing.begun.reached.zip(listing.version).filter(|(before, now)| now < before);
        let of_object = |object: &Observed| {
            let entry = held.objects.get(&object.name)?;
            let is_from_before = entry.uid == object.uid && entry.report <= listing.begun.reports;
            entry.version.zip(object.version).filter(|(before, now)| is_from_before && now < before)
        };
        of_list.or_else(|| listing.objects.iter().find_map(of_object))
    }

    fn replace(&mut self, kind: &GroupKind, listing: Listing, is_rewind: bool) {
        let Some(held) = self.kinds.get_mut(kind) else { return };
        let mut before = std::mem::take(&mut held.objects);
        held.listed = true;
        held.is_old = listing.begun.distrusts < self.distrusts;
        held.reached = if is_rewind { listing.version } else { held.reached.max(listing.version) };
        let begun = listing.begun.reports;
        self.reports += 1;
        for object in listing.objects {
            match before.remove(&object.name) {
                Some(entry) if entry.outlives(&object, begun) => {
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
            if !entry.gone && entry.report > begun && newer {
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

    /// Returns `true` if a report is newer.
    fn is_before(&self, object: &Observed) -> bool {
        if self.uid == object.uid && self.gone {
            return false;
        }
        // Without numbers there is nothing to compare, and the last report wins.
        self.version.zip(object.version).is_none_or(|(held, new)| held < new)
    }

    /// Returns `true` if it is kept although a list contains a different version of the object.
    fn outlives(&self, listed: &Observed, begun: u64) -> bool {
        if self.uid == listed.uid && (self.gone || (self.version.is_some() && self.version == listed.version)) {
            return true;
        }
        self.report > begun && self.version.zip(listed.version).is_some_and(|(held, listed)| held > listed)
    }
}

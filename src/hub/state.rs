//! What is known of the hub: the objects of every watched kind, and which of two reports about one is the newer.
//!
//! Pure and synchronous. Reports come from lists, watches and the answers to our own writes, in any order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::observed::{self, Observed};
use tidegate_api::fleet::Fleet;
use tidegate_model::name::NamespacedName;
use tidegate_model::object::GroupKind;

/// What is known of the hub.
#[derive(Debug, Default)]
pub struct State {
    /// Shared with the snapshots that were handed out: copied before the first change after one, and only then. The copy is of
    /// pointers.
    fleet: Arc<Fleet>,
    kinds: BTreeMap<GroupKind, Held>,
    /// How often the fleet has changed.
    generation: u64,
    /// How often the hub was found to have gone back in time.
    rewinds: u64,
    /// How many reports have come in; orders the answers to writes against the lists that run meanwhile.
    reports: u64,
}

/// What is known of the hub at one moment.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Everything.
    pub fleet: Arc<Fleet>,
    /// How often the hub had gone back in time: what was seen at another number is from another history, and must not be compared.
    pub rewinds: u64,
}

/// The objects of a kind.
#[derive(Debug, Default)]
struct Held {
    listed: bool,
    /// The hub was found to have gone back in time, and this kind has not been listed since.
    has_to_be_listed_again: bool,
    /// The highest resource version seen in a list, an event, a bookmark or the answer to a write.
    reached: Option<u64>,
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
    /// What [`State::mark`] returned before the list was requested.
    pub begun: Mark,
}

/// A point in the order of reports about one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mark {
    reports: u64,
    reached: Option<u64>,
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

    /// Returns everything as it is known, with the history that it is from, at the cost of a pointer.
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

    /// Returns the kinds whose first list has not come in, or whose first list since the hub went back in time.
    pub fn pending(&self) -> BTreeSet<GroupKind> {
        let is_pending = |held: &Held| !held.listed || held.has_to_be_listed_again;
        self.kinds.iter().filter(|(_, held)| is_pending(held)).map(|(kind, _)| kind.clone()).collect()
    }

    /// Returns the highest resource version seen of any kind.
    ///
    /// The kinds share one counter, because the API server keeps them in one etcd. One that keeps some kinds elsewhere makes the value
    /// less exact, never lower than what was seen.
    pub fn reached(&self) -> Option<u64> {
        self.kinds.values().filter_map(|held| held.reached).max()
    }

    /// Returns the point in the order of reports at which a list of a kind begins.
    pub fn mark(&self, kind: &GroupKind) -> Mark {
        Mark { reports: self.reports, reached: self.kinds.get(kind).and_then(|held| held.reached) }
    }

    /// Records that the hub has reached a resource version, as a bookmark or an event says.
    pub fn reach(&mut self, kind: &GroupKind, version: Option<u64>) {
        if let Some(held) = self.kinds.get_mut(kind) {
            held.reached = held.reached.max(version);
        }
    }

    /// Takes in an object as a watch or the answer to a write shows it. What is older than what is held is ignored.
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
    ///
    /// Returns the resource versions that prove that the hub went back in time: the one seen before, and the lower one of the list. Every
    /// other kind is [pending](State::pending) from then on until it has been listed again, because what is known of it is from
    /// another history. Later proofs from lists of those kinds are part of the same event, and are not returned.
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

    /// Returns the resource versions, before and now, that no list can show unless the hub went back in time: resource versions only
    /// grow, those of lists as those of each object.
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

    /// Returns `true` if a report tells something newer.
    fn is_before(&self, object: &Observed) -> bool {
        if self.uid == object.uid && self.gone {
            return false;
        }
        // Without numbers nothing can be compared, and the last report wins.
        self.version.zip(object.version).is_none_or(|(held, new)| held < new)
    }

    /// Returns `true` if it stays although a list shows the object otherwise.
    fn outlives(&self, listed: &Observed, begun: u64) -> bool {
        if self.uid == listed.uid && (self.gone || (self.version.is_some() && self.version == listed.version)) {
            return true;
        }
        self.report > begun && self.version.zip(listed.version).is_some_and(|(held, listed)| held > listed)
    }
}

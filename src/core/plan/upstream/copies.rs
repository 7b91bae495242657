//! The copies of configurations on the hub: which ones are needed, which ones are ready, and which ones go.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::hub_objects::declare::{is_as_declared, precondition};
use crate::hub_objects::drift::drift;
use crate::hub_objects::ownership::{Owner, remedy};
use crate::hub_objects::stamp::stamped;
use crate::input::Input;
use tidegate_api::fleet::Fleet;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster_addon::{AddOnConfigReference, ManagedClusterAddOn};
use tidegate_delivery::status::{Desired, Entry as _};
use tidegate_delivery::upstream::{Delivery, copy};
use tidegate_go::canonical::spec_hash;
use tidegate_model::action::{Lane, Precondition, Stage, Write};
use tidegate_model::object::{GroupKind, ObjectKey};

/// The copies of configurations.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Copies {
    /// The copies that the hub has as they should be, by the configuration that they are a copy of. Each has the hash that the add-on
    /// manager reports for it.
    ready: BTreeMap<Desired, AddOnConfigReference>,
    /// The configurations whose content is known, so that they have a copy, or will have one.
    known: BTreeSet<Desired>,
    /// The configurations that objects on the hub are copies of, by the reference of the copy.
    originals: BTreeMap<ConfigReference, Desired>,
    /// The copies of other instances.
    foreign: BTreeSet<ConfigReference>,
    /// The writes that create, repair and delete copies.
    pub lanes: Vec<Lane>,
    /// The copies that cannot be used, and why.
    pub notices: Vec<String>,
}

impl Copies {
    /// Returns the copies of these configurations; `None` unless all of them are ready.
    pub(crate) fn of(&self, desired: &[Desired]) -> Option<Vec<AddOnConfigReference>> {
        desired.iter().map(|desired| self.ready.get(desired).cloned()).collect()
    }

    /// Returns `true` if these configurations have copies, or will have them.
    pub(crate) fn knows(&self, desired: &[Desired]) -> bool {
        desired.iter().all(|desired| self.known.contains(desired))
    }

    /// Returns the configuration that an object is, or is a copy of.
    pub(crate) fn original(&self, found: Desired) -> Desired {
        self.original_of(&found.reference).cloned().unwrap_or(found)
    }

    /// Returns the configuration that an object is a copy of; `None` if it is not a copy.
    pub(crate) fn original_of(&self, reference: &ConfigReference) -> Option<&Desired> {
        self.originals.get(reference)
    }

    /// Returns `true` if an object is a copy of another instance. What a cluster has is not taken from it.
    pub(crate) fn is_foreign(&self, reference: &ConfigReference) -> bool {
        self.foreign.contains(reference)
    }
}

/// Examines the copies on the hub. `reported` is the fleet as the hub has it, without assignments in place.
///
/// A configuration gets a copy as soon as an add-on refers to it, and before a cluster is assigned it. The copy goes when no add-on refers
/// to that content any longer, and no cluster is reported to have it.
pub(crate) fn copies(input: &Input<'_>, reported: &Fleet) -> Copies {
    let (found, foreign) = found(input);
    let reference =
        |key: &ObjectKey, original: &Desired| ConfigReference { name: key.name.clone(), ..original.reference.clone() };
    let mut copies = Copies {
        originals: found.iter().map(|(key, (original, _))| (reference(key, original), original.clone())).collect(),
        foreign: foreign.iter().map(|(key, (original, _))| reference(key, original)).collect(),
        ..Copies::default()
    };
    let mut wanted = BTreeSet::new();
    if input.delivery == Delivery::Upstream {
        for (original, content) in needed(input, reported, &copies, &found) {
            wanted.extend(copies.examine(input, &original, content));
            copies.known.insert(original);
        }
    }
    let unneeded = found.into_iter().filter(|(key, _)| !wanted.contains(key)).collect();
    copies.lanes.extend(deleted(input, reported, unneeded));
    copies
}

/// Copies on the hub, each with its original.
type Found<'a> = BTreeMap<ObjectKey, (Desired, &'a Value)>;

/// Returns the copies of this instance on the hub, and all others.
fn found<'a>(input: &Input<'a>) -> (Found<'a>, Found<'a>) {
    let ownership = input.ownership();
    let copy = |(key, object): (&ObjectKey, &'a std::sync::Arc<Value>)| {
        Some((key.clone(), (copy::original(object)?, &**object)))
    };
    let copies = input.fleet.declared.iter().filter_map(copy);
    copies.partition(|(_, (_, object))| ownership.of_object(object) == Owner::Ours)
}

/// Returns the configurations that need a copy, with their content: those that an add-on refers to, and those that a cluster has. The
/// content is looked up in the repository, in earlier revisions, and on the hub, where a copy has it even if the original is gone.
fn needed<'a>(
    input: &Input<'a>,
    reported: &'a Fleet,
    copies: &Copies,
    found: &Found<'a>,
) -> BTreeMap<Desired, &'a Value> {
    let mut needed = BTreeMap::new();
    // OCM's add-on manager delivers add-ons only.
    let addons = || input.repository.addons.iter().filter(|(name, _)| name.addon().is_some());
    for (_, addon) in addons() {
        for (reference, known) in &addon.configurations {
            let desired = Desired { reference: reference.clone(), spec_hash: known.spec_hash.clone() };
            needed.insert(desired, &*known.object);
        }
    }
    let addons = addons().filter_map(|(name, _)| input.fleet.cluster_addons.get(name));
    let had: BTreeSet<Desired> =
        addons.flat_map(|clusters| clusters.values()).flat_map(|addon| assigned(addon)).collect();
    for desired in had.into_iter().map(|had| copies.original(had)) {
        if needed.contains_key(&desired) || desired.spec_hash.is_empty() {
            continue;
        }
        let archived = input.configuration(None, &desired.reference, &desired.spec_hash).map(|known| &*known.object);
        let copied = || {
            let is_unchanged = |object: &Value| spec_hash(object) == desired.spec_hash;
            let mut of_it = found.values().filter(|(original, _)| *original == desired).map(|(_, object)| *object);
            of_it.find(|object| is_unchanged(object))
        };
        if let Some(content) = archived.or_else(|| on_hub(reported, &desired)).or_else(copied) {
            needed.insert(desired, content);
        }
    }
    needed
}

/// Returns the configurations that a cluster has.
fn assigned(addon: &ManagedClusterAddOn) -> impl Iterator<Item = Desired> {
    addon.config_references().iter().filter_map(AddOnConfigReference::desired)
}

/// Returns the content of a configuration that the hub has with this hash.
fn on_hub<'a>(reported: &'a Fleet, desired: &Desired) -> Option<&'a Value> {
    let key = desired.reference.object_key()?;
    reported.declared.get(&key).map(|object| &**object).filter(|object| spec_hash(object) == desired.spec_hash)
}

impl Copies {
    /// Plans the write of one copy, or records that it is ready. Returns its key.
    fn examine(&mut self, input: &Input<'_>, original: &Desired, content: &Value) -> Option<ObjectKey> {
        let object = copy::object(content, original);
        let key = ObjectKey::of(&object)?;
        if input.unobserved.contains(&GroupKind::of(&key)) {
            return Some(key);
        }
        let observed = input.fleet.declared.get(&key).map(|observed| &**observed);
        if let Some(observed) = observed {
            if let Owner::Other(mark) = input.ownership().of_object(observed) {
                let original = &original.reference.name;
                self.notices.push(format!(
                    "{key}, the copy of {original}, belongs to {mark} and is not used. For {original}: {}",
                    remedy(&mark)
                ));
                return Some(key);
            }
            if copy::original(observed).is_some_and(|found| found != *original) {
                self.notices
                    .push(format!("{key} is a copy of another configuration and is not used; delete it on the hub"));
                return Some(key);
            }
        }
        let object = stamped(&object, &key, input.instance, input.delivery);
        let added = observed.and_then(|observed| Some((drift(observed, &object)?, precondition(observed)?)));
        let is_applied = observed.is_some_and(|observed| is_as_declared(observed, &object));
        let mut writes = Vec::new();
        if !is_applied {
            writes.push(Write::Apply { object });
        }
        writes.extend(added.map(|(added, precondition)| Write::Patch {
            key: key.clone(),
            precondition,
            patch: added.patch.into(),
        }));
        match observed.filter(|_| writes.is_empty()) {
            Some(observed) => drop(self.ready.insert(original.clone(), reference(&key, original, observed))),
            None => self.lanes.push(Lane { stage: Stage::Declare, writes }),
        }
        Some(key)
    }
}

/// Returns the reference of a copy, with the hash of the content that the hub has.
fn reference(key: &ObjectKey, original: &Desired, observed: &Value) -> AddOnConfigReference {
    let reference = ConfigReference { name: key.name.clone(), ..original.reference.clone() };
    let copy = Desired { reference, spec_hash: spec_hash(observed) };
    AddOnConfigReference {
        group: copy.reference.group.clone(),
        resource: copy.reference.resource.clone(),
        desired_config: Some(copy.config()),
        ..AddOnConfigReference::default()
    }
}

/// Returns the writes that delete copies that no cluster has. Nothing is deleted while an add-on of a cluster cannot be read: it may name
/// any of them.
fn deleted(input: &Input<'_>, reported: &Fleet, unneeded: BTreeMap<ObjectKey, (Desired, &Value)>) -> Vec<Lane> {
    let is_blind = input.fleet.unreadable.keys().any(|key| key.kind == "ManagedClusterAddOn");
    if unneeded.is_empty() || is_blind || !input.repository.settings.prune.enabled || !input.repository.may_prune {
        return Vec::new();
    }
    let addons = reported.cluster_addons.values().flat_map(|clusters| clusters.values());
    let used: BTreeSet<ConfigReference> = addons.flat_map(|addon| used(addon)).collect();
    let is_unused = |key: &ObjectKey, original: &Desired| {
        !used.contains(&ConfigReference { name: key.name.clone(), ..original.reference.clone() })
    };
    let unneeded = unneeded.into_iter().filter(|(key, (original, _))| is_unused(key, original));
    let delete = |(key, (_, object)): (ObjectKey, (Desired, &Value))| {
        let precondition = Precondition { resource_version: None, ..precondition(object)? };
        Some(Lane { stage: Stage::Prune, writes: vec![Write::Delete { key, precondition }] })
    };
    unneeded.filter_map(delete).collect()
}

/// Returns every configuration that an add-on on a cluster names, or that is reported about it.
fn used(addon: &ManagedClusterAddOn) -> impl Iterator<Item = ConfigReference> {
    let reported = addon.config_references().iter().flat_map(|reference| {
        let applied =
            AddOnConfigReference { desired_config: reference.last_applied_config.clone(), ..reference.clone() };
        [reference.desired(), applied.desired()].into_iter().flatten().map(|desired| desired.reference)
    });
    addon.spec.configs.iter().cloned().chain(reported)
}

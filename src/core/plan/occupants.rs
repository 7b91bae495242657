//! Which units have objects on a cluster that another unit delivers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::alike::{self, Alike};
use crate::input::Input;
use crate::select::Selections;
use crate::writers::{Writers, writers};
use tidegate_api::key;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_api::work_name::application_prefix;
use tidegate_model::json_text::JsonText;
use tidegate_model::name::{ApplicationName, ClusterName, NamespacedName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_repository::{NAME_LABEL, NAMESPACE_LABEL, Repository, known_objects, objects_by_cluster};

/// The units of each application on each cluster, other than the Application itself.
type Found = BTreeMap<ClusterName, BTreeMap<UnitName, BTreeSet<UnitName>>>;

/// The objects on each cluster of the units that keep what they have there.
type Kept = BTreeMap<ClusterName, BTreeMap<ObjectKey, UnitName>>;

/// The units that have objects on a cluster. They are read from the works when they are asked for: units at rest do not ask.
#[derive(Debug)]
pub(crate) struct Occupants<'s> {
    selections: &'s Selections,
    found: OnceLock<Found>,
    kept: OnceLock<Kept>,
    /// The objects of units that are among those kept anywhere.
    wanted: OnceLock<BTreeMap<UnitName, BTreeSet<ObjectKey>>>,
    /// The units that write each object.
    writers: OnceLock<Writers>,
    /// The objects of units whose names depend on the cluster, and may be those of another unit.
    alike: OnceLock<Alike>,
}

impl<'s> Occupants<'s> {
    /// Returns the units with the clusters of their placements. Nothing is read yet.
    pub(crate) fn new(selections: &'s Selections) -> Self {
        Self {
            selections,
            found: OnceLock::new(),
            kept: OnceLock::new(),
            wanted: OnceLock::new(),
            writers: OnceLock::new(),
            alike: OnceLock::new(),
        }
    }

    /// Returns `true` if a cluster has objects of an application that a unit other than this one and the Application itself delivered.
    pub(crate) fn has_other(
        &self,
        input: &Input<'_>,
        (unit, application): (&UnitName, &ApplicationName),
        cluster: &ClusterName,
    ) -> bool {
        let found = self.found.get_or_init(|| found(input));
        let units = found.get(cluster).and_then(|applications| applications.get(application.as_str()));
        units.is_some_and(|units| units.iter().any(|other| other != unit))
    }

    /// Returns the unit that has an object of another unit on a cluster, and keeps it: it is in no state to give the object away.
    pub(crate) fn keeper(&self, input: &Input<'_>, unit: &UnitName, cluster: &ClusterName) -> Option<&UnitName> {
        let kept = self.kept.get_or_init(|| kept(input));
        let there = kept.get(cluster)?;
        let wanted = self.wanted.get_or_init(|| wanted(input.repository, kept)).get(unit)?;
        let keepers = wanted.iter().filter_map(|object| there.get(&on_cluster(object, cluster)));
        keepers.chain(there.get(&unreadable())).find(|keeper| *keeper != unit)
    }

    /// Returns the unit that has an object on a cluster that this unit would have there as well: the name of one of them depends on the cluster,
    /// so that only the cluster shows that they are the same. If neither has it, the first one by name gets it.
    pub(crate) fn alike(&self, input: &Input<'_>, unit: &UnitName, cluster: &ClusterName) -> Option<&UnitName> {
        let writers = || self.writers.get_or_init(|| writers(input.repository));
        let alike = self.alike.get_or_init(|| alike::found(input.repository, writers)).get(unit)?;
        let is_same = |(own, other, of_other): &&(ObjectKey, UnitName, ObjectKey)| {
            let own = on_cluster(own, cluster);
            let is_first =
                || other < unit && self.is_to_have(input, other, cluster) && !has(input, unit, (cluster, &own));
            own == on_cluster(of_other, cluster) && (has(input, other, (cluster, &own)) || is_first())
        };
        alike.iter().find(is_same).map(|(_, other, _)| other)
    }

    /// Returns the objects in works of a unit on a cluster that are those of another unit by now, which has them there as well. Before that, the
    /// agent would delete them.
    pub(crate) fn released(
        &self,
        input: &Input<'_>,
        name: &UnitName,
        (cluster, works): (&ClusterName, &BTreeMap<String, Arc<ManifestWork>>),
    ) -> BTreeSet<ObjectKey> {
        let has_moved = |object: &ObjectKey| {
            let writers = || self.writers(input.repository, object);
            writers().all(|writer| writer != name) && writers().any(|other| has(input, other, (cluster, object)))
        };
        works.values().flat_map(objects).filter(has_moved).collect()
    }

    /// Returns `true` if a unit is to be on a cluster, or if it is not known where it is to be.
    pub(crate) fn is_to_have(&self, input: &Input<'_>, name: &UnitName, cluster: &ClusterName) -> bool {
        let Some(unit) = input.repository.addons.get(name) else { return false };
        let selects = |placement: NamespacedName| {
            let selection = self.selections.get(&placement).filter(|selection| !selection.is_partial);
            selection.is_none_or(|selection| selection.clusters().any(|(selected, _)| selected == cluster))
        };
        let mut placements = unit.placements().peekable();
        match placements.peek() {
            Some(_) => placements.any(selects),
            // Its clusters are chosen by hand.
            None => unit.overrides.contains_key(cluster),
        }
    }

    /// Returns the units that write an object.
    pub(crate) fn writers(&self, repository: &Repository, object: &ObjectKey) -> impl Iterator<Item = &UnitName> {
        self.writers.get_or_init(|| writers(repository)).get(object).into_iter().flatten()
    }

    /// Returns `true` if a unit writes an object to a cluster with any of its configurations, as far as that is known.
    pub(crate) fn writes(
        &self,
        repository: &Repository,
        name: &UnitName,
        (cluster, object): (&ClusterName, &ObjectKey),
    ) -> bool {
        let is_same = |pattern: &ObjectKey| on_cluster(pattern, cluster) == *object;
        let by_cluster = |unit| objects_by_cluster(name, unit).iter().any(is_same);
        self.writers(repository, object).any(|writer| writer == name)
            || repository.addons.get(name).is_some_and(by_cluster)
    }
}

/// Returns `true` if a unit has objects on a cluster of an application that another unit delivers, which therefore waits for it to leave.
pub(crate) fn is_in_the_way(input: &Input<'_>, unit: &UnitName, other: &UnitName, cluster: &ClusterName) -> bool {
    let Some(declared) = input.repository.addons.get(other) else { return false };
    let delivered: BTreeSet<&str> = declared.applications().map(ApplicationName::as_str).collect();
    let works = input.fleet.works.get(unit).and_then(|works| works.get(cluster));
    let mut works = works.into_iter().flat_map(BTreeMap::values);
    works.any(|work| application(work).is_some_and(|application| delivered.contains(application.as_str())))
}

/// Returns `true` if a work of a unit has an object on a cluster.
pub(crate) fn has(input: &Input<'_>, unit: &UnitName, (cluster, object): (&ClusterName, &ObjectKey)) -> bool {
    let works = input.fleet.works.get(unit).and_then(|works| works.get(cluster));
    works.into_iter().flatten().any(|(_, work)| objects(work).any(|found| found == *object))
}

/// Returns the objects in a work.
pub(crate) fn objects(work: &Arc<ManifestWork>) -> impl Iterator<Item = ObjectKey> {
    let manifests = work.spec.workload.iter().flat_map(|workload| &workload.manifests);
    manifests.filter_map(|manifest| ObjectKey::of(&manifest.value()))
}

/// Returns the key of an object on a cluster, on which its name may depend.
fn on_cluster(object: &ObjectKey, cluster: &ClusterName) -> ObjectKey {
    let filled = |text: &str| text.replace('*', cluster.as_str());
    ObjectKey { namespace: filled(&object.namespace), name: filled(&object.name), ..object.clone() }
}

/// Reads the works of all units that may have objects of other applications: AppDeployments, and what is not in the repository any more.
fn found(input: &Input<'_>) -> Found {
    let delivers_itself = |unit: &UnitName| {
        let unit = input.repository.addons.get(unit);
        unit.is_some_and(|unit| unit.published().next().is_none())
    };
    let may_have = |unit: &UnitName| matches!(unit, UnitName::Application(_)) && !delivers_itself(unit);
    let mut found = Found::new();
    for (unit, clusters) in input.fleet.works.iter().filter(|(unit, _)| may_have(unit)) {
        for (cluster, works) in clusters.iter() {
            for application in works.values().filter_map(application) {
                if application != *unit {
                    found.entry(cluster.clone()).or_default().entry(application).or_default().insert(unit.clone());
                }
            }
        }
    }
    found
}

/// Returns the application of the objects in a work, by the labels of the first object that has them: a work has objects of one application.
fn application(work: &Arc<ManifestWork>) -> Option<UnitName> {
    let labelled = |manifest: &JsonText| {
        let manifest = manifest.value();
        let labels = manifest.pointer("/metadata/labels")?;
        let label = |name: &str| labels.get(name).and_then(Value::as_str);
        let (namespace, name) = (label(NAMESPACE_LABEL)?, label(NAME_LABEL)?);
        ApplicationName::try_from(&NamespacedName::new(namespace, name)).ok().map(UnitName::Application)
    };
    work.spec.workload.as_ref()?.manifests.iter().find_map(labelled)
}

/// Reads the works of the units that are not rolled out: candidates, and those with errors that have no good revision to be held at.
fn kept(input: &Input<'_>) -> Kept {
    let repository = input.repository;
    let blocked = repository.blocked.keys().filter(|unit| !repository.addons.contains_key(*unit));
    let keepers: BTreeSet<&UnitName> = repository.candidates.keys().chain(blocked).collect();
    let mut kept = Kept::new();
    for unit in keepers {
        for (cluster, works) in input.fleet.works.get(unit).into_iter().flat_map(|works| works.iter()) {
            let there = kept.entry(cluster.clone()).or_default();
            there.extend(works.values().flat_map(objects).map(|object| (object, unit.clone())));
        }
        for cluster in with_unreadable(input, unit) {
            kept.entry(cluster).or_default().insert(unreadable(), unit.clone());
        }
    }
    kept
}

/// Returns the key that represents the objects of a work that cannot be read, which may be any.
fn unreadable() -> ObjectKey {
    ObjectKey::new("", "", "", "")
}

/// Returns the clusters with a work of an application that cannot be read.
fn with_unreadable<'i>(input: &'i Input<'_>, unit: &UnitName) -> impl Iterator<Item = ClusterName> + use<'i> {
    let prefix = match unit {
        UnitName::Application(application) => Some(application_prefix(application)),
        _ => None,
    };
    let is_own = move |object: &&ObjectKey| {
        object.group == key::WORK_GROUP
            && object.kind == "ManifestWork"
            && prefix.as_ref().is_some_and(|prefix| object.name.starts_with(prefix))
    };
    input.fleet.unreadable.keys().filter(is_own).filter_map(|object| object.namespace.parse().ok())
}

/// Returns the objects of all units that others keep on some cluster.
fn wanted(repository: &Repository, kept: &Kept) -> BTreeMap<UnitName, BTreeSet<ObjectKey>> {
    let all: BTreeSet<&ObjectKey> = kept.values().flat_map(BTreeMap::keys).collect();
    let objects = |(name, unit)| {
        let mut objects = known_objects(name, unit);
        objects.retain(|object| all.contains(object));
        objects.extend(objects_by_cluster(name, unit));
        (name.clone(), objects)
    };
    repository.addons.iter().map(objects).collect()
}

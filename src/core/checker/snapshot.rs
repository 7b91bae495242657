//! One observation, and the part of it that the checker keeps.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::declared::Declared;
use super::gates::{Policy, in_force};
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::mark::Mark;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_consent::{Approvals, GoodDigests, Judges, RulesState, RulesSubject, rules_in_force};
use tidegate_delivery::upstream::{Delivery, Views, is_assigned};
use tidegate_model::clock_steps::ClockSteps;
use tidegate_model::instance::Instance;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::Timestamp;
use tidegate_model::unseen::Unseen;
use tidegate_repository::control::Controls;
use tidegate_repository::{Repository, Unit};

/// The input of one check.
#[derive(Debug, Clone, Copy)]
pub struct Observation<'a> {
    /// The declared state.
    pub repository: &'a Repository,
    /// The approvals in Git, and what judges changes besides their revision.
    pub approvals: &'a Arc<Approvals>,
    /// The last digest of each add-on that all of its clusters completed, as the journal has it.
    pub last_good: &'a GoodDigests,
    /// Which rules are in force, as the journal has it.
    pub rules: Option<&'a RulesState>,
    /// The observed state.
    pub fleet: &'a Fleet,
    /// Who delivers.
    pub delivery: Delivery,
    /// The instance that is checked.
    pub instance: &'a Instance,
    /// When the hub was not observed. These times do not count against a cluster.
    pub unseen: &'a Unseen,
    /// How the clock of the machine was set.
    pub clock: &'a ClockSteps,
    /// The time of the observation.
    pub now: Timestamp,
}

/// The add-ons on clusters as last seen, whether or not they still exist.
pub(super) type Known = BTreeMap<UnitName, BTreeMap<ClusterName, Arc<ManagedClusterAddOn>>>;

/// The declared and the observed state at one moment.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub(super) now: Timestamp,
    pub(super) unseen: Unseen,
    pub(super) clock: ClockSteps,
    pub(super) is_strict: bool,
    /// The fleet with assignments in place.
    pub(super) fleet: Fleet,
    /// The fleet as the hub has it.
    reported: Fleet,
    pub(super) instance: Instance,
    pub(super) delivery: Delivery,
    pub(super) addons: BTreeMap<UnitName, Declared>,
    /// The units that are not rolled out, and keep what they have on clusters: candidates, and those with errors and no good revision.
    pub(super) keepers: BTreeSet<UnitName>,
    pub(super) policies: Vec<Policy>,
    pub(super) controls: Controls,
    pub(super) approvals: Arc<Approvals>,
    /// What judges the digest of each add-on besides its revision.
    pub(super) judges: BTreeMap<UnitName, Judges>,
}

impl Snapshot {
    /// Returns a time that was recorded before, on the clock of this observation.
    pub(super) fn on_clock(&self, at: Timestamp) -> Timestamp {
        self.clock.adjusted(at, self.now)
    }

    /// Keeps an observation, reusing the results that `before` already holds.
    pub(super) fn of(observation: &Observation<'_>, before: Option<&Self>, views: &mut Views) -> Self {
        let Observation { repository, approvals, last_good, rules, fleet, delivery, instance, unseen, clock, now } =
            observation;
        let declared = |(name, addon)| {
            let before = before.and_then(|before: &Self| before.addons.get(name));
            (UnitName::clone(name), Declared::of(name, addon, repository, before))
        };
        let subject = RulesSubject { approvals, last: *rules, instance: &instance.id, clock, now: *now };
        let rules = &rules_in_force(&subject, |name| fleet.clusters.get(name).map(|cluster| &**cluster)).in_force;
        let judged =
            |(name, addon): (&UnitName, &Unit)| (name.clone(), approvals.of(name, &addon.digest, last_good, rules));
        let blocked = repository.blocked.keys().filter(|unit| !repository.addons.contains_key(*unit));
        let judges: BTreeMap<UnitName, Judges> = repository.addons.iter().map(judged).collect();
        Self {
            now: *now,
            unseen: (*unseen).clone(),
            clock: (*clock).clone(),
            is_strict: repository.settings.semantics == Semantics::Strict,
            // Copies pointers only.
            fleet: views.fleet(fleet).unwrap_or_else(|| Fleet::clone(fleet)),
            reported: Fleet::clone(fleet),
            addons: repository.addons.iter().map(declared).collect(),
            keepers: repository.candidates.keys().chain(blocked).cloned().collect(),
            policies: in_force(&repository.policies, &approvals.operator.policies, &judges),
            controls: repository.controls.clone(),
            approvals: Arc::clone(approvals),
            judges,
            instance: (*instance).clone(),
            delivery: *delivery,
        }
    }

    /// Returns `true` if this instance drives a unit, and not another instance, upstream's addon-manager or no one. An application has no object
    /// of its own, so its works show whose they are.
    pub(super) fn drives(&self, unit: &UnitName) -> bool {
        let Some(addon) = unit.addon() else { return true };
        self.fleet.addons.get(addon).is_some_and(|observed| {
            let metadata = &observed.metadata;
            let lifecycle = metadata.annotations.as_ref().and_then(|annotations| annotations.get(key::LIFECYCLE));
            match Mark::of(metadata) {
                None => lifecycle.is_some_and(|lifecycle| lifecycle != key::LIFECYCLE_ADDON_MANAGER),
                Some(mark) => mark.is_of(&self.instance),
            }
        })
    }

    /// Returns `true` if OCM's add-on manager decides what a cluster has of a unit: without an assignment, a cluster follows it.
    pub(super) fn follows_manager(&self, unit: &UnitName, on_cluster: &ManagedClusterAddOn) -> bool {
        self.delivery == Delivery::Upstream && unit.addon().is_some() && !is_assigned(on_cluster)
    }

    /// Returns the units other than this one that declare an object, as it is named on a cluster.
    pub(super) fn declaring<'s>(
        &'s self,
        unit: &'s UnitName,
        (object, cluster): (&'s ObjectKey, &'s ClusterName),
    ) -> impl Iterator<Item = &'s UnitName> {
        let others = self.addons.iter().filter(move |(other, _)| *other != unit);
        others.filter(move |(_, declared)| declared.has(object, cluster)).map(|(other, _)| other)
    }

    /// Iterates over an add-on on all clusters.
    pub(super) fn on_clusters(
        &self,
        addon: &UnitName,
    ) -> impl Iterator<Item = (&ClusterName, &Arc<ManagedClusterAddOn>)> {
        self.fleet.cluster_addons.get(addon).into_iter().flatten()
    }

    /// Returns an add-on on one cluster, if both exist.
    pub(super) fn on_cluster(&self, addon: &UnitName, cluster: &ClusterName) -> Option<&ManagedClusterAddOn> {
        self.fleet.clusters.get(cluster)?;
        self.fleet.cluster_addons.get(addon)?.get(cluster).map(|addon| &**addon)
    }

    /// Returns `true` if an add-on on a cluster belongs to another instance: what happens to it is not held against this one.
    pub(super) fn is_foreign(&self, addon: &ManagedClusterAddOn) -> bool {
        Mark::of(&addon.metadata).is_some_and(|mark| !mark.is_of(&self.instance))
    }

    /// Returns an add-on on one cluster as the hub has it.
    pub(super) fn reported(&self, addon: &UnitName, cluster: &ClusterName) -> Option<&ManagedClusterAddOn> {
        self.reported.cluster_addons.get(addon)?.get(cluster).map(|addon| &**addon)
    }

    /// Returns the works that deploy a unit to a cluster, by name.
    pub(super) fn works(&self, unit: &UnitName, cluster: &ClusterName) -> BTreeMap<&str, &Arc<ManifestWork>> {
        let works = self.fleet.works.get(unit).and_then(|works| works.get(cluster));
        let prefix = match unit {
            UnitName::AddOn(name) => format!("addon-{name}-deploy-"),
            UnitName::Application(name) => format!("app-{}-", name.name()),
        };
        let is_deployed = |name: &str, work: &ManifestWork| {
            let is_hosted = work.metadata.labels.as_ref().is_some_and(|l| l.contains_key(key::ADDON_NAMESPACE));
            name.starts_with(&prefix) && !is_hosted
        };
        let works = works.into_iter().flatten().map(|(name, work)| (name.as_str(), work));
        works.filter(|(name, work)| is_deployed(name, work)).collect()
    }
}

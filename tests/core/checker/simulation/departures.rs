//! Judges from outside which clusters lose the add-on: every removal follows from a revision, in order and within the limits, never
//! from a partial view. It never affects another instance, and the journal records it.

use std::collections::{BTreeMap, BTreeSet};

use tidegate_api::key;
use tidegate_journal::{Facts, Journal, entry};
use tidegate_model::action::{Lane, Write};
use tidegate_model::followed::RevisionFacts;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::ClusterState;
use tidegate_model::revision::CommitId;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::Timestamp;
use tidegate_plan::report::{AddonReport, ClusterReport, Report};
use tidegate_plan::{PlacementMode, Plan};
use tidegate_rollout::placement::{contradiction, read_decisions};

use super::world::World;
use tidegate_simulation::declared::followed;

/// The journal of a world, and which clusters lost the add-on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Records {
    pub(crate) journal: Journal,
    /// The clusters that `clusters.yaml` lists as `Removing` or `Removed`.
    told: BTreeSet<String>,
    /// The clusters that it lists as `Leaving`.
    announced: BTreeSet<String>,
    lost: BTreeSet<String>,
    /// The clusters whose add-on was deleted by a process that died before it could journal that.
    unrecorded: BTreeSet<String>,
}

impl Records {
    /// Journals what a tick found.
    pub(super) fn keep(&mut self, report: &Report, revision: Option<&CommitId>, now: Timestamp) {
        let seen = revision.map(|commit| followed(commit, now));
        let facts = Facts { revision: RevisionFacts { seen, ..RevisionFacts::default() }, ..Facts::default() };
        let Some(entry) = entry(&self.journal, report, &facts, now).unwrap() else { return };
        for (path, bytes) in entry.files.iter().filter(|(path, _)| path.ends_with("clusters.yaml")) {
            let text = String::from_utf8(bytes.clone().unwrap_or_default()).unwrap();
            // If a revision selects the cluster again as soon as its add-on is deleted, no later entry calls it removed.
            let with = |state: &str| {
                let lines = text.lines().filter(|line| line.contains(&format!("{{state: {state},")));
                lines.map(|line| line.split('"').nth(1).unwrap().to_owned()).collect::<Vec<_>>()
            };
            self.told.extend(["Removed", "Removing"].map(with).concat());
            self.announced.extend(with("Leaving"));
            // Some are those of units beside the one that worlds are about.
            let addons = ["agent", "hello"].map(|name| format!("addons/{name}/"));
            let applications = ["agent", "hello", "other"].map(|name| format!("applications/fleet/{name}/"));
            assert!(addons.iter().chain(&applications).any(|folder| path.starts_with(folder)), "{path}");
        }
        self.journal = entry.journal;
    }

    /// Notes that the process dies before it journals what it deletes.
    pub(super) fn die(&mut self, lanes: &[Lane]) {
        let writes = lanes.iter().flat_map(|lane| &lane.writes);
        self.unrecorded.extend(writes.filter_map(|write| match write {
            Write::Delete { key, .. } if is_install(key) => Some(key.namespace.clone()),
            _ => None,
        }));
    }

    /// Asserts that the journal names every cluster that lost the add-on. One that a revision selects again before the next process has
    /// journaled the removal is only `Leaving`, and then has a new start.
    pub(super) fn assert_told(&self) {
        let is_told = |cluster: &&String| {
            self.told.contains(*cluster) || self.unrecorded.contains(*cluster) && self.announced.contains(*cluster)
        };
        let untold: Vec<_> = self.lost.iter().filter(|cluster| !is_told(cluster)).collect();
        assert_eq!(untold, [""; 0], "clusters lost the add-on, but the journal does not name them");
    }
}

/// Returns `true` if a cluster has the unit as long as an object exists: its ManagedClusterAddOn, or the only work of an application.
fn is_install(key: &ObjectKey) -> bool {
    key.kind == "ManagedClusterAddOn" || key.kind == "ManifestWork" && key.name.starts_with("app-")
}

impl World {
    /// Asserts that a plan removes nothing that it should not.
    pub(super) fn judge(&mut self, plan: &Plan) {
        let writes = plan.lanes.iter().flat_map(|lane| &lane.writes);
        let deleted: Vec<&ObjectKey> = writes
            .filter_map(|write| match write {
                Write::Delete { key, .. } => Some(key),
                _ => None,
            })
            .collect();
        let departures: Vec<&ObjectKey> = deleted
            .iter()
            .filter(|key| is_install(key) && self.has_something(key) && !self.keeps_works(key, &deleted))
            .copied()
            .collect();
        let there = self.hub.of_kind("ManagedClusterAddOn").count();
        for key in &deleted {
            assert!(
                key.kind != "ClusterManagementAddOn" || there == 0,
                "{there} clusters still have what {key} declares"
            );
        }
        if departures.is_empty() {
            return;
        }
        let is_removed = |addon: &AddonReport| addon.clusters.values().any(|it| it.state == ClusterState::Removing);
        let (name, addon) = plan.report.addons.iter().find(|(_, addon)| is_removed(addon)).unwrap();
        self.judge_brake(addon);
        for key in departures {
            self.judge_departure((name, addon), key);
            self.records.lost.insert(key.namespace.clone());
        }
    }

    /// Returns `true` if a plan deletes one work of an application and keeps others in the same cluster.
    fn keeps_works(&self, work: &ObjectKey, deleted: &[&ObjectKey]) -> bool {
        let works = self.hub.of_kind("ManifestWork").map(|(key, _)| key);
        let mut others = works.filter(|key| key.namespace == work.namespace && is_install(key));
        work.kind == "ManifestWork" && others.any(|key| !deleted.contains(&key))
    }

    /// Returns `true` if a cluster was ever assigned anything. Otherwise, nothing is uninstalled with its add-on.
    fn has_something(&self, key: &ObjectKey) -> bool {
        let object = self.hub.object(key).unwrap();
        let has_works = self.hub.of_kind("ManifestWork").any(|(work, _)| work.namespace == key.namespace);
        let references = object["status"]["configReferences"].as_array();
        has_works || references.is_some_and(|references| !references.is_empty())
    }

    fn judge_brake(&self, addon: &AddonReport) {
        let installs = self.hub.of_kind("ManagedClusterAddOn").chain(self.hub.of_kind("ManifestWork"));
        let ours = installs.filter(|(key, object)| {
            let owner = &object["metadata"]["labels"][key::INSTANCE_LABEL];
            is_install(key) && owner == crate::instance::instance().id.as_str()
        });
        let prune = &self.repository.settings.prune;
        let limit = (ours.count() * usize::from(prune.max_percent)).div_ceil(100).min(prune.max_clusters);
        let leaving = addon.counts().leaving;
        let is_confirmed = addon.removal.as_ref().is_some_and(|hold| !hold.is_open());
        assert!(leaving <= limit || is_confirmed, "{leaving} clusters lose the add-on, but only {limit} may");
    }

    fn judge_departure(&self, (name, addon): (&UnitName, &AddonReport), key: &ObjectKey) {
        let object = self.hub.object(key).unwrap();
        assert_eq!(
            object["metadata"]["labels"][key::INSTANCE_LABEL],
            crate::instance::instance().id.as_str(),
            "{key} belongs to another instance"
        );
        let cluster: ClusterName = key.namespace.parse().unwrap();
        let report = &addon.clusters[&cluster];
        assert_eq!(report.state, ClusterState::Removing, "{key}");
        assert!(!self.selects(name, &cluster), "{key} is selected");
        if self.repository.settings.semantics == Semantics::Strict {
            let strategies: BTreeMap<&str, &str> =
                addon.placements.iter().map(|p| (p.placement.as_str(), p.strategy.as_str())).collect();
            let is_per_group = strategies.values().all(|strategy| *strategy == "ProgressivePerGroup");
            // A cluster whose group is not known comes last.
            let order = |report: &ClusterReport| report.group.unwrap_or(i32::MAX);
            let earlier = addon.clusters.iter().find(|(_, other)| {
                let is_before = other.placement == report.placement && order(other) < order(report);
                other.state == ClusterState::Leaving && is_before
            });
            assert!(!is_per_group || earlier.is_none(), "{key} is removed before {earlier:?}");
        }
    }

    /// Returns `true` if a placement of the add-on selects a cluster, by its labels or by the decisions of the hub. Asserts that these are
    /// complete.
    fn selects(&self, name: &UnitName, cluster: &ClusterName) -> bool {
        let Some(addon) = self.repository.addons.get(name) else { return false };
        let fleet = self.hub.fleet();
        let used = addon.parts().iter();
        let mut is_selected = false;
        for placement in used {
            let name = tidegate_model::name::NamespacedName::new(&placement.namespace, &placement.name);
            is_selected |= match self.mode {
                PlacementMode::Hub => {
                    let decisions = || fleet.decisions.values().map(|decision| &**decision);
                    let contradiction = contradiction(&fleet.placements[&name], decisions());
                    assert_eq!(contradiction, None, "{cluster} is judged by a partial reading of {name}");
                    let groups = read_decisions(decisions(), &name).unwrap();
                    groups.iter().any(|group| group.clusters.contains(cluster))
                }
                PlacementMode::Builtin => {
                    let declared = &self.repository.objects[&ObjectKey::new(
                        "cluster.open-cluster-management.io",
                        "Placement",
                        &name.namespace,
                        &name.name,
                    )];
                    let region = declared
                        .object
                        .pointer("/spec/predicates/0/requiredClusterSelector/labelSelector/matchLabels/region");
                    let labels = fleet.clusters.get(cluster).and_then(|cluster| cluster.metadata.labels.clone());
                    let is_there = labels.is_some();
                    let has = labels.and_then(|labels| labels.get("region").cloned());
                    is_there && region.is_none_or(|region| region.as_str() == has.as_deref())
                }
            };
        }
        is_selected
    }
}

//! Rules on works and successes: a work changes only after its cluster's status, and every success needs proof.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::acknowledged;
use super::configs::Configs;
use super::progress::conditions;
use super::ready::{Keeping, is_enough, keeping};
use super::snapshot::{Known, Snapshot};
use super::violation::{Lack, Violation};
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_delivery::upstream::is_assigned;
use tidegate_model::json_text::JsonText;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::ObjectKey;

/// The works of an add-on on a cluster, by name.
type Works<'a> = BTreeMap<&'a str, &'a Arc<ManifestWork>>;

/// One add-on on one cluster between two observations.
struct Case<'a> {
    addon: &'a UnitName,
    cluster: &'a ClusterName,
    /// The add-on as last seen.
    was: Option<&'a ManagedClusterAddOn>,
    is: &'a ManagedClusterAddOn,
    works_before: Works<'a>,
    works_after: Works<'a>,
    /// The add-on as the hub had it, and has it now. They differ from the others only where OCM's add-on manager delivers.
    reported: [Option<&'a ManagedClusterAddOn>; 2],
}

/// Judges the works of an add-on and the successes it reports.
pub(super) fn violations(addon: &UnitName, before: &Snapshot, after: &Snapshot, known: &Known) -> Vec<Violation> {
    let is_strict = before.is_strict && after.is_strict;
    let mut found = Vec::new();
    for (cluster, is) in after.on_clusters(addon).filter(|(_, is)| is.metadata.deletion_timestamp.is_none()) {
        let was = known.get(addon).and_then(|known| known.get(cluster));
        let (works_before, works_after) = (before.works(addon, cluster), after.works(addon, cluster));
        if was.is_some_and(|was| Arc::ptr_eq(was, is)) && are_same(&works_before, &works_after) {
            continue;
        }
        let was = was.map(|was| &**was).filter(|was| was.metadata.uid == is.metadata.uid);
        let reported = [before.reported(addon, cluster), after.reported(addon, cluster)];
        let case = Case { addon, cluster, was, is, works_before, works_after, reported };
        let is_delivered = is_assigned(is);
        if after.follows_manager(addon, is) {
            // OCM's add-on manager writes it, and Tidegate has not taken anything from it yet.
            continue;
        }
        if !is_delivered {
            found.extend(case.works_ahead());
        }
        found.extend(case.unproven_success(is_strict));
    }
    found
}

fn are_same(before: &Works<'_>, after: &Works<'_>) -> bool {
    before.len() == after.len() && before.iter().zip(after).all(|(a, b)| a.0 == b.0 && Arc::ptr_eq(a.1, b.1))
}

impl Case<'_> {
    /// A work that changed must carry the configurations assigned to its cluster. An unchanged work may be out of date:
    /// the status is written first.
    fn works_ahead(&self) -> Vec<Violation> {
        let carried = |work: &Arc<ManifestWork>| Configs::carried(work);
        let is_other = |name: &str, work: &Arc<ManifestWork>| {
            self.works_before.get(name).is_none_or(|before| carried(before) != carried(work))
        };
        let assigned = Configs::assigned(self.is);
        let assigned_before = self.was.map(Configs::assigned);
        let is_assigned = |carried: &Option<Configs>| *carried == Some(assigned.clone()) || *carried == assigned_before;
        let ahead = self.works_after.iter().filter(|(name, work)| is_other(name, work) && !is_assigned(&carried(work)));
        ahead
            .map(|(name, work)| Violation::WorkAheadOfStatus {
                addon: self.addon.clone(),
                cluster: self.cluster.clone(),
                work: (*name).to_owned(),
                carried: carried(work),
                assigned: assigned.clone(),
            })
            .collect()
    }

    fn unproven_success(&self, is_strict: bool) -> Option<Violation> {
        let claimed = self.claimed()?;
        let lack = if is_assigned(self.is) {
            let [before, after] = self.reported.map(|reported| reported.and_then(acknowledged::lack));
            before.and(after)
        } else {
            let is_proven = lack(&self.works_after, &claimed).is_none();
            self.lacked_before(&claimed).filter(|_| !is_proven)
        };
        let lack = lack.or_else(|| self.lacks_health().filter(|_| is_strict))?;
        Some(Violation::UnprovenSuccess { addon: self.addon.clone(), cluster: self.cluster.clone(), claimed, lack })
    }

    /// Earlier evidence from works proves nothing if the works have been rewritten since.
    fn lacked_before(&self, claimed: &Configs) -> Option<Lack> {
        let generation = |works: &Works<'_>, name: &str| works.get(name).and_then(|work| work.metadata.generation);
        let is_rewritten = |name: &str| generation(&self.works_before, name) != generation(&self.works_after, name);
        let rewritten =
            self.works_before.keys().find(|name| self.works_after.contains_key(*name) && is_rewritten(name));
        lack(&self.works_before, claimed).or_else(|| rewritten.map(|name| Lack::Rewritten { work: (*name).to_owned() }))
    }

    /// Returns the configurations that the cluster is newly reported to have completed.
    fn claimed(&self) -> Option<Configs> {
        let before = self.was.map(Configs::completed).unwrap_or_default();
        let mut claimed = Configs::completed(self.is);
        claimed.0.retain(|name, hash| before.0.get(name) != Some(hash));
        let is_completed = |addon: &ManagedClusterAddOn| {
            condition::find(conditions(addon), key::PROGRESSING).is_some_and(|c| c.reason == "Completed")
        };
        if is_completed(self.is) && !self.was.is_some_and(is_completed) && !self.is.config_references().is_empty() {
            claimed.0.extend(Configs::assigned(self.is).0);
        }
        (!claimed.0.is_empty()).then_some(claimed)
    }

    /// Where OCM's add-on manager delivers, it changes the condition by itself, so the success may be claimed from the one before.
    fn lacks_health(&self) -> Option<Lack> {
        if self.addon.addon().is_none() {
            // Only its works show how it is.
            return unready(&self.works_before).and(unready(&self.works_after));
        }
        if !is_assigned(self.is) {
            return lacks_health(self.is);
        }
        let [before, after] = self.reported.map(|reported| reported.and_then(lacks_health));
        before.and(after)
    }
}

fn lacks_health(addon: &ManagedClusterAddOn) -> Option<Lack> {
    let available = condition::find(conditions(addon), key::AVAILABLE).map(|c| c.status.clone()).unwrap_or_default();
    (available != "True").then_some(Lack::Health { available })
}

/// Returns a work with a workload that is not reported as ready: with too few replicas, or a Job or Rollout that is not complete.
fn unready(works: &Works<'_>) -> Option<Lack> {
    let is_ready = |work: &ManifestWork, manifest: &Value| {
        let key = ObjectKey::of(manifest);
        let statuses = work.status.as_ref().and_then(|status| status.resource_status.as_ref());
        let mut reports = statuses.into_iter().flat_map(|statuses| &statuses.manifests);
        let report = reports.find(|report| Some(report.resource_meta.key()) == key);
        let values = report.and_then(|report| report.status_feedback.as_ref()).into_iter().flat_map(|f| &f.values);
        let keeping = report.map_or(Keeping::Exactly, |report| keeping(work, &report.resource_meta));
        is_enough((manifest, keeping), &values.collect::<Vec<_>>())
    };
    let manifests = |work: &ManifestWork| -> Vec<Value> {
        let manifests = work.spec.workload.iter().flat_map(|workload| &workload.manifests);
        manifests.map(JsonText::value).collect()
    };
    let is_well = |work: &ManifestWork| manifests(work).iter().all(|manifest| is_ready(work, manifest));
    let unready = works.iter().find(|(_, work)| !is_well(work))?;
    Some(Lack::Health { available: format!("the report of work {}", unready.0) })
}

/// Returns what is missing for the works to prove that a cluster runs the claimed configurations.
fn lack(works: &Works<'_>, claimed: &Configs) -> Option<Lack> {
    if works.is_empty() {
        return Some(Lack::Work);
    }
    works.iter().find_map(|(name, work)| {
        let carried = Configs::carried(work);
        let carries = |(config, hash): (&String, &String)| {
            carried.as_ref().is_some_and(|carried| !hash.is_empty() && carried.0.get(config) == Some(hash))
        };
        if !claimed.0.iter().all(carries) {
            return Some(Lack::Configuration { work: (*name).to_owned(), carried });
        }
        [key::APPLIED, key::AVAILABLE].into_iter().find_map(|type_| unconfirmed(name, work, type_))
    })
}

fn unconfirmed(name: &str, work: &ManifestWork, type_: &'static str) -> Option<Lack> {
    let generation = work.metadata.generation.unwrap_or_default();
    let conditions = work.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default();
    let condition = condition::find(conditions, type_);
    let confirmed = condition.and_then(|c| c.observed_generation);
    let is_confirmed = condition.is_some_and(|c| c.status == "True") && confirmed == Some(generation);
    let work = name.to_owned();
    (!is_confirmed).then_some(Lack::Confirmation { work, condition: type_, generation, confirmed })
}

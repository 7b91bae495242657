//! The rule on what users have stored: a work of an application is deleted only once its cluster is known to keep it.

use std::sync::Arc;

use serde_json::Value;

use super::snapshot::Snapshot;
use super::violation::Violation;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::mark::Mark;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::ObjectKey;

/// The kinds that clusters keep, with their resources.
const DATA: [(&str, &str, &str); 3] = [
    ("", "Namespace", "namespaces"),
    ("", "PersistentVolumeClaim", "persistentvolumeclaims"),
    ("apiextensions.k8s.io", "CustomResourceDefinition", "customresourcedefinitions"),
];

/// Judges the works of applications that were deleted.
pub(super) fn violations(before: &Snapshot, after: &Snapshot) -> Vec<Violation> {
    let applications = before.fleet.works.iter().filter(|(unit, _)| unit.addon().is_none());
    let works =
        applications.flat_map(|(unit, clusters)| clusters.iter().map(move |(cluster, works)| (unit, cluster, works)));
    let there = works.filter(|(_, cluster, _)| after.fleet.clusters.contains_key(*cluster));
    let lost = |(unit, cluster, name, work): (&UnitName, &ClusterName, &String, &Arc<ManifestWork>)| {
        let now = after.fleet.works.get(unit).and_then(|works| works.get(cluster)?.get(name));
        let is_deleted = now.is_none_or(|now| now.metadata.deletion_timestamp.is_some());
        let is_ours = Mark::of(&work.metadata).is_some_and(|mark| mark.is_of(&before.instance));
        let object = lost(work).filter(|_| is_deleted && is_ours && work.metadata.deletion_timestamp.is_none())?;
        Some(Violation::DataLost { addon: unit.clone(), cluster: cluster.clone(), object: Box::new(object) })
    };
    there
        .flat_map(|(unit, cluster, works)| works.iter().map(move |(name, work)| (unit, cluster, name, work)))
        .filter_map(lost)
        .collect()
}

/// Returns an object that its cluster deletes together with a work, as far as it is known.
fn lost(work: &ManifestWork) -> Option<ObjectKey> {
    let applied = work.status.as_ref().and_then(|status| condition::find(&status.conditions, key::APPLIED));
    let is_seen = applied.is_some_and(|applied| applied.observed_generation == work.metadata.generation);
    let objects = work.spec.workload.as_ref().map(|workload| workload.objects()).unwrap_or_default();
    let data = |object: &Value| {
        let key = ObjectKey::of(object)?;
        let (.., resource) = DATA.into_iter().find(|(group, kind, _)| (*group, *kind) == (&*key.group, &*key.kind))?;
        let may_go =
            object.pointer("/metadata/annotations").is_some_and(|all| all.get(key::DELETE_WITH_UNIT).is_some());
        let stays = is_seen && is_orphaned(work, &key, resource);
        (!may_go && !stays).then_some(key)
    };
    let was_seen = work.status.is_some() || work.metadata.finalizers.iter().flatten().next().is_some();
    objects.iter().filter(|_| was_seen).find_map(data)
}

fn is_orphaned(work: &ManifestWork, object: &ObjectKey, resource: &str) -> bool {
    let Some(option) = &work.spec.delete_option else { return false };
    let mut rules = option.selectively_orphans.iter().flat_map(|rules| &rules.orphaning_rules);
    option.propagation_policy == "Orphan"
        || option.propagation_policy == "SelectivelyOrphan"
            && rules.any(|rule| {
                (&rule.group, &*rule.resource, &rule.namespace, &rule.name)
                    == (&object.group, resource, &object.namespace, &object.name)
            })
}

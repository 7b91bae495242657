//! The batch with which a cluster starts.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use tidegate_api::ocm::manifest_work::{ManifestCondition, ManifestWork};
use tidegate_model::object::ObjectKey;

use crate::go_object::unstructured::raw_manifests;
use crate::health::values::number;
use crate::template::batches::{Batch, Batches};
use crate::works::feedback::{DESIRED, READY, THERE};

/// Returns the index of the batch with which a cluster starts that gets this content: the first one, unless some replicas are not ready.
///
/// A batch is done once all replicas are ready, so a version that repairs them could not be delivered in batches. If no more of them are not ready than
/// an earlier version has replaced, the cluster starts with the batch that reaches all of those, and otherwise with the last one.
pub fn first_batch(content: &Value, works: &BTreeMap<String, Arc<ManifestWork>>) -> u32 {
    let of_object = |object: &Value| {
        let (batches, key) = (Batches::of(object)?, ObjectKey::of(object)?);
        let unready = unready(works, &key).filter(|unready| *unready > 0)?;
        let workloads = works.values().filter_map(|work| work.spec.workload.as_ref());
        let mut manifests = workloads.flat_map(|workload| workload.objects());
        let had = manifests.find(|manifest| ObjectKey::of(manifest).as_ref() == Some(&key));
        let had = had.and_then(|had| Batch::of(&had)).filter(|had| had.number < had.of);
        let is_known = |had: &Batch| unready <= had.replicas - had.partition;
        let reached = had.filter(is_known).and_then(|had| {
            (0..batches.last()).find(|index| batches.replicas - batches.held(*index) >= had.replicas - had.partition)
        });
        Some(reached.unwrap_or(batches.last()))
    };
    raw_manifests(content).iter().filter_map(of_object).max().unwrap_or_default()
}

/// Returns how many replicas of a workload a cluster reports as not ready; `None` if it reports none.
fn unready(works: &BTreeMap<String, Arc<ManifestWork>>, object: &ObjectKey) -> Option<i64> {
    let reports = works.values().filter_map(|work| work.status.as_ref()?.resource_status.as_ref());
    let of_object =
        reports.flat_map(|reports| &reports.manifests).filter(|report| report.resource_meta.key() == *object);
    let of_report = |report: &ManifestCondition| {
        let number = |(name, _): (&str, &str)| number(report, &[name]).ok().flatten();
        let wanted = number(DESIRED).max(number(THERE))?;
        Some(wanted - number(READY).unwrap_or_default())
    };
    of_object.filter_map(of_report).max()
}

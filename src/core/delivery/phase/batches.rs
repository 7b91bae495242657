//! Batches by partition: the controller of a StatefulSet or CloneSet replaces the replicas beyond its partition, and the partition is lowered
//! batch by batch.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use tidegate_api::key;
use tidegate_api::ocm::manifest_work::{ManifestCondition, ManifestWork};
use tidegate_model::object::ObjectKey;

use crate::go_object::unstructured::{annotation, at, raw_manifests};
use crate::health::values::number;
use crate::template::workload::{self, Kind};
use crate::works::feedback::{DESIRED, READY, THERE};

/// The batches of a workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Batches {
    kind: Kind,
    replicas: i64,
    /// The replicas of each batch.
    sizes: Vec<i64>,
}

/// A batch of a workload, and those before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Batch {
    /// All replicas of the workload.
    pub(crate) replicas: i64,
    /// The number of replicas that stay as they are until a later batch.
    pub(crate) partition: i64,
    /// Which batch it is, from 1.
    pub(crate) number: usize,
    /// The number of batches.
    pub(crate) of: usize,
}

impl Batches {
    /// Reads the batches of an object of an application, which are in an annotation; `None` if all of its replicas are one.
    pub(crate) fn of(object: &Value) -> Option<Self> {
        let sizes: Vec<i64> = serde_json::from_str(annotation(object, key::BATCHES)?).ok()?;
        let kind = workload::of_application(object).filter(|kind| partition(*kind).is_some())?;
        let replicas = at(object, ["spec", "replicas"])?.as_i64()?;
        let sum = sizes.iter().try_fold(0_i64, |sum, size| sum.checked_add(*size).filter(|_| *size > 0))?;
        (sizes.len() > 1 && sum <= replicas).then_some(Self { kind, replicas, sizes })
    }

    /// Returns the index of the last batch.
    pub(crate) fn last(&self) -> u32 {
        u32::try_from(self.sizes.len() - 1).unwrap_or(u32::MAX)
    }

    /// Returns how many replicas stay as they are while a batch is replaced, given its index. The last batch stands for all after it.
    fn held(&self, index: u32) -> i64 {
        let count = usize::try_from(index).unwrap_or(usize::MAX).saturating_add(1);
        self.replicas - self.sizes.iter().take(count).sum::<i64>()
    }

    /// Returns the object while a batch is replaced, given its index.
    pub(super) fn object(&self, object: &Arc<Value>, index: u32) -> Arc<Value> {
        let Some((pointer, member)) = partition(self.kind).filter(|_| index < self.last()) else {
            return object.clone();
        };
        let mut object = Value::clone(object);
        let strategy = object.pointer_mut(pointer).and_then(Value::as_object_mut);
        strategy.map(|strategy| strategy.insert(member.to_owned(), json!(self.held(index))));
        Arc::new(object)
    }
}

impl Batch {
    /// Returns the batch of a workload that its manifest is about; `None` if its replicas are not replaced in batches.
    pub(crate) fn of(manifest: &Value) -> Option<Self> {
        let batches = Batches::of(manifest)?;
        let (pointer, member) = partition(batches.kind)?;
        let partition = manifest.pointer(pointer)?.get(member)?.as_i64()?;
        let index = (0..batches.last()).find(|index| batches.held(*index) <= partition).unwrap_or(batches.last());
        let number = usize::try_from(index).ok()? + 1;
        Some(Self { replicas: batches.replicas, partition, number, of: batches.sizes.len() })
    }
}

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

/// Returns where a workload of a kind has its partition: the pointer to the object with it, and the name of the member.
fn partition(kind: Kind) -> Option<(&'static str, &'static str)> {
    match kind {
        Kind::StatefulSet => Some(("/spec/updateStrategy/rollingUpdate", "partition")),
        Kind::CloneSet => Some(("/spec/updateStrategy", "partition")),
        _ => None,
    }
}

//! Batches by partition: the controller of a StatefulSet or CloneSet replaces the replicas beyond its partition, and the partition is lowered
//! batch by batch.

use std::sync::Arc;

use serde_json::{Value, json};

use tidegate_api::key;

use super::workload::{self, Kind};
use crate::go_object::unstructured::{annotation, at};

/// The batches of a workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Batches {
    kind: Kind,
    pub(crate) replicas: i64,
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

    /// Returns how many replicas stay as they are while a batch is replaced, given its index. An index beyond the last batch counts as that.
    pub(crate) fn held(&self, index: u32) -> i64 {
        let count = usize::try_from(index).unwrap_or(usize::MAX).saturating_add(1);
        self.replicas - self.sizes.iter().take(count).sum::<i64>()
    }

    /// Returns the object while a batch is replaced, given its index.
    pub(crate) fn object(&self, object: &Arc<Value>, index: u32) -> Arc<Value> {
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

/// Returns where a workload of a kind has its partition: the pointer to the object with it, and the name of the member.
fn partition(kind: Kind) -> Option<(&'static str, &'static str)> {
    match kind {
        Kind::StatefulSet => Some(("/spec/updateStrategy/rollingUpdate", "partition")),
        Kind::CloneSet => Some(("/spec/updateStrategy", "partition")),
        _ => None,
    }
}

//! Who carries out the batches of a workload.

use serde_json::{Value, json};

use super::batches::Sizes;
use crate::application::parsed::set;
use crate::settings::Executor;
use tidegate_api::key;

/// Who carries out the batches of a workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carrier {
    /// The Deployment, by its own strategy.
    Strategy,
    /// Tidegate, which lowers the partition of a StatefulSet batch by batch.
    StatefulSet,
    /// Tidegate, which lowers the partition of a CloneSet batch by batch.
    CloneSet,
    /// The controller of `standard.oam.dev` on the cluster, which makes the workload.
    Controller,
}

impl Carrier {
    /// Returns who carries out the batches of a workload.
    ///
    /// # Errors
    /// Why it has none, after the kind of the workload in a message.
    pub(super) fn of(executor: Executor, workload: &Value) -> Result<Self, &'static str> {
        let text = |member: &str| workload.get(member).and_then(Value::as_str).unwrap_or_default();
        match (executor, text("apiVersion"), text("kind")) {
            (Executor::Strategy, "apps/v1", "Deployment") => Ok(Self::Strategy),
            (Executor::Strategy, "apps/v1", "StatefulSet") => Ok(Self::StatefulSet),
            (Executor::Strategy, "apps.kruise.io/v1alpha1", "CloneSet") => Ok(Self::CloneSet),
            (Executor::Standard, "apps/v1", "Deployment") => Ok(Self::Controller),
            (Executor::Standard, "apps.kruise.io/v1alpha1", "CloneSet") => Ok(Self::Controller),
            (Executor::Standard, "apps/v1", "StatefulSet") => Err(
                "whose batches are carried out by its partition; set rollout = \"strategy\" in section [applications] of tidegate.toml, or remove the \
                 trait",
            ),
            (_, "apps/v1", "DaemonSet") => {
                Err("whose size is that of its cluster; write a k8s-update-strategy instead")
            }
            _ => Err("which has no batches; remove the trait"),
        }
    }

    /// Returns what the workload sets although the batches set it, and the property of the trait that does; `None` if nothing.
    pub(super) fn conflict(self, workload: &Value) -> Option<(&'static str, &'static str)> {
        let has = |pointer: &str| workload.pointer(pointer).is_some();
        let is_on_delete = || workload.pointer("/spec/updateStrategy/type") == Some(&json!("OnDelete"));
        match self {
            _ if has("/spec/replicas") => Some(("targetSize", "the number of replicas")),
            Self::Strategy if has("/spec/strategy") => Some(("rolloutBatches", "the update strategy")),
            Self::StatefulSet if is_on_delete() => Some(("rolloutBatches", "the update strategy")),
            Self::StatefulSet if has("/spec/updateStrategy/rollingUpdate/partition") => {
                Some(("rolloutBatches", "the partition"))
            }
            Self::CloneSet if has("/spec/updateStrategy/partition") => Some(("rolloutBatches", "the partition")),
            _ => None,
        }
    }

    /// Adds the batches to the workload. A last batch that is not the last one of all leaves the other replicas as they are.
    pub(super) fn apply(self, workload: &mut Value, (sizes, target): (&Sizes, i64), last: Option<usize>) {
        let sizes = sizes.each.get(..=last.unwrap_or(usize::MAX - 1)).unwrap_or(&sizes.each);
        let partition = json!(target - sizes.iter().sum::<i64>());
        match self {
            Self::Strategy => {
                let rolling = json!({ "maxSurge": sizes.iter().max(), "maxUnavailable": 0 });
                set(workload, &["spec", "strategy"], json!({ "type": "RollingUpdate", "rollingUpdate": rolling }));
            }
            Self::StatefulSet => {
                set(workload, &["spec", "updateStrategy", "type"], json!("RollingUpdate"));
                set(workload, &["spec", "updateStrategy", "rollingUpdate", "partition"], partition);
            }
            Self::CloneSet => set(workload, &["spec", "updateStrategy", "partition"], partition),
            Self::Controller => return,
        }
        set(workload, &["spec", "replicas"], json!(target));
        if self.is_by_partition() && sizes.len() > 1 {
            set(workload, &["metadata", "annotations", key::BATCHES], json!(json!(sizes).to_string()));
        } else if let Some(Value::Object(annotations)) = workload.pointer_mut("/metadata/annotations") {
            annotations.remove(key::BATCHES);
        }
    }

    /// Returns `true` if Tidegate lowers a partition.
    pub(super) fn is_by_partition(self) -> bool {
        matches!(self, Self::StatefulSet | Self::CloneSet)
    }
}

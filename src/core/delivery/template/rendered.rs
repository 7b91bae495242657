//! The rendered objects of an add-on on one cluster.

use std::sync::Arc;

use serde_json::Value;

use tidegate_api::ocm::manifest_work::ResourceIdentifier;

use super::hook;
use super::workload;
use super::workload::Kind;
use crate::condition::ready_when::Conditioned;

/// The rendered objects of an add-on on one cluster.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rendered {
    /// The objects, in the order of the template. Objects that are the same for all clusters are shared.
    pub objects: Vec<Arc<Value>>,
    /// The Deployments and DaemonSets among the objects; for an application, StatefulSets, CloneSets, Jobs and Rollouts as well.
    pub workloads: Vec<ResourceIdentifier>,
    /// The [`Rendered::workloads`] whose status determines the health of the add-on: all except those with 0
    /// replicas.
    pub probes: Vec<ResourceIdentifier>,
    /// The objects of an application with conditions of their own, which also determine its health.
    pub conditioned: Vec<Conditioned>,
}

impl Rendered {
    /// Returns the objects to deploy, in the order of the template.
    pub fn deploy(&self) -> impl Iterator<Item = &Value> {
        self.objects.iter().map(Arc::as_ref).filter(|object| !hook::is_hook(object))
    }

    /// Returns the Jobs and Pods that run before the add-on is deleted, in the order of the template.
    pub fn hooks(&self) -> impl Iterator<Item = &Value> {
        self.objects.iter().map(Arc::as_ref).filter(|object| hook::is_hook(object))
    }

    /// Appends an object; `workload` is its kind, if it is a workload.
    pub(crate) fn push(&mut self, object: Arc<Value>, workload: Option<Kind>) {
        if let Some(kind) = workload {
            let identifier = workload::identifier(kind, &object);
            if workload::is_probed(kind, &object) {
                self.probes.push(identifier.clone());
            }
            self.workloads.push(identifier);
        }
        self.objects.push(object);
    }
}

/// Collects objects that need no rendering. Workloads are recognized, but not converted.
impl FromIterator<Value> for Rendered {
    fn from_iter<T: IntoIterator<Item = Value>>(objects: T) -> Self {
        let mut rendered = Self::default();
        for object in objects {
            let workload = workload::readable(&object);
            rendered.push(Arc::new(object), workload);
        }
        rendered
    }
}

//! Deployments and DaemonSets: the objects that are decorated, and whose health is read back.

use serde_json::Value;

use tidegate_api::ocm::manifest_work::ResourceIdentifier;

use crate::go_object::shape;
use crate::go_object::shape::Mismatch;
use crate::go_object::unstructured::{GroupVersionKind, at, text};

/// API group of the workloads.
pub(super) const GROUP: &str = "apps";

/// A kind of workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Deployment,
    DaemonSet,
}

impl Kind {
    /// Returns the plural resource name.
    pub(crate) fn resource(self) -> &'static str {
        match self {
            Self::Deployment => "deployments",
            Self::DaemonSet => "daemonsets",
        }
    }

    /// Converts a workload as a Go client does that reads and writes it.
    ///
    /// # Errors
    /// [`Mismatch`] if it cannot be read as a workload of the kind.
    pub(crate) fn conform(self, object: &mut Value) -> Result<(), Mismatch> {
        match self {
            Self::Deployment => shape::DEPLOYMENT.conform(object),
            Self::DaemonSet => shape::DAEMON_SET.conform(object),
        }
    }
}

/// Returns the kind of workload that an object claims to be, in any version of group `apps`.
pub(crate) fn kind(object: &Value) -> Option<Kind> {
    let GroupVersionKind { group, kind, .. } = GroupVersionKind::of(object);
    match kind {
        "Deployment" if group == GROUP => Some(Kind::Deployment),
        "DaemonSet" if group == GROUP => Some(Kind::DaemonSet),
        _ => None,
    }
}

/// Returns the kind of a workload that can be read as one.
pub(super) fn readable(object: &Value) -> Option<Kind> {
    kind(object).filter(|kind| kind.conform(&mut object.clone()).is_ok())
}

/// Returns the identifier of a workload as used in works.
pub(crate) fn identifier(kind: Kind, object: &Value) -> ResourceIdentifier {
    ResourceIdentifier {
        group: GROUP.to_owned(),
        resource: kind.resource().to_owned(),
        name: text(object, ["metadata", "name"]).to_owned(),
        namespace: text(object, ["metadata", "namespace"]).to_owned(),
    }
}

/// Returns `true` if the status of a workload is meaningful, which it is not for a Deployment with 0 wanted replicas.
pub(super) fn is_probed(kind: Kind, object: &Value) -> bool {
    kind == Kind::DaemonSet || at(object, ["spec", "replicas"]).and_then(Value::as_i64) != Some(0)
}

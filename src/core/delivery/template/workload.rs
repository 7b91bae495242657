//! Workloads: the objects whose health is read back. Those of add-ons are Deployments and DaemonSets, which are also decorated.

use serde_json::Value;

use tidegate_api::ocm::manifest_work::{ManifestResourceMeta, ResourceIdentifier};

use crate::go_object::shape;
use crate::go_object::shape::Mismatch;
use crate::go_object::unstructured::{GroupVersionKind, at, text};

/// API group of the workloads of add-ons.
pub(super) const GROUP: &str = "apps";
/// API group of the workloads of OpenKruise.
const KRUISE: &str = "apps.kruise.io";

/// A kind of workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Deployment,
    DaemonSet,
    /// Of applications only.
    StatefulSet,
    /// Of OpenKruise, and of applications only.
    CloneSet,
    /// Of applications only.
    Job,
    /// Of `standard.oam.dev`, and of applications only.
    Rollout,
    /// Of Argo Rollouts, and of applications only.
    ArgoRollout,
    /// Of OpenKruise, and of applications only.
    KruiseRollout,
}

impl Kind {
    const ALL: [Self; 8] = [
        Self::Deployment,
        Self::DaemonSet,
        Self::StatefulSet,
        Self::CloneSet,
        Self::Job,
        Self::Rollout,
        Self::ArgoRollout,
        Self::KruiseRollout,
    ];

    /// Returns the API group.
    pub(crate) fn group(self) -> &'static str {
        match self {
            Self::Deployment | Self::DaemonSet | Self::StatefulSet => GROUP,
            Self::CloneSet => KRUISE,
            Self::Job => "batch",
            Self::Rollout => "standard.oam.dev",
            Self::ArgoRollout => "argoproj.io",
            Self::KruiseRollout => "rollouts.kruise.io",
        }
    }

    /// Returns the kind of the workload with an identifier.
    pub(crate) fn of(group: &str, resource: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.group() == group && kind.resource() == resource)
    }

    /// Returns the kind of a reported object. An agent that names no kind is known by the resource.
    ///
    /// # Source
    /// OCM's work agent takes the kind from the manifest, and asks the API server for the resource, which is empty if it does not know the kind.
    pub(crate) fn of_report(meta: &ManifestResourceMeta) -> Option<Self> {
        if meta.kind.is_empty() {
            return Self::of(&meta.group, &meta.resource);
        }
        Self::ALL.into_iter().find(|kind| kind.group() == meta.group && kind.name() == meta.kind)
    }

    /// Returns the name of the kind.
    fn name(self) -> &'static str {
        match self {
            Self::Deployment => "Deployment",
            Self::DaemonSet => "DaemonSet",
            Self::StatefulSet => "StatefulSet",
            Self::CloneSet => "CloneSet",
            Self::Job => "Job",
            Self::Rollout | Self::ArgoRollout | Self::KruiseRollout => "Rollout",
        }
    }

    /// Returns the plural resource name.
    pub(crate) fn resource(self) -> &'static str {
        match self {
            Self::Deployment => "deployments",
            Self::DaemonSet => "daemonsets",
            Self::StatefulSet => "statefulsets",
            Self::CloneSet => "clonesets",
            Self::Job => "jobs",
            Self::Rollout | Self::ArgoRollout | Self::KruiseRollout => "rollouts",
        }
    }

    /// Returns `true` if a workload of this kind completes, or fails.
    pub(crate) fn runs_once(self) -> bool {
        matches!(self, Self::Job | Self::Rollout | Self::ArgoRollout | Self::KruiseRollout)
    }

    /// Converts a workload as a Go client does that reads and writes it.
    ///
    /// # Errors
    /// [`Mismatch`] if it cannot be read as a workload of the kind.
    pub(crate) fn conform(self, object: &mut Value) -> Result<(), Mismatch> {
        match self {
            Self::Deployment => shape::DEPLOYMENT.conform(object),
            Self::DaemonSet => shape::DAEMON_SET.conform(object),
            Self::StatefulSet
            | Self::CloneSet
            | Self::Job
            | Self::Rollout
            | Self::ArgoRollout
            | Self::KruiseRollout => Ok(()),
        }
    }
}

/// Returns the kind of a workload of an application. A Job that is suspended does nothing, so that nothing can be read back.
pub(crate) fn of_application(object: &Value) -> Option<Kind> {
    let GroupVersionKind { group, kind, .. } = GroupVersionKind::of(object);
    match (group, kind) {
        (GROUP, "StatefulSet") => Some(Kind::StatefulSet),
        (KRUISE, "CloneSet") => Some(Kind::CloneSet),
        ("batch", "Job") if at(object, ["spec", "suspend"]) != Some(&Value::Bool(true)) => Some(Kind::Job),
        (group, "Rollout") => Kind::of(group, "rollouts"),
        _ => readable(object),
    }
}

/// Returns the kind of workload of an add-on that an object claims to be, in any version of group `apps`.
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
        group: kind.group().to_owned(),
        resource: kind.resource().to_owned(),
        name: text(object, ["metadata", "name"]).to_owned(),
        namespace: text(object, ["metadata", "namespace"]).to_owned(),
    }
}

/// Returns `true` if the status of a workload is meaningful, which it is not for one with 0 wanted replicas.
pub(super) fn is_probed(kind: Kind, object: &Value) -> bool {
    matches!(kind, Kind::DaemonSet | Kind::Job | Kind::Rollout)
        || at(object, ["spec", "replicas"]).and_then(Value::as_i64) != Some(0)
}

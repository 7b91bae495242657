//! The inputs of the decisions about one unit and about one of its clusters.

use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_openapi::api::rbac::v1::RoleBinding;

use crate::input::Input;
use crate::occupants::Occupants;
use crate::report::{AddonReport, ClusterReport};
use crate::select::Selections;
use crate::upstream::copies::Copies;
use tidegate_api::fleet::Fleet;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_delivery::WorkOwner;
use tidegate_delivery::status::{Desired, Layers};
use tidegate_delivery::upstream::Delivery;
use tidegate_model::action::Lane;
use tidegate_model::name::{AddonName, ApplicationName, ClusterName, UnitName};
use tidegate_model::progress::ClusterState;
use tidegate_model::semantics::Rules;
use tidegate_model::shared::Shared;
use tidegate_repository::{Source, Unit};
use tidegate_rollout::gate::checks::Request;

/// The inputs of the decisions about one unit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'a> {
    /// The input of the whole plan.
    pub input: &'a Input<'a>,
    /// The fleet as the hub has it, without assignments in place.
    pub reported: &'a Fleet,
    /// The copies of configurations, where OCM's add-on manager delivers.
    pub copies: &'a Copies,
    /// The rules of the repository's semantics.
    pub rules: Rules,
    /// The clusters of every Placement.
    pub selections: &'a Selections,
    /// The units that have objects of an application on a cluster.
    pub occupants: &'a Occupants<'a>,
    /// The name of the unit.
    pub name: &'a UnitName,
    /// The unit as declared.
    pub unit: &'a Unit,
    /// The owner of its works.
    pub owner: &'a WorkOwner,
    /// Whether a cluster had started with the digest of the unit in the last plan. It is asked for each cluster, and takes all of them.
    pub has_begun: bool,
}

/// Returns `true` if a cluster had started with the digest of a unit in the last plan.
pub(crate) fn has_begun(input: &Input<'_>, name: &UnitName, unit: &Unit) -> bool {
    let Some(report) = input.past.report.addon(name) else { return false };
    let has_started = |cluster: &ClusterReport| match cluster.state {
        ClusterState::Waiting | ClusterState::Leaving | ClusterState::Removing | ClusterState::Removed => false,
        ClusterState::Progressing
        | ClusterState::Soaking
        | ClusterState::Succeeded
        | ClusterState::Failed
        | ClusterState::TimedOut => true,
    };
    report.digest.as_ref() == Some(&unit.digest) && report.clusters.values().any(has_started)
}

/// How a unit gets to its clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel<'a> {
    /// Tidegate writes the works of an add-on, and the status of its ManagedClusterAddOns.
    Native(&'a AddonName),
    /// OCM's add-on manager delivers an add-on. Tidegate chooses its configurations.
    Upstream,
    /// Tidegate writes works and nothing else. One of them records what the cluster was given.
    Application(&'a ApplicationName),
}

impl<'a> Context<'a> {
    /// Returns how the unit gets to its clusters.
    pub(crate) fn channel(&self) -> Channel<'a> {
        match (&self.unit.source, self.input.delivery) {
            (Source::AddOn { name, .. }, Delivery::Native) => Channel::Native(name),
            (Source::AddOn { .. }, Delivery::Upstream) => Channel::Upstream,
            (Source::Application(application), _) => Channel::Application(&application.name),
        }
    }

    /// Returns `true` if Tidegate delivers an add-on.
    pub(crate) fn is_native(&self) -> bool {
        matches!(self.channel(), Channel::Native(_))
    }

    /// Returns `true` if a cluster has nothing of the unit before it starts. Otherwise it has a ManagedClusterAddOn without configurations.
    pub(crate) fn starts_from_nothing(&self) -> bool {
        !self.is_native()
    }

    /// Returns the ClusterManagementAddOn of the unit on the hub; `None` if it has none, or does not need one.
    pub(crate) fn management(&self) -> Option<&'a ClusterManagementAddOn> {
        self.input.fleet.addons.get(self.unit.addon_name()?).map(|addon| &**addon)
    }

    /// Returns `true` if the hub has everything that the unit needs before its clusters are known.
    pub(crate) fn is_on_hub(&self) -> bool {
        matches!(self.channel(), Channel::Application(_)) || self.management().is_some()
    }

    /// Returns the add-ons of this name on all clusters, as observed.
    pub(crate) fn observed(&self) -> impl Iterator<Item = (&'a ClusterName, &'a ManagedClusterAddOn)> {
        self.input.fleet.cluster_addons.get(self.name).into_iter().flatten().map(|(name, addon)| (name, &**addon))
    }

    /// Returns the add-on on a cluster as the hub has it.
    pub(crate) fn reported(&self, cluster: &ClusterName) -> Option<&'a ManagedClusterAddOn> {
        self.reported.cluster_addons.get(self.name)?.get(cluster).map(|addon| &**addon)
    }

    /// Returns the default configurations of the add-on.
    pub(crate) fn defaults(&self) -> Layers {
        Layers::defaults(self.unit.defaults(), |reference| self.unit.spec_hash(reference))
    }

    /// Returns the works of the add-on on a cluster, as observed.
    pub(crate) fn works(&self, cluster: &ClusterName) -> &'a BTreeMap<String, Arc<ManifestWork>> {
        self.input.fleet.works.get(self.name).and_then(|works| works.get(cluster)).unwrap_or(&NO_WORKS)
    }

    /// Returns the RoleBindings of the add-on in the namespace of a cluster, as observed.
    pub(crate) fn bindings(&self, cluster: &ClusterName) -> &'a BTreeMap<String, Arc<RoleBinding>> {
        let namespaces = self.input.fleet.role_bindings.get(self.name);
        namespaces.and_then(|namespaces| namespaces.get(cluster.as_str())).unwrap_or(&NO_BINDINGS)
    }
}

/// The RoleBindings of a cluster without RoleBindings.
static NO_BINDINGS: BTreeMap<String, Arc<RoleBinding>> = BTreeMap::new();

/// The works of a cluster without works.
static NO_WORKS: BTreeMap<String, Arc<ManifestWork>> = BTreeMap::new();

/// What to do with a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// It starts now.
    Start,
    /// It keeps what it has and waits.
    Wait,
    /// It has started and is not done: its progress is watched.
    Watch,
    /// It is done, but not for long enough: its health is watched.
    Soak,
    /// It is done, and its soak time is over: it keeps what it has, even if it becomes unhealthy.
    Keep,
    /// It failed: it keeps what it has until it gets another configuration.
    Failed,
    /// It was assigned only some of its configurations and is not in the rollout: it is watched, and no work is written. Compat
    /// only.
    Leave,
}

/// One cluster, with everything that a decision about it needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'a> {
    /// Its name.
    pub name: &'a ClusterName,
    /// Its add-on, as observed.
    pub addon: &'a ManagedClusterAddOn,
    /// The cluster itself, as observed.
    pub cluster: &'a ManagedCluster,
    /// What it should have.
    pub desired: &'a Shared<Vec<Desired>>,
    /// What to do with it.
    pub action: Action,
    /// Whether condition `Configured` is set even if the cluster is under way or failed.
    pub is_configured: bool,
    /// Whether its deadline has passed. Always `false` in compat, which keeps no record of that.
    pub is_overdue: bool,
}

/// Writes for one add-on, and its report.
#[derive(Debug, Default)]
pub(crate) struct Planned {
    /// The writes.
    pub lanes: Vec<Lane>,
    /// Its report.
    pub report: Shared<AddonReport>,
    /// Other things that people should know.
    pub notices: Vec<String>,
    /// The approvals that override windows and freezes, in words.
    pub overrides: Vec<String>,
    /// What checks measure beside the plan.
    pub requests: Vec<Request>,
}

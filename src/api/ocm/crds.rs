//! The CustomResourceDefinitions of the OCM kinds, made from the types.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt as _;
use kube::core::crd::merge_crds;

use super::{
    addon_deployment_config, addon_template, cluster_management_addon, managed_cluster, managed_cluster_addon,
};
use super::{managed_cluster_set, manifest_work, placement, v1alpha1};

/// A type whose CRD versions cannot be put together. Nothing but a mistake in the types makes it happen, and a test would show it.
#[derive(Debug, thiserror::Error)]
#[error("the versions of a CRD do not fit together")]
pub struct Unmergeable(#[from] kube::core::crd::MergeError);

/// Returns the CRDs of all OCM kinds that are read or written, sorted by name.
///
/// The kinds of the add-on group are served as v1alpha1 (in which hubs store) and v1beta1.
///
/// # Errors
/// [`Unmergeable`] if two versions of a type disagree on name or scope.
pub fn all() -> Result<Vec<CustomResourceDefinition>, Unmergeable> {
    let addon_kind = |alpha, beta| merge_crds(vec![alpha, beta], "v1alpha1");
    let both = |beta: CustomResourceDefinition| {
        let mut alpha = beta.clone();
        for version in &mut alpha.spec.versions {
            version.name = "v1alpha1".to_owned();
        }
        addon_kind(alpha, beta)
    };
    let mut crds = vec![
        both(addon_deployment_config::AddOnDeploymentConfig::crd())?,
        both(addon_template::AddOnTemplate::crd())?,
        addon_kind(v1alpha1::ClusterManagementAddOn::crd(), cluster_management_addon::ClusterManagementAddOn::crd())?,
        addon_kind(v1alpha1::ManagedClusterAddOn::crd(), managed_cluster_addon::ManagedClusterAddOn::crd())?,
        managed_cluster::ManagedCluster::crd(),
        managed_cluster_set::ManagedClusterSet::crd(),
        managed_cluster_set::ManagedClusterSetBinding::crd(),
        manifest_work::ManifestWork::crd(),
        placement::Placement::crd(),
        placement::PlacementDecision::crd(),
    ];
    crds.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
    Ok(crds)
}

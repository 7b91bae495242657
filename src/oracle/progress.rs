//! Recorded cases of the add-on progressing controller and of the install progression controller.

use serde::Deserialize;
use serde_json::{Value, json};

use super::config::{object, objects, tell};
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_delivery::hook_of;
use tidegate_delivery::status::{hosting, install, progress, works};
use tidegate_model::time::Timestamp;

/// One pass of one of the controllers.
#[derive(Debug, Deserialize)]
#[serde(tag = "controller", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Case {
    AddonProgressing {
        #[serde(rename = "clusterManagementAddOn", deserialize_with = "object")]
        cluster_management_addon: ClusterManagementAddOn,
        #[serde(rename = "managedClusterAddOn", deserialize_with = "object")]
        managed_cluster_addon: Box<ManagedClusterAddOn>,
        #[serde(deserialize_with = "objects", default)]
        manifest_works: Vec<ManifestWork>,
    },
    InstallProgression {
        #[serde(rename = "clusterManagementAddOn", deserialize_with = "object")]
        cluster_management_addon: ClusterManagementAddOn,
    },
}

/// Answers a case.
pub(super) fn answer(input: &Value) -> Result<Value, serde_json::Error> {
    Ok(match Case::deserialize(input)? {
        Case::AddonProgressing { cluster_management_addon, managed_cluster_addon, manifest_works } => {
            progressing(&cluster_management_addon, &managed_cluster_addon, &manifest_works)
        }
        Case::InstallProgression { cluster_management_addon } => installing(&cluster_management_addon),
    })
}

fn progressing(addon: &ClusterManagementAddOn, cluster_addon: &ManagedClusterAddOn, all: &[ManifestWork]) -> Value {
    let mut status = cluster_addon.status.clone().unwrap_or_default();
    if install::is_managed(addon) {
        let name = cluster_addon.metadata.name.as_deref().unwrap_or_default();
        let counted = all.iter().filter(|work| hosting::is_counted(cluster_addon, work));
        let delivered = works::delivered(&hook_of(name), &status.config_references, counted);
        let progress = progress::compat(cluster_addon, &status, delivered);
        // Of times, the answer shows only whether they changed.
        progress::update(&mut status, progress.claim(), Timestamp::UNIX_EPOCH);
    }
    json!({ "managedClusterAddOn": tell::cluster_addon(cluster_addon, &status) })
}

fn installing(addon: &ClusterManagementAddOn) -> Value {
    match install::compat(addon) {
        Ok(status) => json!({ "clusterManagementAddOn": tell::addon(addon, &status) }),
        Err(error) => {
            let untouched = addon.status.clone().unwrap_or_default();
            json!({ "error": error.to_string(), "clusterManagementAddOn": tell::addon(addon, &untouched) })
        }
    }
}

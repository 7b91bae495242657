//! Finds the AddOnTemplate and the AddOnDeploymentConfig of an add-on on a cluster by the references in its status.

use tidegate_api::key;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster_addon::{AddOnConfigReference, ManagedClusterAddOn};

/// The reason why a configuration that an add-on refers to is not available.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreferenced {
    /// The reference to the AddOnTemplate has no hash, so the template has not been seen yet.
    #[error("addon {0} template desired spec hash is empty")]
    TemplateHash(String),
    /// The reference to the AddOnDeploymentConfig has no hash, so the configuration has not been seen yet.
    #[error("addon {0} deployment config desired spec hash is empty")]
    ConfigHash(String),
    /// The AddOnTemplate does not exist.
    #[error("addontemplate.{group} {0:?} not found", group = key::ADDON_GROUP)]
    Template(String),
    /// The AddOnDeploymentConfig does not exist.
    #[error("{resource}.{group} {0:?} not found", resource = key::ADDON_DEPLOYMENT_CONFIGS, group = key::ADDON_GROUP)]
    Config(String),
}

/// Returns the AddOnTemplate of an add-on on a cluster, or `None` if its status does not refer to one.
///
/// The first reference counts. Its hash must be set, but is not compared with the object that is found.
///
/// # Errors
/// [`Unreferenced::TemplateHash`] and [`Unreferenced::Template`].
///
/// # Source
/// OCM `pkg/addon/templateagent`, `getDesiredAddOnTemplateInner`.
pub fn template_of<T>(
    addon: &ManagedClusterAddOn,
    find: impl FnOnce(&ConfigReference) -> Option<T>,
) -> Result<Option<T>, Unreferenced> {
    let Some(reference) = addon.config_reference(key::ADDON_TEMPLATES) else { return Ok(None) };
    let desired = desired(reference).ok_or_else(|| Unreferenced::TemplateHash(name(addon)))?;
    find(&desired).map(Some).ok_or(Unreferenced::Template(desired.name))
}

/// Returns the AddOnDeploymentConfig of an add-on on a cluster, or `None` if its status does not refer to one.
///
/// The first reference counts. Its hash must be set, but is not compared with the object that is found.
///
/// # Errors
/// [`Unreferenced::ConfigHash`] and [`Unreferenced::Config`].
///
/// # Source
/// OCM addon-framework `GetDesiredAddOnDeploymentConfig`.
pub fn config_of<T>(
    addon: &ManagedClusterAddOn,
    find: impl FnOnce(&ConfigReference) -> Option<T>,
) -> Result<Option<T>, Unreferenced> {
    let Some(reference) = addon.config_reference(key::ADDON_DEPLOYMENT_CONFIGS) else { return Ok(None) };
    let desired = desired(reference).ok_or_else(|| Unreferenced::ConfigHash(name(addon)))?;
    find(&desired).map(Some).ok_or(Unreferenced::Config(desired.name))
}

/// Returns the referenced object, if the reference has a hash.
fn desired(reference: &AddOnConfigReference) -> Option<ConfigReference> {
    let desired = reference.desired_config.as_ref().filter(|desired| !desired.spec_hash.is_empty())?;
    Some(ConfigReference {
        group: reference.group.clone(),
        resource: reference.resource.clone(),
        namespace: desired.namespace.clone(),
        name: desired.name.clone(),
    })
}

fn name(addon: &ManagedClusterAddOn) -> String {
    addon.metadata.name.clone().unwrap_or_default()
}

//! Who else changed an object last.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ManagedFieldsEntry;

use tidegate_api::fleet::Fleet;
use tidegate_api::key::FIELD_MANAGER;
use tidegate_model::object::ObjectKey;

/// Returns the field manager that changed an object, or its status, last, apart from Tidegate. For ManifestWorks and ManagedClusterAddOns, it
/// changed the object after Tidegate's last write, or is OCM's add-on manager.
pub(super) fn last_writer(fleet: &Fleet, key: &ObjectKey, is_status: bool) -> Option<String> {
    let entries: Vec<ManagedFieldsEntry> = match key.kind.as_str() {
        "ManifestWork" => {
            let works = fleet.works.values().filter_map(|works| works.get(key.namespace.as_str()));
            works.filter_map(|works| works.get(&key.name)).find_map(|work| work.metadata.managed_fields.clone())?
        }
        "ManagedClusterAddOn" => {
            let addon = fleet.cluster_addons.get(key.name.as_str())?.get(key.namespace.as_str())?;
            addon.metadata.managed_fields.clone()?
        }
        _ => {
            let entries = fleet.declared.get(key)?.pointer("/metadata/managedFields")?;
            serde_json::from_value(entries.clone()).ok()?
        }
    };
    let is_of_part = |entry: &ManagedFieldsEntry| (entry.subresource.as_deref() == Some("status")) == is_status;
    let others =
        entries.into_iter().filter(|entry| is_of_part(entry) && entry.manager.as_deref() != Some(FIELD_MANAGER));
    others.max_by_key(|entry| entry.time.as_ref().map(|time| time.0))?.manager
}

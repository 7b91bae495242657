//! Who else changed an object last.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ManagedFieldsEntry;

use tidegate_api::fleet::Fleet;
use tidegate_api::key::FIELD_MANAGER;
use tidegate_model::object::ObjectKey;
use tidegate_model::time::Timestamp;

/// Returns the field manager that changed an object, or its status, last, apart from Tidegate. For ManifestWorks and ManagedClusterAddOns, it
/// changed the object after Tidegate's last write, or is OCM's add-on manager.
pub(super) fn last_writer(fleet: &Fleet, key: &ObjectKey, is_status: bool) -> Option<String> {
    let entries = entries(fleet, key)?;
    let is_of_part = |entry: &&ManagedFieldsEntry| (entry.subresource.as_deref() == Some("status")) == is_status;
    latest(entries.iter().filter(is_of_part).filter(|entry| !is_own(entry)))?.manager.clone()
}

/// Returns the field manager that changed a declared object last, apart from Tidegate, unless Tidegate has written the object since.
pub(super) fn changed_by(fleet: &Fleet, key: &ObjectKey) -> Option<String> {
    let entries = entries(fleet, key)?;
    let is_spec = |entry: &&ManagedFieldsEntry| entry.subresource.is_none();
    let of = |own: bool| latest(entries.iter().filter(is_spec).filter(|entry| is_own(entry) == own));
    let other = of(false)?;
    let is_newer = of(true).is_none_or(|own| time(own) <= time(other));
    other.manager.clone().filter(|_| is_newer)
}

fn latest<'a>(entries: impl Iterator<Item = &'a ManagedFieldsEntry>) -> Option<&'a ManagedFieldsEntry> {
    entries.max_by_key(|entry| time(entry))
}

fn time(entry: &ManagedFieldsEntry) -> Option<Timestamp> {
    entry.time.as_ref().map(|time| time.0)
}

fn is_own(entry: &ManagedFieldsEntry) -> bool {
    entry.manager.as_deref() == Some(FIELD_MANAGER)
}

/// Returns who owns which fields of an object.
fn entries(fleet: &Fleet, key: &ObjectKey) -> Option<Vec<ManagedFieldsEntry>> {
    match key.kind.as_str() {
        "ManifestWork" => {
            let works = fleet.works.values().filter_map(|works| works.get(key.namespace.as_str()));
            works.filter_map(|works| works.get(&key.name)).find_map(|work| work.metadata.managed_fields.clone())
        }
        "ManagedClusterAddOn" => {
            let addon = fleet.cluster_addons.get(key.name.as_str())?.get(key.namespace.as_str())?;
            addon.metadata.managed_fields.clone()
        }
        _ => {
            let entries = fleet.declared.get(key)?.pointer("/metadata/managedFields")?;
            serde_json::from_value(entries.clone()).ok()
        }
    }
}

//! The names of OCM's add-on manager.

/// Its name in its Deployment, its pods and its lease.
pub const COMPONENT: &str = "addon-manager";

/// Returns `true` if this is a field manager of the add-on manager. A client has the name of its program: `addon` in OCM's image.
pub fn is_manager(field_manager: &str) -> bool {
    field_manager == "addon" || field_manager == "ocm-addon" || field_manager.contains(COMPONENT)
}

//! The precondition of a write to an observed object.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

use tidegate_model::action::Precondition;

/// Returns the uid and resourceVersion of an observed object; `None` if it has no uid and so was never stored.
pub fn precondition(metadata: &ObjectMeta) -> Option<Precondition> {
    let uid = metadata.uid.clone()?;
    Some(Precondition { uid, resource_version: metadata.resource_version.clone() })
}

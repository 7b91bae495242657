//! Kubernetes types only: the OCM kinds that are read and written, their schemas and constants. No behavior beyond accessors.
//!
//! ```
//! use serde_json::json;
//! use tidegate_api::ocm::convert::{AddonVersion, convert};
//!
//! // `spec.supportedConfigs` of v1alpha1 is `spec.defaultConfigs` in v1beta1.
//! let mut addon = json!({
//!     "apiVersion": "addon.open-cluster-management.io/v1alpha1",
//!     "kind": "ClusterManagementAddOn",
//!     "metadata": { "name": "logging" },
//!     "spec": { "supportedConfigs": [{ "group": "", "resource": "configmaps", "defaultConfig": { "name": "base" } }] },
//! });
//! convert(&mut addon, AddonVersion::V1Beta1);
//! assert_eq!(addon["spec"]["defaultConfigs"], json!([{ "group": "", "resource": "configmaps", "name": "base" }]));
//! ```

pub mod addon_manager;
pub mod condition;
pub mod fleet;
pub mod key;
pub mod kubernetes;
pub mod lease;
pub mod mark;
pub mod object_key;
pub mod ocm;
pub mod precondition;
pub mod rollout_policy;
pub mod schema;
pub mod variable;
pub mod work_name;

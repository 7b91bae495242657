//! The properties of the policies that say how objects are applied and kept.
//!
//! # Source
//! KubeVela, `apis/core.oam.dev/v1alpha1`: `apply_once_types.go`, `garbagecollect_types.go`, `resource_policy_types.go`.

use serde::Deserialize;

/// The type of the policy with what the agent applies once.
pub(crate) const APPLY_ONCE: &str = "apply-once";
/// The type of the policy with what stays on clusters.
pub(crate) const GARBAGE_COLLECT: &str = "garbage-collect";
/// The type of the policy with what the agent does not apply.
pub(crate) const READ_ONLY: &str = "read-only";
/// The type of the policy with what the agent applies with force.
pub(crate) const TAKE_OVER: &str = "take-over";
/// The types of these policies. They apply to all clusters.
pub(crate) const OWNERSHIP: [&str; 4] = [APPLY_ONCE, GARBAGE_COLLECT, READ_ONLY, TAKE_OVER];

/// The path of a rule of an `apply-once` that something else on the cluster sets, such as `kubectl scale`.
pub(crate) const REPLICAS: &str = "spec.replicas";
/// When a rule of an `apply-once` has an effect: only while the manifest stays the same. By default, it always has.
pub(crate) const ON_STATE_KEEP: &str = "onStateKeep";

/// Which objects a rule is about: those that have one of the values in each list that is not empty.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::application) struct Selector {
    pub(in crate::application) component_names: Vec<String>,
    pub(in crate::application) component_types: Vec<String>,
    pub(in crate::application) oam_types: Vec<String>,
    pub(in crate::application) trait_types: Vec<String>,
    pub(in crate::application) resource_types: Vec<String>,
    pub(in crate::application) resource_names: Vec<String>,
}

/// The properties of a policy whose rules only select objects.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(in crate::application) struct Selecting {
    pub(in crate::application) rules: Vec<Rule>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(in crate::application) struct Rule {
    pub(in crate::application) selector: Selector,
}

/// The properties of a `garbage-collect`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(in crate::application) struct Keeping {
    pub(in crate::application) rules: Vec<KeepingRule>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(in crate::application) struct KeepingRule {
    pub(in crate::application) selector: Selector,
    pub(in crate::application) strategy: Fate,
}

/// What happens to an object that leaves the application, or whose application leaves the cluster.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::application) enum Fate {
    /// It is deleted.
    #[default]
    OnAppUpdate,
    /// It stays.
    Never,
}

/// The properties of an `apply-once`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(in crate::application) struct ApplyOnce {
    pub(in crate::application) enable: bool,
    pub(in crate::application) rules: Option<Vec<OnceRule>>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(in crate::application) struct OnceRule {
    pub(in crate::application) selector: Selector,
    pub(in crate::application) strategy: Once,
}

/// Which fields are applied once.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(in crate::application) struct Once {
    pub(in crate::application) path: Vec<String>,
    pub(in crate::application) affect: String,
}

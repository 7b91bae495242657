//! The kinds of Tidegate itself that a repository declares. They are never written to a hub.

mod check;
mod gate;
mod schema;
mod spec;

pub use self::check::{CelCheck, CheckSpec, Compare, HttpCheck, PrometheusCheck, When, WhenUnreachable};
pub use self::gate::{After, Approval, Dependency, Freeze, Limit, Scope, Window};
pub use self::spec::{
    FailureAction, Joining, Membership, OnFailure, PolicySelector, RolloutPolicy, RolloutPolicySpec, Underway,
    Unreachable, UnreachableAction,
};

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::key;
use tidegate_model::object::ObjectKey;

/// RolloutPolicies by name.
pub type PolicySet = BTreeMap<String, Arc<RolloutPolicy>>;

/// Returns `false` for a declared object that is for Tidegate only and never written to a hub.
pub fn is_of_hub(key: &ObjectKey) -> bool {
    key.group != key::TIDEGATE_GROUP
}

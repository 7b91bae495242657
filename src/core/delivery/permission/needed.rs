//! What the work agent needs to apply an object.

use k8s_openapi::api::rbac::v1::PolicyRule;
use serde_json::Value;

use super::access::{Access, allows};
use crate::go_object::unstructured::{at, text};
use tidegate_api::key::{self, RBAC_GROUP};
use tidegate_model::object::ObjectKey;

/// An object that the agent applies.
#[derive(Debug, Clone, Copy)]
pub struct Applied<'o> {
    /// The object.
    pub object: &'o Value,
    /// The name of its resource, such as `deployments`.
    pub resource: &'o str,
    /// Whether the agent watches it, and does not only read it, for the feedback.
    pub is_watched: bool,
}

/// Returns what the agent needs to apply an object and to remove it again; nothing for an object without a kind or a name. An object that
/// stays on the cluster is never deleted, except for a ControllerRevision: it stays only as long as the way back needs it, and then a
/// person removes it by a work.
///
/// # Source
/// OCM `pkg/work/spoke`: the agent reads an object, creates, updates or patches it, and deletes it with its work. Kubernetes checks
/// `escalate` or the rules of a role, and `bind` or the rules of the role of a binding.
pub fn needed(applied: Applied<'_>) -> Vec<Access> {
    let Some(ObjectKey { group, namespace, name, .. }) = ObjectKey::of(applied.object) else { return Vec::new() };
    let annotations = at(applied.object, ["metadata", "annotations"]);
    let stays = annotations.is_some_and(|annotations| annotations.get(key::DELETION_ORPHAN).is_some());
    let mut verbs = vec!["get", "create", "update", "patch"];
    if !stays || group == "apps" && applied.resource == "controllerrevisions" {
        verbs.push("delete");
    }
    if applied.is_watched {
        verbs.extend(["list", "watch"]);
    }
    let access = |resource: &str, name: &str, verb: &str| Access {
        group: group.clone(),
        resource: resource.to_owned(),
        namespace: namespace.clone(),
        name: name.to_owned(),
        verb: verb.to_owned(),
    };
    let mut all: Vec<Access> = verbs.into_iter().map(|verb| access(applied.resource, &name, verb)).collect();
    match applied.resource {
        "roles" | "clusterroles" if group == RBAC_GROUP => all.push(access(applied.resource, &name, "escalate")),
        "rolebindings" | "clusterrolebindings" if group == RBAC_GROUP => {
            let role = |field| text(applied.object, ["roleRef", field]);
            let resource = if role("kind") == "Role" { "roles" } else { "clusterroles" };
            all.push(access(resource, role("name"), "bind"));
        }
        _ => {}
    }
    all
}

/// Returns the requests that no rule allows.
pub fn missing(needed: impl IntoIterator<Item = Access>, rules: &[PolicyRule]) -> Vec<Access> {
    needed.into_iter().filter(|access| !rules.iter().any(|rule| allows(rule, access))).collect()
}

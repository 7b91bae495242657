//! Which rules of a role does Tidegate's own role contain?
//!
//! Kubernetes lets a client write or bind a role if the client has each permission of the role itself.
//!
//! # Source
//! Kubernetes `k8s.io/component-helpers/auth/rbac/validation`, `Covers`.

use k8s_openapi::api::rbac::v1::PolicyRule;

use super::permission::{PERMISSIONS, Permission};

/// Returns the rules that the role of `tidegate rbac` does not contain. A rule of which it contains only a part is returned as a whole.
pub fn missing(rules: &[PolicyRule]) -> Vec<PolicyRule> {
    rules.iter().filter(|rule| !is_covered(rule)).cloned().collect()
}

/// Returns `true` if Tidegate has each permission of a rule. Its own role contains no wildcards and no URLs.
fn is_covered(rule: &PolicyRule) -> bool {
    let (groups, resources) = (rule.api_groups.as_deref().unwrap_or(&[]), rule.resources.as_deref().unwrap_or(&[]));
    let names = rule.resource_names.as_deref().unwrap_or(&[]);
    let mut pairs = groups.iter().flat_map(|group| resources.iter().map(move |resource| (group, resource)));
    let has_urls = rule.non_resource_urls.as_ref().is_some_and(|urls| !urls.is_empty());
    !has_urls && pairs.all(|(group, resource)| rule.verbs.iter().all(|verb| has(group, resource, verb, names)))
}

/// Returns `true` if Tidegate has a verb on the objects with these names, or on all objects if there are no names.
fn has(group: &str, resource: &str, verb: &str, names: &[String]) -> bool {
    let allows = |permission: &Permission| {
        let is_named =
            permission.name.is_empty() || (!names.is_empty() && names.iter().all(|name| name == permission.name));
        permission.group == group
            && permission.resources.contains(&resource)
            && permission.verbs.contains(&verb)
            && is_named
    };
    PERMISSIONS.iter().any(allows)
}

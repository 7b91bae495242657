//! Which roles a repository may declare for the agents of its add-ons.

use k8s_openapi::api::rbac::v1::PolicyRule;
use serde_json::Value;

use crate::read::builtin::is_group;
use tidegate_api::key::{ADDON_GROUP, CLUSTER_GROUP, WORK_GROUP};

/// The verbs that change nothing.
const READING: [&str; 3] = ["get", "list", "watch"];
/// The resources of Kubernetes' own groups that agents may change in the namespace of their cluster.
const PLAIN: [(&str, &str); 5] = [
    ("", "configmaps"),
    ("", "events"),
    ("", "secrets"),
    ("coordination.k8s.io", "leases"),
    ("events.k8s.io", "events"),
];

/// What a role gives that it may not. Displays as a clause.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Harm {
    #[error("its rules are combined with those of other roles")]
    Combined,
    #[error("its rules cannot be read")]
    Unreadable,
    #[error("it allows nonResourceURLs")]
    NonResourceUrls,
    #[error("it has a rule with \"*\"")]
    Wildcard,
    #[error("it has a rule for {0}")]
    Subresource(String),
    #[error("it allows {verb} on {resource}")]
    Change { verb: String, resource: String },
}

/// Checks that a role, bound in the namespace of a cluster, gives no rights over what Tidegate and OCM write there, and none that lead to
/// others.
///
/// # Errors
/// [`Harm`]
pub(super) fn is_harmless(role: &Value) -> Result<(), Harm> {
    let is_gathered = |object: Option<&Value>| {
        object
            .and_then(Value::as_object)
            .is_some_and(|labels| labels.keys().any(|label| label.contains("aggregate-to")))
    };
    if role.get("aggregationRule").is_some_and(|rule| !rule.is_null()) || is_gathered(role.pointer("/metadata/labels"))
    {
        return Err(Harm::Combined);
    }
    let rules = role.get("rules").filter(|rules| !rules.is_null());
    let rules: Vec<PolicyRule> = match rules.map(|rules| serde_json::from_value(rules.clone())) {
        None => Vec::new(),
        Some(Ok(rules)) => rules,
        Some(Err(_)) => return Err(Harm::Unreadable),
    };
    rules.iter().try_for_each(rule)
}

fn rule(rule: &PolicyRule) -> Result<(), Harm> {
    let resources = rule.resources.as_deref().unwrap_or_default();
    let groups = rule.api_groups.as_deref().unwrap_or_default();
    if rule.non_resource_urls.as_ref().is_some_and(|urls| !urls.is_empty()) {
        return Err(Harm::NonResourceUrls);
    }
    for list in [groups, resources, rule.verbs.as_slice()] {
        if list.iter().any(|item| item.contains('*')) {
            return Err(Harm::Wildcard);
        }
    }
    let subresource = |resource: &&String| resource.contains('/') && !resource.ends_with("/status");
    if let Some(resource) = resources.iter().find(subresource).filter(|_| groups.iter().any(|group| is_group(group))) {
        return Err(Harm::Subresource(resource.clone()));
    }
    let changes: Vec<&str> = rule.verbs.iter().map(String::as_str).filter(|verb| !READING.contains(verb)).collect();
    let Some(first) = changes.first() else { return Ok(()) };
    let mut pairs =
        groups.iter().flat_map(|group| resources.iter().map(move |resource| (group.as_str(), resource.as_str())));
    match pairs.find(|pair| !may_change(pair)) {
        Some((group, resource)) => {
            let of = if group.is_empty() { String::new() } else { format!(".{group}") };
            Err(Harm::Change { verb: (*first).to_owned(), resource: format!("{resource}{of}") })
        }
        None => Ok(()),
    }
}

/// Returns `true` if agents may change a resource: one of a custom resource, or of a few plain kinds.
fn may_change(pair: &(&str, &str)) -> bool {
    let (group, _) = pair;
    let is_own = |group: &str| {
        [ADDON_GROUP, CLUSTER_GROUP, WORK_GROUP].contains(&group)
            || group.starts_with("operator.")
            || is_group(group)
            || group.ends_with(".k8s.io")
    };
    PLAIN.contains(pair) || !is_own(group)
}

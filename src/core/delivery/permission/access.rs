//! A request to the API server of a cluster, and the rules that allow it.

use std::fmt;

use k8s_openapi::api::rbac::v1::PolicyRule;
use serde::Serialize;

/// A verb on one object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Access {
    /// The API group; empty for the core group.
    pub group: String,
    /// The resource, such as `deployments` or `deployments/scale`.
    pub resource: String,
    /// The namespace; empty for an object of the whole cluster, and if it is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// The name of the object; empty for all objects, and if it is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The verb, such as `get`.
    pub verb: String,
}

impl fmt::Display for Access {
    /// Writes `get rollouts.standard.oam.dev in namespace default`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dot = if self.group.is_empty() { "" } else { "." };
        write!(f, "{} {}{dot}{}", self.verb, self.resource, self.group)?;
        if self.namespace.is_empty() { Ok(()) } else { write!(f, " in namespace {}", self.namespace) }
    }
}

/// Returns `true` if a rule allows a request. A rule with names does not allow `create`, because the name is not known when it is checked.
///
/// # Source
/// Kubernetes `plugin/pkg/auth/authorizer/rbac`, `RuleAllows`.
pub fn allows(rule: &PolicyRule, access: &Access) -> bool {
    let has =
        |list: Option<&[String]>, wanted: &str| list.into_iter().flatten().any(|item| item == "*" || item == wanted);
    let names = rule.resource_names.as_deref().unwrap_or_default();
    has(Some(&rule.verbs), &access.verb)
        && has(rule.api_groups.as_deref(), &access.group)
        && rule.resources.iter().flatten().any(|resource| is_of(resource, &access.resource))
        && (names.is_empty() || access.verb != "create" && names.contains(&access.name))
}

/// Returns `true` if a resource of a rule includes one. `*/scale` includes the subresource of every resource.
fn is_of(of_rule: &str, resource: &str) -> bool {
    let subresource = |text: &str| text.split_once('/').map(|(_, name)| name.to_owned());
    of_rule == "*" || of_rule == resource || of_rule.starts_with("*/") && subresource(of_rule) == subresource(resource)
}

//! The rules that Tidegate needs for the roles of a repository.
//!
//! Kubernetes lets a client bind a role only if the client has the permissions of the role, or may `bind` it, and write one only if it has
//! them, or may `escalate`.

use k8s_openapi::api::rbac::v1::PolicyRule;

use super::hub_roles::{DeclaredRole, HubPermission};
use crate::types::Loaded;
use tidegate_model::object::ObjectKey;

impl HubPermission {
    /// Returns the rules that Tidegate needs to bind the role, and to write it if the repository declares it.
    pub fn rules(&self) -> Vec<PolicyRule> {
        match &self.declared {
            Some(DeclaredRole { rules: Some(rules), .. }) => rules.clone(),
            Some(DeclaredRole { rules: None, .. }) => vec![on_role(&self.role, &["bind", "escalate"])],
            None => vec![on_role(&self.role, &["bind"])],
        }
    }
}

impl Loaded {
    /// Returns the rules that Tidegate needs for the roles that the repository declares and, if `binds`, for those that its templates give to
    /// agents.
    pub fn role_rules(&self, binds: bool) -> Vec<PolicyRule> {
        let roles = self.repository.objects.iter().filter(|(key, _)| key.kind == "ClusterRole");
        let declared = roles.filter_map(|(_, role)| role.object.get("rules").cloned());
        let declared = declared.filter_map(|rules| serde_json::from_value::<Vec<PolicyRule>>(rules).ok()).flatten();
        let given = self.hub_permissions.iter().filter(|permission| binds || permission.declared.is_some());
        declared.chain(given.flat_map(HubPermission::rules)).collect()
    }
}

/// Returns the rule that allows verbs on one role.
fn on_role(role: &ObjectKey, verbs: &[&str]) -> PolicyRule {
    let resource = if role.kind == "Role" { "roles" } else { "clusterroles" };
    PolicyRule {
        api_groups: Some(vec![role.group.clone()]),
        resources: Some(vec![resource.to_owned()]),
        resource_names: Some(vec![role.name.clone()]),
        verbs: verbs.iter().map(|verb| (*verb).to_owned()).collect(),
        ..PolicyRule::default()
    }
}

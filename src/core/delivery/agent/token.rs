//! The objects on the hub with which an agent requests tokens: a ServiceAccount, and the permission to create tokens for it.

use serde_json::{Value, json};

use tidegate_api::key::{self, RBAC_GROUP};
use tidegate_api::ocm::managed_cluster_addon::Registration;
use tidegate_model::instance::InstanceId;
use tidegate_model::object::ObjectKey;

use super::merge::TOKEN;
use super::registration::Agent;

/// Returns `true` if an agent uses tokens, according to what it wrote into the status of its add-on.
///
/// # Source
/// OCM `pkg/addon/controllers/addontokeninfra`: the first registration with the hub's API server decides.
pub fn uses_tokens(registrations: &[Registration]) -> bool {
    registrations.iter().find_map(|registration| registration.kube_client.as_ref()).is_some_and(|c| c.driver == TOKEN)
}

impl Agent<'_> {
    /// Returns the keys of the objects, the ServiceAccount first.
    pub fn token_keys(self) -> [ObjectKey; 3] {
        let (namespace, role) = (self.cluster.as_str(), format!("{}-token-role", self.addon));
        [
            ObjectKey::new("", "ServiceAccount", namespace, &format!("{}-agent", self.addon)),
            ObjectKey::new(RBAC_GROUP, "Role", namespace, &role),
            ObjectKey::new(RBAC_GROUP, "RoleBinding", namespace, &role),
        ]
    }

    /// Returns the objects in the order of their keys, with the marks of an instance.
    ///
    /// # Source
    /// OCM `pkg/addon/controllers/addontokeninfra`, with its labels.
    pub fn token_objects(self, instance: &InstanceId) -> [Value; 3] {
        let account = format!("{}-agent", self.addon);
        let group = |prefix: &str| json!({ "apiGroup": RBAC_GROUP, "kind": "Group", "name": format!("{prefix}open-cluster-management:{}", self.cluster) });
        let rule = |verb: &str| json!({ "apiGroups": [""], "resources": ["serviceaccounts/token"], "verbs": [verb] });
        let mut create = rule("create");
        create["resourceNames"] = json!([account]);
        let [account, role, binding] = self.token_keys().map(|key| {
            let api_version = if key.group.is_empty() { "v1".to_owned() } else { format!("{}/v1", key.group) };
            let labels = json!({
                key::TOKEN_ADDON: self.addon, key::TOKEN_INFRASTRUCTURE: "true",
                key::OWNED_LABEL: "true", key::INSTANCE_LABEL: instance.as_str(),
            });
            let metadata = json!({ "namespace": key.namespace, "name": key.name, "labels": labels });
            json!({ "apiVersion": api_version, "kind": key.kind, "metadata": metadata })
        });
        let with = |mut object: Value, fields: &[(&str, Value)]| {
            for (name, value) in fields {
                object[*name] = value.clone();
            }
            object
        };
        let reference = json!({ "apiGroup": RBAC_GROUP, "kind": "Role", "name": role["metadata"]["name"] });
        [
            account,
            with(role, &[("rules", json!([create, rule("subscribe")]))]),
            with(binding, &[("roleRef", reference), ("subjects", json!([group("system:"), group("")]))]),
        ]
    }
}

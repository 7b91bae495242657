//! The roles on the hub that the templates of a repository give to agents, with the declarations of these roles.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use k8s_openapi::api::rbac::v1::PolicyRule;
use serde::Serialize;
use serde_json::Value;

use crate::assemble::index::Index;
use crate::complaint::shared;
use crate::read::object::Object;
use crate::reference::hub_permissions::{Scope, wanted};
use tidegate_model::diagnostic::Place;
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;

/// A role that a template gives to its agents on the hub.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HubPermission {
    /// The place in the template.
    pub place: Place,
    /// The template.
    pub template: ObjectKey,
    /// The add-ons that use the template.
    #[serde(serialize_with = "shared")]
    pub addons: Arc<BTreeSet<UnitName>>,
    /// The Role or ClusterRole.
    pub role: ObjectKey,
    /// Where the agents get it.
    pub scope: Scope,
    /// The declaration of the role; `None` if the repository does not declare it.
    pub declared: Option<DeclaredRole>,
}

/// A role that the repository declares.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeclaredRole {
    /// Where it starts.
    pub place: Place,
    /// What it allows; `None` if the hub fills in its rules (`aggregationRule`), or if they cannot be read.
    pub rules: Option<Vec<PolicyRule>>,
}

/// Returns the roles that all templates give to their agents, in the order of the templates. `touched` has the add-ons of each object.
pub(crate) fn permissions(
    objects: &[Object],
    index: &Index<'_>,
    touched: &BTreeMap<ObjectKey, Arc<BTreeSet<UnitName>>>,
) -> Vec<HubPermission> {
    let mut found = Vec::new();
    for object in objects.iter().filter(|object| object.is_addon_kind("AddOnTemplate")) {
        for wanted in wanted(&object.value) {
            let Ok((role, scope)) = wanted.role else { continue };
            found.push(HubPermission {
                place: object.place_of(object.value_origin(&wanted.path)),
                template: object.key.clone(),
                addons: touched.get(&object.key).cloned().unwrap_or_default(),
                declared: index.by_key.get(&role).map(|role| declared(role)),
                role,
                scope,
            });
        }
    }
    found
}

fn declared(role: &Object) -> DeclaredRole {
    let is_aggregated = role.value.get("aggregationRule").is_some_and(|rule| !rule.is_null());
    let rules = match role.value.get("rules") {
        _ if is_aggregated => None,
        None | Some(Value::Null) => Some(Vec::new()),
        Some(rules) => serde_json::from_value(rules.clone()).ok(),
    };
    DeclaredRole { place: role.place(), rules }
}

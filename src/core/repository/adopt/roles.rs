//! The roles on the hub that templates give to their agents.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::found::{Found, User};
use crate::wanted;
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_model::object::ObjectKey;

/// Returns the roles that the templates of a hub give to their agents. The hub reports none of them unless someone asks for it.
pub fn roles(fleet: &Fleet) -> BTreeSet<ObjectKey> {
    let templates = fleet.declared.iter().filter(|(key, _)| is_template(key));
    templates.flat_map(|(_, template)| named(template)).collect()
}

/// Returns the roles that the selected templates give to their agents, with the add-ons of these templates.
pub(super) fn used(objects: &BTreeMap<ObjectKey, Found>) -> BTreeMap<ObjectKey, BTreeSet<User>> {
    let mut used: BTreeMap<ObjectKey, BTreeSet<User>> = BTreeMap::new();
    for (_, found) in objects.iter().filter(|(key, _)| is_template(key)) {
        for role in named(&found.declaration) {
            used.entry(role).or_default().extend(found.users.iter().cloned());
        }
    }
    used
}

fn is_template(key: &ObjectKey) -> bool {
    key.group == key::ADDON_GROUP && key.kind == "AddOnTemplate"
}

fn named(template: &Value) -> impl Iterator<Item = ObjectKey> {
    wanted(template).into_iter().filter_map(|wanted| wanted.role.ok()).map(|(role, _)| role)
}

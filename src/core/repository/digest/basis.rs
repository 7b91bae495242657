//! What a revision says that decides who may let changes through.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use super::scope::Scope;
use crate::policies::PlanPolicy;
use crate::types::Repository;
use crate::unit::Unit;
use tidegate_api::key;
use tidegate_consent::{Basis, Reach};
use tidegate_delivery::possible_keys;
use tidegate_go::canonical::go_json;
use tidegate_model::digest::Digest;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::ObjectKey;

/// Returns the rules of a revision, and what they select by.
///
/// # Shape
/// Two revisions have the same digest of the rules if they differ only in their layout, and in nothing that policies, people, labels and
/// annotations of clusters say. Policies as code that cannot be read count as changed.
pub fn basis(repository: &Repository) -> Basis {
    let plan_policies = match &repository.plan_policies {
        Some(policies) => policies.iter().map(|policy| (policy.name.clone(), of_policy(policy))).collect(),
        None => BTreeMap::from([(String::new(), Digest::default())]),
    };
    let reach = |name: &UnitName, addon: &Unit| Reach {
        selection: selection(repository, addon),
        objects: objects(name, addon),
    };
    let mut basis = Basis {
        rules: Digest::default(),
        people: Arc::new(repository.settings.people.clone()),
        policies: repository.policies.clone(),
        plan_policies,
        clusters: repository.clusters.clone(),
        addons: repository.addons.iter().map(|(name, addon)| (name.clone(), reach(name, addon))).collect(),
        has_errors: false,
    };
    basis.rules = of_rules(&basis);
    basis
}

fn of_rules(basis: &Basis) -> Digest {
    let clusters = basis.clusters.iter().map(|(name, cluster)| {
        let metadata = &cluster.metadata;
        (name, json!({ "labels": metadata.labels, "annotations": metadata.annotations }))
    });
    let specs: BTreeMap<_, _> = basis.policies.iter().map(|(name, policy)| (name, &policy.spec)).collect();
    digest_of(&json!({
        "people": basis.people.members_by_alias(),
        "policies": specs,
        "planPolicies": basis.plan_policies,
        "clusters": clusters.collect::<BTreeMap<_, _>>(),
    }))
}

fn of_policy(policy: &PlanPolicy) -> Digest {
    let PlanPolicy { name: _, severity, addons, rule, message, message_expression, remedy, tests: _, place: _ } =
        policy;
    digest_of(&json!([severity, addons, rule, message, message_expression, remedy]))
}

fn selection(repository: &Repository, addon: &Unit) -> Digest {
    #[derive(Serialize)]
    struct Selection<'a> {
        strategy: &'a str,
        placements: Vec<String>,
        by_hand: Vec<&'a str>,
        #[serde(flatten)]
        scope: Scope<'a>,
    }
    let strategy = addon.install_strategy();
    let selection = Selection {
        strategy: strategy.map_or("", |strategy| &strategy.type_),
        placements: addon.placements().map(|placement| placement.to_string()).collect(),
        by_hand: addon.overrides.keys().map(|cluster| cluster.as_str()).collect(),
        scope: Scope::of(repository, addon),
    };
    digest_of(&serde_json::to_value(&selection).unwrap_or_default())
}

fn digest_of(value: &Value) -> Digest {
    Digest::of(go_json(value).as_bytes())
}

/// Returns the objects that the templates of an add-on write to a cluster with any of its configurations, or those of an application.
fn objects(name: &UnitName, addon: &Unit) -> BTreeSet<ObjectKey> {
    if addon.addon_name().is_none() {
        return addon.configurations.values().flat_map(|content| written(&content.object)).collect();
    }
    let templates = addon
        .configurations
        .iter()
        .filter(|(reference, _)| reference.group == key::ADDON_GROUP && reference.resource == key::ADDON_TEMPLATES);
    let configs = || addon.configurations.values().filter_map(|config| config.deployment_config.as_deref());
    templates.flat_map(|(_, template)| possible_keys(name.as_str(), &template.object, configs())).collect()
}

/// Returns the objects that a unit writes to a cluster with any of its configurations, without Namespaces, and without those whose names depend on
/// the cluster.
pub fn known_objects(name: &UnitName, unit: &Unit) -> BTreeSet<ObjectKey> {
    let is_known = |key: &ObjectKey| [&key.kind, &key.namespace, &key.name].iter().all(|part| !part.contains('*'));
    let mut objects = objects(name, unit);
    objects.retain(is_known);
    objects
}

/// Returns the objects that a unit writes to a cluster with any of its configurations, and whose names depend on the cluster: `*` represents the name
/// of the cluster. Those about which even the kind is not known are left out.
pub fn objects_by_cluster(name: &UnitName, unit: &Unit) -> BTreeSet<ObjectKey> {
    // The names of objects of applications do not depend on the cluster.
    if unit.addon_name().is_none() {
        return BTreeSet::new();
    }
    let is_open = |key: &ObjectKey| [&key.namespace, &key.name].iter().any(|part| part.contains('*'));
    let has_kind = |key: &ObjectKey| ![&key.group, &key.kind].iter().any(|part| part.contains('*'));
    let mut objects = objects(name, unit);
    objects.retain(|key| is_open(key) && has_kind(key));
    objects
}

/// Returns `false` if the content of a unit depends on the cluster, and does not have an object on this one.
pub fn may_get(unit: &Unit, cluster: &ClusterName, object: &ObjectKey) -> bool {
    let Some(per_cluster) = &unit.per_cluster else { return true };
    let mut given = unit.configurations.iter().filter(|(reference, _)| per_cluster.has(reference, cluster));
    given.any(|(_, content)| written(&content.object).any(|found| found == *object))
}

/// Returns the objects of a template as it is written, without its namespaces: several add-ons may share one.
pub(crate) fn written(template: &Value) -> impl Iterator<Item = ObjectKey> {
    let manifests = template.pointer("/spec/agentSpec/workload/manifests").and_then(Value::as_array);
    let keys = manifests.into_iter().flatten().filter_map(ObjectKey::of);
    keys.filter(|key| !(key.group.is_empty() && key.kind == "Namespace"))
}

//! A stand-in of OCM's add-on manager in virtual time. It makes at most one step for each cluster and second, in an order that varies, so
//! that its statuses are out of date for several ticks, as they are on a hub.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_api::ocm::addon_deployment_config::AddOnDeploymentConfigSpec;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_addon::{AddOnConfigReference, ManagedClusterAddOn};
use tidegate_delivery::hook_of;
use tidegate_delivery::status::{Progress, works};
use tidegate_delivery::{Evidence, Hosting, Layout, Rendered, Template, WorkOwner};
use tidegate_go::canonical::spec_hash;
use tidegate_model::name::{AddonName, ClusterName};
use tidegate_model::object::ObjectKey;
use tidegate_model::semantics::Rules;
use tidegate_model::time::Timestamp;

use tidegate_simulation::hub::Hub;

const STEPS: usize = 5;

/// The add-on manager, with what it read of each cluster when nothing was to be written.
#[derive(Debug, Default)]
pub(super) struct Manager {
    settled: BTreeMap<ObjectKey, Vec<Option<String>>>,
}

impl Manager {
    /// Makes one step for each cluster. Returns `true` if anything was written.
    pub(super) fn run(&mut self, hub: &mut Hub, now: Timestamp) -> bool {
        let before = hub.version();
        rewrite_lifecycle(hub);
        let addons: Vec<ObjectKey> = hub.of_kind("ManagedClusterAddOn").map(|(key, _)| key.clone()).collect();
        for (number, key) in addons.into_iter().enumerate() {
            let read = versions(hub, &key);
            if self.settled.get(&key) == Some(&read) {
                continue;
            }
            let first = usize::try_from(now.as_second()).unwrap() + number * 3;
            // The next step in turn that has something to write.
            let has_written = (0..STEPS).map(|step| (first + step) % STEPS).any(|step| {
                let before = hub.version();
                made(hub, &key, step, now);
                hub.version() != before
            });
            if !has_written {
                self.settled.insert(key, read);
            }
        }
        hub.version() != before
    }
}

/// Returns the versions of everything that the steps of a cluster read.
fn versions(hub: &Hub, key: &ObjectKey) -> Vec<Option<String>> {
    let object = hub.object(key);
    let addon = ObjectKey::new(key::ADDON_GROUP, "ClusterManagementAddOn", "", &key.name);
    let cluster = ObjectKey::new(key::CLUSTER_GROUP, "ManagedCluster", "", &key.namespace);
    let references = object.and_then(|object| object["status"]["configReferences"].as_array());
    let configs = references.into_iter().flatten().map(|reference| on_hub(hub, reference));
    let objects = [object, hub.object(&addon), hub.object(&cluster)].into_iter().chain(configs);
    let version = |object: Option<&Value>| Some(object?["metadata"]["resourceVersion"].as_str()?.to_owned());
    let works = hub.fleet().works.get(key.name.as_str()).and_then(|works| works.get(key.namespace.as_str()));
    let works =
        works.into_iter().flat_map(|clusters| clusters.values()).map(|work| work.metadata.resource_version.clone());
    objects.map(version).chain(works).collect()
}

fn rewrite_lifecycle(hub: &mut Hub) {
    let addons: Vec<ObjectKey> = hub.of_kind("ClusterManagementAddOn").map(|(key, _)| key.clone()).collect();
    for key in addons {
        if hub.object(&key).unwrap()["metadata"]["annotations"][key::LIFECYCLE] == "self" {
            hub.patch(&key, &json!({ "metadata": { "annotations": { key::LIFECYCLE: "" } } }));
        }
    }
}

fn made(hub: &mut Hub, key: &ObjectKey, step: usize, now: Timestamp) {
    let Some(object) = hub.object(key).cloned() else { return };
    let addon_key = ObjectKey::new(key::ADDON_GROUP, "ClusterManagementAddOn", "", &key.name);
    let Some(addon) = hub.object(&addon_key).cloned() else { return };
    match step {
        0 => assign(hub, key, &object, &addon),
        1 => hash(hub, key, &object),
        2 => report_progress(hub, key, &object, now),
        3 => deliver(hub, key, &object),
        _ => report_health(hub, key, &object, now),
    }
}

fn references(object: &Value) -> Vec<Value> {
    object["status"]["configReferences"].as_array().cloned().unwrap_or_default()
}

/// Assigns the configurations that the layers give, without their hashes. The conditions stay.
fn assign(hub: &mut Hub, key: &ObjectKey, object: &Value, addon: &Value) {
    let lifecycle = &addon["metadata"]["annotations"][key::LIFECYCLE];
    if !lifecycle.is_null() && lifecycle != "addon-manager" {
        return;
    }
    let mut layers: BTreeMap<String, Value> = BTreeMap::new();
    for layer in [&addon["spec"]["defaultConfigs"], &object["spec"]["configs"]] {
        let named = layer.as_array().into_iter().flatten().filter(|config| config["name"] != key::RESERVED_NO_DEFAULT);
        for config in named {
            layers.insert(config["resource"].as_str().unwrap().to_owned(), config.clone());
        }
    }
    let before = references(object);
    let same = |config: &Value| {
        let is_same = |found: &&Value| {
            let desired = &found["desiredConfig"];
            let namespace = |value: &Value| value["namespace"].as_str().unwrap_or_default().to_owned();
            found["resource"] == config["resource"]
                && desired["name"] == config["name"]
                && namespace(desired) == namespace(config)
        };
        before.iter().find(is_same).cloned()
    };
    let wanted: Vec<Value> = layers
        .values()
        .map(|config| {
            same(config).unwrap_or_else(|| {
                let mut desired = json!({ "name": config["name"] });
                if let Some(namespace) = config.get("namespace") {
                    desired["namespace"] = namespace.clone();
                }
                json!({ "group": config["group"], "resource": config["resource"], "desiredConfig": desired })
            })
        })
        .collect();
    if wanted != before {
        hub.patch(key, &json!({ "status": { "configReferences": wanted } }));
    }
}

fn on_hub<'h>(hub: &'h Hub, reference: &Value) -> Option<&'h Value> {
    let kind = if reference["resource"] == "addontemplates" { "AddOnTemplate" } else { "AddOnDeploymentConfig" };
    let desired = &reference["desiredConfig"];
    let (namespace, name) = (desired["namespace"].as_str().unwrap_or_default(), desired["name"].as_str()?);
    hub.object(&ObjectKey::new(key::ADDON_GROUP, kind, namespace, name))
}

/// Fills in the hashes of the configurations as they are on the hub.
fn hash(hub: &mut Hub, key: &ObjectKey, object: &Value) {
    let before = references(object);
    let mut after = before.clone();
    for reference in &mut after {
        match on_hub(hub, reference) {
            Some(config) => reference["desiredConfig"]["specHash"] = json!(spec_hash(config)),
            None => drop(reference["desiredConfig"].as_object_mut().unwrap().remove("specHash")),
        }
    }
    if after != before {
        hub.patch(key, &json!({ "status": { "configReferences": after } }));
    }
}

fn typed(object: &Value) -> ManagedClusterAddOn {
    serde_json::from_value(object.clone()).unwrap()
}

fn assigned(addon: &ManagedClusterAddOn) -> Vec<AddOnConfigReference> {
    addon.status.as_ref().map(|status| status.config_references.clone()).unwrap_or_default()
}

fn names(key: &ObjectKey) -> (AddonName, ClusterName) {
    (key.name.parse().unwrap(), key.namespace.parse().unwrap())
}

fn set(hub: &mut Hub, key: &ObjectKey, object: &Value, condition: Value, now: Timestamp) {
    let mut conditions = object["status"]["conditions"].as_array().cloned().unwrap_or_default();
    let known = conditions.iter().position(|known| known["type"] == condition["type"]);
    let before = known.map(|place| conditions.remove(place));
    let since =
        before.filter(|before| before["status"] == condition["status"]).map(|b| b["lastTransitionTime"].clone());
    let mut condition = condition;
    condition["lastTransitionTime"] = since.unwrap_or_else(|| json!(now));
    conditions.insert(known.unwrap_or(conditions.len()), condition);
    hub.patch(key, &json!({ "status": { "conditions": conditions } }));
}

/// Sets `Progressing` according to the works, and the last applied configurations once they are done.
fn report_progress(hub: &mut Hub, key: &ObjectKey, object: &Value, now: Timestamp) {
    let (addon, cluster) = names(key);
    let references = assigned(&typed(object));
    let existing =
        hub.fleet().works.get(addon.as_str()).and_then(|works| works.get(&cluster)).cloned().unwrap_or_default();
    let progress = works::delivered(&hook_of(&key.name), &references, existing.values().map(|work| &**work));
    let claim = progress.claim();
    let condition =
        json!({ "type": "Progressing", "status": claim.status, "reason": claim.reason, "message": claim.message });
    set(hub, key, object, condition, now);
    if progress == Progress::Completed {
        let mut after = self::references(object);
        for reference in &mut after {
            reference["lastAppliedConfig"] = reference["desiredConfig"].clone();
        }
        hub.patch(key, &json!({ "status": { "configReferences": after } }));
    }
}

fn rendered(hub: &Hub, key: &ObjectKey, references: &[Value]) -> Option<(Template, Rendered)> {
    let find = |resource: &str| on_hub(hub, references.iter().find(|reference| reference["resource"] == resource)?);
    let config = find("addondeploymentconfigs");
    let spec =
        config.map(|config| serde_json::from_value::<AddOnDeploymentConfigSpec>(config["spec"].clone()).unwrap());
    let template = Template::prepare(&names(key).0, find("addontemplates")?, spec.as_ref()).ok()?;
    let cluster = ObjectKey::new("cluster.open-cluster-management.io", "ManagedCluster", "", &key.namespace);
    let cluster: ManagedCluster = serde_json::from_value(hub.object(&cluster)?.clone()).ok()?;
    let rendered = template.render(&cluster).ok()?;
    Some((template, rendered))
}

/// Writes the works, once the hashes of all configurations are known.
fn deliver(hub: &mut Hub, key: &ObjectKey, object: &Value) {
    let is_known = |reference: &Value| reference["desiredConfig"]["specHash"].is_string();
    let found = references(object);
    if found.is_empty() || !found.iter().all(is_known) {
        return;
    }
    let Some((template, rendered)) = rendered(hub, key, &found) else { return };
    let (addon, cluster) = names(key);
    let typed = typed(object);
    let existing =
        hub.fleet().works.get(addon.as_str()).and_then(|works| works.get(&cluster)).cloned().unwrap_or_default();
    let wanted = tidegate_delivery::works(&Layout {
        owner: &WorkOwner::addon(&addon),
        owner_uid: typed.metadata.uid.as_deref().unwrap(),
        cluster: &cluster,
        hosting: Hosting::Unsupported,
        rendered: &rendered,
        config_hashes: works::annotation(&assigned(&typed)).as_deref(),
        template_configs: template.manifest_configs(),
        existing: &existing,
        others: &[],
        budget: tidegate_delivery::BUDGET,
        rules: Rules::COMPAT,
    });
    for write in tidegate_delivery::work_writes(&wanted.unwrap(), &existing) {
        let _ = hub.carry_out(&write);
    }
}

/// Sets `Available` from what the agent reports.
fn report_health(hub: &mut Hub, key: &ObjectKey, object: &Value, now: Timestamp) {
    let Some((_, rendered)) = rendered(hub, key, &references(object)) else { return };
    let (addon, cluster) = names(key);
    let existing =
        hub.fleet().works.get(addon.as_str()).and_then(|works| works.get(&cluster)).cloned().unwrap_or_default();
    let Some(managed) = hub.fleet().clusters.get(&cluster).cloned() else { return };
    let evidence = Evidence {
        owner: &WorkOwner::addon(&addon),
        cluster: &managed,
        works: &existing,
        probes: &rendered.probes,
        conditioned: &[],
        has_manifest_applied: !existing.is_empty(),
    };
    if let Some(claim) = tidegate_delivery::health(&evidence) {
        let condition =
            json!({ "type": "Available", "status": claim.status, "reason": claim.reason, "message": claim.message });
        set(hub, key, object, condition, now);
    }
}

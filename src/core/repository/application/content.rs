//! An application as a rollout unit: what its clusters get, and in which order.

use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde_json::{Value, json};

use super::component;
use super::kind::{KIND, VERSION};
use super::parsed::Parsed;
use crate::read::object::Object;
use crate::types::{Application, Configuration, Source, Unit};
use tidegate_api::key;
use tidegate_api::ocm::cluster_management_addon::{InstallStrategy, PlacementStrategy};
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_go::canonical::spec_hash;
use tidegate_model::digest::{Digest, short};
use tidegate_model::name::{ApplicationName, InvalidName, NamespacedName};
use tidegate_model::object::ObjectKey;
use tidegate_model::plural::plural;

/// The annotation with the version of an application.
pub(crate) const PUBLISH_VERSION: &str = "app.oam.dev/publishVersion";

/// Returns the rollout unit of an application. Its digest is not known before the Placements are.
///
/// # Errors
/// [`InvalidName`] for an application without a valid name.
pub(crate) fn unit(object: &Object, parsed: &Parsed) -> Result<(ApplicationName, Unit), InvalidName> {
    let name = ApplicationName::try_from(&NamespacedName::new(&object.key.namespace, &object.key.name))?;
    let objects: Vec<Value> = objects(&name, parsed).map(|(_, object)| object).collect();
    let version = object
        .value
        .pointer("/metadata/annotations")
        .and_then(|annotations| annotations.get(PUBLISH_VERSION)?.as_str());
    let (reference, configuration) = content(&name, objects, version);
    let placement = |policy: &super::parsed::Policy| PlacementStrategy {
        namespace: policy.properties.namespace.clone().unwrap_or_else(|| name.namespace().to_owned()),
        name: policy.properties.name.clone(),
        rollout_strategy: policy.properties.rollout_strategy.clone(),
        ..PlacementStrategy::default()
    };
    let strategy =
        InstallStrategy { type_: "Placements".to_owned(), placements: parsed.policies.iter().map(placement).collect() };
    let application = Application {
        name: name.clone(),
        metadata: serde_json::from_value::<ObjectMeta>(object.value["metadata"].clone()).unwrap_or_default(),
        strategy,
        content: vec![reference.clone()],
        place: object.place(),
    };
    let unit = Unit {
        source: Source::Application(Arc::new(application)),
        configurations: BTreeMap::from([(reference, configuration)]),
        overrides: BTreeMap::new(),
        digest: Digest::default(),
    };
    Ok((name, unit))
}

/// Returns the objects of components, each with the index of its component.
fn objects<'a>(name: &'a ApplicationName, parsed: &'a Parsed) -> impl Iterator<Item = (usize, Value)> + use<'a> {
    let components = parsed.components.iter().enumerate();
    components.flat_map(|(index, component)| {
        component::objects(name, component).into_iter().map(move |object| (index, object))
    })
}

/// Returns the objects that clusters get of an application, each with the index of its component; none if it cannot be read.
pub(crate) fn rendered(object: &Object) -> Vec<(usize, Value)> {
    let name = ApplicationName::try_from(&NamespacedName::new(&object.key.namespace, &object.key.name));
    let (Ok(name), Ok(parsed)) = (name, Parsed::read(&object.value)) else { return Vec::new() };
    objects(&name, &parsed).collect()
}

/// Returns what the clusters of an application get, in the form of an AddOnTemplate, and the reference to it. The name of the reference has the
/// version, or the first digits of the hash.
fn content(name: &ApplicationName, objects: Vec<Value>, version: Option<&str>) -> (ConfigReference, Configuration) {
    let configs: Vec<Value> = objects.iter().filter_map(applied).collect();
    let content = json!({
        "apiVersion": format!("{}/{VERSION}", key::APPLICATION_GROUP),
        "kind": KIND,
        "metadata": { "namespace": name.namespace(), "name": name.name() },
        "spec": { "agentSpec": { "workload": { "manifests": objects }, "manifestConfigs": configs } },
    });
    let hash = spec_hash(&content);
    let reference = ConfigReference {
        group: key::APPLICATION_GROUP.to_owned(),
        resource: key::APPLICATIONS.to_owned(),
        namespace: name.namespace().to_owned(),
        name: format!("{}@{}", name.name(), version.unwrap_or_else(|| short(&hash))),
    };
    (reference, Configuration { object: Arc::new(content), spec_hash: hash, deployment_config: None })
}

/// Returns how the agent applies an object: field by field, so that what others set stays.
fn applied(object: &Value) -> Option<Value> {
    let ObjectKey { group, kind, namespace, name } = ObjectKey::of(object)?;
    Some(json!({
        "resourceIdentifier": { "group": group, "resource": plural(&kind), "namespace": namespace, "name": name },
        "updateStrategy": {
            "type": "ServerSideApply",
            "serverSideApply": { "fieldManager": "work-agent", "force": false },
        },
    }))
}

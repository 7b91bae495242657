//! A unit whose content depends on the cluster, as declared: its content is not known before its clusters are.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::recipe::Recipe;
use crate::unit::{Configuration, PerCluster, Source, Unit};
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_go::canonical::spec_hash;
use tidegate_model::digest::short;

/// Replaces the content of a unit by what it is rendered from, for its digest: people approve that, and no fact about a cluster.
pub(crate) fn declared(mut unit: Unit, recipe: Recipe) -> Unit {
    let Source::Application(application) = &mut unit.source else { return unit };
    let application = Arc::make_mut(application);
    let Some(reference) = application.content.first() else { return unit };
    let spec = |value: &Value| value.get("spec").cloned().unwrap_or_default();
    let definitions: BTreeMap<String, Value> =
        recipe.definitions.iter().map(|object| (object.key.to_string(), spec(&object.value))).collect();
    let mut content = unit.configurations.get(reference).map(|known| known.object.as_ref().clone()).unwrap_or_default();
    content["spec"] =
        json!({ "perCluster": { "application": spec(&recipe.application.value), "definitions": definitions } });
    let hash = spec_hash(&content);
    // A published version names the content; otherwise its hash does.
    let name = match &recipe.version {
        Some(_) => reference.name.clone(),
        None => format!("{}@{}", application.name.name(), short(&hash)),
    };
    let reference = ConfigReference { name, ..reference.clone() };
    application.content = vec![reference.clone()];
    application.strategy.placements.iter_mut().for_each(|placement| placement.configs.clear());
    let base = Configuration { object: Arc::new(content), spec_hash: hash, deployment_config: None };
    unit.configurations = BTreeMap::from([(reference, base)]);
    unit.per_cluster = Some(PerCluster { recipe: Some(Arc::new(recipe)), clusters: BTreeMap::new() });
    unit
}

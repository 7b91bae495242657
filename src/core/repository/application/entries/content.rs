//! An AppDeployment as a rollout unit: each entry is a step with clusters and content of its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

use super::parsed::{AppDeployment, Entry};
use super::replicas::scale;
use crate::application::content::{content, strategy};
use crate::application::deployment::{PARALLELISM, distinct};
use crate::application::rendered::Rendered;
use crate::application::required;
use crate::application::revision::Revision;
use crate::read::object::Object;
use crate::settings::Applications;
use crate::unit::{Application, Source, Turn, Unit};
use tidegate_api::ocm::cluster_management_addon::{InstallStrategy, PlacementStrategy};
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_model::digest::Digest;
use tidegate_model::name::{ApplicationName, NamespacedName};

/// Returns the objects that the clusters of an entry get.
fn entry_objects(entry: &Entry, revision: &Revision) -> Vec<Rendered> {
    let mut objects = revision.objects();
    if let Some(replicas) = entry.replicas {
        scale(&mut objects, replicas);
    }
    objects
}

/// Returns the rollout unit of an AppDeployment, given its revisions by name; `None` if one of them is missing, or the name is not valid. Its
/// digest is not known before the Placements are.
pub(crate) fn unit_of_entries(
    object: &Object,
    (deployment, revisions): (&AppDeployment, &BTreeMap<String, Arc<Revision>>),
    settings: &Applications,
) -> Option<(ApplicationName, Unit)> {
    let name = ApplicationName::try_from(&NamespacedName::new(&object.key.namespace, &object.key.name)).ok()?;
    let (mut configurations, mut placements, mut order) = (BTreeMap::new(), Vec::new(), Vec::new());
    let mut known: BTreeMap<String, ConfigReference> = BTreeMap::new();
    let entries = deployment.entries();
    for (step, entry) in entries.iter().enumerate() {
        let reference = match known.get(&entry.version()) {
            Some(reference) => reference.clone(),
            None => {
                let revision = revisions.get(&entry.revision)?;
                let objects = (entry_objects(entry, revision), revision.depends());
                let (reference, configuration) = content(&name, objects, Some(entry.version()));
                configurations.insert(reference.clone(), configuration);
                known.insert(entry.version(), reference.clone());
                reference
            }
        };
        placements.push(PlacementStrategy {
            namespace: name.namespace().to_owned(),
            name: entry.placement(name.name()),
            rollout_strategy: deployment
                .rollout_strategy
                .clone()
                .unwrap_or_else(|| strategy(Some(PARALLELISM), settings)),
            configs: vec![reference],
        });
        order.push(Turn { step, may_be_empty: false });
    }
    let names = entries.iter().zip(&placements);
    let names: Vec<_> = names.map(|(entry, placement)| (entry.revision.as_str(), placement.name.as_str())).collect();
    let steps = distinct(&names);
    let requires = revisions.values().flat_map(|revision| revision.requires.iter().cloned());
    let application = Application {
        name: name.clone(),
        metadata: serde_json::from_value::<ObjectMeta>(object.value["metadata"].clone()).unwrap_or_default(),
        // What the first clusters get is the default of the others.
        content: placements.first().into_iter().flat_map(|first| first.configs.clone()).collect(),
        strategy: InstallStrategy { type_: "Placements".to_owned(), placements },
        order,
        steps,
        requires: requires.chain(required::units(&object.value)).collect(),
        revisions: revisions.iter().map(|(name, revision)| (name.clone(), revision.application.clone())).collect(),
        place: object.place(),
    };
    let source = Source::Application(Arc::new(application));
    Some((
        name,
        Unit { source, configurations, overrides: BTreeMap::new(), digest: Digest::default(), per_cluster: None },
    ))
}

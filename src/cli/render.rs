//! `tidegate render`: what a directory of declarations amounts to, as objects for the hub or as manifests for one cluster.

use std::collections::BTreeMap;

use serde_json::Value;

use super::args::RenderArgs;
use super::directory;
use super::failure::Failure;
use crate::api::key;
use crate::api::ocm::managed_cluster::ManagedCluster;
use crate::delivery;
use crate::model::name::ClusterName;
use crate::model::object::ObjectKey;
use crate::plan::layer::{self, Desired};
use crate::repository::{self, Addon, Repository};
use crate::telemetry::chain::Chain;

/// Prints YAML, one document for each object.
pub fn run(args: &RenderArgs) -> Result<(), Failure> {
    let tree = directory::tree(&args.path)?;
    let loaded = repository::load(&tree, "");
    let errors: Vec<_> = loaded.complaints.iter().filter(|complaint| complaint.is_error()).collect();
    for complaint in &errors {
        anstream::eprintln!("{complaint}");
    }
    match &args.cluster {
        None => loaded.repository.objects.values().try_for_each(|declared| print(&declared.object))?,
        Some(cluster) => {
            let cluster: ClusterName =
                cluster.parse().map_err(|error| Failure::Usage(format!("--cluster: {error}")))?;
            for_cluster(args, &loaded.repository, &cluster)?;
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(Failure::Findings) }
}

fn for_cluster(args: &RenderArgs, repository: &Repository, name: &ClusterName) -> Result<(), Failure> {
    let cluster = described(args, repository, name)?;
    let wanted = |addon: &str| args.addon.as_ref().is_none_or(|only| only == addon);
    let addons: Vec<_> = repository.addons.iter().filter(|(addon, _)| wanted(addon.as_str())).collect();
    if let (Some(only), true) = (&args.addon, addons.is_empty()) {
        let known: Vec<_> = repository.addons.keys().map(ToString::to_string).collect();
        return Err(Failure::Usage(format!("there is no add-on {only:?}; there are: {}", known.join(", "))));
    }
    for (addon, declared) in addons {
        let desired = configurations(declared, name);
        let find = |resource| layer::first(&desired, resource).and_then(|d| declared.configurations.get(&d.reference));
        let Some(template) = find(key::ADDON_TEMPLATES) else { continue };
        let config = find(key::ADDON_DEPLOYMENT_CONFIGS)
            .map(|config| serde_json::from_value(config.object.get("spec").cloned().unwrap_or_default()))
            .transpose()
            .map_err(|error| Failure::internal(&error))?;
        let subject =
            delivery::Subject { addon, cluster: &cluster, template: &template.object, config: config.as_ref() };
        let rendered = delivery::render(&subject)
            .map_err(|error| Failure::Usage(format!("{addon} cannot be rendered for {name}: {}", Chain(&error))))?;
        rendered.deploy.iter().try_for_each(print)?;
    }
    Ok(())
}

/// The configurations of a cluster, as far as they can be told without a hub: the last placement's, or the cluster's own.
fn configurations(addon: &Addon, name: &ClusterName) -> Vec<Desired> {
    let mut layers = layer::defaults(addon);
    let placements = addon.declaration.spec.install_strategy.iter().flat_map(|strategy| &strategy.placements);
    if let Some(last) = placements.last() {
        layers = layer::overlaid(&layers, &last.configs);
    }
    if let Some(own) = addon.overrides.get(name) {
        layers = layer::overlaid(&layers, &own.spec.configs);
    }
    layer::hashed(&layers, addon)
}

fn described(args: &RenderArgs, repository: &Repository, name: &ClusterName) -> Result<ManagedCluster, Failure> {
    let key = ObjectKey::new(key::CLUSTER_GROUP, "ManagedCluster", "", name.as_str());
    let declared = repository.objects.get(&key);
    let mut cluster: ManagedCluster = match declared {
        Some(declared) => {
            serde_json::from_value((*declared.object).clone()).map_err(|error| Failure::internal(&error))?
        }
        None => ManagedCluster::default(),
    };
    cluster.metadata.name = Some(name.to_string());
    let labels: BTreeMap<String, String> = args
        .labels
        .iter()
        .map(|label| {
            let pair =
                label.split_once('=').ok_or_else(|| Failure::Usage(format!("--labels {label}: write key=value")))?;
            Ok((pair.0.to_owned(), pair.1.to_owned()))
        })
        .collect::<Result<_, Failure>>()?;
    cluster.metadata.labels.get_or_insert_default().extend(labels);
    Ok(cluster)
}

fn print(object: &Value) -> Result<(), Failure> {
    let yaml = serde_saphyr::to_string(object).map_err(|error| Failure::internal(&error))?;
    anstream::println!("---\n{}", yaml.trim_end());
    Ok(())
}

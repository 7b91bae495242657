//! `tidegate render --cluster`: the manifests that one cluster would get.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::cli::args::RenderArgs;
use crate::cli::compose;
use crate::cli::failure::Failure;
use crate::cli::output::document::print;
use crate::cli::output::stdout::warn_line;
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::ocm::cluster_management_addon::PlacementStrategy;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_core::delivery::Template;
use tidegate_core::plan::{Input, Past, PlacementMode, select};
use tidegate_core::repository::{Addon, Archive, Repository};
use tidegate_core::status::{Desired, Layers, layer};
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_model::object::ObjectKey;
use tidegate_model::time::Timestamp;

/// Prints the manifests that a cluster would get, for each add-on with a placement that selects it.
///
/// # Errors
/// [`Failure::Findings`] if no placement selects it.
pub(super) fn for_cluster(args: &RenderArgs, repository: &Repository, name: &ClusterName) -> Result<(), Failure> {
    let cluster = described(args, repository, name)?;
    let wanted = |addon: &str| args.addon.as_ref().is_none_or(|only| only == addon);
    let addons: Vec<_> = repository.addons.iter().filter(|(addon, _)| wanted(addon.as_str())).collect();
    if let (Some(only), true) = (&args.addon, addons.is_empty()) {
        let known: Vec<_> = repository.addons.keys().map(ToString::to_string).collect();
        return Err(Failure::Usage(format!("there is no add-on {only:?}; the repository has: {}", known.join(", "))));
    }
    let mut is_selected = addons.is_empty();
    for (addon, declared) in addons {
        let Some(desired) = configurations(repository, declared, &cluster, name) else {
            warn_line(&format!("{addon}: no placement selects {name}; add the labels of the cluster with --labels"));
            continue;
        };
        is_selected = true;
        let find = |resource| layer::first(&desired, resource).and_then(|d| declared.configurations.get(&d.reference));
        let Some(template) = find(key::ADDON_TEMPLATES) else { continue };
        let config = find(key::ADDON_DEPLOYMENT_CONFIGS)
            .map(|config| serde_json::from_value(config.object.get("spec").cloned().unwrap_or_default()))
            .transpose()
            .map_err(|error| Failure::internal(&error))?;
        let rules = repository.settings.rules();
        let rendered = Template::prepare(addon, &template.object, config.as_ref())
            .and_then(|prepared| {
                if rules.refuses_unset_variables {
                    prepared.require_variables()?;
                }
                prepared.render(&cluster)
            })
            .map_err(|error| {
                Failure::Usage(format!("{addon} cannot be rendered for {name}: {}", ErrorChain(&error)))
            })?;
        rendered.deploy().try_for_each(print)?;
    }
    if is_selected { Ok(()) } else { Err(Failure::Findings) }
}

/// Returns the configurations of a cluster: those of the last placement that selects it, overlaid with its own. `None` if
/// no placement selects it and it has none of its own.
fn configurations(
    repository: &Repository,
    addon: &Addon,
    cluster: &ManagedCluster,
    name: &ClusterName,
) -> Option<Vec<Desired>> {
    // There is no hub, so no object has the mark of an instance, and any identity will do.
    let instance = compose::new_instance(String::new()).ok()?;
    let mut placements = addon.declaration.spec.install_strategy.iter().flat_map(|strategy| &strategy.placements);
    let selects = |placement: &&PlacementStrategy| {
        let fleet = Fleet {
            clusters: [(name.clone(), Arc::new(cluster.clone()))].into(),
            cluster_sets: repository.cluster_sets.clone(),
            cluster_set_bindings: repository.cluster_set_bindings.clone(),
            ..Fleet::default()
        };
        let wanted = NamespacedName::new(&placement.namespace, &placement.name);
        let input = Input {
            repository,
            fleet: &fleet,
            unobserved: &BTreeSet::new(),
            placement_mode: PlacementMode::Builtin,
            instance: &instance,
            revision: None,
            past: &Past::default(),
            archive: &Archive::default(),
            now: Timestamp::now(),
        };
        let selections = select::selections(&input, &[wanted.clone()].into());
        selections.get(&wanted).is_some_and(|selection| selection.clusters().any(|(chosen, _)| chosen == name))
    };
    let last = placements.rfind(selects);
    let own = addon.overrides.get(name);
    if last.is_none() && own.is_none() {
        return None;
    }
    let placed = last.map(|placement| placement.configs.as_slice()).unwrap_or_default();
    let own = own.map(|own| own.spec.configs.as_slice()).unwrap_or_default();
    let hash = |reference: &ConfigReference| addon.spec_hash(reference);
    let layers = Layers::defaults(&addon.declaration.spec.default_configs, hash);
    Some(layers.overlaid(layer::hashed(placed, hash)).overlaid(layer::hashed(own, hash)).to_vec())
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

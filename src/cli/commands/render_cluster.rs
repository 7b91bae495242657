//! `tidegate render --cluster`: the manifests that one cluster would get.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::cli::args::RenderArgs;
use crate::cli::failure::Failure;
use crate::cli::output::document::print;
use crate::cli::output::stdout::warn_line;
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_core::plan::{Input, Past, PlacementMode, preview};
use tidegate_core::repository::{Archive, Repository};
use tidegate_core::upstream::Delivery;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::instance::{Instance, InstanceId};
use tidegate_model::name::ClusterName;
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
    let fleet = Fleet {
        clusters: [(name.clone(), Arc::new(cluster))].into(),
        cluster_sets: repository.cluster_sets.clone(),
        cluster_set_bindings: repository.cluster_set_bindings.clone(),
        ..Fleet::default()
    };
    let input = Input {
        repository,
        fleet: &fleet,
        unobserved: &BTreeSet::new(),
        placement_mode: PlacementMode::Builtin,
        delivery: Delivery::Native,
        // No object of this fleet has the mark of an instance, so any identity will do.
        instance: &Instance { id: InstanceId::of(0), name: String::new() },
        revision: None,
        past: &Past::default(),
        archive: &Archive::default(),
        now: Timestamp::now(),
    };
    let mut is_selected = addons.is_empty();
    for (addon, declared) in addons {
        let preview = preview(&input, addon, declared, name).map_err(|error| {
            Failure::Usage(format!("{addon} cannot be rendered for {name}: {}", ErrorChain(&error)))
        })?;
        let Some(rendered) = preview else {
            warn_line(&format!("{addon}: no placement selects {name}; add the labels of the cluster with --labels"));
            continue;
        };
        is_selected = true;
        rendered.deploy().try_for_each(print)?;
    }
    if is_selected { Ok(()) } else { Err(Failure::Findings) }
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

//! The fleet that a plan is for.

use std::collections::BTreeSet;
use std::time::Duration;

use super::past::Known;
use crate::cli::args::FleetArgs;
use crate::cli::compose;
use crate::cli::failure::Failure;
use crate::hub::Options;
use crate::telemetry::metrics::Metrics;
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_core::plan::{Input, Past, PlacementMode};
use tidegate_core::proposal::assumed;
use tidegate_core::repository::{Archive, Repository};
use tidegate_core::upstream::Delivery;
use tidegate_model::instance::{Instance, InstanceId};
use tidegate_model::time::Timestamp;

/// How long the hub may take to list every kind.
const PATIENCE: Duration = Duration::from_secs(60);

/// A fleet, and where it is from.
pub(super) struct Observed {
    pub(super) fleet: Fleet,
    pub(super) source: String,
    pub(super) as_of: Option<Timestamp>,
    pub(super) instance: Instance,
}

/// Reads the fleet from the hub, or else takes the clusters that the base declares.
pub(super) async fn observed(args: &FleetArgs, known: &Known, base: &Repository) -> Result<Observed, Failure> {
    if args.hub.kubeconfig.is_some() || args.hub.context.is_some() {
        let client = compose::client(&args.hub).await?;
        let hub = compose::connected(client, Options::default(), &Metrics::default()).await?;
        let seen = hub.look_at_all(PATIENCE).await.map_err(|error| {
            Failure::unreachable(&error, "check that the account of the kubeconfig may list every kind of OCM")
        })?;
        let fleet = Fleet::clone(&seen.fleet);
        let instance = known.instance.clone().unwrap_or_else(|| instance_of(&fleet));
        return Ok(Observed { fleet, source: "the hub".to_owned(), as_of: None, instance });
    }
    let instance = known.instance.clone().unwrap_or_else(nobody);
    let fleet = delivered(&Fleet::default(), base, &instance);
    Ok(Observed { fleet, source: "the clusters that the repository declares".to_owned(), as_of: None, instance })
}

/// Returns a fleet in which every cluster has what a repository gives it.
fn delivered(fleet: &Fleet, repository: &Repository, instance: &Instance) -> Fleet {
    assumed(&Input {
        repository,
        fleet,
        unobserved: &BTreeSet::new(),
        placement_mode: PlacementMode::Builtin,
        delivery: Delivery::Native,
        instance,
        revision: None,
        past: &Past::default(),
        archive: &Archive::default(),
        now: Timestamp::UNIX_EPOCH,
    })
}

/// Returns the only instance whose mark the add-ons of a fleet have.
fn instance_of(fleet: &Fleet) -> Instance {
    let labels = fleet
        .cluster_addons
        .values()
        .flat_map(|clusters| clusters.values())
        .filter_map(|addon| addon.metadata.labels.as_ref()?.get(key::INSTANCE_LABEL));
    let mut marks: BTreeSet<&String> = labels.collect();
    match (marks.pop_first(), marks.is_empty()) {
        (Some(id), true) => id.parse().map_or_else(|_| nobody(), |id| Instance { id, name: String::new() }),
        _ => nobody(),
    }
}

/// Returns an identity that no object has.
fn nobody() -> Instance {
    Instance { id: InstanceId::of(0), name: String::new() }
}

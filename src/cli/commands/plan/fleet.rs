//! The fleet that a plan is for.

use std::collections::BTreeSet;
use std::path::Path;

use super::past::Known;
use crate::cli::args::FleetSource;
use crate::cli::commands::fleet::origin;
use crate::cli::failure::Failure;
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_core::consent::Approvals;
use tidegate_core::gate::checks::Observations;
use tidegate_core::plan::{Input, Past, PlacementMode};
use tidegate_core::proposal::{assumed, reached};
use tidegate_core::repository::{Archive, Repository};
use tidegate_core::snapshot::Snapshot;
use tidegate_core::upstream::Delivery;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::instance::{Instance, InstanceId};
use tidegate_model::line::one_line;
use tidegate_model::time::{Timestamp, to_seconds};

/// A fleet, and where it is from.
pub(super) struct Observed {
    pub(super) fleet: Fleet,
    pub(super) source: String,
    pub(super) as_of: Option<Timestamp>,
    pub(super) instance: Instance,
}

/// The base and the head of a plan.
type Sides<'a> = (&'a Repository, &'a Repository);

/// Reads the fleet: from a file or the hub if one is named, or else from the journal, or else the clusters that the base declares.
pub(super) async fn observed(args: &FleetSource, known: &Known, sides: Sides<'_>) -> Result<Observed, Failure> {
    if let Some(path) = &args.file {
        return from_file(path, known, sides.0);
    }
    if args.names_hub() {
        let snapshot = origin::of_hub(args).await?;
        return Ok(restored(&snapshot, "the hub".to_owned(), None, known, sides.0));
    }
    if let Some(bytes) = &known.fleet {
        let branch = &known.branch;
        let snapshot = Snapshot::read(bytes).map_err(|error| {
            Failure::Usage(format!(
                "fleet.yaml of branch {branch} cannot be read: {}; give a fleet with --fleet",
                ErrorChain(&error)
            ))
        })?;
        let mut observed = restored(&snapshot, "the journal".to_owned(), known.written, known, sides.0);
        // Its record of the clusters is newer than its fleet.
        for repository in [sides.0, sides.1] {
            observed.fleet =
                with_input(&observed.fleet, repository, &observed.instance, |input| reached(input, &known.has));
        }
        return Ok(observed);
    }
    let instance = known.instance.clone().unwrap_or_else(nobody);
    let fleet = with_input(&Fleet::default(), sides.0, &instance, assumed);
    if fleet.clusters.is_empty() {
        let journal = match known.written {
            Some(_) => "the journal has no fleet.yaml",
            None => "there is no journal here (`git fetch` brings that of a running daemon)",
        };
        return Err(Failure::Usage(format!(
            "no fleet is known: {journal}, and the repository declares no clusters; give a file with --fleet, or a hub with --kubeconfig"
        )));
    }
    Ok(Observed { fleet, source: "the repository".to_owned(), as_of: None, instance })
}

fn from_file(path: &Path, known: &Known, base: &Repository) -> Result<Observed, Failure> {
    let snapshot = origin::of_file(path)?;
    let written = path.metadata().and_then(|metadata| metadata.modified()).ok();
    let as_of = written.and_then(|at| Timestamp::try_from(at).ok()).map(to_seconds);
    Ok(restored(&snapshot, one_line(&path.display().to_string()), as_of, known, base))
}

/// Returns the fleet of a snapshot. One without add-ons counts as having everything that the base gives it.
fn restored(
    snapshot: &Snapshot,
    source: String,
    as_of: Option<Timestamp>,
    known: &Known,
    base: &Repository,
) -> Observed {
    let fleet = snapshot.fleet();
    let named = |id: InstanceId| Instance { id, name: String::new() };
    let instance = snapshot.instance.clone().map(named).or_else(|| known.instance.clone());
    let instance = instance.or_else(|| marked(&fleet).map(named)).unwrap_or_else(nobody);
    let is_bare = fleet.cluster_addons.is_empty();
    let fleet = if is_bare { with_input(&fleet, base, &instance, assumed) } else { fleet };
    // The journal may have newer entries than its fleet.
    let as_of = snapshot.as_of.filter(|_| as_of.is_some()).or(as_of);
    Observed { fleet, source, as_of, instance }
}

/// Calls a function with the input of a plan for a repository.
fn with_input<T>(fleet: &Fleet, repository: &Repository, instance: &Instance, look: impl FnOnce(&Input<'_>) -> T) -> T {
    look(&Input {
        repository,
        fleet,
        unobserved: &BTreeSet::new(),
        placement_mode: PlacementMode::Builtin,
        delivery: Delivery::Native,
        instance,
        revision: None,
        past: &Past::default(),
        archive: &Archive::default(),
        approvals: Approvals::none(),
        observations: Observations::none(),
        now: Timestamp::UNIX_EPOCH,
    })
}

/// Returns the only instance whose mark the add-ons of a fleet have.
fn marked(fleet: &Fleet) -> Option<InstanceId> {
    let addons = fleet.cluster_addons.values().flat_map(|clusters| clusters.values());
    let mut marks: BTreeSet<&String> =
        addons.filter_map(|addon| addon.metadata.labels.as_ref()?.get(key::INSTANCE_LABEL)).collect();
    let only = marks.pop_first().filter(|_| marks.is_empty());
    only.and_then(|id| id.parse().ok())
}

/// Returns an identity that no object has.
fn nobody() -> Instance {
    Instance { id: InstanceId::of(0), name: String::new() }
}

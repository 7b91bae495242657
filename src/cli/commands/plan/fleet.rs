//! The fleet that a plan is for.

use std::collections::BTreeSet;

use super::past::Known;
use crate::cli::args::FleetSource;
use crate::cli::commands::fleet::origin;
use crate::cli::failure::Failure;
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_journal::snapshot::Snapshot;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::instance::{Instance, InstanceId};
use tidegate_model::line::one_line;
use tidegate_model::time::{Timestamp, to_seconds};
use tidegate_plan::Input;
use tidegate_repository::Repository;
use tidegate_review::proposal::{assumed, reached};

/// A fleet, and where it is from.
pub(super) struct Observed {
    pub(super) fleet: Fleet,
    pub(super) source: String,
    pub(super) as_of: Option<Timestamp>,
    pub(super) instance: Instance,
    /// What people should know about the instance.
    pub(super) notice: Option<String>,
}

/// The base and the head of a plan.
type Sides<'a> = (&'a Repository, &'a Repository);

/// The fleet of a snapshot, and where that is from.
pub(super) struct Named {
    fleet: Fleet,
    /// The instance that took the snapshot.
    instance: Option<InstanceId>,
    is_hub: bool,
    source: String,
    as_of: Option<Timestamp>,
}

impl Named {
    /// Reads the file or the hub that the arguments name; `None` if they name none.
    pub(super) async fn read(args: &FleetSource) -> Result<Option<Self>, Failure> {
        if let Some(path) = &args.file {
            let snapshot = origin::of_file(path)?;
            let written = path.metadata().and_then(|metadata| metadata.modified()).ok();
            let as_of = written.and_then(|at| Timestamp::try_from(at).ok()).map(to_seconds);
            return Ok(Some(Self::of(&snapshot, one_line(&path.display().to_string()), as_of)));
        }
        if !args.names_hub() {
            return Ok(None);
        }
        let snapshot = origin::of_hub(args).await?;
        Ok(Some(Self { is_hub: true, ..Self::of(&snapshot, "the hub".to_owned(), None) }))
    }

    /// Returns the fleet of a snapshot from a file of a known age.
    fn of(snapshot: &Snapshot, source: String, as_of: Option<Timestamp>) -> Self {
        // The journal may have newer entries than its fleet.
        let as_of = snapshot.as_of.filter(|_| as_of.is_some()).or(as_of);
        Self { fleet: snapshot.fleet(), instance: snapshot.instance.clone(), is_hub: false, source, as_of }
    }

    /// Returns `true` if this is a hub on which nothing of a repository has been installed by Tidegate.
    pub(super) fn is_new_to(&self, repository: &Repository) -> bool {
        self.is_hub && marks(&self.fleet, &[repository]).is_empty()
    }
}

/// Returns the fleet of a plan: the named one, or else that of the journal, or else the clusters that the base declares.
pub(super) fn observed(named: Option<Named>, known: &Known, sides: Sides<'_>) -> Result<Observed, Failure> {
    if let Some(named) = named {
        return Ok(restored(named, known, sides));
    }
    if let Some(bytes) = &known.fleet {
        let branch = &known.branch;
        let snapshot = Snapshot::read(bytes).map_err(|error| {
            Failure::Usage(format!(
                "fleet.yaml of branch {branch} cannot be read: {}; give a fleet with --fleet",
                ErrorChain(&error)
            ))
        })?;
        let mut observed = restored(Named::of(&snapshot, "the journal".to_owned(), known.written), known, sides);
        // Its record of the clusters is newer than its fleet.
        for repository in [sides.0, sides.1] {
            observed.fleet = reached(&Input::offline(repository, &observed.fleet, &observed.instance), &known.has);
        }
        return Ok(observed);
    }
    let instance = known.instance.clone().unwrap_or_else(Instance::unknown);
    let fleet = assumed(&Input::offline(sides.0, &Fleet::default(), &instance));
    if fleet.clusters.is_empty() {
        let journal = match known.written {
            Some(_) => "the journal has no fleet.yaml",
            None => "there is no journal here (`git fetch` brings that of a running daemon)",
        };
        return Err(Failure::Usage(format!(
            "no fleet is known: {journal}, and the repository declares no clusters; give a file with --fleet, or a hub with --kubeconfig"
        )));
    }
    Ok(Observed { fleet, source: "the repository".to_owned(), as_of: None, instance, notice: None })
}

/// Returns the fleet of a snapshot. One without add-ons counts as having everything that the base gives it.
fn restored(named: Named, known: &Known, sides: Sides<'_>) -> Observed {
    let Named { fleet, source, as_of, .. } = named;
    let with_id = |id: InstanceId| Instance { id, name: String::new() };
    let recorded = named.instance.map(with_id).or_else(|| known.instance.clone());
    let (guessed, notice) = match recorded {
        Some(_) => (None, None),
        None => owner(&marks(&fleet, &[sides.0, sides.1])),
    };
    let instance = recorded.or_else(|| guessed.map(with_id)).unwrap_or_else(Instance::unknown);
    let is_bare = fleet.cluster_addons.is_empty();
    let fleet = if is_bare { assumed(&Input::offline(sides.0, &fleet, &instance)) } else { fleet };
    Observed { fleet, source, as_of, instance, notice }
}

/// Returns whose the objects of a repository are, where no journal says whose they should be, and what to tell people about that.
fn owner(marks: &BTreeSet<InstanceId>) -> (Option<InstanceId>, Option<String>) {
    let mut ids = marks.iter();
    match (ids.next(), ids.next()) {
        (None, _) => (None, None),
        (Some(only), None) => {
            let notice = format!(
                "there is no journal here, so this plan assumes that instance {only}, to which these objects of the hub belong, is the \
                 daemon of this repository; `git fetch` brings its journal"
            );
            (Some(only.clone()), Some(notice))
        }
        (Some(_), Some(_)) => {
            let ids: Vec<String> = marks.iter().map(ToString::to_string).collect();
            let notice = format!(
                "there is no journal here, and objects of this repository belong to the instances {} on the hub, so this plan treats all \
                 of them as those of others; `git fetch` brings the journal of the daemon",
                ids.join(" and ")
            );
            (None, Some(notice))
        }
    }
}

/// Returns the instances whose marks the objects of some repositories have on the hub.
fn marks(fleet: &Fleet, repositories: &[&Repository]) -> BTreeSet<InstanceId> {
    let addons = repositories.iter().flat_map(|repository| repository.addons.keys());
    let on_clusters = addons.filter_map(|name| fleet.cluster_addons.get(name)).flat_map(|clusters| clusters.values());
    let on_clusters =
        on_clusters.filter_map(|addon| Some(addon.metadata.labels.as_ref()?.get(key::INSTANCE_LABEL)?.as_str()));
    let objects = repositories.iter().flat_map(|repository| repository.objects.keys());
    let objects =
        objects.filter_map(|key| fleet.declared.get(key)?["metadata"]["labels"][key::INSTANCE_LABEL].as_str());
    on_clusters.chain(objects).filter_map(|id| id.parse().ok()).collect()
}

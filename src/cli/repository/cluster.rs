//! A cluster as the repository and the command line describe it, for commands that work without a hub.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use kube::ResourceExt as _;

use crate::cli::args::SourceArgs;
use crate::cli::failure::Failure;
use crate::cli::journal::archive::History;
use crate::cli::process::Process;
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_set::ManagedClusterSet;
use tidegate_api::ocm::placement::PlacementSpec;
use tidegate_journal::file;
use tidegate_journal::snapshot::Snapshot;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::instance::Instance;
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};
use tidegate_model::near::remedy;
use tidegate_model::time::{Timestamp, to_seconds};
use tidegate_plan::{Input, Preview, preview};
use tidegate_repository::{ClusterContents, Repository, Unit};
use tidegate_rollout::placement::{self, NotSelected, Tally, not_selected};

/// One cluster, in a fleet of its own.
pub(crate) struct OfflineCluster<'a> {
    repository: &'a Repository,
    /// Its name.
    pub name: ClusterName,
    /// The cluster.
    pub cluster: Arc<ManagedCluster>,
    fleet: Fleet,
}

impl<'a> OfflineCluster<'a> {
    /// Describes a cluster: the ManagedCluster of the repository, or else the one of the journal in the clone around `root`, with additional
    /// labels as `key=value`. Like every hub, the fleet has the cluster sets `default` and `global`, and a cluster without a set is in
    /// `default`.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a name or label that is not valid.
    pub(crate) fn new(
        process: &Process,
        repository: &'a Repository,
        root: &Path,
        name: &str,
        labels: &[String],
    ) -> Result<Self, Failure> {
        let name: ClusterName = name.parse().map_err(|error| Failure::Usage(format!("--cluster: {error}")))?;
        let mut cluster = match repository.clusters.contains_key(&name) {
            true => described(repository, &name),
            false => journaled(process, root, &name).unwrap_or_else(|| described(repository, &name)),
        };
        for label in labels {
            let pair = label.split_once('=');
            let (key, value) = pair.ok_or_else(|| Failure::Usage(format!("--labels {label}: write key=value")))?;
            cluster.metadata.labels.get_or_insert_default().insert(key.to_owned(), value.to_owned());
        }
        let set = cluster.metadata.labels.get_or_insert_default().entry(key::CLUSTER_SET.to_owned()).or_default();
        if set.is_empty() {
            key::DEFAULT_CLUSTER_SET.clone_into(set);
        }
        let cluster = Arc::new(cluster);
        let of_every_hub = ManagedClusterSet::of_every_hub().map(|set| (set.name_any(), Arc::new(set)));
        let mut cluster_sets: BTreeMap<_, _> = of_every_hub.into();
        cluster_sets.extend(repository.cluster_sets.clone());
        let fleet = Fleet {
            clusters: BTreeMap::from([(name.clone(), cluster.clone())]).into(),
            cluster_sets,
            cluster_set_bindings: repository.cluster_set_bindings.clone(),
            ..Fleet::default()
        };
        Ok(Self { repository, name, cluster, fleet })
    }

    /// Returns what the cluster would get of an add-on; `None` if no placement selects it.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the add-on cannot be rendered for the cluster.
    pub(crate) fn preview(&self, addon: &UnitName, declared: &Unit) -> Result<Option<Preview>, Failure> {
        // No object of this fleet has the mark of an instance, so any identity will do.
        let instance = Instance::unknown();
        let rendered = ClusterContents::default().of(self.repository, &self.fleet.clusters);
        let repository = rendered.as_ref().unwrap_or(self.repository);
        let declared = repository.addons.get(addon).unwrap_or(declared);
        let input = Input { now: Timestamp::now(), ..Input::offline(repository, &self.fleet, &instance) };
        let parts = declared.parts().len();
        if let Some(why) = (0..parts).find_map(|part| declared.given(part, &self.name).err()) {
            return Err(Failure::Usage(format!("{addon} cannot be rendered for {}: {why}", self.name)));
        }
        preview(&input, addon, declared, &self.name).map_err(|error| {
            Failure::Usage(format!("{addon} cannot be rendered for {}: {}", self.name, ErrorChain(&error)))
        })
    }
}

impl OfflineCluster<'_> {
    /// Returns why no placement of an add-on selects the cluster, in lines.
    pub(crate) fn why_not(&self, addon: &UnitName, declared: &Unit) -> Vec<String> {
        let name = &self.name;
        if declared.is_manual() {
            let remedy = format!("declare its ManagedClusterAddOn in namespace {name}");
            return vec![format!("{addon}: it is installed by hand, and has no placements; {remedy}")];
        }
        let mut lines = vec![format!("{addon}: no placement selects {name}")];
        let mut has_hint = false;
        for placement in declared.placements() {
            let why = match self.repository.placements.get(&placement) {
                None => "it is not in the repository".to_owned(),
                Some(found) => {
                    let why = self.not_selected(&placement, &found.spec);
                    has_hint |= matches!(why, Some(NotSelected::Predicates | NotSelected::NotMember { .. }));
                    why.map_or_else(|| "it selects the cluster".to_owned(), |why| why.to_string())
                }
            };
            lines.push(format!("  Placement {placement}: {why}"));
        }
        if has_hint {
            lines.push("  --labels adds labels to those of the ManagedCluster".to_owned());
        }
        lines
    }

    fn not_selected(&self, name: &NamespacedName, spec: &PlacementSpec) -> Option<NotSelected> {
        let tally = Tally::of(std::iter::empty());
        let input = placement::Input {
            placement: name,
            spec,
            status: None,
            clusters: &self.fleet.clusters,
            sets: &self.fleet.cluster_sets,
            bindings: &self.fleet.cluster_set_bindings,
            scores: &self.fleet.scores,
            decided: &tally.decided(name),
            balance: &tally.balance(name),
            now: Timestamp::now(),
        };
        not_selected(&input, &self.name)
    }
}

/// Returns a cluster as the journal of a clone knows it, and says from when that is; `None` without a journal, or if it has no such cluster.
fn journaled(process: &Process, root: &Path, name: &ClusterName) -> Option<ManagedCluster> {
    let source = Some(root.to_str()?.to_owned());
    let history = History::open(&SourceArgs { source, ..SourceArgs::default() }).ok()?;
    let (_, files) = history.journal().ok()?;
    let snapshot = Snapshot::read(files.get(file::FLEET)?);
    let snapshot = snapshot.map_err(|error| {
        let why = ErrorChain(&error);
        process.warn_line(&format!(
            "warning: fleet.yaml in the journal cannot be read: {why}; {name} has no labels but those of --labels"
        ));
    });
    let snapshot = snapshot.ok()?;
    let cluster = snapshot.fleet().clusters.get(name)?.as_ref().clone();
    let as_of = to_seconds(snapshot.as_of.or(history.written().ok())?);
    process.warn_line(&format!(
        "the repository does not declare {name}; its labels are those of the journal, as of {as_of}"
    ));
    Some(cluster)
}

/// Returns a cluster as the repository declares it, or one with nothing but its name.
pub(crate) fn described(repository: &Repository, name: &ClusterName) -> ManagedCluster {
    let mut cluster = repository.clusters.get(name).map(|cluster| (**cluster).clone()).unwrap_or_default();
    cluster.metadata.name = Some(name.to_string());
    cluster
}

/// Returns the add-ons of a repository, or only the named one.
///
/// # Errors
/// [`Failure::Usage`] if there is no such add-on.
pub(crate) fn addons<'a>(
    repository: &'a Repository,
    only: Option<&str>,
) -> Result<BTreeMap<&'a UnitName, &'a Unit>, Failure> {
    let wanted = |addon: &UnitName| only.is_none_or(|only| only == addon.as_str());
    let addons: BTreeMap<_, _> = repository.addons.iter().filter(|(addon, _)| wanted(addon)).collect();
    match only.filter(|_| addons.is_empty()) {
        None => Ok(addons),
        Some(only) => {
            let remedy = match repository.addons.is_empty() {
                true => "`tidegate validate` shows what is wrong with it".to_owned(),
                false => remedy(only, repository.addons.keys().map(UnitName::as_str)),
            };
            Err(Failure::Usage(format!("the repository has no usable add-on {only:?}; {remedy}")))
        }
    }
}

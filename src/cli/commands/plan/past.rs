//! What the journal knows: what is in force, whose hub it is, how long clusters took, and the fleet.

use std::collections::BTreeMap;

use crate::cli::failure::Failure;
use crate::cli::journal::archive::History;
use crate::cli::journal::opened::Opened;
use tidegate_journal::file;
use tidegate_journal::record::{AddonStatus, Sync};
use tidegate_journal::{Experience, Journal, experience};
use tidegate_model::followed::Rejection;
use tidegate_model::instance::Instance;
use tidegate_model::name::UnitName;
use tidegate_model::progress::ClusterState;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_review::proposal::{Held, Reached, held};

/// What the journal knows. Everything is empty if there is no journal.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The revision in force.
    pub(super) in_force: Option<CommitId>,
    /// The revision whose policies judge the next one.
    pub(super) policies: Option<CommitId>,
    /// The instance that owns the hub.
    pub(super) instance: Option<Instance>,
    /// The digests that failed and were taken back, by add-on.
    pub(super) rejected: BTreeMap<UnitName, Rejection>,
    /// The removals that are held, each with what is removed.
    pub(super) held: Vec<Held>,
    /// What each cluster has or is getting, by add-on.
    pub(super) has: BTreeMap<UnitName, Reached>,
    /// How clusters behaved, by add-on.
    pub(super) experience: BTreeMap<UnitName, Experience>,
    /// `fleet.yaml`.
    pub(super) fleet: Option<Vec<u8>>,
    /// When the last entry was written.
    pub(super) written: Option<Timestamp>,
    /// The branch of the journal.
    pub(super) branch: String,
}

impl Known {
    /// Returns how long a cluster takes, by add-on.
    pub(super) fn latencies(&self) -> BTreeMap<UnitName, SignedDuration> {
        self.experience.iter().filter_map(|(name, known)| Some((name.clone(), known.median()?))).collect()
    }
}

/// Reads the journal. Blocks.
///
/// # Errors
/// Those of [`History::of`], except that a repository without a journal is not an error, unless its branch is named.
pub(super) fn known(opened: &Opened) -> Result<Known, Failure> {
    let history = match History::of(opened) {
        Ok(history) => history,
        // A branch that is named must be there: a plan against nothing would show every cluster as new.
        Err(Failure::Usage(_)) if opened.journal_branch.is_none() => return Ok(Known::default()),
        Err(other) => return Err(other),
    };
    let (journal, files) = history.journal()?;
    let sync = journal.sync.as_ref();
    let seen = |sync: &Sync| sync.seen.as_ref().map(|seen| seen.commit.clone());
    Ok(Known {
        in_force: sync.and_then(|sync| sync.applied.clone().or_else(|| seen(sync))),
        policies: sync.and_then(|sync| sync.policies.next.clone()),
        instance: journal.instance(),
        rejected: rejected(&journal),
        held: held(&journal.report()),
        has: has(&journal),
        experience: experience(&files),
        fleet: files.get(file::FLEET).cloned(),
        written: Some(history.written()?),
        branch: history.branch.clone(),
    })
}

/// Returns the digests that failed and were taken back.
fn rejected(journal: &Journal) -> BTreeMap<UnitName, Rejection> {
    let rejected = |(name, status): (&UnitName, &AddonStatus)| Some((name.clone(), status.rejected.clone()?));
    journal.addons.iter().filter_map(rejected).collect()
}

/// Returns what each cluster has or is getting.
fn has(journal: &Journal) -> BTreeMap<UnitName, Reached> {
    let reached = |name: &UnitName| {
        let records = journal.clusters(name).into_iter().filter(|(_, record)| record.state != ClusterState::Removed);
        records.map(|(cluster, record)| (cluster, (record.version, record.hash))).collect()
    };
    journal.addons.keys().map(|name| (name.clone(), reached(name))).collect()
}

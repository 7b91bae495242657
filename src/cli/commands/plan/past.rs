//! What the journal knows: what is in force, whose hub it is, how long clusters took, and the fleet.

use std::collections::BTreeMap;

use crate::cli::args::SourceArgs;
use crate::cli::failure::Failure;
use crate::cli::journal::archive::History;
use tidegate_core::journal::fleet;
use tidegate_core::journal::record::Sync;
use tidegate_core::journal::{Experience, experience};
use tidegate_model::instance::Instance;
use tidegate_model::name::AddonName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{SignedDuration, Timestamp};

/// What the journal knows. Everything is empty if there is no journal.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The revision in force.
    pub(super) in_force: Option<CommitId>,
    /// The revision whose policies judge the next one.
    pub(super) policies: Option<CommitId>,
    /// The instance that owns the hub.
    pub(super) instance: Option<Instance>,
    /// How clusters behaved, by add-on.
    pub(super) experience: BTreeMap<AddonName, Experience>,
    /// `fleet.yaml`.
    pub(super) fleet: Option<Vec<u8>>,
    /// When the last entry was written.
    pub(super) written: Option<Timestamp>,
    /// The branch of the journal.
    pub(super) branch: String,
}

impl Known {
    /// Returns how long a cluster takes, by add-on.
    pub(super) fn latencies(&self) -> BTreeMap<AddonName, SignedDuration> {
        self.experience.iter().filter_map(|(name, known)| Some((name.clone(), known.median()?))).collect()
    }
}

/// Reads the journal. Blocks.
///
/// # Errors
/// Those of [`History::open`], except that a repository without a journal is not an error.
pub(super) fn known(args: &SourceArgs) -> Result<Known, Failure> {
    let history = match History::open(args) {
        Ok(history) => history,
        Err(Failure::Usage(_)) => return Ok(Known::default()),
        Err(other) => return Err(other),
    };
    let (journal, files) = history.journal()?;
    let sync = journal.sync.as_ref();
    let seen = |sync: &Sync| sync.seen.as_ref().map(|seen| seen.commit.clone());
    Ok(Known {
        in_force: sync.and_then(|sync| sync.applied.clone().or_else(|| seen(sync))),
        policies: sync.and_then(|sync| sync.policies.next.clone()),
        instance: journal.instance(),
        experience: experience(&files),
        fleet: files.get(fleet::PATH).cloned(),
        written: Some(history.written()?),
        branch: history.branch.clone(),
    })
}

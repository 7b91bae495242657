//! The rollout to return to, from the journal.

use std::collections::BTreeMap;

use crate::cli::args::{RollbackArgs, SourceArgs};
use crate::cli::commands::proposal;
use crate::cli::failure::Failure;
use crate::cli::journal::archive::History;
use crate::cli::journal::reader;
use crate::cli::own_git::Place;
use tidegate_journal::file::JournalFile;
use tidegate_journal::record::{Cause, Outcome, Rollout, SealedRollout};
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;

/// An earlier rollout of an add-on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) number: u32,
    /// What the revision meant for the add-on.
    pub(super) digest: Digest,
    /// The revision that it started from.
    pub(super) revision: CommitId,
    /// The version that it brought.
    pub(super) version: String,
    /// The revision of the current rollout, which is taken back; `None` if the journal does not know it.
    pub(super) reverts: Option<CommitId>,
}

/// Reads from the journal which rollout to return to. `tree` contains the files of the newest revision.
///
/// # Errors
/// [`Failure::Usage`] if there is no journal or no such rollout.
pub(super) fn target(args: &RollbackArgs, place: &Place, tree: &Tree) -> Result<Target, Failure> {
    proposal::fetch_journal(place, &args.proposal, tree)?;
    let history = History::open(&SourceArgs {
        source: Some(place.directory().display().to_string()),
        reference: Some(place.branch.clone()),
        journal_branch: args.proposal.journal_branch.clone(),
        ..SourceArgs::default()
    })?;
    let (journal, files) = history.journal()?;
    let addon = &args.addon;
    let status = reader::addon(&journal, addon.as_str())?;
    let current = status.rollout.as_ref().map_or(u32::MAX, |rollout| rollout.number);
    let chosen = choose(addon, args.to, current, status.digest.as_ref(), &sealed(addon, &files))?;
    let reverts = status.rollout.as_ref().and_then(|rollout| rollout.revision.as_ref()).map(|it| it.commit.clone());
    Ok(Target { reverts, ..chosen })
}

/// Returns the rollouts of an add-on that have ended, by number.
fn sealed(addon: &UnitName, files: &BTreeMap<String, Vec<u8>>) -> BTreeMap<u32, Rollout> {
    let is_own = |path: &str| matches!(JournalFile::of(path), Some(JournalFile::Sealed(found, _)) if found == *addon);
    let own = files.iter().filter(|(path, _)| is_own(path));
    let rollouts = own.filter_map(|(_, bytes)| serde_saphyr::from_slice::<SealedRollout>(bytes).ok());
    rollouts.map(|sealed| (sealed.rollout.number, sealed.rollout)).collect()
}

/// Chooses the rollout: the one with a number, or the last one before the current one that was completed with another digest.
fn choose(
    addon: &UnitName,
    number: Option<u32>,
    current: u32,
    digest: Option<&Digest>,
    sealed: &BTreeMap<u32, Rollout>,
) -> Result<Target, Failure> {
    let of = |rollout: &Rollout| {
        let revision = rollout.revision.as_ref()?.commit.clone();
        let digest = rollout.digest.clone()?;
        Some(Target { number: rollout.number, digest, revision, version: rollout.to.clone(), reverts: None })
    };
    let Some(number) = number else {
        let is_other = |rollout: &&Rollout| {
            rollout.outcome == Outcome::Completed
                && rollout.cause != Cause::Withdrawal
                && rollout.digest.is_some()
                && rollout.digest.as_ref() != digest
        };
        let before = sealed.range(..current).map(|(_, rollout)| rollout);
        return before.rev().find(is_other).and_then(of).ok_or_else(|| {
            Failure::Usage(format!(
                "no rollout of {addon} was completed with another digest; name one with --to (`tidegate history {addon}` lists them)"
            ))
        });
    };
    let Some(rollout) = sealed.get(&number) else {
        if number == current {
            let message = format!("rollout {number} of {addon} is the current one; name an earlier one with --to");
            return Err(Failure::Usage(message));
        }
        let known: Vec<String> = sealed.keys().map(u32::to_string).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        let message = format!("the journal has no rollout {number} of {addon} that has ended; it has: {known}");
        return Err(Failure::Usage(message));
    };
    of(rollout).ok_or_else(|| {
        Failure::Usage(format!(
            "rollout {number} of {addon} has no digest and revision in the journal: it is a withdrawal; name another one with --to"
        ))
    })
}

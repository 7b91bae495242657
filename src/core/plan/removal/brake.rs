//! The brake on removals: how much may be removed at once before a person has to confirm it.
//!
//! A removal beyond the limits is held as a whole. The hold appears in the report and in the journal, with the revision at which it
//! began or last grew. A later commit releases it by naming that revision in `[prune] confirm` in `tidegate.toml`.

use std::collections::BTreeSet;

use crate::report::hold::Hold;
use tidegate_model::revision::CommitId;
use tidegate_repository::Prune;

/// What is to be removed at once.
#[derive(Debug, Clone)]
pub(crate) struct Removal<'a> {
    /// The names of the clusters or objects to remove.
    pub going: BTreeSet<String>,
    /// The total number of clusters or objects.
    pub total: usize,
    /// The limits.
    pub limits: &'a Prune,
    /// Whether the limit on the number of clusters applies as well.
    pub counts_clusters: bool,
    /// The revision in force.
    pub revision: Option<&'a CommitId>,
}

/// Decides whether a removal is held, given the hold that was in force before.
///
/// Returns `None` if the removal is within the limits. A hold lasts until nothing that it names is to be removed any more, a commit
/// confirms it, or the limits are raised: if a removal is reverted step by step, its last steps must not slip under the limits. A
/// confirmed hold releases everything that it names, and also later additions if they are within the limits by themselves.
pub(crate) fn brake(removal: &Removal<'_>, before: Option<&Hold>) -> Option<Hold> {
    let Removal { going, total, limits, counts_clusters, revision } = removal;
    // Rounded up, so that something can be removed from a small fleet at all.
    let share = (total * usize::from(limits.max_percent)).div_ceil(100);
    let limit = if *counts_clusters { share.min(limits.max_clusters) } else { share };
    let before = before.filter(|hold| hold.held.iter().any(|name| going.contains(name)));
    let confirmed = |hold: &Hold| revision.filter(|_| hold.is_confirmed_by(limits)).cloned();
    let confirmed_by = before.and_then(|hold| hold.confirmed_by.clone().or_else(|| confirmed(hold)));
    if let Some((hold, confirmed_by)) = before.zip(confirmed_by)
        && going.difference(&hold.held).count() <= limit
    {
        // Anything already removed is no longer confirmed: it may come back.
        let held = hold.held.intersection(going).cloned().collect();
        return Some(Hold { confirmed_by: Some(confirmed_by), held, ..hold.clone() });
    }
    let is_still_held = before.is_some_and(|hold| hold.is_open() && limit <= hold.limit);
    if going.len() <= limit && !is_still_held {
        return None;
    }
    let same = before.filter(|hold| hold.is_open() && going.is_subset(&hold.held));
    let revision = same.map_or_else(|| revision.cloned(), |hold| hold.revision.clone());
    Some(Hold { revision, held: going.clone(), limit, total: *total, confirmed_by: None })
}

/// Returns the hold that a removal would meet, if it is beyond the limits and nothing was held before. `counts_clusters` is `true` for the
/// removal of an add-on from clusters, and `false` for objects that left the repository.
pub fn would_hold(limits: &Prune, going: BTreeSet<String>, total: usize, counts_clusters: bool) -> Option<Hold> {
    brake(&Removal { going, total, limits, counts_clusters, revision: None }, None)
}

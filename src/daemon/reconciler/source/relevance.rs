//! Decides which commits are relevant: those made by people that change the followed files.

use super::distrust::Distrust;
use super::error::Error;
use super::journal_location::STATUS_DIRECTORY;
use super::poll::Source;
use super::trust::Commits;
use tidegate_git::CommitInfo;
use tidegate_model::revision::CommitId;
use tidegate_repository::{POLICIES, SETTINGS_FILE, decides, vendors};

/// Maximum number of consecutive journal commits that are skipped on a shared branch.
const MAX_PASSED: usize = 10_000;
/// Maximum number of commits between two polls that are verified one by one.
const MAX_SINCE: usize = 10_000;

impl Source {
    /// Skips commits of the journal on a shared branch: follows single parents from a tip to the newest commit that is not
    /// one of them, or to the commit that was processed last.
    pub(super) fn newest_of_people(&self, tip: &CommitId) -> Result<CommitId, tidegate_git::Error> {
        let mut commit = tip.clone();
        for _ in 0..MAX_PASSED {
            if !self.follow.shares_journal || self.followed_commit.as_ref() == Some(&commit) {
                break;
            }
            let info = self.mirror.commit_info(&commit)?;
            let [parent] = info.parents.as_slice() else { break };
            if !self.mirror.obtain(parent)? || !self.is_of_journal(&commit, parent)? {
                break;
            }
            commit = parent.clone();
        }
        Ok(commit)
    }

    fn is_of_journal(&self, commit: &CommitId, parent: &CommitId) -> Result<bool, tidegate_git::Error> {
        let changed = self.mirror.changed_paths(Some(parent), commit)?;
        Ok(!changed.is_empty() && changed.iter().all(|path| path.starts_with(STATUS_DIRECTORY)))
    }

    /// Returns `true` if a commit has relevant differences from the one that was processed last: in the settings, in the decisions
    /// about rollouts, in the policies, in what is vendored, or in files that the followed path depends on.
    pub(super) fn is_relevant(&self, commit: &CommitId) -> Result<bool, tidegate_git::Error> {
        let Some(followed_commit) = &self.followed_commit else { return Ok(true) };
        let path = match (&self.follow.path, &self.in_force) {
            (path, _) if !path.is_empty() => path.trim_matches('/'),
            (_, Some(repository)) => repository.settings.path.as_str(),
            (_, None) => return Ok(true),
        };
        let is_below = |changed: &String| {
            let rest = if matches!(path, "" | ".") { Some("/") } else { changed.strip_prefix(path) };
            // A path that became a file, or stopped being one, also counts.
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) || path.starts_with(changed.as_str())
        };
        let in_force = self.in_force.as_deref();
        // An overlay that could not be rendered may be fixed by any file.
        if in_force.is_some_and(|repository| repository.unreadable_files.contains(SETTINGS_FILE)) {
            return Ok(true);
        }
        let counts = |changed: &String| match in_force.and_then(|repository| repository.may_change(changed)) {
            Some(counts) => counts,
            None => is_below(changed),
        };
        match self.mirror.changed_paths(Some(followed_commit), commit) {
            Ok(changed) => Ok(changed.iter().filter(|path| !path.starts_with(STATUS_DIRECTORY)).any(|path| {
                path == SETTINGS_FILE || path.starts_with(POLICIES) || decides(path) || vendors(path) || counts(path)
            })),
            // So much has changed that some of it is relevant.
            Err(tidegate_git::Error::TooMany { .. } | tidegate_git::Error::UnknownCommit { .. }) => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// Returns the commits made by people since the last verified one, if each of them must be signed; the reason if
    /// there are too many.
    pub(super) fn since_verified(
        &self,
        commit: &CommitId,
    ) -> Result<Result<Vec<(CommitId, CommitInfo)>, Distrust>, Error> {
        let Some(verified) =
            self.facts.verified.as_ref().filter(|_| self.follow.policy.commits == Some(Commits::Every))
        else {
            return Ok(Ok(Vec::new()));
        };
        if verified == commit {
            return Ok(Ok(Vec::new()));
        }
        // This fetches until the two histories are connected, so that no commit between them is missing.
        self.mirror.ancestry(verified, commit).map_err(Error::Git)?;
        if !self.mirror.has(verified).map_err(Error::Git)? {
            // History was rewritten. Whether that is allowed is decided elsewhere; verification starts again at the tip.
            return Ok(Ok(Vec::new()));
        }
        let between = self.mirror.commits_between(Some(verified), commit, MAX_SINCE + 1).map_err(Error::Git)?;
        if between.len() > MAX_SINCE {
            return Ok(Err(Distrust::TooManyCommits { most: MAX_SINCE, verified: verified.clone() }));
        }
        let mut since = Vec::new();
        for entry in between.into_iter().filter(|entry| entry.id != *commit) {
            let info = self.mirror.commit_info(&entry.id).map_err(Error::Git)?;
            let is_own = match info.parents.as_slice() {
                [parent] if self.follow.shares_journal => self.is_of_journal(&entry.id, parent).map_err(Error::Git)?,
                _ => false,
            };
            if !is_own {
                since.push((entry.id, info));
            }
        }
        Ok(Ok(since))
    }
}

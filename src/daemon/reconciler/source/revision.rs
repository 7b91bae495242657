//! The description of a followed commit.

use tidegate_consent::approval::{self, Merge};
use tidegate_git::CommitInfo;
use tidegate_model::followed::Revision;
use tidegate_model::revision::CommitId;

/// Returns the readable description of a commit: its author, and the approvals that its message names.
pub fn of(commit: &CommitId, info: &CommitInfo) -> Revision {
    let approvals = approval::read(&info.message);
    let committer = if info.committer.name == info.author.name { String::new() } else { info.committer.name.clone() };
    Revision {
        commit: commit.clone(),
        subject: info.subject.clone(),
        author: info.author.name.clone(),
        committer,
        time: info.author.time,
        tag: None,
        merge: approvals.merge.as_ref().map(Merge::to_string),
        approved_by: approvals.approved_by.into_iter().chain(approvals.reviewed_by).collect(),
        signature: None,
        reverts: approvals.revert.map(|revert| revert.commits).unwrap_or_default(),
    }
}

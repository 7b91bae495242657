//! Approvals of GitLab. They name no commit, so that the version of the merge request at that time shows what was approved.

use serde::Deserialize;
use tidegate_model::forge::{Opinion, Pull, Says};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

use super::objects::User;
use super::project::{GitLab, PAGE};
use crate::error::Result;
use crate::wire::{Call, Operation, garbage, nullable};

/// Who approved. The field `approved` is not read: without paid features it means that anyone has.
#[derive(Deserialize)]
struct Approvals {
    approved_by: Vec<Approval>,
}

#[derive(Deserialize)]
struct Approval {
    #[serde(deserialize_with = "nullable")]
    user: Option<User>,
    /// Older versions of GitLab do not have it.
    approved_at: Option<Timestamp>,
}

/// The state of a merge request after a push.
#[derive(Deserialize)]
struct Version {
    head_commit_sha: String,
    created_at: Timestamp,
}

impl GitLab {
    /// Returns the approvals of a merge request, oldest first. Those that were withdrawn are not shown by GitLab.
    pub(crate) async fn opinions(&self, pull: &Pull) -> Result<Vec<Opinion>> {
        let approvals: Approvals =
            self.client.json(&Call::get(Operation::Opinions, self.of(pull, &["approvals"]))).await?;
        if approvals.approved_by.is_empty() {
            return Ok(Vec::new());
        }
        let mut url = self.of(pull, &["versions"]);
        url.query_pairs_mut().append_pair(PAGE.0, PAGE.1);
        let call = Call::get(Operation::Opinions, url);
        let found: Vec<Version> = self.client.linked(&call).await?;
        let version = |version: Version| {
            let head = version.head_commit_sha.parse::<CommitId>();
            head.map(|head| (version.created_at, head)).map_err(|error| garbage(&call, &error.to_string()))
        };
        let versions: Vec<(Timestamp, CommitId)> = found.into_iter().map(version).collect::<Result<_>>()?;
        let opinion = |approval: Approval| Opinion {
            // A blocked account is treated as one that is gone.
            by: approval.user.filter(User::is_active).map(User::account),
            says: Says::Approved,
            commit: approval.approved_at.and_then(|at| head_at(&versions, at)).cloned(),
            at: approval.approved_at,
            is_dismissed: false,
            url: pull.url.clone(),
        };
        let mut opinions: Vec<Opinion> = approvals.approved_by.into_iter().map(opinion).collect();
        opinions.sort_by_key(|opinion| opinion.at);
        Ok(opinions)
    }
}

/// Returns the head at a time: that of the newest version that was created by then.
fn head_at(versions: &[(Timestamp, CommitId)], at: Timestamp) -> Option<&CommitId> {
    let by_then = versions.iter().enumerate().filter(|(_, (created, _))| *created <= at);
    // GitLab lists the newest first. Of two versions with one time, that is the newer.
    let newest = by_then.max_by_key(|(index, (created, _))| (*created, std::cmp::Reverse(*index)));
    newest.map(|(_, (_, head))| head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_approval_is_of_the_version_at_its_time() {
        let at = |second: i64| Timestamp::from_second(second).unwrap();
        let head = |digit: &str| digit.repeat(40).parse::<CommitId>().unwrap();
        let versions = [(at(30), head("d")), (at(30), head("c")), (at(20), head("b")), (at(10), head("a"))];
        for (second, expected) in
            [(9, None), (10, Some("a")), (19, Some("a")), (20, Some("b")), (30, Some("d")), (99, Some("d"))]
        {
            assert_eq!(head_at(&versions, at(second)).cloned(), expected.map(head), "{second}");
        }
    }
}

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
            head.map(|head| (version.created_at, head)).map_err(|error| garbage(&call, error))
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

/// Returns the head at a time: that of the newest version that was created before it. If another version has the same time as the approval,
/// it is not known which of them was approved.
fn head_at(versions: &[(Timestamp, CommitId)], at: Timestamp) -> Option<&CommitId> {
    let before = versions.iter().filter(|(created, _)| *created < at).map(|(created, _)| *created).max();
    let may_be = |created: Timestamp| created == at || Some(created) == before;
    let mut heads = versions.iter().filter(|(created, _)| may_be(*created)).map(|(_, head)| head);
    let head = heads.next()?;
    heads.all(|other| other == head).then_some(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn head(digit: &str) -> CommitId {
        digit.repeat(40).parse().unwrap()
    }

    #[test]
    fn an_approval_is_of_the_version_at_its_time() {
        let versions = [(at(30), head("c")), (at(20), head("b")), (at(10), head("a"))];
        for (second, expected) in
            [(9, None), (10, Some("a")), (11, Some("a")), (19, Some("a")), (21, Some("b")), (99, Some("c"))]
        {
            assert_eq!(head_at(&versions, at(second)).cloned(), expected.map(head), "{second}");
        }
    }

    #[test]
    fn an_approval_at_the_time_of_a_push_is_of_an_unknown_version() {
        let pushed = [(at(20), head("b")), (at(10), head("a"))];
        assert_eq!(head_at(&pushed, at(20)), None, "it may be of the version before the push");
        let twice = [(at(20), head("c")), (at(20), head("b")), (at(10), head("a"))];
        assert_eq!(head_at(&twice, at(30)), None, "the order of the two is not known");
        let back = [(at(20), head("a")), (at(10), head("a"))];
        assert_eq!(head_at(&back, at(20)), Some(&head("a")));
    }
}

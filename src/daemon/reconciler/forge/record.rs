//! Records of pull requests: what was known before, completed with what the forge reports now.

use tidegate_consent::{Command, Commanded, GateRequest, PullRecord, Pulls, SeenOpinion, Standing};
use tidegate_forge::Comment;
use tidegate_model::forge::{Opinion, Pull, PullState, Says};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// Returns the record of a pull request. Its trees and memberships are those that were known before.
pub(super) fn record(
    before: Option<&PullRecord>,
    pull: &Pull,
    branch: &str,
    opinions: Vec<Opinion>,
    now: Timestamp,
) -> PullRecord {
    let gate = before.and_then(|before| before.gate.clone());
    let state = standing(pull, branch);
    let opinions = opinions.into_iter().chain(merged(gate.as_ref(), pull)).collect();
    PullRecord {
        url: pull.url.clone(),
        title: pull.title.clone(),
        author: pull.author.clone(),
        state,
        head: pull.head.clone(),
        pushers: before.map(|before| before.pushers.clone()).unwrap_or_default(),
        linked: before.map(|before| before.linked.clone()).unwrap_or_default(),
        gate,
        brought: before.map(|before| before.brought.clone()).unwrap_or_default(),
        trees: before.map(|before| before.trees.clone()).unwrap_or_default(),
        opinions: seen(before, opinions, &pull.head, now),
        commands: before.map(|before| before.commands.clone()).unwrap_or_default(),
        memberships: before.map(|before| before.memberships.clone()).unwrap_or_default(),
        ended: (state != Standing::Open).then(|| before.and_then(|before| before.ended).unwrap_or(now)),
        comment: before.and_then(|before| before.comment),
    }
}

/// What was written to the forge, for the record of a pull request.
#[derive(Debug)]
pub(super) enum Written {
    /// A request for an approval was opened.
    Opened(Box<(Pull, GateRequest)>),
    /// The request with this number was closed.
    Withdrawn(u64),
    /// The pull request with this number has its plan and its rollouts in the comment with the second number.
    Comment(u64, u64),
}

/// Takes over what was written.
pub(super) fn take_over(records: &mut Pulls, written: Vec<Written>, branch: &str, now: Timestamp) {
    for written in written {
        match written {
            Written::Opened(opened) => {
                let (pull, gate) = *opened;
                let opened = PullRecord { gate: Some(gate), ..record(None, &pull, branch, Vec::new(), now) };
                records.insert(pull.number, opened);
            }
            // The record is read again, and then says that it is closed.
            Written::Withdrawn(number) => {
                if let Some(gate) = records.get_mut(&number).and_then(|record| record.gate.as_mut()) {
                    gate.is_withdrawn = true;
                }
            }
            Written::Comment(number, id) => {
                if let Some(record) = records.get_mut(&number) {
                    record.comment = Some(id);
                }
            }
        }
    }
}

/// Returns whether a pull request is open, and whether it was merged into the followed branch.
fn standing(pull: &Pull, branch: &str) -> Standing {
    match pull.state {
        PullState::Merged { .. } if pull.base_branch == branch => Standing::Merged,
        PullState::Merged { .. } | PullState::Closed => Standing::Closed,
        PullState::Open => Standing::Open,
    }
}

/// A person who merges a request of the daemon approves it.
fn merged(gate: Option<&GateRequest>, pull: &Pull) -> Option<Opinion> {
    let PullState::Merged { by, at } = &pull.state else { return None };
    gate?;
    Some(Opinion {
        by: Some(by.clone()?),
        says: Says::Approved,
        commit: Some(pull.head.clone()),
        at: *at,
        is_dismissed: false,
        url: pull.url.clone(),
    })
}

/// Returns opinions with the time at which each one was seen first.
///
/// A forge that does not say which commit was reviewed leaves one proof: the approval is new, and the branch had the same head before
/// and after. With any other history, the commit stays unknown.
fn seen(before: Option<&PullRecord>, opinions: Vec<Opinion>, head: &CommitId, now: Timestamp) -> Vec<SeenOpinion> {
    let known = before.map(|before| before.opinions.as_slice()).unwrap_or_default();
    let complete = |opinion: Opinion| match known.iter().find(|known| is_same(&known.opinion, &opinion)) {
        Some(known) => {
            let commit = opinion.commit.or_else(|| known.opinion.commit.clone());
            SeenOpinion { opinion: Opinion { commit, ..opinion }, seen: known.seen }
        }
        None => {
            let stayed = before.is_some_and(|before| before.head == *head).then(|| head.clone());
            SeenOpinion { opinion: Opinion { commit: opinion.commit.or(stayed), ..opinion }, seen: now }
        }
    };
    opinions.into_iter().map(complete).collect()
}

/// Returns the approvals in comments, with the time at which each one was seen first, and the head of the branch then.
pub(super) fn commands(
    before: &[Commanded],
    comments: Vec<Comment>,
    head: &CommitId,
    now: Timestamp,
) -> Vec<Commanded> {
    let commanded = |comment: Comment| {
        let command = Command::read(&comment.body)?;
        let Command { addon, group, digest } = command;
        let is_edited = comment.updated != comment.created;
        let known = before.iter().find(|known| known.url == comment.url);
        let (seen, head) = known.map_or((now, head), |known| (known.seen, &known.head));
        let Comment { by, created: at, url, .. } = comment;
        Some(Commanded { by, addon, group, digest, head: head.clone(), at, seen, is_edited, url })
    };
    comments.into_iter().filter_map(commanded).collect()
}

/// Returns `true` if two opinions are the same one, seen at different times.
fn is_same(one: &Opinion, other: &Opinion) -> bool {
    let key = |opinion: &Opinion| (opinion.by.as_ref().map(|by| by.id), opinion.says, opinion.at, opinion.url.clone());
    // A forge that returns the commit never changes it.
    let commits = one.commit.as_ref().zip(other.commit.as_ref());
    key(one) == key(other) && commits.is_none_or(|(one, other)| one == other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidegate_model::forge::Account;

    fn commit(digit: char) -> CommitId {
        digit.to_string().repeat(40).parse().unwrap()
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn pull(head: char) -> Pull {
        Pull {
            number: 7,
            title: "upgrade".to_owned(),
            url: "https://forge.example.com/7".to_owned(),
            author: None,
            head: commit(head),
            head_branch: "up".to_owned(),
            base_branch: "main".to_owned(),
            is_fork: false,
            is_draft: false,
            state: PullState::Open,
            updated: at(0),
        }
    }

    /// An approval as old versions of GitLab return it: neither with a commit nor with a time.
    fn bare() -> Opinion {
        let by = Some(Account { id: 2, login: "bob".to_owned(), is_bot: false });
        Opinion { by, says: Says::Approved, commit: None, at: None, is_dismissed: false, url: String::new() }
    }

    #[test]
    fn an_approval_without_a_commit_is_of_the_head_that_did_not_change() {
        let first = record(None, &pull('1'), "main", vec![], at(10));
        let second = record(Some(&first), &pull('1'), "main", vec![bare()], at(20));
        assert_eq!((second.opinions[0].opinion.commit.clone(), second.opinions[0].seen), (Some(commit('1')), at(20)));
        let third = record(Some(&second), &pull('2'), "main", vec![bare()], at(30));
        assert_eq!((third.opinions[0].opinion.commit.clone(), third.opinions[0].seen), (Some(commit('1')), at(20)));
    }

    #[test]
    fn an_approval_without_a_commit_is_of_no_known_commit_if_the_head_changed() {
        let unseen = record(None, &pull('1'), "main", vec![bare()], at(10));
        assert_eq!(unseen.opinions[0].opinion.commit, None);
        let later = record(Some(&unseen), &pull('1'), "main", vec![bare()], at(20));
        assert_eq!(later.opinions[0].opinion.commit, None, "it may have been given before the branch had this head");
        let first = record(None, &pull('1'), "main", vec![], at(10));
        let moved = record(Some(&first), &pull('2'), "main", vec![bare()], at(20));
        assert_eq!(moved.opinions[0].opinion.commit, None, "it may be of the head before or of this one");
    }

    #[test]
    fn a_pull_request_that_was_merged_into_another_branch_is_closed() {
        let merged = Pull { state: PullState::Merged { by: None, at: None }, ..pull('1') };
        assert_eq!(record(None, &merged, "main", vec![], at(10)).state, Standing::Merged);
        let record = record(None, &merged, "production", vec![], at(10));
        assert_eq!((record.state, record.ended), (Standing::Closed, Some(at(10))));
    }

    #[test]
    fn merging_a_request_approves_it_and_merging_a_change_does_not() {
        let by = Some(Account { id: 2, login: "bob".to_owned(), is_bot: false });
        let merged = Pull { state: PullState::Merged { by, at: Some(at(15)) }, ..pull('1') };
        let change = record(None, &merged, "main", vec![], at(10));
        assert_eq!(change.opinions, vec![]);
        let gate = GateRequest {
            addon: "istio".parse().unwrap(),
            digest: tidegate_model::digest::Digest::of(b"1"),
            group: None,
            instance: tidegate_model::instance::InstanceId::of(1),
            since: at(5),
            commit: commit('1'),
            is_withdrawn: false,
        };
        let asked = PullRecord { gate: Some(gate), ..change };
        let record = record(Some(&asked), &merged, "main", vec![], at(20));
        assert_eq!(record.opinions[0].opinion.commit, Some(commit('1')));
        assert_eq!(record.opinions[0].opinion.says, Says::Approved);
    }
}

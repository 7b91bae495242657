//! The size of a journal: bytes for each transition of a cluster, after an ordinary `git gc`.

use std::path::Path;

use tidegate_git::{Credentials, Mirror, NewCommit, Remote, init_bare};
use tidegate_journal::{Journal, entry, headline};
use tidegate_model::progress::ClusterState;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::report::{ClusterReport, Report};

use super::proof;
use super::scene::{at, cluster, facts, report};
use crate::git_command::git;
use crate::scratch::tempdir;

/// The limit in bytes for each transition in a clone: 20 MB for 10,000 of them.
const BUDGET: u64 = 2_000;

/// A fleet with repeated rollouts, cluster by cluster. A commit is made every `per_commit` transitions.
struct Fleet {
    clusters: usize,
    transitions: usize,
    per_commit: usize,
}

impl Fleet {
    /// The number of transitions of one rollout, including a pause at its end.
    fn round(&self) -> usize {
        2 * self.clusters + self.per_commit
    }

    /// Returns the report after a number of transitions, two for each cluster of each rollout.
    fn report(&self, transitions: usize) -> Report {
        let moment = |transition: usize| at(0) + SignedDuration::from_secs(10 * transition as i64);
        let (round, begun) = (transitions / self.round(), transitions / self.round() * self.round());
        let step = (transitions - begun).min(2 * self.clusters);
        let version = |round: usize| format!("0.{}.0", round + 4);
        let member = |n: usize| {
            let group = (n * 10 / self.clusters) as i32;
            let (state, version, turn) = match (step / 2, step % 2) {
                (done, _) if n < done => (ClusterState::Succeeded, version(round), begun + 2 * n),
                (done, 1) if n == done => (ClusterState::Progressing, version(round), begun + 2 * n),
                // Before the first rollout no cluster has anything.
                _ if round == 0 => (ClusterState::Waiting, String::new(), 0),
                _ => (ClusterState::Waiting, version(round - 1), begun),
            };
            let started = moment(turn);
            let told = cluster(state, &version, group, 0);
            let hash = if version.is_empty() { String::new() } else { told.hash.clone() };
            let done = SignedDuration::from_secs(if state == ClusterState::Succeeded { 10 } else { 0 });
            let look_at = (state == ClusterState::Progressing).then(|| started + SignedDuration::from_mins(10));
            let report = ClusterReport {
                hash,
                joined: None,
                started: told.started.map(|_| started),
                since: Some(started + done),
                look_at,
                ..told
            };
            (format!("cluster-{n:05}"), report)
        };
        let members: Vec<(String, ClusterReport)> = (0..self.clusters).map(member).collect();
        let members: Vec<(&str, ClusterReport)> = members.iter().map(|(name, c)| (name.as_str(), c.clone())).collect();
        report(&version(round), &members)
    }

    /// Writes the whole journal and returns the number of commits.
    fn lay(&self, directory: &Path) -> usize {
        let remote = directory.join("remote.git");
        init_bare(&remote, "main").unwrap();
        let remote = Remote::new(remote.to_str().unwrap(), Credentials::None).unwrap();
        let mirror = Mirror::open(directory.join("state"), remote).unwrap();
        let (mut journal, mut parent, mut commits) = (Journal::default(), None, 0);
        let mut transition = 0;
        while transition <= self.transitions {
            let now: Timestamp = at(0) + SignedDuration::from_secs(10 * transition as i64 + 1);
            let round = transition / self.round();
            let facts = facts(round);
            let told = self.report(transition);
            if let Some(entry) = entry(&journal, &told, &facts, now).unwrap() {
                journal = entry.journal;
                let commit = NewCommit {
                    branch: "tidegate/journal".to_owned(),
                    parent: parent.clone(),
                    files: entry.files,
                    message: entry.message,
                    author: headline::AUTHOR.to_owned(),
                    email: headline::EMAIL.to_owned(),
                    at: now,
                };
                parent = Some(mirror.commit(&commit).unwrap());
                commits += 1;
            }
            transition += self.per_commit;
        }
        commits
    }
}

/// Returns the size of a repository in bytes after `git gc`.
fn packed(repository: &Path) -> u64 {
    git(repository, &["gc", "--quiet"]);
    let counted = git(repository, &["count-objects", "-v"]);
    let kilobytes = counted.lines().find_map(|line| line.strip_prefix("size-pack: ")).unwrap();
    1024 * kilobytes.parse::<u64>().unwrap()
}

/// Writes and verifies a journal; returns the number of commits and bytes.
fn measured(fleet: &Fleet) -> (usize, u64) {
    let directory = tempdir();
    let commits = fleet.lay(directory.path());
    let repository = directory.path().join("state/mirror.git");
    let bytes = packed(&repository);
    let findings = proof::findings(&repository);
    assert!(findings.is_empty(), "{}: {}", findings.len(), findings[0]);
    (commits, bytes)
}

#[test]
fn a_transition_fits_its_size_budget() {
    let fleet = Fleet { clusters: 60, transitions: 240, per_commit: 1 };
    let (commits, bytes) = measured(&fleet);
    assert!(commits > 200);
    assert!(bytes / 240 < BUDGET, "{} bytes for each transition", bytes / 240);
}

/// `cargo test --release -- --ignored --nocapture ten_thousand_transitions`; docs/performance.md has the figures.
#[test]
#[ignore = "takes minutes"]
fn ten_thousand_transitions_over_a_thousand_clusters_fit_the_budget() {
    let sizes = std::env::var("TIDEGATE_PER_COMMIT").unwrap_or_else(|_| "100,10,1".to_owned());
    for per_commit in sizes.split(',').map(|size| size.parse().unwrap()) {
        let fleet = Fleet { clusters: 1_000, transitions: 10_000, per_commit };
        let (commits, bytes) = measured(&fleet);
        println!("{per_commit} per commit: {commits} commits, {bytes} bytes, {} per transition", bytes / 10_000);
        assert!(bytes / 10_000 < BUDGET);
    }
}

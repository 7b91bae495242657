//! Journals created commit by commit with the production code, and ways to tamper with them.

use std::collections::BTreeMap;

use tidegate::audit::commit::Options;
use tidegate::audit::{Finding, Rule, Verdict, Verifier};
use tidegate_journal::record::Identity;
use tidegate_journal::{Facts, Journal, entry, headline};
use tidegate_model::chain::{Content, FileChange, Link, Person};
use tidegate_model::followed::{Revision, RevisionFacts};
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_model::revision::CommitId;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::report::{ClusterReport, Report};

use crate::journal::report_of;

pub(super) const CLUSTERS: &str = "addons/hello/clusters.yaml";
pub(super) const STATUS: &str = "addons/hello/status.yaml";

/// Returns the time this many minutes after ten o'clock.
pub(super) fn at(minutes: i64) -> Timestamp {
    let ten: Timestamp = "2026-11-21T10:00:00Z".parse().unwrap();
    ten + SignedDuration::from_mins(minutes)
}

/// Returns a commit id that ends with a number.
pub(super) fn id(number: usize) -> CommitId {
    format!("{number:040x}").parse().unwrap()
}

/// Returns a cluster that has had a version since a time. A waiting cluster has no start time.
pub(super) fn cluster(state: ClusterState, version: &str, group: i32, started: i64) -> ClusterReport {
    let waits = state == ClusterState::Waiting;
    let is_done = state == ClusterState::Succeeded;
    let (reason, opens) = match (is_done, waits) {
        (true, _) => ("", ""),
        (false, true) => ("waits for group 0 (\"canary\")", "all clusters of group 0 are done"),
        (false, false) => ("its works are not applied", "the agent applies the works"),
    };
    ClusterReport {
        joined: None,
        state,
        version: version.to_owned(),
        hash: format!("{:0>12}", version.replace('.', "")),
        group: Some(group),
        started: (!waits).then(|| at(started)),
        since: Some(at(started) + SignedDuration::from_secs(if is_done { 30 } else { 0 })),
        reason: reason.to_owned(),
        reported: None,
        degraded: None,
        left_out: None,
        opens: opens.to_owned(),
        look_at: None,
        placement: String::new(),
    }
}

/// Returns a report of one add-on, `hello`, that is rolled out to a version on these clusters.
pub(super) fn report(version: &str, clusters: &[(&str, ClusterReport)]) -> Report {
    let clusters: BTreeMap<_, _> = clusters.iter().map(|(name, c)| (name.parse().unwrap(), c.clone())).collect();
    let is_done = clusters.values().all(|c| c.state == ClusterState::Succeeded);
    let phase = if is_done { Phase::Completed } else { Phase::Progressing };
    report_of(version, phase, clusters)
}

/// Returns an approved revision whose commit id ends with a number.
pub(super) fn revision(number: usize) -> Revision {
    Revision {
        commit: id(number),
        subject: format!("hello: change {number}"),
        author: "Ada".to_owned(),
        committer: String::new(),
        time: at(0),
        tag: None,
        merge: Some("#12".to_owned()),
        approved_by: vec!["Grace <grace@example.com>".to_owned()],
        signature: None,
        reverts: Vec::new(),
    }
}

/// Returns what is journaled of a revision that was applied.
pub(super) fn facts(number: usize) -> Facts {
    let revision =
        RevisionFacts { seen: Some(revision(number)), applied: Some(id(number)), ..RevisionFacts::default() };
    Facts { revision, ..Facts::default() }
}

/// A journal with all of its commits.
#[derive(Clone, Default)]
pub(super) struct Scene {
    pub(super) links: Vec<Link>,
    pub(super) journal: Journal,
    pub(super) files: BTreeMap<String, Vec<u8>>,
}

impl Scene {
    /// Commits one entry, this many minutes after ten.
    pub(super) fn tell(&mut self, minutes: i64, revision_number: usize, report: &Report) {
        let mut facts = facts(revision_number);
        facts.revision.addons = report.addons.keys().map(|name| (name.clone(), id(revision_number))).collect();
        let entry = entry(&self.journal, report, &facts, at(minutes)).unwrap().expect("there is something to journal");
        self.journal = entry.journal;
        self.commit(minutes, &tidegate(), &entry.message, entry.files);
    }

    /// Adds a commit by a person.
    pub(super) fn commit(
        &mut self,
        minutes: i64,
        who: &Person,
        message: &str,
        files: BTreeMap<String, Option<Vec<u8>>>,
    ) {
        let changes = files.into_iter().map(|(path, after)| {
            let before = match &after {
                Some(bytes) => self.files.insert(path.clone(), bytes.clone()),
                None => self.files.remove(&path),
            };
            FileChange { path, before, after: after.map_or(Content::Gone, Content::File) }
        });
        let link = Link {
            id: id(0xc0 + self.links.len()),
            changes: changes.collect(),
            parents: self.links.last().map(|link| link.id.clone()).into_iter().collect(),
            is_cut: false,
            author: Person { time: at(minutes), ..who.clone() },
            committer: Person { time: at(minutes), ..who.clone() },
            message: message.to_owned(),
            signed: None,
            dropped: Vec::new(),
        };
        self.links.push(link);
    }

    /// Forges a commit: replaces a string in one of its files.
    pub(super) fn forge(mut self, commit: usize, path: &str, from: &str, to: &str) -> Self {
        let change = self.links[commit].changes.iter_mut().find(|change| change.path == path);
        let change = change.unwrap_or_else(|| panic!("commit {commit} does not change {path}"));
        let Content::File(bytes) = &mut change.after else { panic!("{path} is not a file") };
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(text.contains(from), "{path} does not contain {from:?}:\n{text}");
        *bytes = text.replacen(from, to, 1).into_bytes();
        self
    }

    /// Forges a commit: removes its change to a file.
    pub(super) fn withhold(mut self, commit: usize, path: &str) -> Self {
        let changes = &mut self.links[commit].changes;
        let count = changes.len();
        changes.retain(|change| change.path != path);
        assert!(changes.len() < count, "commit {commit} does not change {path}");
        self
    }

    /// Adds a manual commit that edits one file; `None` removes it.
    pub(super) fn by_hand(mut self, who: &Person, path: &str, edit: Option<(&str, &str)>) -> Self {
        let text = String::from_utf8(self.files.get(path).cloned().unwrap_or_default()).unwrap();
        let after = edit.map(|(from, to)| {
            assert!(text.contains(from), "{path} does not contain {from:?}:\n{text}");
            if text.is_empty() { to.as_bytes().to_vec() } else { text.replacen(from, to, 1).into_bytes() }
        });
        let last = self.links.last().unwrap().author.time;
        let minutes = last.duration_since(at(0)).as_mins() + 1;
        self.commit(minutes, who, "a note\n", [(path.to_owned(), after)].into());
        self
    }

    pub(super) fn verified(&self, options: Options<'_>) -> Verdict {
        let mut verifier = Verifier::new(options);
        self.links.iter().for_each(|link| verifier.follow(link));
        verifier.verdict()
    }

    pub(super) fn findings(&self) -> Vec<Finding> {
        self.verified(Options::default()).findings
    }

    /// Returns the finding for a rule at a commit.
    pub(super) fn finding(&self, rule: Rule, commit: usize) -> Finding {
        let findings = self.findings();
        let found = findings.iter().find(|f| f.rule == rule && f.commit == self.links[commit].id);
        found.unwrap_or_else(|| panic!("no {rule} at commit {commit}: {findings:#?}")).clone()
    }
}

pub(super) fn tidegate() -> Person {
    Person { name: headline::AUTHOR.to_owned(), email: headline::EMAIL.to_owned(), time: Timestamp::UNIX_EPOCH }
}

pub(super) fn eve() -> Person {
    Person { name: "Eve".to_owned(), email: "eve@example.com".to_owned(), time: Timestamp::UNIX_EPOCH }
}

/// Returns a journal with an installation (commits 0, 1), an upgrade (2, 3, 4), an upgrade that is reverted halfway (5, 6), and
/// the removal of the add-on during another upgrade (7, 8).
pub(super) fn journey() -> Scene {
    use ClusterState::{Progressing, Succeeded, Waiting};
    let mut scene = Scene::default();
    let done = |version: &str, started: i64| {
        [("a", cluster(Succeeded, version, 0, started)), ("b", cluster(Succeeded, version, 1, started + 10))]
    };
    scene.tell(1, 1, &report("0.4.0", &[("a", cluster(Progressing, "0.4.0", 0, 0))]));
    scene.tell(12, 1, &report("0.4.0", &done("0.4.0", 0)));
    let upgrade = |state, b| report("0.4.1", &[("a", cluster(state, "0.4.1", 0, 30)), ("b", b)]);
    scene.tell(31, 2, &upgrade(Progressing, cluster(Waiting, "0.4.0", 1, 30)));
    scene.tell(39, 2, &upgrade(Succeeded, cluster(Waiting, "0.4.0", 1, 30)));
    // The other cluster starts and finishes between two commits.
    scene.tell(51, 2, &upgrade(Succeeded, cluster(Succeeded, "0.4.1", 1, 40)));
    let broken = [("a", cluster(Progressing, "0.4.2", 0, 60)), ("b", cluster(Waiting, "0.4.1", 1, 60))];
    scene.tell(61, 3, &report("0.4.2", &broken));
    let back = [("a", cluster(Succeeded, "0.4.1", 0, 70)), ("b", cluster(Succeeded, "0.4.1", 1, 40))];
    scene.tell(71, 4, &report("0.4.1", &back));
    let next = [("a", cluster(Progressing, "0.4.3", 0, 80)), ("b", cluster(Waiting, "0.4.1", 1, 80))];
    scene.tell(81, 5, &report("0.4.3", &next));
    scene.tell(91, 6, &Report::default());
    scene
}

/// Returns a cluster that loses the add-on this many minutes after ten.
pub(super) fn leaving(state: ClusterState, minutes: i64) -> ClusterReport {
    let started = (state != ClusterState::Leaving).then(|| at(minutes));
    let since = Some(at(if state == ClusterState::Leaving { 3 } else { minutes }));
    ClusterReport { joined: None, started, since, ..cluster(state, "0.4.0", 1, minutes) }
}

/// Returns a journal with an identity, and an add-on on three clusters.
pub(super) fn identified() -> Scene {
    let mut scene = Scene::default();
    scene.journal.identify(&Identity { id: "0123456789abcdef".parse().unwrap(), name: String::new(), since: at(0) }, 0);
    let done = |name, group| (name, cluster(ClusterState::Succeeded, "0.4.0", group, 0));
    scene.tell(1, 1, &report("0.4.0", &[done("a", 0), done("b", 1), done("c", 1)]));
    scene
}

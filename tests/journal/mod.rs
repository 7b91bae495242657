//! Tests of the public interface of `journal`: from reports to files and messages.

mod experience;
mod golden;
mod releases;
mod terms;
mod two_writers;

use std::collections::BTreeMap;

use tidegate_journal::record::{AddonStatus, Cause, Outcome, SealedCluster, SealedRollout, Sync};
use tidegate_journal::{Entry, Facts, Journal, entry};
use tidegate_model::followed::{Revision, RevisionFacts};
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::progress::{ClusterState, Counts, Phase};
use tidegate_model::time::Timestamp;
use tidegate_plan::report::{
    AddonReport, ClusterReport, ConfigReport, ConfigVersion, GroupReport, PlacementReport, Report,
};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn addon_name() -> UnitName {
    "hello".parse().unwrap()
}

fn now() -> Timestamp {
    at("2026-11-21T10:00:00Z")
}

fn cluster(state: ClusterState, version: &str, group: i32, started: &str) -> ClusterReport {
    ClusterReport {
        joined: None,
        state,
        version: version.to_owned(),
        hash: "0123456789ab".to_owned(),
        group: Some(group),
        started: Some(at(started)),
        since: Some(at(started)),
        reason: String::new(),
        reported: None,
        degraded: None,
        left_out: None,
        opens: String::new(),
        look_at: None,
        placement: String::new(),
    }
}

/// Returns a report of an add-on on three clusters in two groups; the clusters in `done` are done.
fn report(version: &str, done: &[&str], phase: Phase) -> Report {
    let member = |name: &str, group| {
        let (state, started) = match done.contains(&name) {
            true => (ClusterState::Succeeded, "2026-11-21T09:00:00Z"),
            false => (ClusterState::Waiting, "2026-11-21T08:00:00Z"),
        };
        (name.parse().unwrap(), cluster(state, version, group, started))
    };
    let clusters: BTreeMap<_, _> = [member("a", 0), member("b", 1), member("c", 1)].into();
    report_of(version, phase, clusters)
}

/// Returns a report of the add-on `hello` at a version, on clusters in two groups.
pub(crate) fn report_of(version: &str, phase: Phase, clusters: BTreeMap<ClusterName, ClusterReport>) -> Report {
    let group = |index: i32, name: &str| {
        let members = clusters.values().filter(|c: &&ClusterReport| c.group == Some(index));
        let counts = members.fold(Counts::default(), |counts, c| counts.with(c.state));
        GroupReport { index, name: name.to_owned(), counts }
    };
    let placement = PlacementReport {
        placement: "ocm/fleet".to_owned(),
        strategy: "ProgressivePerGroup".to_owned(),
        version: version.to_owned(),
        configs: vec![ConfigReport {
            resource: "addontemplates.addon.open-cluster-management.io".to_owned(),
            desired: ConfigVersion { name: format!("hello-{version}"), hash: version.repeat(4) },
            ..ConfigReport::default()
        }],
        groups: vec![group(0, "canary"), group(1, "")],
        ..PlacementReport::default()
    };
    let addon = AddonReport {
        version: version.to_owned(),
        phase,
        placements: vec![placement],
        clusters,
        ..AddonReport::default()
    };
    Report { addons: [("hello".parse().unwrap(), addon.into())].into(), ..Report::default() }
}

fn facts() -> Facts {
    let seen = Revision {
        commit: "1111111111111111111111111111111111111111".parse().unwrap(),
        subject: "hello: upgrade".to_owned(),
        author: "Ada".to_owned(),
        committer: String::new(),
        time: now(),
        tag: None,
        merge: None,
        approved_by: vec!["Grace <grace@example.com>".to_owned()],
        signature: None,
        reverts: Vec::new(),
    };
    let revision = RevisionFacts { applied: Some(seen.commit.clone()), seen: Some(seen), ..RevisionFacts::default() };
    Facts { revision, ..Facts::default() }
}

fn laid(before: &Journal, report: &Report) -> Entry {
    entry(before, report, &facts(), now()).unwrap().expect("there is something to journal")
}

fn text(entry: &Entry, path: &str) -> String {
    let bytes = entry.files.get(path).unwrap_or_else(|| panic!("{path} is not among {:?}", entry.files.keys()));
    String::from_utf8(bytes.clone().expect("the file is written")).unwrap()
}

#[test]
fn the_same_state_is_journaled_once() {
    let report = report("0.4.0", &["a"], Phase::Progressing);
    let first = laid(&Journal::default(), &report);
    let later = at("2026-11-21T11:00:00Z");
    assert_eq!(entry(&first.journal, &report, &facts(), later).unwrap(), None);
}

#[test]
fn an_entry_has_the_time_of_the_look_if_the_clock_was_set_since() {
    let written = at("2026-11-21T10:00:00Z");
    let times = [("2026-11-21T09:59:00Z", true), ("2026-11-21T09:59:50Z", false), ("2026-11-21T12:00:00Z", true)];
    for (looked, is_recorded) in times {
        let facts = Facts { looked: Some(at(looked)), ..facts() };
        let entry = entry(&Journal::default(), &report("0.4.0", &[], Phase::Progressing), &facts, written);
        let sync = entry.unwrap().unwrap().journal.sync.unwrap();
        assert_eq!(sync.looked, facts.looked.filter(|_| is_recorded), "{looked}");
    }
}

#[test]
fn a_journal_is_read_back_as_written() {
    let first = laid(&Journal::default(), &report("0.4.0", &["a"], Phase::Progressing));
    let files = first.files.iter().map(|(path, bytes)| (path.clone(), bytes.clone().unwrap())).collect();
    assert_eq!(Journal::read(files), first.journal);
}

#[test]
fn a_configuration_keeps_the_revision_that_introduced_it() {
    let commit = |entry: &Entry| {
        let status: AddonStatus = serde_saphyr::from_str(&text(entry, "addons/hello/status.yaml")).unwrap();
        status.placements[0].configs[0].desired.commit.clone().unwrap()
    };
    let first = laid(&Journal::default(), &report("0.4.0", &["a"], Phase::Progressing));
    let mut later = facts();
    later.revision.seen.as_mut().unwrap().commit = "2222222222222222222222222222222222222222".parse().unwrap();
    let next = |version: &str| {
        entry(&first.journal, &report(version, &["a", "b"], Phase::Progressing), &later, now()).unwrap().unwrap()
    };
    assert_eq!(commit(&next("0.4.0")), commit(&first));
    assert_eq!(Some(commit(&next("0.4.1"))), later.revision.seen.as_ref().map(|seen| seen.commit.clone()));
}

#[test]
fn a_change_to_one_cluster_is_one_line_of_diff() {
    let first = laid(&Journal::default(), &report("0.4.0", &["a"], Phase::Progressing));
    let second = laid(&first.journal, &report("0.4.0", &["a", "b"], Phase::Progressing));
    let (before, after) = (text(&first, "addons/hello/clusters.yaml"), text(&second, "addons/hello/clusters.yaml"));
    let changed = before.lines().zip(after.lines()).filter(|(a, b)| a != b).count();
    assert_eq!((before.lines().count(), changed), (after.lines().count(), 1));
}

#[test]
fn the_subject_has_the_group_and_the_trailers_have_the_facts() {
    let installed = laid(&Journal::default(), &report("0.4.0", &["a", "b", "c"], Phase::Completed));
    let canary = laid(&installed.journal, &report("0.4.1", &[], Phase::Progressing));
    let rest = laid(&canary.journal, &report("0.4.1", &["a", "b"], Phase::Progressing));
    insta::assert_snapshot!([installed, canary, rest].map(|entry| entry.message).join("\n"));
}

#[test]
fn a_rollout_is_sealed_once_with_the_order_of_its_clusters() {
    let first = laid(&Journal::default(), &report("0.4.0", &["a"], Phase::Progressing));
    assert!(!first.files.contains_key("addons/hello/rollouts/1.yaml"));
    let done = laid(&first.journal, &report("0.4.0", &["a", "b", "c"], Phase::Completed));
    let sealed: SealedRollout = serde_saphyr::from_str(&text(&done, "addons/hello/rollouts/1.yaml")).unwrap();
    assert_eq!((sealed.rollout.outcome, sealed.rollout.to.as_str()), (Outcome::Completed, "0.4.0"));
    let order: Vec<String> = sealed.clusters.iter().map(|c| c.cluster.to_string()).collect();
    assert_eq!(order, ["a", "b", "c"]);
    assert_eq!(
        entry(&done.journal, &report("0.4.0", &["a", "b", "c"], Phase::Completed), &facts(), now()).unwrap(),
        None
    );
}

#[test]
fn clusters_that_started_before_the_first_entry_of_a_rollout_was_written_keep_their_times() {
    let installed = laid(&Journal::default(), &report("0.4.0", &["a", "b", "c"], Phase::Completed));
    // The tick that planned the rollout looked at 10:10:00 and started a cluster. Its entry was written two seconds later.
    let (looked, written) = (at("2026-11-21T10:10:00Z"), at("2026-11-21T10:10:02Z"));
    let planned = Facts { looked: Some(looked), ..facts() };
    let first = entry(&installed.journal, &report("0.4.1", &[], Phase::Progressing), &planned, written);
    let first = first.unwrap().unwrap();
    let status = first.journal.addons.get("hello").unwrap();
    assert_eq!(status.rollout.as_ref().unwrap().started, looked);
    let mut done = report("0.4.1", &["a", "b", "c"], Phase::Completed);
    let addon = done.addons.get_mut("hello").unwrap();
    for cluster in addon.clusters.values_mut() {
        (cluster.started, cluster.since) = (Some(looked), Some(at("2026-11-21T10:11:00Z")));
    }
    let facts = Facts { looked: Some(at("2026-11-21T10:11:00Z")), ..facts() };
    let done = entry(&first.journal, &done, &facts, at("2026-11-21T10:11:01Z")).unwrap().unwrap();
    let sealed: SealedRollout = serde_saphyr::from_str(&text(&done, "addons/hello/rollouts/2.yaml")).unwrap();
    assert!(sealed.clusters.iter().all(|cluster| cluster.started == Some(looked)), "{:#?}", sealed.clusters);
}

#[test]
fn a_rollout_starts_not_before_the_one_before_it_ended() {
    let installed = laid(&Journal::default(), &report("0.4.0", &["a", "b", "c"], Phase::Completed));
    let ended = installed.journal.addons.get("hello").unwrap().rollout.as_ref().unwrap().ended.unwrap();
    let facts = Facts { looked: Some(ended - std::time::Duration::from_secs(60)), ..facts() };
    let next = entry(&installed.journal, &report("0.4.1", &[], Phase::Progressing), &facts, at("2026-11-21T10:00:03Z"));
    let next = next.unwrap().unwrap();
    assert_eq!(next.journal.addons.get("hello").unwrap().rollout.as_ref().unwrap().started, ended);
}

#[test]
fn a_sealed_rollout_has_why_its_clusters_failed_and_why_it_stopped() {
    let refusal = "the cluster does not accept Deployment a/b (image x:2): forbidden";
    let mut stopped = report("0.4.1", &["a"], Phase::Stopped);
    let addon = stopped.addons.get_mut("hello").unwrap();
    addon.problem = Some("more clusters failed than the strategy allows".to_owned());
    let failed = addon.clusters.get_mut("b").unwrap();
    (failed.state, failed.reason) = (ClusterState::TimedOut, refusal.to_owned());
    failed.started = Some(now());
    addon.clusters.get_mut("c").unwrap().reason = "waits".to_owned();
    let first = laid(&Journal::default(), &stopped);
    assert!(text(&first, "addons/hello/clusters.yaml").contains(refusal));
    let next = laid(&first.journal, &report("0.4.0", &[], Phase::Progressing));
    let sealed: SealedRollout = serde_saphyr::from_str(&text(&next, "addons/hello/rollouts/1.yaml")).unwrap();
    assert_eq!(sealed.problem.as_deref(), Some("more clusters failed than the strategy allows"));
    let reasons: BTreeMap<&str, &str> =
        sealed.clusters.iter().map(|cluster| (cluster.cluster.as_str(), cluster.reason.as_str())).collect();
    assert_eq!(reasons, [("a", ""), ("b", refusal), ("c", "")].into());
}

#[test]
fn a_replaced_rollout_is_sealed_as_superseded() {
    let first = laid(&Journal::default(), &report("0.4.0", &["a"], Phase::Progressing));
    let second = laid(&first.journal, &report("0.4.1", &["a"], Phase::Progressing));
    let sealed: SealedRollout = serde_saphyr::from_str(&text(&second, "addons/hello/rollouts/1.yaml")).unwrap();
    assert_eq!(sealed.rollout.outcome, Outcome::Superseded);
    let status: AddonStatus = serde_saphyr::from_str(&text(&second, "addons/hello/status.yaml")).unwrap();
    assert_eq!(status.rollout.map(|rollout| rollout.number), Some(2));
}

#[test]
fn a_rollout_reverted_midway_is_linked_in_both_directions_and_keeps_its_state() {
    let done = laid(&Journal::default(), &report("0.4.0", &["a", "b", "c"], Phase::Completed));
    let midway = laid(&done.journal, &report("0.4.1", &["a"], Phase::Progressing));
    let back = laid(&midway.journal, &report("0.4.0", &["b", "c"], Phase::Progressing));
    let sealed: SealedRollout = serde_saphyr::from_str(&text(&back, "addons/hello/rollouts/2.yaml")).unwrap();
    assert_eq!((sealed.rollout.outcome, sealed.rollout.superseded_by), (Outcome::Superseded, Some(3)));
    let state = |name: &str| sealed.clusters.iter().find(|c| c.cluster.as_str() == name).unwrap().state;
    assert_eq!((state("a"), state("b")), (ClusterState::Succeeded, ClusterState::Waiting));
    let status: AddonStatus = serde_saphyr::from_str(&text(&back, "addons/hello/status.yaml")).unwrap();
    assert_eq!(status.rollout.map(|rollout| (rollout.number, rollout.reverts)), Some((3, Some(2))));
    insta::assert_snapshot!("reverted_midway", back.message);
    insta::assert_snapshot!("page_of_a_revert", text(&back, "README.md"));
}

#[test]
fn the_revert_of_a_finished_upgrade_is_linked_but_a_further_upgrade_is_not() {
    let done = laid(&Journal::default(), &report("0.4.0", &["a", "b", "c"], Phase::Completed));
    let upgraded = laid(&done.journal, &report("0.4.1", &["a", "b", "c"], Phase::Completed));
    let rollout = |entry: &Entry| entry.journal.addons[&addon_name()].rollout.clone().unwrap();
    assert_eq!(rollout(&upgraded).reverts, None);
    let back = laid(&upgraded.journal, &report("0.4.0", &["a"], Phase::Progressing));
    assert_eq!((rollout(&back).reverts, rollout(&back).superseded_by), (Some(2), None));
    let done = laid(&back.journal, &report("0.4.0", &["a", "b", "c"], Phase::Completed));
    insta::assert_snapshot!([back.message, done.message].join("\n"));
    let further = laid(&upgraded.journal, &report("0.4.2", &["a"], Phase::Progressing));
    assert_eq!(rollout(&further).reverts, None);
}

#[test]
fn a_sealed_rollout_is_never_rewritten_even_if_its_addon_leaves_and_returns() {
    let done = laid(&Journal::default(), &report("0.4.0", &["a", "b", "c"], Phase::Completed));
    let gone = laid(&done.journal, &Report::default());
    // The second rollout is the removal.
    assert!(gone.files.contains_key("addons/hello/rollouts/2.yaml"));
    let gone_for_good = laid(&gone.journal, &Report::default());
    let returned = laid(&gone_for_good.journal, &report("0.4.0", &["a", "b", "c"], Phase::Completed));
    assert!(!returned.files.contains_key("addons/hello/rollouts/1.yaml"));
    assert!(!returned.files.contains_key("addons/hello/rollouts/2.yaml"));
    assert!(returned.files.contains_key("addons/hello/rollouts/3.yaml"));
    // The journal is the same after a restart.
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for entry in [&done, &gone] {
        for (path, bytes) in &entry.files {
            match bytes {
                Some(bytes) => files.insert(path.clone(), bytes.clone()),
                None => files.remove(path),
            };
        }
    }
    assert_eq!(Journal::read(files), gone.journal);
}

#[test]
fn objects_refused_by_the_hub_are_reported_and_the_revision_is_not_applied() {
    let first = laid(&Journal::default(), &report("0.4.0", &["a"], Phase::Progressing));
    let mut facts = facts();
    facts.revision.seen.as_mut().unwrap().commit = "2222222222222222222222222222222222222222".parse().unwrap();
    facts.revision.applied = facts.revision.seen.as_ref().map(|seen| seen.commit.clone());
    facts.failures = vec!["a.yaml:3:1: ConfigMap x/y was refused".to_owned()];
    let refused = entry(&first.journal, &report("0.4.0", &["a"], Phase::Progressing), &facts, now()).unwrap().unwrap();
    let sync: Sync = serde_saphyr::from_str(&text(&refused, "sync.yaml")).unwrap();
    assert_eq!((&sync.failures, sync.applied), (&facts.failures, first.journal.sync.unwrap().applied));
    insta::assert_snapshot!("refused_object", refused.message);
    insta::assert_snapshot!("page_of_a_refused_object", text(&refused, "README.md"));
}

#[test]
fn the_files_of_an_addon_that_left_are_removed_but_not_its_history() {
    let first = laid(&Journal::default(), &report("0.4.0", &["a", "b", "c"], Phase::Completed));
    let second = laid(&first.journal, &Report::default());
    let clusters = text(&second, "addons/hello/clusters.yaml");
    assert_eq!(clusters.matches("state: Removed").count(), 3, "{clusters}");
    insta::assert_snapshot!(second.message);
    let third = laid(&second.journal, &Report::default());
    assert_eq!(third.files.get("addons/hello/status.yaml"), Some(&None));
    assert_eq!(third.files.get("addons/hello/clusters.yaml"), Some(&None));
    assert!(third.files.keys().all(|path| !path.contains("/rollouts/")), "{:?}", third.files.keys());
}

#[test]
fn complaints_are_listed_in_sync_and_escaped_on_the_page() {
    let mut facts = facts();
    facts.revision.complaints = vec!["a.yaml:3:1: \"x\" | <b> is wrong".to_owned()];
    let entry = entry(&Journal::default(), &Report::default(), &facts, now()).unwrap().unwrap();
    let sync: Sync = serde_saphyr::from_str(&text(&entry, "sync.yaml")).unwrap();
    assert_eq!(sync.complaints, facts.revision.complaints);
    insta::assert_snapshot!("complaint", entry.message);
    insta::assert_snapshot!("page_of_a_complaint", text(&entry, "README.md"));
}

#[test]
fn a_bar_shows_every_state_that_has_a_cluster() {
    let counts = Counts { total: 300, succeeded: 10, progressing: 1, failed: 1, waiting: 288, ..Counts::default() };
    assert_eq!(tidegate_journal::bar::bar(&counts, 20), "█▒!░░░░░░░░░░░░░░░░░");
    let done = Counts { total: 3, succeeded: 3, ..Counts::default() };
    assert_eq!(tidegate_journal::bar::bar(&done, 5), "█████");
}

#[test]
fn a_rollout_starts_no_later_than_its_first_cluster_and_ends_no_earlier_than_it_started() {
    let member = |state, version: &str, hash: &str, started: &str| ClusterReport {
        hash: hash.to_owned(),
        ..cluster(state, version, 0, started)
    };
    let told = |version: &str, phase, member: ClusterReport| {
        let mut report = report(version, &[], phase);
        let addon = report.addons.get_mut("hello").unwrap();
        addon.clusters = [("a".parse().unwrap(), member)].into();
        report
    };
    let status =
        |entry: &Entry| -> AddonStatus { serde_saphyr::from_str(&text(entry, "addons/hello/status.yaml")).unwrap() };
    let old = "2026-11-21T09:00:00Z";
    let first = laid(
        &Journal::default(),
        &told("0.4.0", Phase::Completed, member(ClusterState::Succeeded, "0.4.0", "aa", old)),
    );
    // The cluster started in the same second in which the previous rollout ended, and was reported later.
    let next =
        laid(&first.journal, &told("0.4.1", Phase::Progressing, member(ClusterState::Progressing, "0.4.1", "bb", old)));
    assert_eq!(status(&next).rollout.unwrap().started, at(old));
    // Revert to the configuration that the cluster had for a long time and still has.
    let back = entry(
        &laid(&first.journal, &told("0.4.1", Phase::Progressing, member(ClusterState::Waiting, "0.4.0", "aa", old)))
            .journal,
        &told("0.4.0", Phase::Completed, member(ClusterState::Succeeded, "0.4.0", "aa", old)),
        &facts(),
        at("2026-11-21T11:00:00Z"),
    );
    let rollout = status(&back.unwrap().unwrap()).rollout.unwrap();
    assert_eq!((rollout.outcome, rollout.reverts), (Outcome::Completed, Some(2)));
    assert!(rollout.ended.unwrap() >= rollout.started, "{rollout:?}");
}

#[test]
fn a_rollout_whose_addon_leaves_is_superseded_by_its_removal() {
    let first = laid(&Journal::default(), &report("0.4.0", &["a"], Phase::Progressing));
    let left = laid(&first.journal, &Report::default());
    let sealed: SealedRollout = serde_saphyr::from_str(&text(&left, "addons/hello/rollouts/1.yaml")).unwrap();
    assert_eq!((sealed.rollout.outcome, sealed.rollout.superseded_by), (Outcome::Superseded, Some(2)));
    assert_eq!(sealed.clusters.len(), 3);
    let removal: SealedRollout = serde_saphyr::from_str(&text(&left, "addons/hello/rollouts/2.yaml")).unwrap();
    assert_eq!((removal.rollout.cause, removal.rollout.outcome), (Cause::Withdrawal, Outcome::Completed));
    assert_eq!((removal.rollout.ended, removal.rollout.to.as_str()), (Some(now()), ""));
    let is_removed =
        |c: &SealedCluster| c.state == ClusterState::Removed && c.started.is_some() && c.finished.is_some();
    assert!(removal.clusters.len() == 3 && removal.clusters.iter().all(is_removed), "{removal:?}");
    // When it comes back, its rollout gets a new number.
    let gone = laid(&left.journal, &Report::default());
    let again = laid(&gone.journal, &report("0.4.0", &["a"], Phase::Progressing));
    let status: AddonStatus = serde_saphyr::from_str(&text(&again, "addons/hello/status.yaml")).unwrap();
    assert_eq!(status.rollout.unwrap().number, 3);
}

#[test]
fn a_cluster_that_kept_its_configuration_is_sealed_without_times() {
    let done = laid(&Journal::default(), &report("0.4.0", &["a", "b", "c"], Phase::Completed));
    let midway = entry(&done.journal, &report("0.4.1", &[], Phase::Progressing), &facts(), at("2026-11-21T11:00:00Z"));
    let midway = midway.unwrap().unwrap();
    let mut back = report("0.4.0", &["a", "b", "c"], Phase::Completed);
    let clusters = &mut back.addons.get_mut("hello").unwrap().clusters;
    // One cluster reverts and is done at once; the others never changed, and their times are older than the rollout.
    let moment = at("2026-11-21T11:30:00Z");
    let started = Some(moment);
    clusters.values_mut().for_each(|c| c.started = None);
    let a = clusters.get_mut("a").unwrap();
    (a.hash, a.started, a.since) = ("bb".to_owned(), started, started);
    let back = entry(&midway.journal, &back, &facts(), at("2026-11-21T11:40:00Z")).unwrap().unwrap();
    let sealed = |number: u32| -> SealedRollout {
        serde_saphyr::from_str(&text(&back, &format!("addons/hello/rollouts/{number}.yaml"))).unwrap()
    };
    let times: Vec<_> = sealed(3).clusters.iter().map(|c| (c.started, c.finished, c.state)).collect();
    let kept = (None, None, ClusterState::Succeeded);
    assert_eq!(times, [(started, started, ClusterState::Succeeded), kept, kept]);
    assert_eq!(sealed(2).rollout.ended, Some(sealed(3).rollout.started));
    assert_eq!(sealed(3).rollout.started, moment);
}

#[test]
fn a_degraded_cluster_adds_one_field_to_its_line_and_one_count() {
    let well = cluster(ClusterState::Succeeded, "1", 0, "2026-01-01T00:00:00Z");
    let bad = ClusterReport { degraded: Some("deployments a/b is not ready".to_owned()), ..well.clone() };
    let name = "c1".parse().unwrap();
    let [line, other] = [&well, &bad].map(|report| tidegate_journal::clusters::line(&name, report));
    assert!(!line.contains("degraded"), "{line}");
    assert!(other.contains("degraded: \"deployments a/b is not ready\""), "{other}");
    let document = tidegate_journal::clusters::document(&"hello".parse().unwrap(), &[(name, bad.clone())].into());
    assert_eq!(tidegate_journal::clusters::read(document.as_bytes()).unwrap()["c1"], bad);
    let counts = Counts::of([&well, &bad].map(ClusterReport::counted));
    assert_eq!((counts.succeeded, counts.degraded), (2, 1));
    assert!(serde_saphyr::to_string(&counts).unwrap().contains("degraded: 1"));
    assert!(!serde_saphyr::to_string(&Counts::of([well.counted()])).unwrap().contains("degraded"));
}

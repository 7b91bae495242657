//! The news that is reported for the difference between two ticks.

mod docs;
mod events;
mod gates;
mod log;
mod metrics;
mod repairs;

use tidegate_daemon::reconciler::news::compare::compare;
use tidegate_daemon::reconciler::news::{Facts, News};
use tidegate_model::progress::{ClusterState, Counts, Phase};
use tidegate_plan::report::{
    AddonReport, ClusterReport, ConfigReport, ConfigVersion, GroupReport, PlacementReport, Report, UNREACHABLE,
};

fn cluster(state: ClusterState, hash: &str, reason: &str) -> ClusterReport {
    ClusterReport {
        joined: None,
        state,
        version: "1".to_owned(),
        hash: hash.to_owned(),
        group: Some(0),
        placement: String::new(),
        started: None,
        since: None,
        reason: reason.to_owned(),
        reported: None,
        degraded: None,
        left_out: None,
        opens: String::new(),
        look_at: None,
    }
}

/// Returns a report on one add-on whose clusters are in these states.
pub(crate) fn report(version: &str, phase: Phase, clusters: &[(&str, ClusterState)]) -> Report {
    let desired = ConfigVersion { name: format!("hello-{version}"), hash: version.to_owned() };
    let config = ConfigReport { resource: "addontemplates".to_owned(), desired, ..ConfigReport::default() };
    let mut counts = Counts::default();
    clusters.iter().for_each(|(_, state)| counts = counts.with(*state));
    let group = GroupReport { index: 0, name: "canary".to_owned(), counts };
    let placement = PlacementReport { configs: vec![config], groups: vec![group], ..PlacementReport::default() };
    let clusters = clusters.iter().map(|(name, state)| (name.parse().unwrap(), cluster(*state, version, "because")));
    let addon = AddonReport {
        version: version.to_owned(),
        phase,
        placements: vec![placement],
        clusters: clusters.collect(),
        ..AddonReport::default()
    };
    Report { addons: [("hello".parse().unwrap(), addon.into())].into(), ..Report::default() }
}

fn changed(mut report: Report, change: impl FnOnce(&mut AddonReport)) -> Report {
    change(report.addons.values_mut().next().unwrap());
    report
}

fn kinds(before: Option<&Report>, after: &Report) -> Vec<String> {
    compare(before, after).iter().map(|news| news.kind().reason()).collect()
}

fn sentences(before: &Report, after: &Report) -> Vec<String> {
    compare(Some(before), after).iter().map(ToString::to_string).collect()
}

use ClusterState::{Failed, Leaving, Progressing, Removed, Removing, Soaking, Succeeded, TimedOut, Waiting};

#[test]
fn a_rollout_is_reported_when_it_starts_and_when_it_completes_and_not_in_between() {
    let old = report("1", Phase::Completed, &[("a", Succeeded), ("b", Succeeded)]);
    let started = report("2", Phase::Progressing, &[("a", Progressing), ("b", Waiting)]);
    let midway = report("2", Phase::Progressing, &[("a", Soaking), ("b", Progressing)]);
    let done = report("2", Phase::Completed, &[("a", Succeeded), ("b", Succeeded)]);
    assert_eq!(sentences(&old, &started), ["The rollout from 1 to 2 on 2 clusters started"]);
    assert_eq!(sentences(&started, &midway), [""; 0]);
    assert_eq!(sentences(&midway, &done), ["The rollout of 2 is completed on 2 clusters"]);
    assert_eq!(sentences(&done, &done), [""; 0]);
}

#[test]
fn a_first_installation_is_reported_once_the_hub_has_the_add_on() {
    let waits = Report {
        addons: [(
            "hello".parse().unwrap(),
            AddonReport { problem: Some("waits".to_owned()), ..Default::default() }.into(),
        )]
        .into(),
        ..Report::default()
    };
    assert_eq!(kinds(None, &waits), [""; 0]);
    let started = report("1", Phase::Progressing, &[("a", Waiting)]);
    assert_eq!(sentences(&waits, &started), ["The installation of 1 on 1 cluster started"]);
}

#[test]
fn a_new_process_reports_only_what_is_still_open_and_one_item_for_each_add_on() {
    let done = report("2", Phase::Completed, &[("a", Succeeded)]);
    assert_eq!(kinds(None, &done), [""; 0]);
    let open = report("2", Phase::Progressing, &[("a", Succeeded), ("b", Failed), ("c", TimedOut), ("d", Removed)]);
    assert_eq!(kinds(None, &open), ["RolloutUnderway"]);
    let stopped = changed(open, |addon| addon.phase = Phase::Stopped);
    assert_eq!(kinds(None, &stopped), ["RolloutStopped"]);
    let refused = AddonReport { phase: Phase::Refused, problem: Some("no".to_owned()), ..Default::default() };
    let refused = Report {
        addons: [("hello".parse().unwrap(), refused.into())].into(),
        notices: vec!["held".to_owned()],
        ..Report::default()
    };
    assert_eq!(kinds(None, &refused), ["AddonRefused", "BrakeHeld"]);
}

#[test]
fn a_stopped_rollout_names_its_group_and_the_exceeded_budget() {
    let before = report("2", Phase::Progressing, &[("a", Progressing), ("b", Waiting)]);
    let after = changed(report("2", Phase::Stopped, &[("a", Failed), ("b", Waiting)]), |addon| {
        addon.stopped_by = Some("stopped by the failure budget: 1 failed, 0 allowed".to_owned());
        addon.problem = Some("more clusters failed than the strategy allows".to_owned());
    });
    let news = compare(Some(&before), &after);
    let News::RolloutStopped { group, reason, .. } = &news[0] else { panic!("{news:?}") };
    assert_eq!(group.as_deref(), Some("canary"));
    assert_eq!(reason, "stopped by the failure budget: 1 failed, 0 allowed");
    assert_eq!(kinds(Some(&before), &after), ["RolloutStopped", "ClustersFailed"]);
    assert_eq!(kinds(Some(&after), &before), ["RolloutResumed"]);
}

#[test]
fn ten_thousand_clusters_that_fail_together_are_one_item_with_the_first_names() {
    let names: Vec<String> = (0..10_000).map(|n| format!("c{n:05}")).collect();
    let all = |state| names.iter().map(|name| (name.as_str(), state)).collect::<Vec<_>>();
    let before = report("2", Phase::Progressing, &all(Progressing));
    let after = report("2", Phase::Progressing, &all(TimedOut));
    let news = compare(Some(&before), &after);
    let [News::ClustersTimedOut { clusters, reason, .. }] = news.as_slice() else { panic!("{} items", news.len()) };
    assert_eq!((clusters.count, reason.as_str()), (10_000, "because"));
    assert_eq!(clusters.to_string(), "c00000, c00001, c00002, c00003, c00004 and 9995 more");
    assert_eq!(kinds(Some(&after), &after), [""; 0]);
}

#[test]
fn the_reason_of_folded_clusters_is_the_most_frequent_one() {
    let before = report("2", Phase::Progressing, &[("a", Progressing), ("b", Progressing), ("c", Progressing)]);
    let after = changed(report("2", Phase::Progressing, &[("a", Failed), ("b", Failed), ("c", Failed)]), |addon| {
        addon.clusters.get_mut("a").unwrap().reason = "another".to_owned();
    });
    let news = compare(Some(&before), &after);
    assert_eq!(Facts::of(&news[0]).reason.as_deref(), Some("because"));
    assert_eq!(Facts::of(&news[0]).fields(), ["addon", "clusters", "names", "reason"]);
}

#[test]
fn a_cluster_that_failed_and_succeeds_after_all_has_recovered() {
    let failed = report("2", Phase::Progressing, &[("a", Failed), ("b", TimedOut), ("c", Succeeded)]);
    let well = report("2", Phase::Completed, &[("a", Soaking), ("b", Succeeded), ("c", Succeeded)]);
    assert_eq!(sentences(&failed, &well)[1], "Recovered: 2 clusters: a, b");
    let other = report("3", Phase::Progressing, &[("a", Succeeded), ("b", Waiting), ("c", Waiting)]);
    assert_eq!(kinds(Some(&failed), &other), ["RolloutStarted"]);
}

#[test]
fn a_cluster_that_stops_working_after_its_rollout_is_degraded_until_it_works_again() {
    let well = report("2", Phase::Completed, &[("a", Succeeded), ("b", Succeeded)]);
    let well = changed(well, |addon| addon.clusters.values_mut().for_each(|cluster| cluster.reason.clear()));
    let bad = |why: &str| {
        let degrade = |addon: &mut AddonReport| {
            addon.clusters.get_mut("a").unwrap().degraded = Some(why.to_owned());
        };
        changed(well.clone(), degrade)
    };
    let lost = changed(well.clone(), |addon| {
        UNREACHABLE.clone_into(&mut addon.clusters.get_mut("a").unwrap().reason);
    });
    assert_eq!(sentences(&well, &bad("no pods")), ["Degraded: 1 cluster: a (no pods)"]);
    assert_eq!(sentences(&bad("no pods"), &bad("no nodes")), [""; 0]);
    assert_eq!(sentences(&bad("no pods"), &well), ["Recovered: 1 cluster: a"]);
    assert_eq!(sentences(&bad("no pods"), &lost), [""; 0], "it is unknown whether it works");
    assert_eq!(kinds(None, &bad("no pods")), ["ClustersDegraded"]);
}

#[test]
fn a_problem_is_reported_once_even_if_its_numbers_change_and_again_when_it_is_over() {
    let well = report("1", Phase::Completed, &[("a", Succeeded)]);
    let held = |why: &str| changed(well.clone(), |addon| addon.problem = Some(why.to_owned()));
    assert_eq!(sentences(&well, &held("3 complaints")), ["The add-on is held: 3 complaints"]);
    assert_eq!(kinds(Some(&held("3 complaints")), &held("4 complaints")), [""; 0]);
    assert_eq!(kinds(Some(&held("3 complaints")), &held("something else")), ["AddonHeld"]);
    assert_eq!(kinds(Some(&held("3 complaints")), &well), ["AddonReleased"]);
    let refused = changed(held("upstream drives it"), |addon| addon.phase = Phase::Refused);
    assert_eq!(kinds(Some(&well), &refused), ["AddonRefused"]);
    assert_eq!(kinds(Some(&refused), &well), ["AddonReleased"]);
}

#[test]
fn clusters_that_join_or_leave_are_reported_at_the_start_and_at_the_end() {
    let one = report("1", Phase::Completed, &[("a", Succeeded)]);
    let joined = report("1", Phase::Progressing, &[("a", Succeeded), ("b", Waiting)]);
    let leaving = report("1", Phase::Completed, &[("a", Succeeded), ("b", Removing)]);
    let held = report("1", Phase::Progressing, &[("a", Succeeded), ("b", Leaving)]);
    assert_eq!(sentences(&one, &joined), ["1 is installed on 1 cluster: b"]);
    assert_eq!(kinds(Some(&joined), &leaving), ["RolloutCompleted", "UninstallStarted"]);
    assert_eq!(kinds(Some(&leaving), &one), ["UninstallCompleted"]);
    assert_eq!(kinds(Some(&leaving), &joined), ["ClustersAdded"]);
    assert_eq!(kinds(Some(&joined), &held), [""; 0], "nothing is removed yet");
    assert_eq!(kinds(Some(&held), &joined), [""; 0], "it was never removed");
    let empty = Report::default();
    assert_eq!(sentences(&one, &empty), ["The add-on is no longer in the repository; 1 cluster had it"]);
}

#[test]
fn held_changes_are_reported_at_the_start_and_at_the_end() {
    let with = |notices: &[&str]| Report {
        addons: Default::default(),
        notices: notices.iter().map(ToString::to_string).collect(),
        ..Report::default()
    };
    assert_eq!(kinds(Some(&with(&[])), &with(&["3 of 9 objects"])), ["BrakeHeld"]);
    assert_eq!(kinds(Some(&with(&["3 of 9 objects"])), &with(&["4 of 9 objects"])), [""; 0]);
    assert_eq!(kinds(Some(&with(&["4 of 9 objects"])), &with(&[])), ["BrakeReleased"]);
}

#[test]
fn first_use_a13_an_override_is_reported_once_and_holds_nothing_back() {
    let with = |overrides: &[&str]| Report {
        overrides: overrides.iter().map(ToString::to_string).collect(),
        ..Report::default()
    };
    let line = "BREAK GLASS: bob (an incident) overrode the windows and freezes of RolloutPolicy freeze for istio";
    assert_eq!(kinds(Some(&with(&[])), &with(&[line])), ["GatesOverridden"]);
    assert_eq!(sentences(&with(&[]), &with(&[line])), [line]);
    assert_eq!(kinds(Some(&with(&[line])), &with(&[line])), [""; 0]);
    assert_eq!(kinds(Some(&with(&[line])), &with(&[])), [""; 0]);
}

//! Which news becomes a notice, and with what content.

use std::collections::BTreeMap;

use crate::news::report;
use tidegate_daemon::reconciler::news::News;
use tidegate_daemon::reconciler::news::compare::{compare, since_journal};
use tidegate_daemon::reconciler::notification::{Event, Notice, notices};
use tidegate_model::digest::Digest;
use tidegate_model::progress::ClusterState::{Failed, Progressing, Succeeded, Waiting};
use tidegate_model::progress::Phase;
use tidegate_plan::report::Report;

fn found(before: &Report, after: &Report) -> Vec<Notice> {
    notices(&compare(Some(before), after), (before, after), &BTreeMap::new())
}

fn degraded(clusters: &[&str]) -> Report {
    let names: Vec<String> = (0..1_000).map(|n| format!("c{n:03}")).collect();
    let states: Vec<_> = names.iter().map(|name| (name.as_str(), Succeeded)).collect();
    let mut report = report("2", Phase::Completed, &states);
    let addon = report.addons.values_mut().next().unwrap();
    for (name, cluster) in &mut addon.clusters {
        cluster.reason.clear();
        cluster.degraded = clusters.contains(&name.as_str()).then(|| "no pods".to_owned());
    }
    report
}

#[test]
fn a_halted_rollout_states_why_and_what_to_do() {
    let before = report("2", Phase::Progressing, &[("a", Progressing), ("b", Waiting)]);
    let mut after = report("2", Phase::Stopped, &[("a", Failed), ("b", Waiting)]);
    let addon = after.addons.values_mut().next().unwrap();
    addon.stopped_by = Some("stopped by the failure budget: 1 failed, 0 allowed".to_owned());
    addon.digest = Some(Digest::of(b"x"));
    let notices = found(&before, &after);
    let [notice] = notices.as_slice() else { panic!("{notices:?}") };
    assert_eq!((notice.event, notice.clusters), (Event::Halted, Some(2)));
    assert_eq!(notice.why, "canary: stopped by the failure budget: 1 failed, 0 allowed");
    assert_eq!(notice.digest.as_deref(), Some(Digest::of(b"x").short()));
    assert!(notice.remedy.contains("tidegate retry hello"), "{}", notice.remedy);
    let resumed = found(&after, &before);
    assert_eq!(resumed.iter().map(|notice| notice.kind.reason()).collect::<Vec<_>>(), ["RolloutResumed"]);
}

#[test]
fn clusters_that_stop_working_one_by_one_are_counted_together() {
    let (none, one, two) = (degraded(&[]), degraded(&["c001"]), degraded(&["c001", "c002"]));
    let counts = |before: &Report, after: &Report| {
        found(before, after).iter().map(|notice| (notice.clusters, notice.state.level)).collect::<Vec<_>>()
    };
    assert_eq!(counts(&none, &one), [(Some(1), 0)]);
    assert_eq!(counts(&one, &two), [(Some(2), 0)]);
    assert_eq!(counts(&two, &one), [], "one is left");
    assert_eq!(counts(&two, &none).len(), 1, "all work again");
    let all: Vec<String> = (0..1_000).map(|n| format!("c{n:03}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    assert_eq!(counts(&none, &degraded(&all)), [(Some(1_000), 3)]);
}

#[test]
fn after_a_restart_only_what_differs_from_the_journal_is_notified() {
    let held = |why: &str| {
        let mut report = report("1", Phase::Completed, &[("a", Succeeded)]);
        report.addons.values_mut().next().unwrap().problem = Some(why.to_owned());
        report.notices = vec!["3 of 9 objects".to_owned()];
        report
    };
    assert_eq!(since_journal((&held("no"), &held("no"))), []);
    let changed = since_journal((&held("no"), &held("policy x is broken")));
    assert!(matches!(changed.as_slice(), [News::AddonHeld { .. }]), "{changed:?}");
    let released = since_journal((&held("no"), &Report { notices: Vec::new(), ..held("no") }));
    assert_eq!(released, [], "the journal has other messages, too");
}

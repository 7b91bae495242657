//! Metrics with a label for the add-on.

use tidegate_daemon::reconciler::addons::metrics::Metrics;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_plan::report::{GateReport, Report};
use tidegate_rollout::GroupKey;

use super::{changed, report};

#[test]
fn metrics_have_a_label_for_the_add_on_and_are_removed_with_it() {
    let registry = tidegate_daemon::telemetry::metrics::Metrics::default();
    let metrics = registry.register(Metrics::register);
    let states = [("a", ClusterState::Failed), ("b", ClusterState::Succeeded), ("c", ClusterState::Removed)];
    let stopped = changed(report("2", Phase::Stopped, &states), |addon| {
        addon.clusters.get_mut("b").unwrap().degraded = Some("no pods".to_owned());
    });
    metrics.planned(&stopped);
    metrics.repaired(Some(&"hello".parse().unwrap()));
    metrics.repaired(None);
    let text = registry.text();
    for line in [
        "tidegate_clusters{addon=\"hello\",state=\"Failed\"} 1\n",
        "tidegate_clusters{addon=\"hello\",state=\"Succeeded\"} 1\n",
        "tidegate_clusters{addon=\"hello\",state=\"Waiting\"} 0\n",
        "tidegate_clusters_degraded{addon=\"hello\"} 1\n",
        "tidegate_clusters_leaving{addon=\"hello\"} 1\n",
        "tidegate_addon_phase{addon=\"hello\",phase=\"Stopped\"} 1\n",
        "tidegate_addon_phase{addon=\"hello\",phase=\"Completed\"} 0\n",
        "tidegate_addon_stopped{addon=\"hello\"} 1\n",
        "tidegate_repairs_total{addon=\"hello\"} 1\n",
        "tidegate_repairs_total{addon=\"\"} 1\n",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    metrics.planned(&Report::default());
    let text = registry.text();
    assert!(!text.contains("hello"), "{text}");
    assert!(text.contains("tidegate_repairs_total{addon=\"\"} 1\n"), "{text}");
}

#[test]
fn the_time_of_a_cluster_is_measured_once_when_it_succeeds() {
    let registry = tidegate_daemon::telemetry::metrics::Metrics::default();
    let metrics = registry.register(Metrics::register);
    let at = |text: &str| Some(text.parse().unwrap());
    let with = |phase, state, since: &str| {
        changed(report("2", phase, &[("a", state)]), |addon| {
            let cluster = addon.clusters.get_mut("a").unwrap();
            (cluster.started, cluster.since) = (at("2026-11-21T10:00:00Z"), at(since));
        })
    };
    let done = || with(Phase::Completed, ClusterState::Succeeded, "2026-11-21T10:00:50Z");
    // A process that starts does not know whether it was measured before.
    metrics.planned(&done());
    assert!(!registry.text().contains("tidegate_cluster_rollout_seconds_count{"), "{}", registry.text());
    metrics.planned(&with(Phase::Progressing, ClusterState::Progressing, "2026-11-21T10:00:00Z"));
    metrics.planned(&done());
    metrics.planned(&with(Phase::Completed, ClusterState::Succeeded, "2026-11-21T10:00:50Z"));
    let text = registry.text();
    for line in ["_sum{addon=\"hello\",placement=\"", "_count{addon=\"hello\",placement=\""] {
        let value = text.lines().find(|found| found.contains(&format!("tidegate_cluster_rollout_seconds{line}")));
        let value = value.unwrap().rsplit(' ').next().unwrap();
        assert_eq!(value, if line.starts_with("_sum") { "50.0" } else { "1" }, "{text}");
    }
    metrics.planned(&Report::default());
    assert!(!registry.text().contains("hello"), "{}", registry.text());
}

#[test]
fn closed_gates_are_counted_and_those_that_time_does_not_open_have_a_time() {
    let registry = tidegate_daemon::telemetry::metrics::Metrics::default();
    let metrics = registry.register(Metrics::register);
    let gate = |since: &str, look_at: Option<&str>| GateReport {
        placement: "ocm/fleet".to_owned(),
        group: GroupKey { index: 1, name: "rest".to_owned() },
        gate: "an approval".to_owned(),
        opens: "an approval".to_owned(),
        since: since.parse().unwrap(),
        look_at: look_at.map(|at| at.parse().unwrap()),
        clusters: 3,
    };
    let gates = vec![gate("1970-01-01T00:01:00Z", Some("2026-11-21T10:00:00Z")), gate("1970-01-01T00:02:00Z", None)];
    let waiting =
        changed(report("2", Phase::Progressing, &[("a", ClusterState::Waiting)]), |addon| addon.gates = gates);
    metrics.planned(&waiting);
    let text = registry.text();
    for line in [
        "tidegate_gates_closed{addon=\"hello\"} 2\n",
        "tidegate_gates_closed_since_timestamp_seconds{addon=\"hello\"} 120\n",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    metrics.planned(&report("2", Phase::Completed, &[("a", ClusterState::Succeeded)]));
    assert!(registry.text().contains("tidegate_gates_closed_since_timestamp_seconds{addon=\"hello\"} 0\n"));
}

#[test]
fn the_lag_is_that_of_each_commit_but_the_first() {
    let registry = tidegate_daemon::telemetry::metrics::Metrics::default();
    let metrics = registry.register(tidegate_daemon::reconciler::metrics::Metrics::register);
    let now = "2026-11-21T10:00:00Z".parse().unwrap();
    let revision = |digit: &str, time: &str| tidegate_model::followed::Revision {
        commit: digit.repeat(40).parse().unwrap(),
        subject: String::new(),
        author: String::new(),
        committer: String::new(),
        time: time.parse().unwrap(),
        tag: None,
        merge: None,
        approved_by: Vec::new(),
        signature: None,
        reverts: Vec::new(),
    };
    metrics.carried_out(None, now);
    metrics.carried_out(Some(&revision("1", "2020-01-01T00:00:00Z")), now);
    for _ in 0..3 {
        metrics.carried_out(Some(&revision("2", "2026-11-21T09:59:30Z")), now);
    }
    // The clock of the author may be ahead.
    metrics.carried_out(Some(&revision("3", "2026-11-21T10:30:00Z")), now);
    let text = registry.text();
    assert!(text.contains("tidegate_commit_lag_seconds_sum 30.0\n"), "{text}");
    assert!(text.contains("tidegate_commit_lag_seconds_count 2\n"), "{text}");
}

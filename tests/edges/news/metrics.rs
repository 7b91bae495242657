//! Metrics with a label for the add-on.

use tidegate_daemon::reconciler::addons::metrics::Metrics;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_plan::report::Report;

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

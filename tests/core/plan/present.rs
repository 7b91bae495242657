//! The current health of an add-on whose rollout is complete.

use serde_json::{Value, json};
use tidegate_model::progress::ClusterState;
use tidegate_model::semantics::Semantics;
use tidegate_plan::PlacementMode;
use tidegate_plan::report::ClusterReport;

use super::{examples, hub_with_done_cluster, planned, read};

/// Returns the report of a cluster that is done, given the condition `Available` of its add-on and that of the cluster.
fn reported(semantics: Semantics, available: Option<(&str, &str)>, is_reachable: &str) -> ClusterReport {
    let mut repository = examples();
    repository.settings.semantics = semantics;
    let mut fleet = hub_with_done_cluster(&repository, -10, -20, |addon: &mut Value| {
        let Some((status, message)) = available else { return };
        let at = "1970-01-01T00:00:00Z";
        let condition = json!({ "type": "Available", "status": status, "reason": "ProbeUnavailable", "message": message, "lastTransitionTime": at });
        addon["status"]["conditions"].as_array_mut().unwrap().push(condition);
    });
    let (name, cluster) = fleet.clusters.iter().next().unwrap();
    let (name, mut cluster) = (name.clone(), serde_json::to_value(cluster.as_ref()).unwrap());
    let condition = json!({ "type": "ManagedClusterConditionAvailable", "status": is_reachable, "reason": "r", "message": "", "lastTransitionTime": "1970-01-01T00:00:00Z" });
    cluster["status"] = json!({ "conditions": [condition] });
    fleet.clusters.insert(name.clone(), read(cluster));
    let plan = planned(&repository, &fleet, PlacementMode::Builtin);
    plan.report.addons["hello-template"].clusters[&name].clone()
}

#[test]
fn a_completed_cluster_whose_add_on_is_not_available_is_degraded_with_a_stable_message() {
    for semantics in [Semantics::Strict, Semantics::Compat] {
        let of = |ready: u8| {
            let message = format!(
                "Probe addon unavailable with err desiredNumberReplicas is 3 but readyReplica is {ready} for deployments hello/agent"
            );
            reported(semantics, Some(("False", &message)), "True")
        };
        assert_eq!(of(0).degraded.as_deref(), Some("deployments hello/agent is not ready"), "{semantics:?}");
        assert_eq!(of(0), of(1));
        assert_eq!((of(0).state, of(0).reason.as_str()), (ClusterState::Succeeded, ""));
        let other = reported(semantics, Some(("False", "2 of 5 resources are not available")), "True");
        assert_eq!(other.degraded.as_deref(), Some("its works are not available"));
        for well in [None, Some(("True", "")), Some(("Unknown", "not known yet"))] {
            assert_eq!(reported(semantics, well, "True").degraded, None, "{well:?}");
        }
    }
}

#[test]
fn a_cluster_that_does_not_answer_is_unreachable_and_not_degraded() {
    for status in ["False", "Unknown"] {
        let report = reported(Semantics::Strict, Some(("False", "no pods")), status);
        assert_eq!((report.state, report.degraded), (ClusterState::Succeeded, None));
        assert_eq!(report.reason, "the cluster is unreachable");
    }
}

//! The reasons of clusters that do not become done: a cluster that refuses, one that is silent, and one whose workload is not ready.

use tidegate_model::progress::ClusterState;
use tidegate_plan::Plan;
use tidegate_plan::report::ClusterReport;

use super::world::{Event, World};
use tidegate_simulation::accident::Accident;
use tidegate_simulation::agents::{Conduct, Nature};
use tidegate_simulation::revision::{Policy, Revision};

fn revision(version: u8) -> Revision {
    let policy = Policy { deadline: Some(60), ..Policy::all_at_once() };
    Revision::simple(version, policy)
}

/// Returns the last plan of a rollout of version 2, in which cluster `c0` behaves like this.
fn rolled_out(conduct: Conduct, is_seen: bool) -> Plan {
    let events = vec![
        (99, Event::Happens(Accident::Turn { cluster: 0, nature: Nature { conduct, delay: 1 } })),
        (99, Event::Happens(Accident::Sight { cluster: 0, is_seen })),
        (100, Event::Commit(Box::new(revision(2)))),
    ];
    World::new(revision(1), events).run(&[])
}

fn on(plan: &Plan) -> &ClusterReport {
    let report = &plan.report.addons["hello"].clusters["c0"];
    assert_eq!(report.state, ClusterState::TimedOut, "{report:#?}");
    assert!(report.reported.is_some(), "{report:#?}");
    report
}

#[test]
fn a_cluster_that_times_out_has_its_root_cause_as_the_reason() {
    let work = "ManifestWork addon-hello-deploy-0";
    assert_eq!(on(&rolled_out(Conduct::Refuses, true)).reason, format!("the cluster does not accept {work}"));
    let last = "the last version that it reported on was applied";
    let silent = format!("the agent of the cluster has not reported on the current version of {work}: {last}");
    assert_eq!(on(&rolled_out(Conduct::Silent, true)).reason, silent);
    assert_eq!(on(&rolled_out(Conduct::Silent, false)).reason, "the hub does not hear from the cluster");
    assert_eq!(
        on(&rolled_out(Conduct::Unready, true)).reason,
        "Deployment open-cluster-management-agent-addon/agent (image example.com/hello:2) is not ready in its current version"
    );
}

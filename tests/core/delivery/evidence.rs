//! Tests of what upstream accepts as available, and what strict accepts as evidence.

use serde_json::{Value, json};
use tidegate_api::ocm::manifest_work::ResourceIdentifier;
use tidegate_delivery::{Evidence, WorkOwner, doubt, health};

use super::builders::{Existing, cluster, hello};
use super::health::{condition, integers, probe, report, work};

/// Returns `true` if upstream treats the add-on as available, and the reason why strict does not.
fn judged(works: &Existing, probes: &[ResourceIdentifier]) -> (bool, Option<String>) {
    let cluster = cluster(json!({"name": "cluster1"}), json!({}));
    let evidence = Evidence {
        owner: &WorkOwner::addon(&hello()),
        cluster: &cluster,
        works,
        probes,
        conditioned: &[],
        has_manifest_applied: true,
    };
    (health(&evidence).is_some_and(|claim| claim.status == "True"), doubt(&evidence))
}

/// Judges one available work with these reports.
fn of(reports: Value, probes: &[ResourceIdentifier]) -> (bool, Option<String>) {
    judged(&[work("addon-hello-deploy-0", json!([condition("Available", "True")]), reports)].into(), probes)
}

fn of_deployment(values: &[(&str, i64)]) -> (bool, Option<String>) {
    of(json!([report("deployments", integers(values))]), &[probe("deployments")])
}

fn of_daemon_set(values: &[(&str, i64)]) -> (bool, Option<String>) {
    of(json!([report("daemonsets", integers(values))]), &[probe("daemonsets")])
}

fn but(why: &str) -> (bool, Option<String>) {
    (true, Some(why.to_owned()))
}

const NEW: [(&str, i64); 3] =
    [("TidegateGeneration", 2), ("TidegateObservedGeneration", 2), ("TidegateDesiredReplicas", 2)];

#[test]
fn replicas_of_the_old_version_are_no_evidence_for_the_new_one() {
    let deployment = |more: &[(&str, i64)]| of_deployment(&[&NEW, more].concat());
    let all = [("TidegateUpdatedReplicas", 2), ("Replicas", 2), ("ReadyReplicas", 2)];
    assert_eq!(deployment(&all), (true, None));
    // One new replica does not come up, and two old ones still run.
    let surge = [("TidegateUpdatedReplicas", 1), ("Replicas", 3), ("ReadyReplicas", 2)];
    let why = "deployments n/w is being updated: 1 of 3 replicas run its newest version";
    assert_eq!(deployment(&surge), but(why));
    let crash = [("TidegateUpdatedReplicas", 2), ("Replicas", 2), ("ReadyReplicas", 1)];
    assert_eq!(deployment(&crash), but("1 of 2 replicas of deployments n/w are ready"));
    let nodes = [("NumberReady", 3), ("DesiredNumberScheduled", 3), ("TidegateUpdatedNumberScheduled", 2)];
    let why = "daemonsets n/w is being updated: 2 of 3 replicas run its newest version";
    assert_eq!(of_daemon_set(&[&NEW[..2], &nodes].concat()), but(why));
}

#[test]
fn a_report_from_before_the_controller_acted_is_outdated() {
    let values = [("TidegateGeneration", 3), ("TidegateObservedGeneration", 2), ("Replicas", 1), ("ReadyReplicas", 1)];
    let why = "deployments n/w is being updated: its controller has not processed generation 3";
    assert_eq!(of_deployment(&values), but(why));
    let never = [("TidegateGeneration", 1), ("Replicas", 1), ("ReadyReplicas", 1)];
    assert!(of_deployment(&never).1.unwrap().contains("has not processed generation 1"));
}

#[test]
fn an_agent_that_knows_only_the_well_known_values_must_report_every_replica_ready() {
    assert_eq!(of_deployment(&[("Replicas", 2), ("ReadyReplicas", 2)]), (true, None));
    let why = "1 of 2 replicas of deployments n/w are ready";
    assert_eq!(of_deployment(&[("Replicas", 2), ("ReadyReplicas", 1)]), but(why));
}

#[test]
fn every_workload_must_be_reported() {
    let fine = report("deployments", integers(&[("Replicas", 1), ("ReadyReplicas", 1)]));
    let both = [probe("deployments"), probe("daemonsets")];
    assert_eq!(of(json!([fine]), &both), but("the cluster reports nothing about daemonsets n/w"));
    let (is_available, why) = of(json!([]), &both);
    assert_eq!(
        (is_available, why.as_deref()),
        (false, Some("the cluster has not reported the state of its workloads"))
    );
    assert_eq!(of(json!([]), &[]), (true, None), "nothing to report");
}

#[test]
fn a_doubt_is_in_words_for_an_operator_and_names_the_workload() {
    let not = |why: &str| (false, Some(why.to_owned()));
    let why = "the cluster has not reported how many replicas of deployments n/w are ready";
    assert_eq!(of_deployment(&[("AvailableReplicas", 1)]), not(why));
    // Kubernetes leaves out numbers that are 0.
    let none = "0 of 2 replicas of deployments n/w are ready";
    for values in [[("Replicas", 2), ("ReadyReplicas", 0)], [("Replicas", 2), ("TidegateUpdatedReplicas", 2)]] {
        assert_eq!(of_deployment(&values), not(none));
    }
    assert_eq!(of_deployment(&[("TidegateGeneration", 1), ("TidegateDesiredReplicas", 2)]), not(none));
    assert_eq!(judged(&Existing::default(), &[]), not("its ManifestWork is not on the hub"));
    let silent = [work("addon-hello-deploy-0", json!([]), json!([]))].into();
    assert_eq!(judged(&silent, &[]), not("the cluster has not reported whether its ManifestWork is available"));
    let mut refused = condition("Available", "False");
    refused["message"] = json!("Deployment n/w is forbidden");
    let refused = [work("addon-hello-deploy-0", json!([refused]), json!([]))].into();
    assert_eq!(judged(&refused, &[]), not("Deployment n/w is forbidden"));
}

#[test]
fn an_unreachable_cluster_proves_nothing() {
    let works = [work("addon-hello-deploy-0", json!([condition("Available", "True")]), json!([]))].into();
    let unseen = json!({"conditions": [condition("ManagedClusterConditionAvailable", "Unknown")]});
    let cluster = cluster(json!({"name": "cluster1"}), unseen);
    let evidence = Evidence {
        owner: &WorkOwner::addon(&hello()),
        cluster: &cluster,
        works: &works,
        probes: &[],
        conditioned: &[],
        has_manifest_applied: true,
    };
    assert_eq!(doubt(&evidence).as_deref(), Some("the cluster does not answer"));
}

//! Batches by partition: what a cluster gets of a workload in each phase, and when a batch is done.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tidegate_delivery::{Evidence, Order, Partial, WorkOwner, doubt};

use super::builders::{Existing, cluster, existing, hello, objects};
use super::health::condition;
use super::phases::{in_order, map, object, one_work};

/// A StatefulSet of four replicas, which are replaced in three batches.
fn stateful_set(component: &str, sizes: &str) -> Value {
    let mut set = object("apps/v1", "StatefulSet", component, 2);
    set["metadata"]["annotations"] = json!({ "tidegate.io/batches": sizes });
    set["spec"] =
        json!({ "replicas": 4, "updateStrategy": { "type": "RollingUpdate", "rollingUpdate": { "partition": 0 } } });
    set
}

fn clone_set(sizes: &str) -> Value {
    let mut set = object("apps.kruise.io/v1alpha1", "CloneSet", "a", 2);
    set["metadata"]["annotations"] = json!({ "tidegate.io/batches": sizes });
    set["spec"] = json!({ "replicas": 4, "updateStrategy": { "type": "InPlaceIfPossible", "partition": 0 } });
    set
}

fn order(depends: &Value, manifests: &[Value]) -> Order {
    let workload = json!({ "workload": { "manifests": manifests } });
    Order::read(&json!({ "spec": { "dependsOn": depends, "agentSpec": workload } }))
}

fn gets(depends: &Value, manifests: &[Value], works: &Existing, open: u32) -> Option<Partial> {
    in_order(&order(depends, manifests), works, (manifests, &[]), (open, &BTreeSet::new()))
}

fn partition(object: &Value) -> &Value {
    let strategy = &object["spec"]["updateStrategy"];
    strategy.get("partition").unwrap_or(&strategy["rollingUpdate"]["partition"])
}

#[test]
fn each_batch_has_a_phase_in_which_the_partition_is_lower() {
    for set in [stateful_set("a", "[1,1,2]"), clone_set("[1,1,2]")] {
        let at = |open| gets(&json!({}), std::slice::from_ref(&set), &Existing::new(), open);
        let partitions: Vec<Option<Value>> =
            (0..3).map(|open| at(open).map(|partial| partition(&objects(&partial.rendered)[0]).clone())).collect();
        assert_eq!(partitions, [Some(json!(3)), Some(json!(2)), None]);
        // Nothing else is different.
        let mut first = objects(&at(0).unwrap().rendered)[0].clone();
        let strategy = &mut first["spec"]["updateStrategy"];
        if strategy.get("partition").is_some() {
            strategy["partition"] = json!(0);
        } else {
            strategy["rollingUpdate"]["partition"] = json!(0);
        }
        assert_eq!(first, set);
    }
}

#[test]
fn batches_up_to_a_partition_end_there() {
    let mut set = stateful_set("a", "[1,1]");
    set["spec"]["updateStrategy"]["rollingUpdate"]["partition"] = json!(2);
    let partial = gets(&json!({}), std::slice::from_ref(&set), &Existing::new(), 0).unwrap();
    assert_eq!(*partition(&objects(&partial.rendered)[0]), json!(3));
    assert!(gets(&json!({}), &[set], &Existing::new(), 1).is_none());
}

#[test]
fn batches_that_cannot_be_carried_out_are_one() {
    let none = |set: Value| order(&json!({}), &[set]).last();
    assert_eq!(none(stateful_set("a", "[1,1,2]")), 2);
    for sizes in ["[4]", "[]", "[3,2]", "[0,4]", "[-1,4]", "[1,\"1\"]", "{}", "1,3", "[9223372036854775807,1]"] {
        assert_eq!(none(stateful_set("a", sizes)), 0, "{sizes}");
    }
    let mut deployment = stateful_set("a", "[1,3]");
    deployment["kind"] = json!("Deployment");
    let mut of_any_size = stateful_set("a", "[1,3]");
    of_any_size["spec"]["replicas"] = Value::Null;
    assert_eq!([none(deployment), none(of_any_size)], [0, 0]);
}

#[test]
fn a_component_comes_after_the_last_batch_of_what_it_depends_on() {
    let manifests = [stateful_set("a", "[1,1,2]"), map("b", 2), stateful_set("c", "[2,2]")];
    let order = order(&json!({ "b": ["a"], "c": ["b"] }), &manifests);
    assert_eq!([order.phase("a"), order.phase("b"), order.phase("c"), order.last()], [0, 3, 4, 5]);
    let works = one_work("app-shop-0", &[map("b", 1)], &[]);
    let at = |open| gets(&json!({ "b": ["a"], "c": ["b"] }), &manifests, &works, open).unwrap();
    let names = |open| {
        let rendered = objects(&at(open).rendered);
        let named = |object: &Value| format!("{} {}", object["metadata"]["name"].as_str().unwrap(), object["version"]);
        rendered.iter().map(named).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(
        ["a 2, b 1", "a 2, b 1", "a 2, b 1", "a 2, b 2", "a 2, b 2, c 2"].map(str::to_owned),
        [0, 1, 2, 3, 4].map(names)
    );
    let next = |open| at(open).waiting.next();
    assert_eq!(
        [0, 1, 2, 3, 4].map(next),
        [
            "batch 2/3 of component a",
            "batch 3/3 of component a",
            "component b",
            "component c",
            "batch 2/2 of component c"
        ]
    );
}

#[test]
fn the_generation_of_a_workload_with_more_batches_is_recorded_before_each() {
    let manifests = [stateful_set("a", "[2,2]"), stateful_set("b", "[1,1,2]")];
    let changing = |open| {
        let partial = gets(&json!({}), &manifests, &Existing::new(), open).unwrap();
        partial.waiting.changing().iter().map(|object| object.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!([changing(0), changing(1)], [vec!["a", "b"], vec!["b"]]);
}

/// What a cluster reports of a workload of four replicas, the first of which is replaced.
fn reported(kind: &str, values: &Value) -> (Existing, Partial) {
    let set = if kind == "StatefulSet" { stateful_set("a", "[1,1,2]") } else { clone_set("[1,1,2]") };
    let partial = gets(&json!({}), &[set], &Existing::new(), 0).unwrap();
    let manifests = objects(&partial.rendered);
    let group = if kind == "StatefulSet" { "apps" } else { "apps.kruise.io" };
    let value = |(name, number): (&String, &Value)| json!({ "name": name, "fieldValue": { "type": "Integer", "integer": number } });
    let report = json!({
        "resourceMeta": {
            "ordinal": 0, "group": group, "kind": kind, "resource": format!("{}s", kind.to_lowercase()), "name": "a", "namespace": "n",
        },
        "statusFeedback": { "values": values.as_object().unwrap().iter().map(value).collect::<Vec<_>>() },
        "conditions": [],
    });
    let works = [existing(json!({
        "metadata": { "name": "addon-hello-deploy-0", "namespace": "cluster1" },
        "spec": { "workload": { "manifests": manifests } },
        "status": {
            "conditions": [condition("Applied", "True"), condition("Available", "True")],
            "resourceStatus": { "manifests": [report] },
        },
    }))];
    (works.into(), partial)
}

fn said(kind: &str, values: &Value) -> Option<String> {
    let (works, partial) = reported(kind, values);
    let (owner, cluster) = (WorkOwner::addon(&hello()), cluster(json!({ "name": "cluster1" }), json!({})));
    let evidence = Evidence {
        owner: &owner,
        cluster: &cluster,
        works: &works,
        probes: &partial.rendered.probes,
        conditioned: &[],
        has_manifest_applied: true,
    };
    let doubt = doubt(&evidence);
    assert_eq!(partial.waiting.doubt(&evidence).map(|(_, why)| why), doubt);
    partial.waiting.doubt(&evidence).map(|(what, why)| format!("{what}: {why}"))
}

#[test]
fn a_batch_is_done_once_its_replicas_run_the_newest_version_with_its_partition() {
    let of_stateful_set = |partition: Value, updated: i64, ready: i64| {
        let mut values = json!({
            "TidegateGeneration": 2, "TidegateObservedGeneration": 2, "TidegateDesiredReplicas": 4, "TidegateReplicas": 4,
            "TidegateReadyReplicas": ready, "TidegateUpdatedReplicas": updated,
        });
        if !partition.is_null() {
            values["TidegatePartition"] = partition;
        }
        said("StatefulSet", &values).unwrap_or_default()
    };
    let of_clone_set = |partition: i64, updated: i64, ready: i64| {
        let values = json!({
            "TidegateGeneration": 2, "TidegateObservedGeneration": 2, "TidegateDesiredReplicas": 4, "TidegateReplicas": 4,
            "TidegateReadyReplicas": ready, "TidegateUpdatedReadyReplicas": updated,
            "TidegateExpectedUpdatedReplicas": 4 - partition, "TidegateCloneSetPartition": partition,
        });
        said("CloneSet", &values).unwrap_or_default()
    };
    let waits = "batch 2/3 of component a waits for batch 1: ";
    let other = |of: &str| {
        format!(
            "{waits}{of} n/a is being updated: the cluster does not report it with the partition that it should have"
        )
    };
    let batch = |of: &str| format!("{waits}{of} n/a is being updated: batch 1/3, 0 of 4 replicas (0 %)");
    let unready = |of: &str| format!("{waits}3 of 4 replicas of {of} n/a are ready");
    let of = "statefulsets";
    assert_eq!(of_stateful_set(json!(3), 1, 4), "");
    assert_eq!(of_stateful_set(json!(3), 0, 4), batch(of));
    assert_eq!(of_stateful_set(json!(3), 1, 3), unready(of));
    // A report from before, or of somebody else's partition.
    for partition in [json!(0), json!(4), json!(2), Value::Null] {
        assert_eq!(of_stateful_set(partition, 4, 4), other(of));
    }
    let of = "clonesets";
    assert_eq!(of_clone_set(3, 1, 4), "");
    assert_eq!(of_clone_set(3, 0, 4), batch(of));
    assert_eq!(of_clone_set(3, 1, 3), unready(of));
    assert_eq!(of_clone_set(0, 4, 4), other(of));
}

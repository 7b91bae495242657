//! The recorded run of OCM's add-on manager, repeated with the stand-in.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tidegate_api::ocm::crds;
use tidegate_sandbox::Sandbox;

use super::setup::*;
use super::summary::{Hashes, Step, step};
use super::watched::Watched;
use crate::difference::difference;
use crate::recorded::recorded;
use crate::upstream::AddonManager;

/// Returns the steps of the recording with their events.
fn recording() -> Vec<(String, Vec<Value>)> {
    let mut steps: Vec<(String, Vec<Value>)> = Vec::new();
    for line in recorded("upstream-manual").lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        let name = event["step"].as_str().unwrap().to_owned();
        match steps.last_mut().filter(|(last, _)| *last == name) {
            Some((_, events)) => events.push(event),
            None => steps.push((name, vec![event])),
        }
    }
    steps
}

/// Does what the person did in a step of the recording.
async fn act(setup: &Setup, name: &str) {
    let (a, b) = (of_template("hello-a"), of_template("hello-b"));
    match name {
        "templates a, b; ClusterManagementAddOn Manual, default a" => {
            let templates =
                [template("hello-a", "addon-examples:v0.4.0", &[]), template("hello-b", "addon-examples:v0.4.1", &[])];
            setup.sandbox.seed(templates).unwrap();
            setup.sandbox.seed([declared("hello-a")]).unwrap();
        }
        "ManagedClusterAddOns on clusters 1 and 2 pinned to a" => {
            setup.install("cluster1", json!([a]));
            setup.install("cluster2", json!([a]));
        }
        "cluster1 pinned to b" | "cluster1 pinned back to b" => setup.pin("cluster1", json!([b])).await,
        "default of the ClusterManagementAddOn becomes b; cluster2 is pinned to a" => {
            setup.patch(&addon(), json!({ "spec": declared("hello-b")["spec"] })).await;
        }
        "cluster2 gets a deployment configuration besides its template" => {
            setup.sandbox.seed([config("conf-1", "1"), config("conf-2", "2")]).unwrap();
            setup.pin("cluster2", json!([a, of_config("conf-1")])).await;
        }
        "that configuration is edited in place" => {
            let path =
                "/apis/addon.open-cluster-management.io/v1beta1/namespaces/fleet-addons/addondeploymentconfigs/conf-1";
            setup.patch(path, json!({ "spec": config("conf-1", "3")["spec"] })).await;
        }
        "cluster2 moves to another configuration" => setup.pin("cluster2", json!([a, of_config("conf-2")])).await,
        "template a, in use by cluster2, is edited in place" => {
            let edited = template("hello-a", "addon-examples:v0.4.9", &[]);
            setup.patch(&template_path("hello-a"), json!({ "spec": edited["spec"] })).await;
        }
        "cluster1 pinned to a template that does not exist" => {
            setup.pin("cluster1", json!([of_template("hello-none")])).await;
        }
        "cluster3: ManagedClusterAddOn without configurations (the default b)" => setup.install("cluster3", json!([])),
        "the work of cluster1 is deleted by somebody" => setup.delete(&work("cluster1")).await,
        "lifecycle self is written on the ClusterManagementAddOn" => {
            let annotations = json!({ "addon.open-cluster-management.io/lifecycle": "self" });
            setup.patch(&addon(), json!({ "metadata": { "annotations": annotations } })).await;
        }
        "template b in use is deleted" => setup.delete(&template_path("hello-b")).await,
        "template b comes back" => {
            setup.sandbox.seed([template("hello-b", "addon-examples:v0.4.1", &[])]).unwrap();
        }
        "ManagedClusterAddOn of cluster2 is deleted" => setup.delete(&cluster_addon("cluster2")).await,
        "ClusterManagementAddOn is deleted" => setup.delete(&addon()).await,
        unknown => panic!("the recording has a step {unknown:?}, which this test cannot repeat"),
    }
}

#[tokio::test(start_paused = true)]
async fn every_step_of_the_recording_has_the_same_works_and_states() {
    // No garbage collector ran when the events were recorded.
    let sandbox = Sandbox::without_controllers(&crds::all().unwrap(), now);
    let watched = Watched::start(&sandbox);
    let setup = Setup::on(sandbox, AddonManager::new(now));
    setup.settle().await;
    let (mut hashes, mut recorded_hashes) = (Hashes::default(), Hashes::default());
    let (mut generations, mut recorded_generations) = (BTreeMap::new(), BTreeMap::new());
    let mut found = Vec::new();
    for (name, mut expected) in recording() {
        act(&setup, &name).await;
        setup.settle().await;
        let mut events = watched.take();
        events.iter_mut().for_each(|event| hashes.replace(event));
        expected.iter_mut().for_each(|event| recorded_hashes.replace(event));
        let observed = step(&events, &mut generations);
        let expected = step(&expected, &mut recorded_generations);
        found.extend(differences(&name, &expected, &observed));
    }
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

/// Returns how a step differs from the recorded one.
fn differences(name: &str, expected: &Step, observed: &Step) -> Vec<String> {
    let lines = |step: &Step| {
        let of_place = |(place, states): (&String, &Vec<String>)| format!("[{place}]\n  {}", states.join("\n  "));
        step.sequences.iter().map(of_place).collect::<Vec<_>>().join("\n")
    };
    let mut found = Vec::new();
    if lines(expected) != lines(observed) {
        found.push(format!("in step {name:?}, expected\n{}\nbut there was\n{}", lines(expected), lines(observed)));
    }
    for object in expected.last.keys().chain(observed.last.keys()).collect::<BTreeSet<_>>() {
        let (expected, observed) = (&json!(expected.last)[object], &json!(observed.last)[object]);
        if let Some(difference) = difference(expected, observed) {
            found.push(format!("after step {name:?}, {object}{difference}"));
        }
    }
    found
}

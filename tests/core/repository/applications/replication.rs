//! Components that are there once for each key.

use serde_json::{Value, json};
use tidegate_repository::load;

use super::types::application;
use super::{objects, tree, unit, web};
use crate::fixture::shown;

const SERVER: &str = "name: server\ntype: webservice\nproperties: {image: a, ports: [{port: 80, expose: true}]}\n";
const AGENT: &str = "name: agent\ntype: worker\nproperties: {image: b}\n";

fn with(policies: &str) -> String {
    let indented: String = policies.lines().map(|line| format!("    {line}\n")).collect();
    application(&[SERVER, AGENT]) + &indented
}

fn replication(properties: &str) -> String {
    format!("- name: tenants\n  type: replication\n  properties: {properties}\n")
}

fn names(policies: &str) -> Vec<String> {
    let name = |object: &Value| {
        format!("{} {}", object["kind"].as_str().unwrap(), object["metadata"]["name"].as_str().unwrap())
    };
    objects(&unit(&tree(&with(policies)))).iter().map(name).collect()
}

#[test]
fn a_component_is_there_once_for_each_key() {
    let selected = names(&replication("{keys: [a, b], selector: [server]}"));
    assert_eq!(
        selected,
        ["Deployment server-a", "Service server-a", "Deployment server-b", "Service server-b", "Deployment agent"]
    );
    assert_eq!(names(&replication("{keys: [x]}")), ["Deployment server-x", "Service server-x", "Deployment agent-x"]);
    let unit = unit(&tree(&with(&replication("{keys: [a, b], selector: [server]}"))));
    let server = &objects(&unit)[0];
    assert_eq!(
        server["spec"]["selector"]["matchLabels"]["app.oam.dev/component"], "server-a",
        "each has pods of its own"
    );
    let version = &unit.configurations.keys().next().unwrap().name;
    assert!(!version.is_empty(), "{version}");
}

#[test]
fn overrides_apply_before_components_are_replicated() {
    let change =
        "- name: other\n  type: override\n  properties: {components: [{name: server, properties: {image: c}}]}\n";
    let unit = unit(&tree(&with(&format!("{}{change}", replication("{keys: [a, b], selector: [server]}")))));
    let images: Vec<Value> = objects(&unit)
        .iter()
        .filter_map(|object| object.pointer("/spec/template/spec/containers/0/image").cloned())
        .collect();
    assert_eq!(images, ["c", "c", "b"]);
}

#[test]
fn a_step_names_the_replication_of_its_clusters() {
    let steps =
        "  workflow:\n    steps:\n      - {name: all, type: deploy, properties: {policies: [everywhere, tenants]}}\n";
    let text = with(&replication("{keys: [a], selector: [server]}"));
    let text = text.replace("        rolloutStrategy:\n          type: Progressive\n          progressive:\n            maxConcurrency: 1\n            mandatoryDecisionGroups:\n              - groupName: canary\n", "");
    let unit = unit(&tree(&(text + steps)));
    assert_eq!(objects(&unit)[0]["metadata"]["name"], "server-a");
}

#[test]
fn mistakes_in_replications() {
    let cases = [
        ("no keys", "{keys: []}"),
        ("not a name", "{keys: [A_b]}"),
        ("twice", "{keys: [a, a]}"),
        ("unknown component", "{keys: [a], selector: [servre]}"),
        ("a long name", "{keys: [a-key-that-is-so-long-that-no-name-of-a-component-has-room-for]}"),
        ("unknown field", "{keys: [a], selectors: [server]}"),
    ];
    let found = cases.map(|(what, properties)| {
        let loaded = load(&tree(&with(&replication(properties))), "");
        assert!(!loaded.repository.addons.contains_key(&web()), "{what}");
        format!("{what}\n    {}\n", shown(&loaded).join("\n    "))
    });
    let taken = application(&[SERVER, "name: server-a\ntype: worker\nproperties: {image: b}\n"])
        + &replication("{keys: [a], selector: [server]}")
            .lines()
            .map(|line| format!("    {line}\n"))
            .collect::<String>();
    let taken = shown(&load(&tree(&taken), "")).join("\n    ");
    let twice = application(&[
        "name: texts\ntype: k8s-objects\nproperties: {objects: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}]}\n",
    ]) + &replication("{keys: [a, b]}").lines().map(|line| format!("    {line}\n")).collect::<String>();
    let twice = shown(&load(&tree(&twice), "")).join("\n    ");
    insta::assert_snapshot!(
        "mistakes_in_replications",
        format!("{}taken\n    {taken}\nthe same objects\n    {twice}\n", found.concat())
    );
}

#[test]
fn the_order_of_components_follows_the_copies() {
    let order = |components: &[&str], properties: &str| {
        let policies: String = replication(properties).lines().map(|line| format!("    {line}\n")).collect();
        let unit = unit(&tree(&(application(components) + &policies)));
        unit.configurations.values().next().unwrap().object["spec"]["dependsOn"].clone()
    };
    let agent = format!("{AGENT}dependsOn: [server]\n");
    let components = [SERVER, agent.as_str()];
    // Each copy comes after the one with its key, and any other component after all copies.
    assert_eq!(order(&components, "{keys: [a, b]}"), json!({ "agent-a": ["server-a"], "agent-b": ["server-b"] }));
    assert_eq!(order(&components, "{keys: [a, b], selector: [server]}"), json!({ "agent": ["server-a", "server-b"] }));
    assert_eq!(
        order(&components, "{keys: [a, b], selector: [agent]}"),
        json!({ "agent-a": ["server"], "agent-b": ["server"] })
    );
}

/// Returns the complaints about an application with these policies and steps.
fn complaints(components: &[&str], rest: &str) -> String {
    let rest: String = rest.lines().map(|line| format!("    {line}\n")).collect();
    shown(&load(&tree(&(application(components) + &rest)), "")).join("\n")
}

#[test]
fn replications_do_not_multiply_without_limit() {
    let keys: Vec<String> = (0..100).map(|key| format!("k{key}")).collect();
    let policy =
        |name: &str| format!("- {{name: {name}, type: replication, properties: {{keys: [{}]}}}}\n", keys.join(", "));
    let policies: String = ["a", "b", "c", "d"].map(policy).concat();
    insta::assert_snapshot!(
        complaints(&[AGENT], &policies),
        @"web.yaml:7:3: the application has 100000000 components, those of each policy that selects clusters counted apart; 5000 are allowed, so split it"
    );
}

#[test]
fn copies_of_two_components_with_one_name_are_a_mistake() {
    let both = [SERVER, "name: server-a\ntype: worker\nproperties: {image: b}\n"];
    let found = complaints(&both, &replication("{keys: [a-b, b]}"));
    assert!(found.contains("makes two components server-a-b; rename a component, or choose other keys"), "{found}");
}

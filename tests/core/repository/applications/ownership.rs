//! The policies that say how objects are applied and kept: what they select, and what is refused.

use serde_json::Value;
use tidegate_repository::load;

use super::{WEB, objects, tree, unit, web};
use crate::fixture::shown;

const OBJECTS: &str = "    - name: server
      type: webservice
      properties:
        image: example.com/web:1
        ports: [{port: 8080, expose: true}]
      traits:
        - {type: scaler, properties: {replicas: 3}}
        - {type: gateway, properties: {http: {/: 8080}, existingServiceName: server}}
    - name: database
      type: k8s-objects
      properties:
        objects:
          - {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
          - {apiVersion: v1, kind: ConfigMap, metadata: {name: texts}, data: {a: b}}
";

/// Returns an application with these policies besides the one that selects clusters.
fn application(policies: &str) -> String {
    let (head, rest) = WEB.split_once("    - name: server").unwrap();
    let (_, of_clusters) = rest.split_once("  policies:\n").unwrap();
    let indented: String = policies.lines().map(|line| format!("    {line}\n")).collect();
    format!("{head}{OBJECTS}  policies:\n{of_clusters}{indented}")
}

/// Returns how each object is applied, and whether it stays on clusters that the application leaves.
fn decided(policies: &str) -> String {
    let unit = unit_with_warnings(policies);
    let configs = unit.configurations.values().next().unwrap().object["spec"]["agentSpec"]["manifestConfigs"].clone();
    let configs: Vec<Value> = configs.as_array().unwrap().clone();
    let line = |(object, config): (&Value, &Value)| {
        let strategy = &config["updateStrategy"];
        let more = [("force", "force"), ("ignoreFields", "ignores")].map(|(member, word)| {
            match &strategy["serverSideApply"][member] {
                Value::Null | Value::Bool(false) => String::new(),
                Value::Bool(true) => format!(" {word}"),
                value => format!(" {word} {value}"),
            }
        });
        let asks = if config["feedbackRules"].is_null() { "" } else { " without replicas" };
        let stays = object["metadata"]["annotations"].get("addon.open-cluster-management.io/deletion-orphan");
        let stays = if stays.is_some() { ", stays" } else { "" };
        let (kind, name) = (object["kind"].as_str().unwrap(), object["metadata"]["name"].as_str().unwrap());
        format!("{kind} {name}: {}{}{asks}{stays}\n", strategy["type"].as_str().unwrap(), more.concat())
    };
    objects(&unit).iter().zip(&configs).map(line).collect()
}

fn unit_with_warnings(policies: &str) -> tidegate_repository::Unit {
    let loaded = load(&tree(&application(policies)), "");
    let found = shown(&loaded);
    assert!(
        found
            .iter()
            .all(|complaint| complaint.contains("which the manifest of") || complaint.contains("are taken over")),
        "{found:#?}"
    );
    loaded.repository.addons[&web()].clone()
}

fn policy(type_: &str, properties: &str) -> String {
    format!("- name: own\n  type: {type_}\n  properties: {properties}\n")
}

#[test]
fn policies_say_how_objects_are_applied() {
    let cases = [
        String::new(),
        policy("read-only", "{rules: [{selector: {componentNames: [database]}}]}"),
        policy("take-over", "{rules: [{selector: {resourceTypes: [Deployment, Service]}}]}"),
        policy("take-over", "{rules: [{selector: {componentTypes: [webservice], oamTypes: [WORKLOAD]}}]}"),
        policy("take-over", "{rules: [{selector: {traitTypes: [gateway]}}, {selector: {resourceNames: [texts]}}]}"),
        policy("take-over", "{rules: [{selector: {traitTypes: [AuxiliaryWorkload], oamTypes: [TRAIT]}}]}"),
        policy("apply-once", "{enable: true}"),
        policy(
            "apply-once",
            "{enable: true, rules: [{selector: {resourceTypes: [ConfigMap]}, strategy: {path: ['*']}}]}",
        ),
        policy(
            "apply-once",
            "{enable: true, rules: [{selector: {componentNames: [server], resourceTypes: [Deployment]}, strategy: {path: [spec.replicas]}}]}",
        ),
        policy(
            "apply-once",
            "{enable: true, rules: [{selector: {resourceTypes: [ConfigMap]}, strategy: {path: [data.a, 'spec.list[0].x/y'], affect: onStateKeep}}]}",
        ),
        policy("garbage-collect", "{rules: [{selector: {componentNames: [server]}, strategy: never}]}"),
        policy("garbage-collect", "{rules: [{selector: {componentNames: [database]}, strategy: onAppUpdate}]}"),
        policy(
            "garbage-collect",
            "{rules: [{selector: {resourceTypes: [PersistentVolumeClaim]}, strategy: onAppUpdate}]}",
        ),
    ];
    let text: String = cases.iter().map(|policies| format!("# {policies}{}\n", decided(policies))).collect();
    insta::assert_snapshot!("how_objects_are_applied", text);
}

#[test]
fn the_name_of_a_component_selects_all_its_copies() {
    let replicated = |name: &str| {
        let rule = format!("{{rules: [{{selector: {{componentNames: [{name}]}}, strategy: never}}]}}");
        let copies = "- name: regions\n  type: replication\n  properties: {keys: [a, b], selector: [server]}\n";
        let gateway = "        - {type: gateway, properties: {http: {/: 8080}, existingServiceName: server}}\n";
        let tree = tree(&application(&format!("{copies}{}", policy("garbage-collect", &rule))).replace(gateway, ""));
        assert_eq!(shown(&load(&tree, "")), [""; 0], "{name}");
        let stays = |object: &&Value| {
            let kept = object["metadata"]["annotations"].get("addon.open-cluster-management.io/deletion-orphan");
            kept.is_some() && object["kind"] != "PersistentVolumeClaim"
        };
        let objects = objects(&unit(&tree));
        objects.iter().filter(stays).map(|object| object["metadata"]["name"].to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(replicated("server"), r#""server-a" "server-a" "server-b" "server-b""#);
    assert_eq!(replicated("server-b"), r#""server-b" "server-b""#);
}

#[test]
fn a_rule_that_selects_nothing_names_the_value_that_no_object_has() {
    let found = |selector: &str| {
        let rule = format!("{{rules: [{{selector: {selector}, strategy: never}}]}}");
        shown(&load(&tree(&application(&policy("garbage-collect", &rule))), "")).join("\n")
    };
    insta::assert_snapshot!(
        [
            found("{componentNames: [serer]}"),
            found("{componentNames: [server], resourceTypes: [deployment]}"),
            found("{componentNames: [database], resourceTypes: [Deployment]}"),
            found("{}"),
        ]
        .join("\n"),
        @r#"
    web.yaml:36:57: spec.policies[1].properties.rules[0].selector.componentNames[0] is "serer", which no object of the application has; did you mean "server"?
    web.yaml:36:82: spec.policies[1].properties.rules[0].selector.resourceTypes[0] is "deployment", which no object of the application has; did you mean "Deployment"?
    web.yaml:36:39: spec.policies[1].properties.rules[0].selector selects no object of the application: no object has a value of each of its lists; write several rules, or leave a list out
    web.yaml:36:39: spec.policies[1].properties.rules[0].selector has no list, so that it selects nothing; write one, such as resourceTypes: [Deployment]
    "#
    );
}

#[test]
fn a_path_that_no_manifest_has_is_noted() {
    let found = |path: &str, affect: &str| {
        let rule = format!(
            "{{enable: true, rules: [{{selector: {{resourceTypes: [Deployment]}}, strategy: {{path: [{path}]{affect}}}}}]}}"
        );
        shown(&load(&tree(&application(&policy("apply-once", &rule))), "")).join("\n")
    };
    insta::assert_snapshot!(
        [
            found("spec.replica", ", affect: onStateKeep"),
            found("'spec.template.spec.containers[1].image'", ", affect: onStateKeep"),
            found("'spec.template.spec.containers[0].image'", ", affect: onStateKeep"),
            found("spec.replicas", ""),
        ]
        .join("\n")
        .trim(),
        @r#"
    web.yaml:36:102: spec.policies[1].properties.rules[0].strategy.path[0] is "spec.replica", which the manifest of Deployment shop/server does not have, so that it has no effect; did you mean "spec.replicas"?
    web.yaml:36:102: spec.policies[1].properties.rules[0].strategy.path[0] is "spec.template.spec.containers[1].image", which the manifest of Deployment shop/server does not have, so that it has no effect
    "#
    );
}

#[test]
fn an_object_that_is_applied_once_keeps_its_first_number() {
    let rule = "{enable: true, rules: [{selector: {resourceTypes: [Deployment]}, strategy: {path: [spec.replicas]}}]}";
    let objects = objects(&unit_with_warnings(&policy("apply-once", rule)));
    assert_eq!(objects[0]["spec"]["replicas"], 3);
}

#[test]
fn policies_without_these_types_change_no_digest() {
    let plain = unit(&tree(&application("")));
    let kept = unit(&tree(&application(&policy(
        "garbage-collect",
        "{rules: [{selector: {resourceTypes: [ConfigMap]}, strategy: onAppUpdate}]}",
    ))));
    assert_eq!(plain.digest, kept.digest, "onAppUpdate is how it is by default");
}

#[test]
fn mistakes_in_these_policies() {
    let rule = |selector: &str| format!("{{rules: [{{selector: {{{selector}}}}}]}}");
    let once = |strategy: &str| {
        format!("{{enable: true, rules: [{{selector: {{resourceTypes: [ConfigMap]}}, strategy: {{{strategy}}}}}]}}")
    };
    let fate = |rest: &str| format!("{{rules: [{{selector: {{resourceTypes: [ConfigMap]}}, {rest}}}]}}");
    let cases = [
        ("no rules", policy("read-only", "{}")),
        ("an unknown selector", policy("read-only", &rule("componentName: [server]"))),
        ("an unknown kind of object", policy("read-only", &rule("oamTypes: [POLICY]"))),
        ("an empty selector", policy("read-only", &rule(""))),
        ("nothing is selected", policy("take-over", &rule("componentNames: [servre]"))),
        ("both must hold", policy("take-over", &rule("componentNames: [server], resourceTypes: [ConfigMap]"))),
        (
            "not enabled",
            policy("apply-once", "{rules: [{selector: {resourceTypes: [ConfigMap]}, strategy: {path: ['*']}}]}"),
        ),
        ("a field that would be removed", policy("apply-once", &once("path: [data.a]"))),
        ("two fields", policy("apply-once", &once("path: [spec.replicas, '*']"))),
        ("on update", policy("apply-once", &once("path: ['*'], affect: onUpdate"))),
        ("no path", policy("apply-once", &once("path: []"))),
        ("not a path", policy("apply-once", &once("path: ['data[\"a\"]'], affect: onStateKeep"))),
        ("no rules of garbage", policy("garbage-collect", "{}")),
        (
            "legacy",
            policy(
                "garbage-collect",
                "{keepLegacyResource: true, order: dependency, rules: [{selector: {resourceTypes: [ConfigMap]}, strategy: never}]}",
            ),
        ),
        ("until the application is deleted", policy("garbage-collect", &fate("strategy: onAppDelete"))),
        ("propagation", policy("garbage-collect", &fate("strategy: never, propagation: orphan"))),
        ("an unknown strategy", policy("garbage-collect", &fate("strategy: always"))),
        (
            "two say how",
            policy("read-only", &rule("resourceTypes: [ConfigMap]"))
                + &policy("take-over", &rule("componentNames: [database]")).replace("name: own", "name: other"),
        ),
        ("shared", policy("shared-resource", &rule("resourceTypes: [ConfigMap]"))),
        ("recreated", policy("resource-update", &rule("resourceTypes: [ConfigMap]"))),
    ];
    let found = cases.iter().map(|(what, policies)| {
        let loaded = load(&tree(&application(policies)), "");
        assert!(!loaded.repository.addons.contains_key(&web()), "{what}: {policies}");
        format!("{what}\n    {}\n", shown(&loaded).join("\n    "))
    });
    insta::assert_snapshot!("mistakes_in_ownership", found.collect::<String>());
}

#[test]
fn a_workload_with_an_autoscaler_is_not_taken_over() {
    let taken = application(&policy("take-over", "{rules: [{selector: {resourceTypes: [Deployment]}}]}"));
    let scaled = taken.replace("{type: scaler, properties: {replicas: 3}}", "{type: hpa}");
    let found = shown(&load(&tree(&scaled), ""));
    assert!(found[0].contains("is taken over from other field managers, and so from its autoscaler"), "{found:#?}");
}

#[test]
fn a_step_cannot_name_such_a_policy() {
    let policies = policy("take-over", "{rules: [{selector: {resourceTypes: [ConfigMap]}}]}");
    let application = application(&policies)
        + "  workflow:\n    steps:\n      - {name: all, type: deploy, properties: {policies: [everywhere, own]}}\n";
    let found = shown(&load(&tree(&application), "")).join("\n");
    assert!(
        found.contains("is own, but a policy of type take-over applies to all clusters; remove it here"),
        "{found}"
    );
}

#[test]
fn a_namespace_is_never_deleted_with_an_application() {
    let rule = "{rules: [{selector: {resourceTypes: [PersistentVolumeClaim, Namespace]}, strategy: onAppUpdate}]}";
    let found = shown(&load(&tree(&application(&policy("garbage-collect", rule))), ""));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].ends_with(
            "resourceTypes[1] is Namespace, but a namespace is deleted with the objects of everyone in it; write strategy: never, or take \
             Namespace out of the list and delete the namespace by hand"
        ),
        "{found:#?}"
    );
}

#[test]
fn a_rollout_is_not_created_once() {
    let rollout = "          - {apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: web, namespace: shop}, spec: {}}\n";
    let rule = "{enable: true, rules: [{selector: {resourceTypes: [Rollout]}, strategy: {path: ['*']}}]}";
    let once =
        application(&policy("apply-once", rule)).replace("        objects:\n", &format!("        objects:\n{rollout}"));
    let found = shown(&load(&tree(&once), ""));
    assert!(found.iter().any(|complaint| complaint.contains("is only created, and never changed")), "{found:#?}");
}

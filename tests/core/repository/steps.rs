//! Topologies, overrides and steps of applications: which clusters get what, and in which order.

use serde_json::{Value, json};
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;
use tidegate_model::tree::Tree;
use tidegate_repository::{Repository, Unit, hold, load};

use super::fixture::{edit, shown, with};

const SETTINGS: &str = "[applications]\nenabled = true\n";

/// As people write it for KubeVela.
const WEB: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata:
  name: web
  namespace: fleet
  annotations:
    app.oam.dev/publishVersion: v2
spec:
  components:
    - name: server
      type: webservice
      properties:
        image: example.com/web:1.4.0
        env:
          - {name: MODE, value: safe}
      traits:
        - type: scaler
          properties: {replicas: 1}
    - name: extras
      type: worker
      properties: {image: example.com/extras:1}
  policies:
    - name: staging
      type: topology
      properties: {clusterLabelSelector: {env: staging}}
    - name: production
      type: topology
      properties:
        clusters: [prod-1, prod-2]
        namespace: web
    - name: rest
      type: placement
      properties: {name: everywhere}
    - name: large
      type: override
      properties:
        components:
          - name: server
            properties: {image: example.com/web:1.3.9}
            traits:
              - type: scaler
                properties: {replicas: 4}
          - type: worker
            properties: {cmd: [run]}
          - name: sidecar
            type: worker
            properties: {image: example.com/side:1}
        selector: [server, sidecar]
  workflow:
    steps:
      - name: try
        type: deploy
        properties: {policies: [staging]}
      - name: all
        type: step-group
        subSteps:
          - name: named
            type: deploy
            properties: {policies: [large, production], parallelism: 2}
          - name: others
            type: deploy
            properties: {policies: [rest]}
";

fn tree(web: &str) -> Tree {
    let mut tree = with("web.yaml", web);
    tree.files.insert("tidegate.toml".to_owned(), SETTINGS.as_bytes().to_vec());
    tree
}

fn edited(from: &str, to: &str) -> Tree {
    let mut tree = tree(WEB);
    edit(&mut tree, "web.yaml", from, to);
    tree
}

fn web() -> UnitName {
    "application/fleet/web".parse().unwrap()
}

fn loaded(tree: &Tree) -> Repository {
    let loaded = load(tree, "");
    assert_eq!(shown(&loaded), [""; 0]);
    loaded.repository
}

/// Returns what the clusters of each part get: the Placement, the step, the strategy and the objects.
fn parts(repository: &Repository) -> Vec<Value> {
    let unit: &Unit = &repository.addons[&web()];
    let part = |(index, part): (usize, &tidegate_api::ocm::cluster_management_addon::PlacementStrategy)| {
        let content = part.configs.first().unwrap_or(&unit.defaults()[0]);
        let manifests = &unit.configurations[content].object["spec"]["agentSpec"]["workload"]["manifests"];
        let objects = manifests.as_array().unwrap().iter().map(|object| {
            let container = &object["spec"]["template"]["spec"]["containers"][0];
            let key = ObjectKey::of(object).unwrap();
            format!("{key} {} {} {}", container["image"], object["spec"]["replicas"], container["command"])
        });
        json!({
            "placement": part.reference().to_string(),
            "turn": unit.turn(index),
            "content": content.name,
            "strategy": part.rollout_strategy,
            "objects": objects.collect::<Vec<_>>(),
        })
    };
    unit.parts().iter().enumerate().map(part).collect()
}

#[test]
fn clusters_get_what_their_step_says() {
    let repository = loaded(&tree(WEB));
    let made = |name: &str| {
        let key = ObjectKey::new("cluster.open-cluster-management.io", "Placement", "fleet", name);
        let declared = &repository.objects[&key];
        json!({ "spec": declared.object["spec"], "place": declared.place.to_string() })
    };
    let text = serde_json::to_string_pretty(&json!({
        "placements": { "staging": made("app-web-staging"), "production": made("app-web-production") },
        "parts": parts(&repository),
    }));
    insta::assert_snapshot!("clusters_get_what_their_step_says", text.unwrap());
}

#[test]
fn without_a_workflow_each_policy_is_a_step_with_all_overrides() {
    let (before, _) = WEB.split_once("  workflow:").unwrap();
    let parts = parts(&loaded(&tree(before)));
    let shown: Vec<String> = parts
        .iter()
        .map(|part| format!("{} {} {}", part["placement"], part["turn"]["step"], part["content"]))
        .collect();
    insta::assert_snapshot!("without_a_workflow", shown.join("\n"));
}

#[test]
fn the_order_of_steps_is_part_of_the_digest() {
    let digest = |tree: &Tree| loaded(tree).addons[&web()].digest.clone();
    let first = digest(&tree(WEB));
    let swapped = edited("policies: [staging]", "policies: [rest]");
    let mut swapped = swapped;
    edit(
        &mut swapped,
        "web.yaml",
        "name: others\n            type: deploy\n            properties: {policies: [rest]}",
        "name: others\n            type: deploy\n            properties: {policies: [staging]}",
    );
    assert_ne!(digest(&swapped), first);
    assert_ne!(digest(&edited("image: example.com/web:1.3.9", "image: example.com/web:1.3.8")), first);
    assert_ne!(digest(&edited("clusters: [prod-1, prod-2]", "clusters: [prod-1]")), first);
    assert_eq!(digest(&edited("name: try", "name: first")), first);
}

#[test]
fn mistakes_in_policies_and_steps_are_found_at_their_places() {
    let found = |(from, to): &(&str, &str)| {
        let loaded = load(&edited(from, to), "");
        assert!(loaded.repository.blocked.contains_key(&web()), "{from} -> {to}: {:?}", shown(&loaded));
        format!("{from} -> {to}\n  {}", shown(&loaded).join("\n  "))
    };
    let cases = [
        ("{clusterLabelSelector: {env: staging}}", "{}"),
        ("{clusterLabelSelector: {env: staging}}", "{clusterLabelSelector: {env: staging}, clusters: [a]}"),
        ("{clusterLabelSelector: {env: staging}}", "{clusterLabelSelector: {env: staging}, clusterSelector: {env: a}}"),
        ("{clusterLabelSelector: {env: staging}}", "{clusterLabelSelectors: {env: staging}}"),
        ("{clusterLabelSelector: {env: staging}}", "{clusterLabelSelector: {env: 1}}"),
        ("{clusterLabelSelector: {env: staging}}", "{clusterLabelSelector: {env: staging, tier: null}}"),
        ("name: staging\n", "name: staging-of-the-clusters-in-europe-that-have-no-other-name-yet\n"),
        ("namespace: web", "namespace: Web/1"),
        ("[prod-1, prod-2]", "[prod-1, Prod_2, prod-1]"),
        ("type: topology", "type: topologies"),
        ("type: topology", "type: resource-update"),
        ("name: server\n            properties", "name: servr\n            properties"),
        ("properties: {image: example.com/web:1.3.9}", "properties: {imagee: example.com/web:1.3.9}"),
        ("properties: {image: example.com/web:1.3.9}", "properties: {cpu: much}"),
        (
            "- type: scaler\n                properties: {replicas: 4}",
            "- type: scalar\n                properties: {replicas: 4}",
        ),
        (
            "- type: scaler\n                properties: {replicas: 4}",
            "- type: scaler\n                properties: {replicas: four}",
        ),
        ("properties: {image: example.com/side:1}", "properties: {}"),
        ("selector: [server, sidecar]", "selector: [server, sidcar]"),
        ("selector: [server, sidecar]", "selectors: [server]"),
        ("- name: sidecar\n            type: worker", "- name: extras\n            type: webservice"),
        ("properties: {image: example.com/web:1.3.9}", "properties: {port: 80, ports: [{port: 80}]}"),
        ("properties: {replicas: 4}", "properties: {replicas: 4}\n              - {type: env, disable: true}"),
        (
            "properties: {replicas: 4}",
            "properties: {replicas: 4}\n              - {type: json-patch, properties: {operations: [{op: replace, path: /spec/replicas, value: 3}]}}",
        ),
        ("properties: {replicas: 4}", "properties: {replicas: 4}\n              - {type: hpa}"),
        ("type: deploy\n        properties: {policies: [staging]}", "type: suspend"),
        ("type: deploy\n        properties: {policies: [staging]}", "type: deploi"),
        ("{policies: [staging]}", "{policies: [stagin]}"),
        ("{policies: [staging]}", "{policies: [staging], auto: false}"),
        ("{policies: [staging]}", "{policies: [staging], paralelism: 3}"),
        ("{policies: [staging]}", "{policies: [staging], parallelism: 0}"),
        ("{policies: [staging]}", "{policies: [large, rest]}"),
        ("{policies: [rest]}", "{policies: [large]}"),
        ("{policies: [large, production], parallelism: 2}", "{policies: [production]}"),
        ("- name: try\n", "- name: try\n        dependsOn: [all]\n        if: always\n"),
        ("  workflow:\n", "  workflow:\n    mode: {steps: DAG}\n"),
        ("- name: try\n", "- name: all\n"),
        ("        subSteps:\n", "        parts:\n"),
        ("        subSteps:\n", "        properties: {parallelism: 1}\n        subSteps:\n"),
        ("{name: everywhere}", "{name: everywhere, rolloutStrategy: {type: All}, allowEmpty: 1}"),
        (
            "properties: {replicas: 1}\n",
            "properties: {replicas: 1}\n        - type: expose\n          properties: {port: [80]}\n        - type: expose\n          properties: {port: [81]}\n",
        ),
    ];
    let text: Vec<String> = cases.iter().map(found).collect();
    insta::assert_snapshot!("mistakes_in_policies_and_steps", text.join("\n"));
}

#[test]
fn parallelism_beside_a_strategy_is_refused() {
    let mut tree = edited("{name: everywhere}", "{name: everywhere, rolloutStrategy: {type: All}}");
    loaded(&tree);
    edit(&mut tree, "web.yaml", "{policies: [rest]}", "{policies: [rest], parallelism: 2}");
    insta::assert_snapshot!("parallelism_beside_a_strategy", shown(&load(&tree, "")).join("\n"));
}

/// Such content would remove everything from clusters, past the limits of removals.
#[test]
fn overrides_that_leave_no_component_are_refused() {
    let mut tree =
        edited("  workflow:", "    - {name: none, type: override, properties: {selector: [extras]}}\n  workflow:");
    edit(&mut tree, "web.yaml", "[large, production]", "[large, none, production]");
    insta::assert_snapshot!("overrides_that_leave_no_component", shown(&load(&tree, "")).join("\n"));
}

/// A Placement that left the repository would be removed from the hub, and its clusters would count as none.
#[test]
fn a_held_application_keeps_the_placements_of_its_topologies() {
    let good = loaded(&tree(WEB));
    let key = ObjectKey::new("cluster.open-cluster-management.io", "Placement", "fleet", "app-web-staging");
    for mistake in [edited("clusterLabelSelector", "clusterLabels"), edited("type: webservice", "type: web-service")] {
        let held = hold(load(&mistake, ""), &[(web(), good.clone().into())].into(), Some(&good));
        assert_eq!(held.addons[&web()].digest, good.addons[&web()].digest);
        assert_eq!(held.objects[&key].object, good.objects[&key].object);
        assert!(held.placements.contains_key(&"fleet/app-web-staging".parse().unwrap()));
    }
}

//! Steps that dispatch the revision and the traits of a component to a cluster: KubeVela's example, unchanged, and mistakes.

use serde_json::Value;
use tidegate_delivery::allowing;
use tidegate_model::tree::Tree;
use tidegate_repository::{Repository, Rights, load, outlines};

use crate::fixture::{edit, shown, with};

const SETTINGS: &str = "[applications]\nenabled = true\nrollout = \"standard.oam.dev\"\n";

const DEFINITION: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: WorkflowStepDefinition
metadata:
  name: dispatch-traits
  namespace: vela-system
spec:
  schematic:
    cue:
      template: |
        import (\"vela/op\")

        comp: op.#Load & {
           component: parameter.component
        }

        apply: op.#Apply & {
            value: {
                apiVersion: \"work.open-cluster-management.io/v1\"
                kind: \"ManifestWork\"
                metadata: {
                   namespace: parameter.cluster
                   name: parameter.component + \"-traits\"
                }
                spec: {
                   workload: manifests : comp.value.auxiliaries
                }
            }
        }


        parameter: {
          component: string
          cluster: string
        }        
";

const APPLICATION: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata:
  name: workflow-rollout-demo
  namespace: default
spec:
  components:
    - name: nginx-server
      externalRevision: nginx-server-v1
      type: webservice
      properties:
        image: nginx:1.20.0
        port: 80
      traits:
        - type: rollout
          properties:
            targetRevision: nginx-server-v1
            targetSize: 2
            rolloutBatches:
              - replicas: 1
              - replicas: 1

  workflow:
    steps:
      - name: dispatch-comp-rev-v1
        type: dispatch-comp-rev
        properties:
           compRev: nginx-server-v1
           cluster: dev2

      - name: dispatchRollout
        type: dispatch-traits
        properties:
          component: nginx-server
          cluster: dev2
";

/// What makes the namespace of the application see the clusters.
const BINDING: &str = "\
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: global, namespace: default}
spec: {clusterSet: global}
";

fn example() -> Tree {
    let mut tree = with("app.yaml", APPLICATION);
    for (file, text) in [("tidegate.toml", SETTINGS), ("definition.yaml", DEFINITION), ("binding.yaml", BINDING)] {
        tree.files.insert(file.to_owned(), text.as_bytes().to_vec());
    }
    tree
}

fn edited(file: &str, from: &str, to: &str) -> Tree {
    let mut tree = example();
    edit(&mut tree, file, from, to);
    tree
}

fn demo() -> tidegate_model::name::UnitName {
    "application/default/workflow-rollout-demo".parse().unwrap()
}

fn sound(tree: &Tree) -> Repository {
    let loaded = load(tree, "");
    assert_eq!(shown(&loaded), [""; 0]);
    loaded.repository
}

/// Returns the objects of each part, in order.
fn parts(repository: &Repository) -> Vec<(String, Vec<Value>)> {
    let unit = &repository.addons[&demo()];
    let of_part = |part: &tidegate_api::ocm::cluster_management_addon::PlacementStrategy| {
        let references = if part.configs.is_empty() { unit.defaults() } else { &part.configs };
        let content = &unit.configurations[&references[0]].object;
        let objects = content["spec"]["agentSpec"]["workload"]["manifests"].as_array().unwrap().clone();
        (part.reference().to_string(), objects)
    };
    unit.parts().iter().map(of_part).collect()
}

#[test]
fn c17_c18_the_example_of_kubevela_is_one_part_with_a_revision_and_a_rollout() {
    let repository = sound(&example());
    let parts = parts(&repository);
    assert_eq!(parts.len(), 1);
    assert_eq!(parts[0].0, "default/dispatch-workflow-rollout-demo.dev2");
    insta::assert_snapshot!("the_example", serde_json::to_string_pretty(&parts[0].1).unwrap());
    let (_, placement) = repository.placements.iter().find(|(name, _)| name.to_string() == parts[0].0).unwrap();
    let selectors = serde_json::to_value(&placement.spec.predicates).unwrap();
    let names = serde_json::json!({ "celExpressions": ["managedCluster.metadata.name in [\"dev2\"]"] });
    assert_eq!(selectors, serde_json::json!([{ "requiredClusterSelector": { "celSelector": names } }]));
}

#[test]
fn the_role_of_the_example_has_the_two_kinds_that_work_agents_may_not_write() {
    let repository = sound(&example());
    let lacking = Rights::of(&repository).lacking(&demo()).unwrap();
    let all = ["create", "delete", "get", "patch", "update"];
    assert_eq!(
        serde_json::json!(allowing(&lacking.requests()).rules),
        serde_json::json!([
            { "apiGroups": ["apps"], "resources": ["controllerrevisions"], "verbs": all },
            { "apiGroups": ["standard.oam.dev"], "resources": ["rollouts"], "verbs": all },
        ])
    );
}

#[test]
fn all_steps_for_a_cluster_are_the_step_of_the_first_one() {
    let more =
        |steps: &str| edited("app.yaml", "  workflow:\n    steps:\n", &format!("  workflow:\n    steps:\n{steps}"));
    let step = "      - name: first\n        type: dispatch-comp-rev\n        properties: {compRev: nginx-server-v1, cluster: dev1}\n";
    let group = "      - name: both\n        type: step-group\n        subSteps:\n          - name: first\n            type: dispatch-comp-rev\n            properties: {compRev: nginx-server-v1, cluster: dev1}\n          - name: second\n            type: dispatch-traits\n            properties: {component: nginx-server, cluster: dev1}\n";
    let shown = [step, group].map(|steps| {
        let tree = more(steps);
        let repository = sound(&tree);
        let kinds = |(name, objects): &(String, Vec<Value>)| {
            let kinds: Vec<&str> = objects.iter().filter_map(|object| object["kind"].as_str()).collect();
            format!("{name}: {}", kinds.join(", "))
        };
        let parts: Vec<String> = parts(&repository).iter().map(kinds).collect();
        let outline = outlines(&tree, "").remove(0);
        let outline = outline.parts.into_iter().map(|part| format!("{} {}: {}", part.step, part.name, part.policy));
        format!("{}\n{}\n", parts.join("\n"), outline.collect::<Vec<_>>().join("\n"))
    });
    insta::assert_snapshot!(shown.join("\n"), @r"
    default/dispatch-workflow-rollout-demo.dev1: ControllerRevision
    default/dispatch-workflow-rollout-demo.dev2: ControllerRevision, Rollout
    1 first: dev1
    2 dispatch-comp-rev-v1: dev2

    default/dispatch-workflow-rollout-demo.dev1: ControllerRevision, Rollout
    default/dispatch-workflow-rollout-demo.dev2: ControllerRevision, Rollout
    1 both: dev1
    2 dispatch-comp-rev-v1: dev2
    ");
}

#[test]
fn a_definition_is_recognized_by_its_text_alone() {
    let about = |from: &str, to: &str| shown(&load(&edited("definition.yaml", from, to), "")).join("\n");
    assert_eq!(about("comp: op.#Load", "// Loads the component.\n        comp:   op.#Load"), "");
    assert_eq!(about("namespace: vela-system", "namespace: default"), "");
    let refused = "definition.yaml:2:7: WorkflowStepDefinition is not supported: steps are built in, and write steps of type deploy; remove it";
    for (from, to) in [
        ("\"-traits\"", "\"-trait\""),
        ("parameter.cluster", "\"dev1\""),
        ("name: dispatch-traits", "name: dispatch-comp-rev"),
        ("name: dispatch-traits", "name: my-traits"),
        ("      template: |", "      text: |"),
    ] {
        assert_eq!(about(from, to), refused, "{from} -> {to}");
    }
    let mut without = example();
    without.files.remove("definition.yaml");
    sound(&without);
}

#[test]
fn mistakes_in_dispatches() {
    let found = |(from, to): &(&str, &str)| {
        let loaded = load(&edited("app.yaml", from, to), "");
        format!("{from:?} -> {to:?}\n    {}\n", shown(&loaded).join("\n    "))
    };
    let cases = [
        ("compRev: nginx-server-v1", "compRev: nginx-server-v2"),
        ("externalRevision: nginx-server-v1", "externalRevision: nginx-server-v2"),
        ("compRev: nginx-server-v1\n", ""),
        ("compRev: nginx-server-v1", "compRev: nginx-server-v1\n           version: 1"),
        ("component: nginx-server", "component: nginx-servr"),
        ("cluster: dev2\n\n", "cluster: Dev_2\n\n"),
        ("type: dispatch-traits", "type: dispatch-trait"),
        ("type: dispatch-traits", "if: always\n        type: dispatch-traits"),
        (
            "type: dispatch-traits",
            "type: dispatch-traits\n        subSteps: [{name: a, type: deploy, properties: {policies: [a]}}]",
        ),
        (
            "type: dispatch-traits\n        properties:\n          component: nginx-server\n          cluster: dev2",
            "type: dispatch-comp-rev\n        properties:\n          compRev: nginx-server-v1\n          cluster: dev2",
        ),
        ("cluster: dev2\n\n", "cluster: dev1\n\n"),
        (
            "  workflow:\n    steps:\n",
            "  policies: [{name: all, type: topology, properties: {clusters: [dev1]}}]\n  workflow:\n    steps:\n      - {name: all, type: deploy, properties: {policies: [all]}}\n",
        ),
        ("  workflow:\n", "  policies: [{name: all, type: topology, properties: {clusters: [dev1]}}]\n  workflow:\n"),
        ("  workflow:\n", "    - {name: other, type: worker, properties: {image: a:1}}\n  workflow:\n"),
        (
            "      traits:\n        - type: rollout\n          properties:\n            targetRevision: nginx-server-v1\n            targetSize: 2\n            rolloutBatches:\n              - replicas: 1\n              - replicas: 1\n",
            "",
        ),
        ("name: workflow-rollout-demo", "name: workflow-rollout-demo-with-a-name-that-is-far-too-long-for-it"),
    ];
    insta::assert_snapshot!("mistakes_in_dispatches", cases.iter().map(found).collect::<String>());
}

#[test]
fn dispatches_need_the_setting() {
    let tree = edited("tidegate.toml", "rollout = \"standard.oam.dev\"\n", "");
    insta::assert_snapshot!(shown(&load(&tree, "")).join("\n"), @r#"
    app.yaml:26:15: spec.workflow.steps[0].type is "dispatch-comp-rev", which needs a controller of standard.oam.dev on the clusters; write rollout = "standard.oam.dev" in section [applications] of tidegate.toml, or a step of type deploy
    app.yaml:32:15: spec.workflow.steps[1].type is "dispatch-traits", which needs a controller of standard.oam.dev on the clusters; write rollout = "standard.oam.dev" in section [applications] of tidegate.toml, or a step of type deploy
    "#);
}

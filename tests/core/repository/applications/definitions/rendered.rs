//! What components and traits of defined types render.

use serde_json::{Value, json};
use tidegate_repository::load;

use super::{GUARD, add, complaints, example, with_definitions};
use crate::applications::{objects, unit, web};
use crate::fixture::shown;

const WEB: &str = "\
name: front
type: server
properties: {image: 'example.com/web:1', hosts: [a, localhost, b], debug: true, labels: {team: shop}}
traits:
  - {type: scaler, properties: {replicas: 4}}
  - {type: guard, properties: {level: high}}
";

#[test]
fn a_component_and_a_trait_of_defined_types_render_with_those_that_are_built_in() {
    let objects = objects(&unit(&with_definitions(&[WEB])));
    insta::assert_snapshot!("defined_types", serde_json::to_string_pretty(&objects).unwrap());
}

#[test]
fn a_defined_trait_changes_a_component_that_is_built_in() {
    let daemon =
        "name: agent\ntype: daemon\nproperties: {image: a, env: [{name: A, value: b}]}\ntraits: [{type: guard}]\n";
    let objects = objects(&unit(&with_definitions(&[daemon])));
    let container = objects[0].pointer("/spec/template/spec/containers/0").unwrap();
    assert_eq!(container["env"], json!([{ "name": "A", "value": "b" }, { "name": "GUARD", "value": "low" }]));
    assert_eq!(objects[0]["metadata"]["annotations"], json!({ "guard": "low" }));
    assert_eq!(objects[1]["kind"], "PodDisruptionBudget");
    assert_eq!(objects[1]["metadata"]["namespace"], "shop");
    assert_eq!(objects[1]["metadata"]["labels"]["app.oam.dev/component"], "agent");
}

#[test]
fn an_override_names_defined_types_too() {
    let mut tree = with_definitions(&["name: front\ntype: server\nproperties: {image: 'web:1'}\n"]);
    let policy = "  policies:\n    - name: more\n      type: override\n      properties:\n        components:\n          - {name: front, properties: {replicas: 5}, traits: [{type: guard}]}\n          - {name: back, type: server, properties: {image: 'back:1'}}\n";
    crate::fixture::edit(&mut tree, "web.yaml", "  policies:\n", policy);
    let objects = objects(&unit(&tree));
    let named = |object: &Value| format!("{} {}", object["kind"], object["metadata"]["name"]).replace('"', "");
    let names: Vec<String> = objects.iter().map(named).collect();
    assert_eq!(names, ["Deployment front", "PodDisruptionBudget front", "Deployment back"]);
    assert_eq!(objects[0]["spec"]["replicas"], 5);
    // A parameter of an override is checked like any other.
    crate::fixture::edit(&mut tree, "web.yaml", "replicas: 5", "replicas: 50");
    assert_eq!(
        complaints(&tree),
        "web.yaml:16:50: spec.policies[0].properties.components[0].properties.replicas is refused: at most nine"
    );
}

const KUBE: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: ComponentDefinition
metadata: {name: old, namespace: shop}
spec:
  workload: {definition: {apiVersion: apps/v1, kind: Deployment}}
  schematic:
    kube:
      template:
        apiVersion: apps/v1
        kind: Deployment
        spec:
          selector: {matchLabels: {app: old}}
          template:
            metadata: {labels: {app: old}}
            spec:
              containers: [{name: main, ports: [{containerPort: 80}]}]
      parameters:
        - {name: image, type: string, required: true, fieldPaths: ['spec.template.spec.containers[0].image']}
        - {name: replicas, type: number, fieldPaths: [spec.replicas], description: How many pods.}
        - {name: paused, type: boolean, fieldPaths: [spec.paused, 'metadata.annotations[example.com/paused]']}
";

#[test]
fn parameters_are_written_to_the_fields_of_one_object() {
    let component = "name: front\ntype: old\nproperties: {image: 'web:1', replicas: 3}\n";
    let mut tree = with_definitions(&[component]);
    add(&mut tree, "old.yaml", KUBE);
    let object = &objects(&unit(&tree))[0];
    assert_eq!(object["metadata"]["name"], "front");
    assert_eq!(object["spec"]["replicas"], 3);
    assert_eq!(object.pointer("/spec/template/spec/containers/0/image").unwrap(), "web:1");
    assert_eq!((object["spec"].get("paused"), object["metadata"].get("annotations")), (None, None));
    let wrong = |from: &str, to: &str| {
        let mut tree = tree.clone();
        crate::fixture::edit(&mut tree, "web.yaml", from, to);
        complaints(&tree)
    };
    assert_eq!(wrong("image: 'web:1', ", ""), "web.yaml:10:7: spec.components[0].properties.image is missing; add it");
    insta::assert_snapshot!(wrong("replicas: 3", "replica: 3"), @r#"web.yaml:10:36: spec.components[0].properties.replica is not known; did you mean "replicas"?"#);
    insta::assert_snapshot!(
        wrong("replicas: 3", "replicas: '3'"),
        @"web.yaml:10:46: spec.components[0].properties.replicas is a string; write the number without quotes: 3"
    );
}

#[test]
fn the_example_of_a_patch_merges_lists_by_name() {
    let component = "name: front\ntype: webservice\nproperties: {image: 'web:1', volumeMounts: {emptyDir: [{name: tmp, mountPath: /tmp}]}}\ntraits: [{type: init-container, properties: {name: first, image: 'init:1', appMountPath: /app, initMountPath: /init}}]\n";
    let mut tree = with_definitions(&[component]);
    add(&mut tree, "init-container.yaml", &example("init-container"));
    let objects = objects(&unit(&tree));
    insta::assert_snapshot!(
        "init_container",
        serde_json::to_string_pretty(&objects[0]["spec"]["template"]["spec"]).unwrap()
    );
}

#[test]
fn c2_one_line_adds_a_trait_to_a_hundred_clusters() {
    let component = |traits: &str| format!("name: front\ntype: webservice\nproperties: {{image: 'web:1'}}\n{traits}");
    let before = unit(&with_definitions(&[&component("")]));
    let after = unit(&with_definitions(&[&component("traits: [{type: guard, properties: {level: high}}]\n")]));
    // The application goes to one Placement, whatever its number of clusters is, and all of them get the same content.
    assert_eq!((after.parts().len(), after.configurations.len()), (1, 1));
    assert_ne!(after.digest, before.digest);
    let kinds =
        |unit| objects(unit).iter().map(|object| object["kind"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(
        (kinds(&before), kinds(&after)),
        (vec!["Deployment".to_owned()], vec!["Deployment".to_owned(), "PodDisruptionBudget".to_owned()])
    );
    // Its parameter is checked.
    let wrong = with_definitions(&[&component("traits: [{type: guard, properties: {level: hihg}}]\n")]);
    insta::assert_snapshot!(
        complaints(&wrong),
        @r#"web.yaml:11:50: spec.components[0].traits[0].properties.level is "hihg"; did you mean "high"?"#
    );
}

#[test]
fn c4_constraints_hold_when_a_repository_is_read() {
    let tree = with_definitions(&["name: front\ntype: server\nproperties: {image: 'web:1', replicas: 12}\n"]);
    let loaded = load(&tree, "");
    assert_eq!(shown(&loaded), ["web.yaml:10:46: spec.components[0].properties.replicas is refused: at most nine"]);
    assert!(loaded.repository.blocked.contains_key(&web()) && !loaded.repository.addons.contains_key(&web()));
}

#[test]
fn a_trait_of_the_own_namespace_hides_the_shared_one() {
    let mut tree =
        with_definitions(&["name: front\ntype: webservice\nproperties: {image: a}\ntraits: [{type: guard}]\n"]);
    let own = GUARD.replace("namespace: vela-system", "namespace: shop").replace("default: low", "default: high");
    add(&mut tree, "own.yaml", &own);
    assert_eq!(objects(&unit(&tree))[0]["metadata"]["annotations"], json!({ "guard": "high" }));
}

#[test]
fn parameters_with_the_names_of_built_in_properties_mean_what_the_definition_says() {
    let schema = "image: {type: string, minLength: 1}\n          ports: {type: array, items: {type: object, properties: {port: {type: integer}, nodePort: {type: integer}}}}\n          port: {type: integer}\n          volumes: {type: string}\n          volumeMounts: {type: string}";
    let component = "name: front\ntype: server\nproperties: {image: a, port: 1, ports: [{port: 80, nodePort: 1}, {port: 80}], volumes: a, volumeMounts: b}\n";
    let mut tree = with_definitions(&[component]);
    crate::fixture::edit(&mut tree, "server.yaml", "image: {type: string, minLength: 1}", schema);
    assert_eq!(complaints(&tree), "");
}

#[test]
fn a_json_merge_patch_changes_a_workload_of_an_unknown_kind_and_scaler_its_replicas() {
    let component = "name: front\ntype: cloneset\nproperties: {image: 'web:1', env: [{name: A, value: b}]}\ntraits: [{type: tolerate}, {type: scaler, properties: {replicas: 3}}]\n";
    let mut tree = with_definitions(&[component]);
    add(&mut tree, "cloneset.yaml", &example("cloneset"));
    let (head, _) = GUARD.split_once("spec:\n").unwrap();
    let patch = "spec: {schematic: {tidegate: {patch: {spec: {template: {spec: {tolerations: [{operator: Exists}], containers: '${output.spec.template.spec.containers.map(c, {\"name\": c.name, \"image\": c.image})}'}}}}}}}\n";
    add(&mut tree, "tolerate.yaml", &format!("{}{patch}", head.replace("guard", "tolerate")));
    let object = &objects(&unit(&tree))[0];
    assert_eq!((&object["spec"]["replicas"], &object["metadata"]["namespace"]), (&json!(3), &json!("shop")));
    assert_eq!(
        object["spec"]["template"]["spec"],
        json!({ "containers": [{ "name": "front", "image": "web:1" }], "tolerations": [{ "operator": "Exists" }] })
    );
}

#[test]
fn the_example_of_the_documentation_renders() {
    let page = std::fs::read_to_string(crate::root::path("docs/applications/definitions.md")).unwrap();
    let definition = page.split("```yaml\n").find(|block| block.contains("kind: ComponentDefinition")).unwrap();
    let definition = definition.split("```").next().unwrap();
    let component = |properties: &str| format!("name: front\ntype: cache\nproperties: {properties}\n");
    let mut tree = with_definitions(&[&component("{memory: 512, users: [root, ada]}")]);
    add(&mut tree, "cache.yaml", definition);
    let objects = objects(&unit(&tree));
    let names: Vec<&str> = objects.iter().filter_map(|object| object["metadata"]["name"].as_str()).collect();
    assert_eq!(names, ["front", "front-ada"]);
    assert_eq!(objects[0].pointer("/spec/template/spec/containers/0/args").unwrap(), &json!(["--memory=512Mi"]));
    crate::fixture::edit(&mut tree, "web.yaml", "memory: 512", "memory: 4096");
    assert_eq!(
        complaints(&tree),
        "web.yaml:10:28: spec.components[0].properties.memory is refused: all replicas together have at most 4096 MiB"
    );
}

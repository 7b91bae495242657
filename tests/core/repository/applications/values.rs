//! Values that a cluster refuses, and the places of mistakes in overrides.

use tidegate_repository::load;

use super::types::application;
use super::{about, objects, tree, unit};
use crate::fixture::shown;

#[test]
fn images_that_no_cluster_can_pull_are_refused() {
    let bad = [
        "nginx :1",
        "nginx:",
        ":1",
        "Nginx",
        "example.com/Web:1",
        "nginx:1 ",
        "example.com//web",
        "nginx:-1",
        "nginx@sha256:12",
        "-.com/web",
        "example.com:x/web",
        "web..x",
        "web/",
        "'nginx\tx'",
        "[::1/web",
    ];
    let found =
        |image: &str| about(&format!("    - {{name: extras, type: worker, properties: {{image: {image:?}}}}}\n"));
    let text: Vec<String> = bad.into_iter().map(found).collect();
    insta::assert_snapshot!("images_that_no_cluster_can_pull", text.join("\n"));
    let digest = "a".repeat(64);
    let good = [
        "nginx",
        "nginx:1.27",
        "example.com/web:1.4.0",
        "localhost/web",
        "localhost:5000/a/b_c/d__e/f--g.h:v1_2-x",
        "[::1]:5000/web",
        "Registry.Example.com/web",
    ];
    let digests = [format!("web@sha256:{digest}"), format!("example.com/web:1@sha256:{digest}")];
    for image in good.into_iter().map(str::to_owned).chain(digests) {
        assert_eq!(found(&image), "", "{image}");
    }
}

#[test]
fn the_place_of_an_image_is_where_it_is_written() {
    let traits = "    - name: extras
      type: worker
      properties: {image: 'example.com/a:1'}
      traits:
        - {type: sidecar, properties: {name: log, image: 'example.com/log:1:2/x y'}}
";
    let init = traits.replace(
        "{type: sidecar, properties: {name: log, image: 'example.com/log:1:2/x y'}}",
        "{type: container-image, properties: {image: 'A'}}",
    );
    insta::assert_snapshot!([about(traits), about(&init)].join("\n"), @r#"
    web.yaml:35:58: spec.components[1].traits[0].properties.image is "example.com/log:1:2/x y", which is not an image: it has a space; write one such as example.com/web:1.4.0
    web.yaml:35:55: spec.components[1].traits[0].properties.image is "A", which is not an image: "A" has upper-case letters; write one such as example.com/web:1.4.0
    "#);
}

#[test]
fn amounts_that_an_api_server_refuses_are_refused() {
    let found =
        |amounts: &str| about(&format!("    - {{name: extras, type: worker, properties: {{image: a, {amounts}}}}}\n"));
    insta::assert_snapshot!(
        [
            found("cpu: '1 core'"),
            found("memory: 1Gb"),
            found("cpu: '-1'"),
            found("cpu: 2, limit: {cpu: 1500m}"),
            found("cpu: 2, limit: {cpu: 2000m}, memory: 1Gi"),
        ]
        .join("\n")
        .trim(),
        @r#"
    web.yaml:31:64: spec.components[1].properties.cpu is "1 core"; write a quantity, such as "500m" or "1Gi"
    web.yaml:31:67: spec.components[1].properties.memory is "1Gb"; write a quantity, such as "500m" or "1Gi"
    web.yaml:31:7: spec.components[1].(Deployment extras).spec.template.spec.containers[0].resources.requests.cpu is -1, less than 0, so that clusters refuse it; write a larger amount
    web.yaml:31:7: spec.components[1].(Deployment extras).spec.template.spec.containers[0].resources.requests.cpu is 2, more than its limit, which is 1500m, so that clusters refuse it; correct one of the two
    "#
    );
}

#[test]
fn an_autoscaler_scales_any_workload_without_being_told_its_kind() {
    let database = "name: database\ntype: statefulset\nproperties: {image: a}\ntraits: [{type: hpa}]\n";
    let objects = objects(&unit(&tree(&application(&[database]))));
    let target =
        &objects.iter().find(|object| object["kind"] == "HorizontalPodAutoscaler").unwrap()["spec"]["scaleTargetRef"];
    assert_eq!(*target, serde_json::json!({ "apiVersion": "apps/v1", "kind": "StatefulSet", "name": "database" }));
}

/// The first trait of the component is not written in the override, so that the second one there has the index 0.
#[test]
fn a_mistake_in_an_override_is_at_its_line() {
    let server = "name: server\ntype: webservice\nproperties: {image: a}\ntraits:\n  - {type: labels, properties: {a: b}}\n  - {type: scaler}\n";
    let found = |change: &str| {
        let text = application(&[server]);
        let change = format!(
            "    - name: small\n      type: override\n      properties:\n        components:\n          - name: server\n{change}"
        );
        shown(&load(&tree(&format!("{text}{change}")), "")).join("\n")
    };
    let of_traits = |traits: &str| found(&format!("            traits:\n{traits}"));
    insta::assert_snapshot!(
        [
            of_traits("              - {type: scaler, properties: {replicas: -1}}\n"),
            of_traits("              - {type: command, properties: {containerName: x, args: [a]}}\n"),
            of_traits("              - {type: json-merge-patch, properties: {spec: {replicas: 7}}}\n"),
            found("            properties: {imag: b}\n"),
            found("            properties: {image: 'b c'}\n"),
        ]
        .join("\n"),
        @r#"
    web.yaml:32:55: spec.policies[1].properties.components[0].traits[0].properties.replicas is -1; it must be 0 to 2147483647
    web.yaml:32:61: spec.policies[1].properties.components[0].traits[0].properties.containerName names container "x", which the pods do not have; write "server"
    web.yaml:32:17: spec.policies[1].properties.components[0].traits[0] sets spec.replicas of the workload, which spec.components[0].traits[1] at web.yaml:13:11 sets to another value; keep one of the two
    web.yaml:31:26: spec.policies[1].properties.components[0].properties.imag is not known; did you mean "image"?
    web.yaml:31:33: spec.policies[1].properties.components[0].properties.image is "b c", which is not an image: it has a space; write one such as example.com/web:1.4.0
    "#
    );
}

//! Images whose content can change, where the settings refuse them (C8).

use tidegate_model::tree::Tree;
use tidegate_repository::load;

use super::app_deployments::published;
use super::definitions::with_definitions;
use super::types::application;
use super::{tree, web};
use crate::fixture::{edit, shown};

const DIGEST: &str = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// Returns the complaints about a repository with this setting.
fn with(mut tree: Tree, images: &str) -> String {
    let settings = format!("[applications]\nenabled = true\nimages = \"{images}\"\n");
    tree.files.insert("tidegate.toml".to_owned(), settings.into_bytes());
    let loaded = load(&tree, "");
    shown(&loaded).join("\n")
}

/// Returns what is wrong with an image of a component.
fn of(image: &str, images: &str) -> String {
    let component = format!("name: front\ntype: worker\nproperties: {{image: '{image}'}}\n");
    with(tree(&application(&[&component])), images)
}

#[test]
fn c8_images_without_a_fixed_version_are_refused_by_setting() {
    let pinned = format!("example.com:5000/web@{DIGEST}");
    let both = format!("example.com/web:1.4@{DIGEST}");
    let all = ["web", "web:latest", "example.com:5000/web", "web:1.4", &*pinned, &*both];
    let refused = |images: &str| all.map(|image| u8::from(!of(image, images).is_empty()));
    assert_eq!(refused("any"), [0; 6]);
    assert_eq!(refused("pinned-tag"), [1, 1, 1, 0, 0, 0]);
    assert_eq!(refused("digest"), [1, 1, 1, 1, 0, 0]);
    insta::assert_snapshot!(of("web", "pinned-tag"), @r#"web.yaml:10:27: spec.components[0].properties.image is "web", without a tag, which means latest; write the tag of a version (images = "pinned-tag" in section [applications] of tidegate.toml)"#);
    insta::assert_snapshot!(of("web:latest", "pinned-tag"), @r#"web.yaml:10:27: spec.components[0].properties.image is "web:latest", whose tag moves with each version; write the tag of a version (images = "pinned-tag" in section [applications] of tidegate.toml)"#);
    insta::assert_snapshot!(of("web:1.4", "digest"), @r#"web.yaml:10:27: spec.components[0].properties.image is "web:1.4", without a digest, so a registry may give another image; add its digest, such as @sha256:… (images = "digest" in section [applications] of tidegate.toml)"#);
}

#[test]
fn an_image_is_refused_where_it_is_written() {
    let sidecar = "name: front\ntype: worker\nproperties: {image: 'web:1'}\ntraits:\n  - type: sidecar\n    properties: {name: log, image: log}\n";
    insta::assert_snapshot!(with(tree(&application(&[sidecar])), "pinned-tag"), @r#"web.yaml:13:42: spec.components[0].traits[0].properties.image is "log", without a tag, which means latest; write the tag of a version (images = "pinned-tag" in section [applications] of tidegate.toml)"#);
    let job = "name: front\ntype: k8s-objects\nproperties:\n  objects:\n    - apiVersion: batch/v1\n      kind: CronJob\n      metadata: {name: c}\n      spec: {schedule: '@daily', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, initContainers: [{name: i, image: init}], containers: [{name: c, image: 'job:1'}], volumes: [{name: v, image: {reference: 'data:latest'}}]}}}}}\n";
    insta::assert_snapshot!(with(tree(&application(&[job])), "pinned-tag"), @r#"
    web.yaml:15:135: spec.components[0].properties.objects[0].spec.jobTemplate.spec.template.spec.initContainers[0].image is "init", without a tag, which means latest; write the tag of a version (images = "pinned-tag" in section [applications] of tidegate.toml)
    web.yaml:15:223: spec.components[0].properties.objects[0].spec.jobTemplate.spec.template.spec.volumes[0].image.reference is "data:latest", whose tag moves with each version; write the tag of a version (images = "pinned-tag" in section [applications] of tidegate.toml)
    "#);
    // That of a definition is refused at the component that uses it.
    let mut tree = with_definitions(&["name: front\ntype: server\nproperties: {image: web}\n"]);
    edit(&mut tree, "server.yaml", "image: '${parameters.image}'", "image: 'example.com/${parameters.image}'");
    insta::assert_snapshot!(with(tree, "pinned-tag"), @r#"web.yaml:8:7: spec.template.spec.containers[0].image of an object of spec.components[0] is "example.com/web", without a tag, which means latest; write the tag of a version (images = "pinned-tag" in section [applications] of tidegate.toml)"#);
    let mut tree = super::tree(&application(&["name: front\ntype: worker\nproperties: {image: 'web:1'}\n"]));
    let policy = "  policies:\n    - name: new\n      type: override\n      properties:\n        components: [{name: front, properties: {image: 'web:latest'}}]\n";
    edit(&mut tree, "web.yaml", "  policies:\n", policy);
    insta::assert_snapshot!(with(tree, "pinned-tag"), @r#"web.yaml:15:56: spec.policies[0].properties.components[0].properties.image is "web:latest", whose tag moves with each version; write the tag of a version (images = "pinned-tag" in section [applications] of tidegate.toml)"#);
}

#[test]
fn an_application_with_a_refused_image_is_blocked_and_published_revisions_are_too() {
    let mut tree = tree(&application(&["name: front\ntype: worker\nproperties: {image: web}\n"]));
    assert!(load(&tree, "").repository.addons.contains_key(&web()));
    let settings = "[applications]\nenabled = true\nimages = \"digest\"\n";
    tree.files.insert("tidegate.toml".to_owned(), settings.as_bytes().to_vec());
    assert!(load(&tree, "").repository.blocked.contains_key(&web()));
    insta::assert_snapshot!(with(published(), "pinned-tag"), @"");
    insta::assert_snapshot!(with(published(), "digest"), @r#"
    apps/app.yaml:13:16: spec.components[0].properties.image is "oamdev/helloworld-python:v2", without a digest, so a registry may give another image; add its digest, such as @sha256:… (images = "digest" in section [applications] of tidegate.toml)
    apps/cluster-test-app-v1.yaml:22:18: spec.components[0].properties.image is "oamdev/helloworld-python:v1", without a digest, so a registry may give another image; add its digest, such as @sha256:… (images = "digest" in section [applications] of tidegate.toml)
    apps/cluster-test-app-v2.yaml:22:18: spec.components[0].properties.image is "oamdev/helloworld-python:v2", without a digest, so a registry may give another image; add its digest, such as @sha256:… (images = "digest" in section [applications] of tidegate.toml)
    "#);
}

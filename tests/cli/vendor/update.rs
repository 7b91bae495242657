//! What `--update` resolves again, and how it shows the difference.

use std::fs;

use serde_json::Value;

use super::super::{code, text};
use super::world::World;

#[test]
fn newer_commits_and_versions_are_shown_with_what_they_change() {
    let world = World::new();
    world.run(&["vendor"]);
    assert!(text(&world.run(&["vendor"]).stdout).starts_with("3 sources vendored as declared"));
    fs::write(world.path("config/base/web.yaml"), "apiVersion: v1\nkind: Service\nmetadata: {name: newer}\n").unwrap();
    fs::write(world.path("config/parts/kustomization.yaml"), "resources: [more.yaml]\n").unwrap();
    fs::write(world.path("config/parts/more.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: more}\n")
        .unwrap();
    world.commit("v1");
    world.publish(&["1.0.0", "1.1.0", "2.0.0"]);
    let one = world.session(&["vendor", "--update", "web"]);
    assert!(!one.contains("moved"), "only the chart is updated: {one}");
    let all = world.session(&["vendor", "--update"]);
    insta::assert_snapshot!([one, all].join("\n"));
    assert_eq!(code(&world.run(&["vendor", "--check"])), 0);
}

#[test]
fn a_name_may_be_a_source_or_a_directory_but_must_exist() {
    let world = World::new();
    world.run(&["vendor"]);
    let crd = world.url("crd.yaml");
    world.page("/crd.yaml", b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: newer}\n");
    assert_eq!(code(&world.run(&["vendor", "--update", &crd])), 0);
    assert!(world.read(&world.vendored_file("crd.yaml")).contains("newer"));
    let file = world.vendored_file("manifests.yaml");
    let directory = file.strip_suffix("/manifests.yaml").unwrap();
    let output = world.run(&["vendor", "--update", directory, "-o", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["changes"][0]["action"], "updated", "the random number is another one: {report}");
    assert_eq!(report["changes"][0]["changed"][0], "ConfigMap site-web");
    insta::assert_snapshot!(world.session(&["vendor", "--update", "wep"]));
    assert_eq!(code(&world.run(&["vendor", "--update", "--check"])), 2);
}

#[test]
fn an_update_that_breaks_a_patch_is_written_so_that_the_patch_can_be_fixed() {
    let world = World::new();
    let kustomization = world.read("kustomization.yaml");
    let patch =
        "patches:\n- patch: |-\n    apiVersion: v1\n    kind: Service\n    metadata: {name: web, labels: {a: b}}\n";
    world.write("kustomization.yaml", &format!("{kustomization}{patch}"));
    assert_eq!(code(&world.run(&["vendor"])), 0);
    fs::write(world.path("config/base/web.yaml"), "apiVersion: v1\nkind: Service\nmetadata: {name: newer}\n").unwrap();
    world.commit("v1");
    insta::assert_snapshot!(world.session(&["vendor", "--update"]));
    assert!(world.read(&world.vendored_file("base/web.yaml")).contains("newer"));
    // What cannot be rendered may use what seems unused.
    world.write("kustomization.yaml", &format!("resources: [{}]\n{patch}", world.url("crd.yaml")));
    assert_eq!(code(&world.run(&["vendor"])), 1);
    assert!(world.vendored().iter().any(|path| path.ends_with("base/web.yaml")));
}

//! What a run brings in, and that a second one changes nothing.

use std::fs;

use super::super::{code, plain_kinds, text};
use super::world::World;

#[test]
fn what_is_named_is_vendored_and_validated_and_a_second_run_changes_nothing() {
    let world = World::new();
    let before = world.session(&["validate", "."]);
    let first = world.session(&["vendor"]);
    let files = world.redacted(&world.vendored().join("\n"));
    let lock = world.redacted(&world.read("vendor.lock"));
    let all = |world: &World| {
        let names = world.vendored();
        names.iter().map(|name| world.read(name)).chain([world.read("vendor.lock")]).collect::<Vec<_>>()
    };
    let (content, requests) = (all(&world), world.requests().len());
    // The chart renders a random number, and is not rendered again.
    let second = world.session(&["vendor", "."]);
    assert_eq!(all(&world), content);
    assert_eq!(world.requests().len(), requests, "nothing is downloaded again");
    let check = world.session(&["vendor", "--check"]);
    plain_kinds(&world.root());
    let validate = world.session(&["validate", ".", "--config", "daemon.toml"]);
    insta::assert_snapshot!([before, first, files, lock, second, check, validate].join("\n"));
    let rendered = text(&world.run(&["render", "."]).stdout);
    for object in ["kind: Service\n", "kind: ServiceAccount", "name: file", "name: site-web", "color: blue"] {
        assert!(rendered.contains(object), "{rendered}");
    }
}

#[test]
fn what_nothing_uses_is_removed_but_foreign_files_are_kept() {
    let world = World::new();
    world.run(&["vendor"]);
    world.write("vendor/notes.txt", "mine");
    world.write("kustomization.yaml", &format!("resources: [{}]\n", world.url("crd.yaml")));
    let run = world.session(&["vendor"]);
    insta::assert_snapshot!(format!("{run}{}", world.redacted(&world.vendored().join("\n"))));
    world.write("kustomization.yaml", "resources: [own.yaml]\n");
    world.write("own.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own}\n");
    fs::remove_file(world.root().join("vendor/notes.txt")).unwrap();
    assert_eq!(code(&world.run(&["vendor"])), 0);
    assert!(!world.root().join("vendor").exists(), "the empty directory is removed");
}

#[test]
fn changed_values_are_rendered_with_the_locked_version() {
    let world = World::new();
    world.run(&["vendor"]);
    world.publish(&["1.0.0", "1.1.0"]);
    let kustomization = world.read("kustomization.yaml");
    world.write("kustomization.yaml", &kustomization.replace("blue", "green"));
    insta::assert_snapshot!([world.session(&["vendor", "--check"]), world.session(&["vendor"])].join("\n"));
    assert!(world.read(&world.vendored_file("manifests.yaml")).contains("color: green"));
    // Another range selects another version.
    world.write("kustomization.yaml", &kustomization.replace("^1.0", "^1.1"));
    assert_eq!(code(&world.run(&["vendor"])), 0);
    assert!(world.read("vendor.lock").contains("version: \"1.1.0\""), "{}", world.read("vendor.lock"));
    assert_eq!(world.vendored().iter().filter(|path| path.ends_with("manifests.yaml")).count(), 1);
}

#[test]
fn edited_files_are_restored_from_the_locked_commit() {
    let world = World::new();
    world.run(&["vendor"]);
    let service = world.vendored_file("base/web.yaml");
    let original = world.read(&service);
    world.write(&service, "apiVersion: v1\nkind: Service\nmetadata: {name: evil}\n");
    // The tag moves in the meantime.
    fs::write(world.path("config/base/web.yaml"), "apiVersion: v1\nkind: Service\nmetadata: {name: newer}\n").unwrap();
    world.commit("v1");
    insta::assert_snapshot!([world.session(&["vendor", "--check"]), world.session(&["vendor"])].join("\n"));
    assert_eq!(world.read(&service), original);
}

#[test]
fn the_chart_of_a_template_is_vendored() {
    let world = World::empty();
    let template = |chart: &str| {
        format!(
            "apiVersion: addon.open-cluster-management.io/v1beta1\nkind: AddOnTemplate\nmetadata:\n  name: web-1\n  annotations:\n    \
             tidegate.io/chart: {chart}\n    tidegate.io/chart-values: values.yaml\nspec:\n  addonName: web\n  agentSpec:\n    workload: \
             {{manifests: []}}\n"
        )
    };
    world.write("values.yaml", "color: yellow\n");
    world.write("addon.yaml", &template(&world.url("charts/web")));
    assert_eq!(code(&world.run(&["vendor"])), 0, "{}", world.session(&["vendor"]));
    let manifests = world.vendored_file("manifests.yaml");
    assert!(world.read(&manifests).contains("name: web-1-web") && world.read(&manifests).contains("color: yellow"));
    // A chart in the repository, with a template that changes.
    world.write("chart/Chart.yaml", "apiVersion: v2\nname: chart\nversion: 0.3.0\n");
    world.write("chart/values.yaml", "color: red\n");
    world.write("chart/templates/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: RELEASE\n");
    world.write("addon.yaml", &template("./chart"));
    assert_eq!(code(&world.run(&["vendor"])), 0, "{}", world.session(&["vendor"]));
    assert!(world.read("vendor.lock").contains("version: \"0.3.0\""), "{}", world.read("vendor.lock"));
    assert_eq!(code(&world.run(&["vendor", "--check"])), 0);
    world.write("chart/templates/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: RELEASE-2\n");
    assert_eq!(code(&world.run(&["vendor", "--check"])), 1);
    assert_eq!(code(&world.run(&["vendor"])), 0);
    assert!(world.read(&world.vendored_file("manifests.yaml")).contains("name: web-1-2"));
}

#[test]
fn two_overlays_may_set_other_values_of_the_same_chart() {
    let world = World::empty();
    world.write(
        "base/addon.yaml",
        &format!(
            "apiVersion: addon.open-cluster-management.io/v1beta1\nkind: AddOnTemplate\nmetadata:\n  name: web-1\n  annotations:\n    \
             tidegate.io/chart: {}\nspec:\n  addonName: web\n",
            world.url("charts/web")
        ),
    );
    world.write("base/kustomization.yaml", "resources: [addon.yaml]\n");
    for color in ["blue", "green"] {
        world.write(&format!("{color}/values.yaml"), &format!("color: {color}\n"));
        world.write(
            &format!("{color}/kustomization.yaml"),
            "resources: [../base]\npatches:\n- target: {kind: AddOnTemplate}\n  patch: |-\n    apiVersion: \
             addon.open-cluster-management.io/v1beta1\n    kind: AddOnTemplate\n    metadata: {name: web-1, annotations: \
             {tidegate.io/chart-values: values.yaml}}\n",
        );
    }
    world.write("tidegate.toml", "[repository]\npath = \"blue\"\n");
    assert_eq!(code(&world.run(&["vendor"])), 0, "{}", world.session(&["vendor"]));
    let manifests: String = world.vendored().iter().map(|path| world.read(path)).collect();
    assert!(manifests.contains("color: blue") && manifests.contains("color: green"), "{manifests}");
    assert_eq!(code(&world.run(&["vendor", "--check"])), 0);
}

#[test]
fn what_is_vendored_may_need_more() {
    let world = World::empty();
    fs::write(
        world.path("config/base/kustomization.yaml"),
        format!(
            "resources: [web.yaml, {}]\nhelmCharts: [{{name: web, repo: {}}}]\n",
            world.url("crd.yaml"),
            world.url("charts")
        ),
    )
    .unwrap();
    world.commit("v2");
    world.write("kustomization.yaml", &format!("resources: ['{}']\n", world.base("v2")));
    let run = world.session(&["vendor"]);
    insta::assert_snapshot!(format!("{run}{}", world.redacted(&world.vendored().join("\n"))));
    assert_eq!(code(&world.run(&["vendor", "--check"])), 0);
    let rendered = text(&world.run(&["render", "."]).stdout);
    assert!(rendered.contains("name: file") && rendered.contains("name: release-name-web"), "{rendered}");
}

#[test]
fn an_entry_that_may_be_a_file_or_a_directory_is_what_the_server_has() {
    let world = World::empty();
    world.page("/objects", b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: objects}\n");
    world.write_remote("kustomization.yaml", "resources: [base]\n");
    world.commit("v3");
    // kustomize expects an organization and a repository.
    std::os::unix::fs::symlink(".", world.path("team")).unwrap();
    let repository = world.base("v3").replace("/config//base?ref=v3", "/team/config");
    world.write("kustomization.yaml", &format!("resources:\n- {repository}\n- {}\n", world.url("objects")));
    let run = world.session(&["vendor"]);
    insta::assert_snapshot!(format!("{run}{}", world.redacted(&world.vendored().join("\n"))));
    let rendered = text(&world.run(&["render", "."]).stdout);
    assert!(rendered.contains("name: objects") && rendered.contains("kind: ServiceAccount"), "{rendered}");
    assert_eq!(code(&world.run(&["vendor", "--check"])), 0);
}

#[test]
fn links_of_a_base_are_kept() {
    let world = World::empty();
    world.write_remote("shared/kustomization.yaml", "resources: [web.yaml]\n");
    world.write_remote("shared/real.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: linked}\n");
    std::os::unix::fs::symlink("real.yaml", world.path("config/shared/web.yaml")).unwrap();
    fs::remove_dir_all(world.path("config/base")).unwrap();
    std::os::unix::fs::symlink("shared", world.path("config/base")).unwrap();
    world.commit("v4");
    world.write("kustomization.yaml", &format!("resources: ['{}']\n", world.base("v4")));
    let run = world.session(&["vendor"]);
    assert!(!run.contains("exit code"), "{run}");
    let (before, rendered) = (world.vendored(), text(&world.run(&["render", "."]).stdout));
    assert!(rendered.contains("name: linked"), "{before:?}\n{}", world.session(&["render", "."]));
    assert_eq!(code(&world.run(&["vendor", "--check"])), 0);
    // A link that someone turns elsewhere is noticed, and restored.
    let link = world.root().join(world.vendored_file("shared/web.yaml"));
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", &link).unwrap();
    assert_eq!(code(&world.run(&["vendor", "--check"])), 1);
    assert_eq!(code(&world.run(&["vendor"])), 0, "{}", world.session(&["vendor"]));
    assert_eq!(fs::read_link(&link).unwrap().to_str(), Some("real.yaml"));
}

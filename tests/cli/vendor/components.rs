//! Charts that components of applications name.

use std::fs;

use regex::Regex;

use super::super::{code, text};
use super::world::World;
use crate::git_command::git;

/// An application whose chart has other values on the clusters that come later.
const WEB: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {name: web, namespace: shop}
spec:
  components:
    - name: server
      type: helm
      properties:
        chart: CHART
        version: ^1.0
        values: {color: blue}
  policies:
    - {name: lab, type: topology, properties: {clusters: [lab]}}
    - {name: all, type: topology, properties: {clusterLabelSelector: {stage: prod}}}
    - {name: bright, type: override, properties: {components: [{name: server, properties: {values: {color: yellow}}}]}}
  workflow:
    steps:
      - {name: lab, type: deploy, properties: {policies: [lab]}}
      - {name: all, type: deploy, properties: {policies: [all, bright]}}
";

const CLUSTERS: &str = "\
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: lab}
spec: {hubAcceptsClient: true}
---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: prod, labels: {stage: prod}}
spec: {hubAcceptsClient: true}
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: global, namespace: shop}
spec: {clusterSet: global}
";

/// Returns a repository with this application.
fn world() -> World {
    let world = World::empty();
    world.write("tidegate.toml", "[repository]\npath = \"fleet\"\n\n[applications]\nenabled = true\n");
    world.write("fleet/web.yaml", &WEB.replace("CHART", &world.url("charts/web")));
    world
}

/// Returns a text without what follows from the address of the server.
fn shown(parts: &[String]) -> String {
    let suffix = Regex::new(r"server-shop-[0-9a-f]{8}\b").unwrap();
    let random = Regex::new("random: \"\\d+\"").unwrap();
    let text = suffix.replace_all(&parts.join("\n"), "server-shop-[KEY]").into_owned();
    random.replace_all(&text, "random: \"[RANDOM]\"").into_owned()
}

/// Returns the directories of the entries that the lock has, each with the digest of its values.
fn entries(world: &World) -> Vec<(String, String)> {
    let lock = world.read("vendor.lock");
    let value = |line: &str| line.rsplit(' ').next().unwrap().to_owned();
    let named = |start: &str| lock.lines().filter(|line| line.trim().starts_with(start)).map(value).collect::<Vec<_>>();
    named("- directory:").into_iter().zip(named("values:")).collect()
}

#[test]
fn the_chart_of_a_component_is_vendored_once_for_each_set_of_values() {
    let world = world();
    let before = world.session(&["validate", "."]);
    let first = world.session(&["vendor"]);
    let files = world.redacted(&world.vendored().join("\n"));
    let lock = world.redacted(&world.read("vendor.lock"));
    let content = world.files();
    let second = world.session(&["vendor"]);
    assert_eq!(world.files(), content, "a second run changes nothing");
    let check = world.session(&["vendor", "--check"]);
    let validate = world.session(&["validate", "."]);
    let render = ["lab", "all"].map(|step| world.session(&["app", "render", "shop/web", "--step", step]));
    let show = world.session(&["app", "show", "shop/web"]);
    let parts = [&[before, first, files, lock, second, check, validate][..], &render, &[show]].concat();
    insta::assert_snapshot!(shown(&parts));
}

#[test]
fn changed_values_of_an_override_replace_its_own_output_only() {
    let world = world();
    assert_eq!(code(&world.run(&["vendor"])), 0);
    let (before, old) = (entries(&world), world.files());
    assert_eq!(before.len(), 2);
    let web = world.read("fleet/web.yaml");
    world.write("fleet/web.yaml", &web.replace("yellow", "green"));
    let check = world.session(&["vendor", "--check"]);
    let validate = world.session(&["validate", "."]);
    let run = world.session(&["vendor"]);
    insta::assert_snapshot!(shown(&[check, validate, run]));
    let after = entries(&world);
    assert_eq!((after.len(), after.iter().filter(|entry| before.contains(entry)).count()), (2, 1));
    let is_same = |path: &String| world.files().get(path) == old.get(path);
    assert_eq!(world.vendored().iter().filter(|path| is_same(path)).count(), 1, "the output for blue is untouched");
    // Both at once, and another one more.
    let third = "    - {name: third, type: override, properties: {components: [{name: server, properties: {values: {color: white}}}]}}\n  workflow:";
    let more = "      - {name: more, type: deploy, properties: {policies: [few, third]}}\n";
    let few = "    - {name: few, type: topology, properties: {clusters: [few]}}\n";
    let changed =
        web.replace("yellow", "grey").replace("blue", "black").replace("  workflow:", &format!("{few}{third}"));
    world.write("fleet/web.yaml", &(changed + more));
    assert_eq!(code(&world.run(&["vendor"])), 0);
    assert_eq!(entries(&world).len(), 3);
    let manifests = world.vendored().iter().map(|path| world.read(path)).collect::<String>();
    for color in ["grey", "black", "white"] {
        assert!(manifests.contains(&format!("color: {color}")), "{manifests}");
    }
    assert_eq!(code(&world.run(&["vendor", "--check"])), 0);
    // What no component names any more is removed.
    world.write("fleet/web.yaml", &web.replace(", bright]", "]"));
    assert_eq!(code(&world.run(&["vendor"])), 0);
    assert_eq!(entries(&world).len(), 1);
}

#[test]
fn a_newer_version_on_some_clusters_is_vendored_beside_the_other_one() {
    let world = world();
    world.publish(&["1.0.0", "1.1.0"]);
    let web = world.read("fleet/web.yaml").replace("^1.0", "1.0.0");
    world.write("fleet/web.yaml", &web.replace("values: {color: yellow}", "version: 1.1.0"));
    assert_eq!(code(&world.run(&["vendor"])), 0);
    let lock = world.read("vendor.lock");
    assert!(lock.contains("version: \"1.0.0\"") && lock.contains("version: \"1.1.0\""), "{lock}");
    let render = |step: &str| text(&world.run(&["app", "render", "shop/web", "--step", step]).stdout);
    let key = "name: server-key";
    assert!(!render("lab").contains(key) && render("all").contains(key), "{}{}", render("lab"), render("all"));
    assert_eq!(code(&world.run(&["vendor", "--check"])), 0);
}

#[test]
fn a_plan_shows_what_newer_values_change() {
    let world = world();
    let git = |arguments: &[&str]| drop(git(&world.root(), arguments));
    world.write("fleet/clusters.yaml", CLUSTERS);
    assert_eq!(code(&world.run(&["vendor"])), 0);
    git(&["init", "--quiet", "--initial-branch=main"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message=x"]);
    let web = world.read("fleet/web.yaml");
    world.write("fleet/web.yaml", &web.replace("yellow", "green"));
    let blocked = world.session(&["plan"]);
    assert!(blocked.contains("run `tidegate vendor`") && !blocked.contains("green"), "{blocked}");
    assert_eq!(code(&world.run(&["vendor"])), 0);
    let plan = world.session(&["plan", "-o", "markdown"]);
    assert!(plan.contains("shop/web") && plan.contains("green"), "{plan}");
}

#[test]
fn an_application_that_cannot_be_read_removes_nothing() {
    let world = world();
    assert_eq!(code(&world.run(&["vendor"])), 0);
    let content = world.vendored();
    let web = world.read("fleet/web.yaml");
    for broken in [
        web.replace("    - name: server", "    - name: [server"),
        web.replace("  policies:\n", "  policies: 5\n  other:\n"),
        web.replace("        version: ^1.0", "        version: 1.0"),
    ] {
        world.write("fleet/web.yaml", &broken);
        let output = world.run(&["vendor"]);
        assert_eq!(code(&output), 1, "{}", text(&output.stderr));
        assert_eq!(world.vendored(), content);
        assert_eq!(code(&world.run(&["vendor", "--check"])), 1);
    }
}

#[test]
fn the_output_of_a_chart_that_changed_is_neither_delivered_nor_accepted() {
    let world = world();
    fs::remove_file(world.root().join("fleet/web.yaml")).unwrap();
    world.write("charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 0.3.0\n");
    world.write("charts/web/values.yaml", "color: red\n");
    let template = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: RELEASE\ndata:\n  color: COLOR\n";
    world.write("charts/web/templates/web.yaml", template);
    world.write("fleet/web.yaml", &WEB.replace("CHART", "../charts/web").replace("        version: ^1.0\n", ""));
    assert_eq!(code(&world.run(&["vendor"])), 0, "{}", world.session(&["vendor"]));
    assert_eq!(code(&world.run(&["validate", "."])), 0, "{}", world.session(&["validate", "."]));
    world.write("charts/web/templates/web.yaml", &template.replace("ConfigMap", "Secret"));
    for arguments in [&["vendor", "--check"][..], &["validate", "."], &["app", "render", "shop/web", "--step", "lab"]] {
        let output = world.run(arguments);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_ne!(code(&output), 0, "{said}");
        assert!(said.contains("the chart charts/web changed after it was rendered"), "{said}");
    }
}

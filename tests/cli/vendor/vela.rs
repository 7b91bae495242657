//! Applications that `vela dry-run` renders. A script stands for vela, and prints what the real one prints.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::super::{code, text};
use super::world::World;

/// Prints the output in the definitions if there is one, and otherwise a Deployment and a Service for each topology: the first image of the
/// application, and the second one where the override applies.
const VELA: &str = r##"#!/bin/sh
if [ "$1" = version ]; then
  printf 'CLI Version: v1.10.3\nCore Version: \nGitRevision: git-2a6e3bb\nGolangVersion: go1.23.8\n'; exit
fi
[ "$*" = "dry-run --offline -f $4 -d $6" ] || { echo "Error: unknown command $*" >&2; exit 1; }
[ -e "$KUBECONFIG" ] && { echo "Error: there is a cluster" >&2; exit 1; }
grep -q broken "$4" && { echo "Error: $PWD/$4: cannot generate manifests from components and traits" >&2; exit 1; }
[ -e "$6/printed" ] && { cat "$6/printed"; exit; }
replicas=$(sed -n 's/.*replicas: *//p' "$6/server.cue")
image() { sed -n 's/.*image: \([^ }]*\).*/\1/p' "$2" | sed -n "$1p"; }
part() {
cat <<END
---
# Application(web with topology $1) -- Component(server)
---

apiVersion: apps/v1
kind: Deployment
metadata:
  labels:
    app.oam.dev/appRevision: ""
    workload.oam.dev/type: server
  name: server
  namespace: shop
spec:
  replicas: $replicas
  selector:
    matchLabels:
      app: server
  template:
    metadata:
      labels:
        app: server
    spec:
      containers:
      - image: $2
        name: server

---
## From the auxiliary workload
apiVersion: v1
kind: Service
metadata:
  labels:
    trait.oam.dev/type: AuxiliaryWorkload
  name: server
  namespace: shop
spec:
  ports:
  - port: 80
  selector:
    app: server

---

END
}
part lab "$(image 1 "$4")"
part all "$(image 2 "$4")"
"##;

const WEB: &str = "\
apiVersion: core.oam.dev/v1beta1
kind: Application
metadata: {name: web, namespace: shop}
spec:
  components:
    - name: server
      type: server
      properties: {image: example.com/web:1}
      traits: [{type: anything}]
  policies:
    - {name: lab, type: topology, properties: {clusters: [lab]}}
    - {name: all, type: topology, properties: {clusterLabelSelector: {stage: prod}}}
    - {name: newer, type: override, properties: {components: [{name: server, properties: {image: example.com/web:2}}]}}
  workflow:
    steps:
      - {name: lab, type: deploy, properties: {policies: [lab]}}
      - {name: all, type: deploy, properties: {policies: [newer, all]}}
";

const SETTINGS: &str = "\
[repository]
path = \"fleet\"

[applications]
enabled = true

[[vendor]]
kind = \"vela\"
app = \"kubevela/web.yaml\"
definitions = \"kubevela/definitions\"
target = \"fleet/web.yaml\"
";

fn world() -> World {
    let world = World::empty();
    let vela = world.path("bin/vela");
    fs::write(&vela, VELA).unwrap();
    fs::set_permissions(&vela, fs::Permissions::from_mode(0o755)).unwrap();
    world.write("tidegate.toml", SETTINGS);
    world.write("kubevela/web.yaml", WEB);
    world.write("kubevela/definitions/server.cue", "replicas: 2\n");
    world.write("fleet/notes.txt", "so that there is a directory");
    world
}

/// Returns what `tidegate vendor` says if vela prints a text.
fn printed(output: &str) -> String {
    let world = world();
    world.write("kubevela/definitions/printed", output);
    let said = world.session(&["vendor"]);
    assert!(said.contains("--- exit code 1") && said.contains("nothing was changed"), "{said}");
    assert!(!world.root().join("fleet/web.yaml").exists());
    said
}

#[test]
fn an_application_is_rendered_by_vela_and_pinned() {
    let world = world();
    let before = world.session(&["vendor", "--check"]);
    let first = world.session(&["vendor"]);
    let (written, lock) = (world.read("fleet/web.yaml"), world.redacted(&world.read("vendor.lock")));
    fs::remove_file(world.path("bin/vela")).unwrap();
    let content = world.files();
    let second = world.session(&["vendor"]);
    let check = world.session(&["vendor", "--check"]);
    assert_eq!(world.files(), content, "a second run changes nothing, and needs no vela");
    assert!(!world.session(&["fmt", "--check", "."]).contains("fleet/web.yaml"), "the lock has its hash");
    let validate = world.session(&["validate", "."]);
    let steps = ["lab", "all"].map(|step| text(&world.run(&["app", "render", "shop/web", "--step", step]).stdout));
    assert!(
        steps[0].contains("image: example.com/web:1") && steps[1].contains("image: example.com/web:2"),
        "{steps:?}"
    );
    insta::assert_snapshot!([before, first, written, lock, second, check, validate].join("\n"));
}

#[test]
fn changed_definitions_are_rendered_again_and_the_objects_that_change_are_named() {
    let world = world();
    assert_eq!(code(&world.run(&["vendor"])), 0);
    world.write("kubevela/definitions/server.cue", "replicas: 3\n");
    let check = world.session(&["vendor", "--check"]);
    let validate = world.session(&["validate", "."]);
    let run = world.session(&["vendor"]);
    assert!(world.read("fleet/web.yaml").contains("replicas: 3"));
    let again = world.session(&["vendor", "--update", "kubevela/web.yaml"]);
    insta::assert_snapshot!([check, validate, run, again].join("\n"));
    assert_eq!(code(&world.run(&["vendor", "--check"])), 0);
}

#[test]
fn an_edited_file_blocks_its_application_and_is_restored() {
    let world = world();
    assert_eq!(code(&world.run(&["vendor"])), 0);
    let written = world.read("fleet/web.yaml");
    world.write("fleet/web.yaml", &written.replace("web:1", "web:9"));
    let check = world.session(&["vendor", "--check"]);
    let validate = world.session(&["validate", "."]);
    let render = world.session(&["app", "render", "shop/web", "--step", "lab"]);
    let run = world.session(&["vendor"]);
    insta::assert_snapshot!([check, validate, render, run].join("\n"));
    assert_eq!(world.read("fleet/web.yaml"), written);
    fs::remove_file(world.root().join("fleet/web.yaml")).unwrap();
    assert_eq!(code(&world.run(&["vendor", "--check"])), 1);
    assert_eq!(code(&world.run(&["vendor"])), 0);
    assert_eq!(world.read("fleet/web.yaml"), written);
}

#[test]
fn an_application_that_nothing_declares_any_more_stays() {
    let world = world();
    assert_eq!(code(&world.run(&["vendor"])), 0);
    let written = world.read("fleet/web.yaml");
    world.write("tidegate.toml", SETTINGS.split("[[vendor]]").next().unwrap());
    insta::assert_snapshot!([world.session(&["vendor", "--check"]), world.session(&["vendor"])].join("\n"));
    assert_eq!(world.read("fleet/web.yaml"), written);
    assert!(!world.read("vendor.lock").contains("web.yaml"));
    world.write("fleet/web.yaml", &written.replace("web:1", "web:9"));
    assert_eq!(code(&world.run(&["validate", "."])), 0, "{}", world.session(&["validate", "."]));
}

#[test]
fn what_stands_in_the_way_is_said_and_nothing_is_changed() {
    let with = |change: &dyn Fn(&World)| {
        let world = world();
        change(&world);
        let before = world.files();
        let said = world.session(&["vendor"]);
        assert_eq!(world.files(), before, "{said}");
        said
    };
    let settings = |from: &str, to: &str| with(&|world| world.write("tidegate.toml", &SETTINGS.replace(from, to)));
    let source = |from: &str, to: &str| {
        assert!(WEB.contains(from), "{from}");
        with(&|world| world.write("kubevela/web.yaml", &WEB.replace(from, to)))
    };
    let group =
        "- {name: all, type: step-group, subSteps: [{name: x, type: deploy, properties: {policies: [newer, all]}}]}";
    let cases = [
        ("no vela", with(&|world| fs::remove_file(world.path("bin/vela")).unwrap())),
        ("vela fails", source("metadata: {", "metadata: {labels: {a: broken}, ")),
        ("no such file", with(&|world| fs::remove_file(world.root().join("kubevela/web.yaml")).unwrap())),
        ("no definitions", settings("kubevela/definitions", "kubevela/definition")),
        ("not an application", source("kind: Application", "kind: Workflow")),
        ("no namespace", source(", namespace: shop", "")),
        ("a group of steps", source("- {name: all, type: deploy, properties: {policies: [newer, all]}}", group)),
        ("a step without clusters", source("policies: [newer, all]", "policies: [newer]")),
        ("below the declarations", settings("path = \"fleet\"", "path = \".\"")),
        ("nothing reads the target", settings("fleet/web.yaml", "web.yaml")),
        (
            "a file that somebody wrote",
            with(&|world| world.write("fleet/web.yaml", "kind: List\napiVersion: v1\nitems: []\n")),
        ),
    ];
    let found: String = cases.iter().map(|(what, said)| format!("{what}\n{said}\n")).collect();
    insta::assert_snapshot!(found);
}

#[test]
fn output_that_is_not_that_of_the_application_is_refused() {
    let server = |heading: &str| {
        format!(
            "---\n# Application({heading}) -- Component(server)\n---\n\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\n\n---\n"
        )
    };
    let cases = [
        ("nothing", printed("")),
        ("other clusters", printed(&server("web with topology lab"))),
        ("without overrides", printed(&server("web"))),
        ("a notice", printed(&format!("A new version is there\n{}", server("web with topology lab")))),
        (
            "a policy with objects",
            printed(&format!(
                "{}---\n# Application(web with topology lab) -- Policy(x)\n---\n\nkind: A\n",
                server("web with topology lab")
            )),
        ),
        ("not YAML", printed("# Application(web) -- Component(server)\na: [\n")),
        ("not an object", printed("# Application(web) -- Component(server)\n---\na: 1\n")),
    ];
    let found: String = cases.iter().map(|(what, said)| format!("{what}\n{said}\n")).collect();
    insta::assert_snapshot!(found);
}

#[test]
fn components_that_an_override_adds_or_leaves_out_are_those_of_its_clusters_only() {
    let world = world();
    let object = |name: &str| {
        format!("\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n  namespace: shop\n\n---\n\n")
    };
    let component = |topology: &str, name: &str, object: &str| {
        format!("---\n# Application(web with topology {topology}) -- Component({name})\n---\n{object}")
    };
    let output = [
        component("lab", "server", &object("server")),
        component("all", "cache", &object("cache")),
        component("all", "extra", &object("extra")),
    ];
    world.write("kubevela/definitions/printed", &output.concat());
    world.write(
        "kubevela/web.yaml",
        &WEB.replace(
            "  policies:\n    - {name: lab",
            "    - {name: cache, type: cache, dependsOn: [server]}\n  policies:\n    - {name: lab",
        ),
    );
    assert_eq!(code(&world.run(&["vendor"])), 0, "{}", world.session(&["vendor"]));
    insta::assert_snapshot!(world.read("fleet/web.yaml"));
}

#[test]
fn mistakes_in_the_declaration_have_their_place() {
    let world = world();
    let said = [
        ("kind = \"vela\"", "kind = \"helm\""),
        ("kind = \"vela\"\n", ""),
        ("target =", "tagret ="),
        ("app = \"kubevela/web.yaml\"", "app = 5"),
        ("app = \"kubevela/web.yaml\"", "app = \"../web.yaml\""),
        ("app = \"kubevela/web.yaml\"", "app = \"kubevela/web.cue\""),
        ("target = \"fleet/web.yaml\"", "target = \"vendor/web.yaml\""),
        ("target = \"fleet/web.yaml\"", "target = \"kubevela/definitions/web.yaml\""),
        ("[[vendor]]", "[vendor]"),
    ]
    .map(|(from, to)| {
        world.write("tidegate.toml", &SETTINGS.replace(from, to));
        let validate = world.session(&["validate", "."]);
        validate.lines().find(|line| line.starts_with("tidegate.toml:")).unwrap_or(&validate).to_owned()
    });
    let twice = format!("{SETTINGS}\n{}", &SETTINGS[SETTINGS.find("[[vendor]]").unwrap()..]);
    world.write("tidegate.toml", &twice);
    insta::assert_snapshot!(said.join("\n") + "\n" + &world.session(&["validate", "."]));
}

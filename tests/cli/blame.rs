//! The origin of the values of a rendered object.

use super::clone::Clone;
use super::{code, text, tidegate};

#[test]
fn blame_shows_who_wrote_a_value_and_what_it_replaced() {
    let clone = Clone::new();
    let blame = |pointer: &str| {
        let output =
            tidegate(&["blame", "configmap/banner", pointer, "--path", clone.root(), "--overlay", "overlays/prod"]);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        text(&output.stdout).lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    let lines = blame("/data/b");
    assert_eq!(lines[0], "/data/b = \"three\"");
    assert!(
        lines[1].starts_with("overlays/prod/p.yaml:6:6  (patches[0], overlays/prod/kustomization.yaml:4:3)  "),
        "{lines:?}"
    );
    assert!(lines[1].ends_with(" Grace: production says three"), "{lines:?}");
    assert!(lines[2].starts_with("base/banner.yaml:7:6  ") && lines[2].ends_with(" Ada: the base"), "{lines:?}");
    assert!(blame("/metadata/namespace")[1].starts_with("overlays/prod/kustomization.yaml:2:12  (namespace)  "));
    // A line that is not committed in its current form has no commit.
    clone.write(
        "overlays/prod/p.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: banner\ndata:\n  b: four\n",
    );
    assert_eq!(
        blame("/data/b")[1],
        "overlays/prod/p.yaml:6:6  (patches[0], overlays/prod/kustomization.yaml:4:3)  (not committed)"
    );
    let missing =
        tidegate(&["blame", "configmap/banner", "/data/c", "--path", clone.root(), "--overlay", "overlays/prod"]);
    assert_eq!(code(&missing), 2);
    assert!(text(&missing.stderr).contains("/data has a, b"), "{}", text(&missing.stderr));
}

/// Returns the error for the name of an object.
fn refused(clone: &Clone, object: &str) -> String {
    let output = tidegate(&["blame", object, "/metadata/name", "--path", clone.root(), "--overlay", "overlays/prod"]);
    assert_eq!((code(&output), text(&output.stdout)), (2, String::new()));
    text(&output.stderr)
}

fn told(clone: &Clone, object: &str, pointer: &str) -> String {
    let output = tidegate(&["blame", object, pointer, "--path", clone.root(), "--overlay", "overlays/prod"]);
    assert_eq!(code(&output), 0, "{object}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn a_line_keeps_its_commit_if_lines_around_it_are_edited() {
    let clone = Clone::new();
    let banner =
        "# first\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: banner\ndata:\n  c: new\n  a: one\n  b: two\n";
    clone.write("base/banner.yaml", banner);
    let line = |pointer: &str| told(&clone, "configmap/banner", pointer).trim().lines().last().unwrap().to_owned();
    assert!(line("/data/b").starts_with("  base/banner.yaml:9:6  ") && line("/data/b").ends_with(" Ada: the base"));
    assert!(line("/data/a").ends_with(" Ada: the base"));
    assert_eq!(line("/data/c"), "  base/banner.yaml:7:6  (not committed)");
    clone.write("base/banner.yaml", &banner.replace("# first\n", "").replace("  c: new\n  a: one\n", ""));
    assert!(line("/metadata/name").ends_with(" Ada: the base"));
    assert!(line("/data/b").ends_with(" Ada: the base"));
    // A file that is not committed, and then a directory that is not in a clone.
    clone.write("base/kustomization.yaml", "resources: [banner.yaml, new.yaml]\n");
    clone.write("base/new.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: new\n");
    assert!(told(&clone, "configmap/new", "/metadata/name").ends_with("base/new.yaml:4:9  (not committed)\n"));
    std::fs::remove_dir_all(std::path::Path::new(clone.root()).join(".git")).unwrap();
    clone.write("tidegate.toml", "");
    assert!(told(&clone, "configmap/new", "/metadata/name").ends_with("base/new.yaml:4:9\n"));
}

#[test]
fn an_object_is_named_with_its_group_if_the_kind_is_ambiguous() {
    let clone = Clone::new();
    clone.write(
        "overlays/prod/kustomization.yaml",
        "resources: [x.yaml]\nconfigMapGenerator: [{name: settings, literals: [a=b]}]\n",
    );
    let foo =
        |group: &str, place: &str| format!("apiVersion: {group}v1\nkind: Foo\nmetadata: {{name: z{place}}}\n---\n");
    let all =
        ["example.com/", "other.com/", ""].map(|group| foo(group, "")).concat() + &foo("other.com/", ", namespace: a");
    clone.write("overlays/prod/x.yaml", &all);
    let several =
        "error: Foo/z names several objects; write one of: Foo.example.com/z, Foo/a/z, Foo.other.com//z, Foo./z\n";
    assert_eq!(refused(&clone, "Foo/z"), several);
    for spelling in
        ["foo.example.com/z", "Foo.v1.example.com/z", "Foo./z", "Foo.other.com//z", "Foo/a/z", "Foo.other.com/a/z"]
    {
        assert!(told(&clone, spelling, "/metadata/name").starts_with("/metadata/name = \"z\""), "{spelling}");
    }
    let said = refused(&clone, "ConfigMap/settings");
    assert!(said.contains("renders no ConfigMap/settings; it renders: ConfigMap/settings-"), "{said}");
    assert!(refused(&clone, "ConfigMap/setings").contains("it renders: ConfigMap/settings-"));
    assert!(refused(&clone, "Foo/b/z").contains("it renders: Foo.example.com/z, Foo/a/z, "));
    assert!(refused(&clone, "Fooo.example.com/y").contains("it renders: Foo.example.com/z, Foo/a/z, "));
    assert!(refused(&clone, "Foo").contains("kind.group/name"));
}

#[test]
fn only_the_nearest_of_many_objects_are_named() {
    let clone = Clone::new();
    let maps =
        (0..9).map(|n| format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: map{n}, namespace: n}}\n---\n"));
    let account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, namespace: shop}\n";
    clone.write("overlays/prod/x.yaml", &(maps.collect::<String>() + account));
    clone.write("overlays/prod/kustomization.yaml", "resources: [x.yaml]\n");
    let said = refused(&clone, "serviceaccount/wbe");
    let expected = "error: the overlay renders no serviceaccount/wbe; it renders: ServiceAccount/shop/web, ConfigMap/n/map0, \
                    ConfigMap/n/map1, ConfigMap/n/map2, ConfigMap/n/map3, and 5 more\n";
    assert_eq!(said, expected);
    assert!(refused(&clone, "ServiceAccount/map7").contains("it renders: ConfigMap/n/map7, ServiceAccount/shop/web, "));
}

#[test]
fn blame_shows_where_names_and_replacements_come_from() {
    let directory = tempfile::tempdir().unwrap();
    let put = |path: &str, text: &str| std::fs::write(directory.path().join(path), text).unwrap();
    put(
        "web.yaml",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  volumes:\n  - name: v\n    configMap: {name: settings}\n  \
         hostname: none\n",
    );
    put(
        "kustomization.yaml",
        "resources: [web.yaml]\nnamePrefix: p-\nconfigMapGenerator: [{name: settings, literals: [a=b]}]\nreplacements:\n- source: \
         {kind: Pod, name: web, fieldPath: metadata.name}\n  targets: [{select: {kind: Pod}, fieldPaths: [spec.hostname]}]\npatches:\n\
         - target: {kind: Pod}\n  patch: '[{\"op\": \"add\", \"path\": \"/metadata/annotations\", \"value\": {\"x\": \"y\"}}]'\n",
    );
    let blame = |pointer: &str| {
        let output = tidegate(&["blame", "pod/p-web", pointer, "--path", directory.path().to_str().unwrap()]);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        text(&output.stdout).lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        blame("/spec/volumes/0/configMap/name"),
        [
            "  web.yaml:7:23  (nameReference)",
            "    kustomization.yaml:2:13  (hash of the data)",
            "    kustomization.yaml:2:13  (namePrefix)",
            "    kustomization.yaml:3:29  (configMapGenerator[0])",
            "  web.yaml:7:23",
        ]
    );
    assert_eq!(
        blame("/spec/hostname"),
        [
            "  kustomization.yaml:2:13  (replacements[0], kustomization.yaml:5:3)",
            "    kustomization.yaml:2:13  (namePrefix)",
            "    web.yaml:3:18",
            "  web.yaml:8:13",
        ]
    );
    assert_eq!(blame("/metadata/annotations/x"), ["  kustomization.yaml:9:74  (patches[0])"]);
}

#[test]
fn the_history_of_a_value_that_was_copied_back_and_forth_is_bounded() {
    let directory = tempfile::tempdir().unwrap();
    let put = |path: &str, text: &str| std::fs::write(directory.path().join(path), text).unwrap();
    put("a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: '1', y: '2', z: '3'}\n");
    let entry = |from: &str, to: &str| {
        format!(
            "- source: {{kind: ConfigMap, fieldPath: data.{from}}}\n  targets: [{{select: {{kind: ConfigMap}}, fieldPaths: [data.{to}]}}]\n"
        )
    };
    let round = entry("x", "y") + &entry("z", "x") + &entry("y", "z");
    put("kustomization.yaml", &format!("resources: [a.yaml]\nreplacements:\n{}", round.repeat(40)));
    let output = tidegate(&["blame", "configmap/a", "/data", "--path", directory.path().to_str().unwrap()]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(text(&output.stdout).lines().count() < 1_500);
}

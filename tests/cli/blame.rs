//! The origin of the values of a rendered object.

use super::clone::Clone;
use super::{code, session, text, tidegate};

use crate::scratch::tempdir;

/// Returns what blame shows of an object in the overlay of a clone.
fn blamed(clone: &Clone, object: &str, pointer: &str) -> String {
    session(&[["blame", object, pointer, "--path", clone.root(), "--overlay", "overlays/prod"]])
}

/// Returns the sessions of several objects or pointers.
fn all<const N: usize>(shown: [String; N]) -> String {
    shown.join("\n")
}

#[test]
fn blame_shows_who_wrote_a_value_and_what_it_replaced() {
    let clone = Clone::new();
    let blame = |pointer: &str| blamed(&clone, "configmap/banner", pointer);
    insta::assert_snapshot!("committed", all(["/data/b", "/metadata/namespace", "/data/c"].map(blame)));
    // A line that is not committed in its current form has no commit.
    clone.write(
        "overlays/prod/p.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: banner\ndata:\n  b: four\n",
    );
    insta::assert_snapshot!("not_committed", blame("/data/b"));
}

#[test]
fn a_line_keeps_its_commit_if_lines_around_it_are_edited() {
    let clone = Clone::new();
    let banner =
        "# first\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: banner\ndata:\n  c: new\n  a: one\n  b: two\n";
    clone.write("base/banner.yaml", banner);
    let blame = |pointer: &str| blamed(&clone, "configmap/banner", pointer);
    insta::assert_snapshot!("lines_before_are_edited", all(["/data/a", "/data/b", "/data/c"].map(blame)));
    clone.write("base/banner.yaml", &banner.replace("# first\n", "").replace("  c: new\n  a: one\n", ""));
    insta::assert_snapshot!("lines_before_are_removed", all(["/metadata/name", "/data/b"].map(blame)));
    // A file that is not committed, and then a directory that is not in a clone.
    clone.write("base/kustomization.yaml", "resources: [banner.yaml, new.yaml]\n");
    clone.write("base/new.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: new\n");
    let untracked = blamed(&clone, "configmap/new", "/metadata/name");
    std::fs::remove_dir_all(std::path::Path::new(clone.root()).join(".git")).unwrap();
    clone.write("tidegate.toml", "");
    let without_clone = blamed(&clone, "configmap/new", "/metadata/name");
    insta::assert_snapshot!("without_commits", all([untracked, without_clone]));
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
    let objects =
        ["example.com/", "other.com/", ""].map(|group| foo(group, "")).concat() + &foo("other.com/", ", namespace: a");
    clone.write("overlays/prod/x.yaml", &objects);
    let named = |object: &str| blamed(&clone, object, "/metadata/name");
    insta::assert_snapshot!(
        "names",
        all([
            "foo.example.com/z",
            "Foo.v1.example.com/z",
            "Foo./z",
            "Foo.other.com//z",
            "Foo/a/z",
            "Foo.other.com/a/z",
        ]
        .map(named))
    );
    insta::assert_snapshot!(
        "refused_names",
        all(["Foo/z", "ConfigMap/settings", "ConfigMap/setings", "Foo/b/z", "Fooo.example.com/y", "Foo",].map(named))
    );
}

#[test]
fn only_the_nearest_of_many_objects_are_named() {
    let clone = Clone::new();
    let maps =
        (0..9).map(|n| format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: map{n}, namespace: n}}\n---\n"));
    let account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, namespace: shop}\n";
    clone.write("overlays/prod/x.yaml", &(maps.collect::<String>() + account));
    clone.write("overlays/prod/kustomization.yaml", "resources: [x.yaml]\n");
    let named = |object: &str| blamed(&clone, object, "/metadata/name");
    insta::assert_snapshot!(all(["serviceaccount/wbe", "ServiceAccount/map7"].map(named)));
}

#[test]
fn blame_shows_where_names_and_replacements_come_from() {
    let directory = tempdir();
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
    let root = directory.path().to_str().unwrap();
    let pointers = ["/spec/volumes/0/configMap/name", "/spec/hostname", "/metadata/annotations/x"];
    insta::assert_snapshot!(session(&pointers.map(|pointer| ["blame", "pod/p-web", pointer, "--path", root])));
}

#[test]
fn the_history_of_a_value_that_was_copied_back_and_forth_is_bounded() {
    let directory = tempdir();
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

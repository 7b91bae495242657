//! Remote sources and charts, which are read from their vendored copies.

use tidegate_kustomize::overlay::{self, Rendered};
use tidegate_kustomize::vendor::{Needs, Wanted, needs};
use tidegate_model::tree::Tree;

use super::{config_map, errors, tree, warnings};
use crate::vendor::{chart, file, git, locked};

const BASE: &str = "https://github.com/acme/config//base?ref=v1";
const CRD: &str = "https://example.com/crd.yaml";
const DIRECTORY: &str = "vendor/github.com/acme/config/base@v1";

/// A tree with a vendored base that uses a directory beside it, and a vendored file.
fn example() -> Tree {
    let kustomization = format!("namePrefix: prod-\nresources:\n- {BASE}\n- {CRD}\n");
    let files = tree(&[
        ("kustomization.yaml", &kustomization),
        (&format!("{DIRECTORY}/base/kustomization.yaml"), "resources: [a.yaml, ../common]\n"),
        (&format!("{DIRECTORY}/base/a.yaml"), &config_map("a")),
        (&format!("{DIRECTORY}/base/README.yaml"), &config_map("unused")),
        (&format!("{DIRECTORY}/common/kustomization.yaml"), "resources: [b.yaml]\n"),
        (&format!("{DIRECTORY}/common/b.yaml"), &config_map("b")),
        ("vendor/files/crd.yaml@1/crd.yaml", &config_map("c")),
    ]);
    lock(files)
}

fn lock(files: Tree) -> Tree {
    let entries = [
        (DIRECTORY, git(BASE, "https://github.com/acme/config", "v1", "base")),
        ("vendor/files/crd.yaml@1", file(CRD, "crd.yaml")),
    ];
    locked(files, &entries)
}

fn names(rendered: &Rendered) -> Vec<String> {
    assert_eq!(errors(rendered), "");
    let name = |object: &overlay::RenderedObject| object.node.find(&["metadata", "name"])?.as_str().map(str::to_owned);
    rendered.objects.iter().filter_map(name).collect()
}

fn put(tree: &mut Tree, path: &str, text: &str) {
    tree.files.insert(path.to_owned(), text.as_bytes().to_vec());
}

#[test]
fn remote_sources_are_read_from_their_vendored_copies() {
    let tree = example();
    let rendered = overlay::render(&tree, ".");
    assert_eq!(names(&rendered), ["prod-a", "prod-b", "prod-c"]);
    assert_eq!(warnings(&rendered), "");
    assert_eq!(rendered.objects[1].place.to_string(), format!("{DIRECTORY}/common/b.yaml:1:1"));
    assert_eq!(overlay::overlays(&tree), ["."]);
}

#[test]
fn the_result_depends_on_the_lock_and_on_all_vendored_files() {
    let rendered = overlay::render(&example(), ".");
    for path in ["vendor.lock", "base/README.yaml", "new", "common/deep/new"] {
        let path = if path == "vendor.lock" { path.to_owned() } else { format!("{DIRECTORY}/{path}") };
        assert!(overlay::may_change(&rendered.read, &path), "{path}");
    }
    for path in ["vendor/other/x", "vendor/github.com/acme/config/base@v2/x", "x"] {
        assert!(!overlay::may_change(&rendered.read, path), "{path}");
    }
    // A rendering without remote sources does not depend on the lock.
    let plain =
        overlay::render(&tree(&[("kustomization.yaml", "resources: [a.yaml]\n"), ("a.yaml", &config_map("a"))]), ".");
    assert!(!overlay::may_change(&plain.read, "vendor.lock"));
}

#[test]
fn vendored_files_that_were_changed_are_refused() {
    let changes: [fn(&mut Tree); 9] = [
        |tree| put(tree, &format!("{DIRECTORY}/base/a.yaml"), &config_map("evil")),
        |tree| put(tree, &format!("{DIRECTORY}/base/new.yaml"), ""),
        |tree| drop(tree.files.remove(&format!("{DIRECTORY}/base/README.yaml"))),
        |tree| tree.files.retain(|path, _| !path.starts_with(DIRECTORY)),
        |tree| drop(tree.links.insert(format!("{DIRECTORY}/link"), "base".to_owned())),
        |tree| drop(tree.skipped.insert(format!("{DIRECTORY}/big"), "it is too large".to_owned())),
        |tree| put(tree, "vendor/files/crd.yaml@1/crd.yaml", &config_map("evil")),
        |tree| drop(tree.files.remove("vendor.lock")),
        |tree| put(tree, "vendor.lock", "kind: VendorLock\n"),
    ];
    let reported = changes.map(|change| {
        let mut tree = example();
        change(&mut tree);
        errors(&overlay::render(&tree, "."))
    });
    assert!(reported.iter().all(|reported| !reported.is_empty()), "{reported:?}");
    insta::assert_snapshot!(reported.join("\n\n"));
}

#[test]
fn an_entry_for_something_else_is_refused() {
    let text = String::from_utf8(example().files["vendor.lock"].clone()).unwrap();
    let changes = [
        ("repository: https://github.com/acme/config", "repository: https://github.com/evil/config"),
        ("reference: v1", "reference: v2"),
        ("path: base", "path: common"),
        (BASE, "https://github.com/acme/config//base?ref=v2"),
        (CRD, "https://example.com/other.yaml"),
        ("name: crd.yaml", "name: other.yaml"),
    ];
    let reported = changes.map(|(from, to)| {
        let mut tree = example();
        put(&mut tree, "vendor.lock", &text.replacen(from, to, 1));
        errors(&overlay::render(&tree, "."))
    });
    insta::assert_snapshot!(reported.join("\n\n"));
}

/// Renders the example with another kustomization for the vendored base, and returns the errors.
fn with_base(kustomization: &str, links: &[(&str, &str)]) -> String {
    let mut tree = example();
    put(&mut tree, &format!("{DIRECTORY}/base/kustomization.yaml"), kustomization);
    put(&mut tree, "own/kustomization.yaml", "resources: [a.yaml]\n");
    put(&mut tree, "own/a.yaml", &config_map("own"));
    for (path, target) in links {
        tree.links.insert(format!("{DIRECTORY}/{path}"), (*target).to_owned());
        tree.skipped.insert(format!("{DIRECTORY}/{path}"), "it is a symbolic link".to_owned());
    }
    errors(&overlay::render(&lock(tree), "."))
}

#[test]
fn a_vendored_base_may_not_leave_its_directory() {
    let own = "../../../../../../own";
    let cases = [
        (format!("resources: [{own}]\n"), vec![]),
        ("resources: [out]\n".to_owned(), vec![("base/out", "../../../../../../own")]),
        ("resources: [out.yaml]\n".to_owned(), vec![("base/out.yaml", "../../../../../../own/a.yaml")]),
        ("resources: [up]\n".to_owned(), vec![("base/up", "../../../../../../../etc")]),
        ("resources: [../../../../../files/crd.yaml@1/crd.yaml]\n".to_owned(), vec![]),
        (format!("components: [{own}]\n"), vec![]),
        (format!("configMapGenerator: [{{name: a, files: [{own}/a.yaml]}}]\n"), vec![]),
        (format!("helmGlobals: {{chartHome: {own}}}\nhelmCharts: [{{name: x}}]\n"), vec![]),
        (format!("helmCharts: [{{name: x, repo: https://host, valuesFile: {own}/a.yaml}}]\n"), vec![]),
    ];
    let reported = cases.map(|(kustomization, links)| with_base(&kustomization, &links));
    insta::assert_snapshot!(reported.join("\n"));
}

#[test]
fn links_inside_a_vendored_directory_are_followed() {
    assert_eq!(with_base("resources: [inside]\n", &[("base/inside", "../common")]), "");
}

#[test]
fn vendored_bases_that_use_each_other_are_refused() {
    let reported = with_base(&format!("resources:\n- {BASE}\n"), &[]);
    let message = "vendor/github.com/acme/config/base@v1/base is already being built and cannot be part of itself";
    assert!(reported.contains(message), "{reported}");
}

#[test]
fn files_below_vendor_need_an_entry() {
    let mut tree = example();
    put(&mut tree, "vendor/stray/kustomization.yaml", "resources: [a.yaml]\n");
    put(&mut tree, "vendor/stray/a.yaml", &config_map("stray"));
    put(&mut tree, "kustomization.yaml", "resources: [vendor/stray]\n");
    let message = "vendor/stray is below vendor/, but not in vendor.lock; run `tidegate vendor`, or move it";
    assert_eq!(errors(&overlay::render(&tree, ".")), format!("kustomization.yaml:1:13: {message}"));
    assert_eq!(errors(&overlay::render(&tree, "vendor/stray")), format!("vendor/stray: {message}"));
    // A vendored directory may be used by its path, too, and is checked.
    put(&mut tree, "kustomization.yaml", &format!("resources: [{DIRECTORY}/common]\n"));
    assert_eq!(names(&overlay::render(&tree, ".")), ["b"]);
    assert_eq!(names(&overlay::render(&tree, &format!("{DIRECTORY}/common"))), ["b"]);
    put(&mut tree, &format!("{DIRECTORY}/base/a.yaml"), "");
    assert!(errors(&overlay::render(&tree, ".")).contains("was changed after it was vendored"));
    assert!(
        errors(&overlay::render(&tree, &format!("{DIRECTORY}/common"))).contains("was changed after it was vendored")
    );
}

#[test]
fn a_vendored_directory_is_not_a_link() {
    let mut tree = example();
    let files: Vec<_> = tree.files.keys().filter(|path| path.starts_with(DIRECTORY)).cloned().collect();
    for path in files {
        let bytes = tree.files.remove(&path).unwrap();
        tree.files.insert(path.replace(DIRECTORY, "elsewhere"), bytes);
    }
    tree.links.insert(DIRECTORY.to_owned(), "../../../../elsewhere".to_owned());
    let reported = errors(&overlay::render(&tree, "."));
    assert!(reported.contains("is a symbolic link"), "{reported}");
}

const CHARTS: &str = "https://charts.example.com";
const MANIFESTS: &str = "---
# Source: web/templates/a.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: rel-web
  namespace: default
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: rel}
---
# Source: empty.yaml
";

/// A tree with a chart whose output is vendored as its kustomization declares it.
fn with_chart(kustomization: &str, manifests: &str) -> Tree {
    let mut files = tree(&[
        ("kustomization.yaml", kustomization),
        ("values.yaml", "a: 1\n"),
        ("vendor/c/manifests.yaml", manifests),
    ]);
    let Needs { needs, problems } = needs(&files, &[".".to_owned()]);
    assert_eq!(problems, []);
    let Wanted::Chart(declared) = &needs[0].wanted else { panic!("{needs:?}") };
    let what = chart("web", declared.source.repository(), declared.values_digest());
    files.files.insert("vendor/c/.keep".to_owned(), Vec::new());
    let mut files = locked(files, &[("vendor/c", what)]);
    let namespace = declared.namespace.as_ref().map(|namespace| format!("    namespace: {namespace}\n"));
    let text = String::from_utf8(files.files["vendor.lock"].clone()).unwrap();
    let text = text.replace(
        "    release: release-name\n",
        &format!("    release: {}\n{}", declared.release, namespace.unwrap_or_default()),
    );
    put(&mut files, "vendor.lock", &text);
    files
}

#[test]
fn the_objects_of_a_chart_pass_through_the_transformers_but_the_namespace() {
    let kustomization = format!(
        "namespace: prod\nnamePrefix: p-\ncommonAnnotations: {{a: b}}\nhelmCharts: [{{name: web, repo: '{CHARTS}', releaseName: rel, valuesFile: values.yaml}}]\n\
         configMapGenerator: [{{name: own}}]\n"
    );
    let rendered = overlay::render(&with_chart(&kustomization, MANIFESTS), ".");
    assert_eq!(errors(&rendered), "");
    insta::assert_snapshot!(rendered.to_yaml().unwrap());
    assert_eq!(rendered.objects[1].place.to_string(), "vendor/c/manifests.yaml:3:1");
}

#[test]
fn plugins_generate_after_charts() {
    let kustomization = format!("helmCharts: [{{name: web, repo: '{CHARTS}'}}]\ngenerators: [gen.yaml]\n");
    let mut tree = with_chart(&kustomization, MANIFESTS);
    let generator = "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: rel-web, namespace: default}\nbehavior: merge\nliterals: [x=y]\n";
    put(&mut tree, "gen.yaml", generator);
    let rendered = overlay::render(&tree, ".");
    assert_eq!(errors(&rendered), "");
    let size = |object: &overlay::RenderedObject| object.node.find(&["data", "x"])?.as_str().map(str::to_owned);
    assert_eq!(rendered.objects.iter().find_map(size).as_deref(), Some("y"));
}

#[test]
fn a_chart_may_not_render_an_object_that_exists() {
    let entry = format!("helmCharts: [{{name: web, repo: '{CHARTS}'}}]\n");
    let kustomization = format!("resources: [a.yaml]\n{entry}");
    let mut tree = with_chart(&kustomization, MANIFESTS);
    put(&mut tree, "a.yaml", &config_map("rel-web"));
    insta::assert_snapshot!(errors(&overlay::render(&tree, ".")));
    let twice = with_chart(&entry, &format!("---\n{}", config_map("x")).repeat(2));
    assert!(overlay::render(&twice, ".").is_failed());
}

#[test]
fn a_chart_with_other_values_is_rendered_with_a_warning() {
    let entry = |more: &str| format!("helmCharts: [{{name: web, repo: '{CHARTS}', valuesFile: values.yaml{more}}}]\n");
    let message = "kustomization.yaml:1:14: the values or options of the chart web changed after it was rendered; run `tidegate vendor`";
    let changes: [(&str, String); 3] = [
        ("values.yaml", "a: 2\n".to_owned()),
        ("kustomization.yaml", entry(", includeCRDs: true")),
        ("kustomization.yaml", entry(", valuesInline: {a: 1}")),
    ];
    let original = with_chart(&entry(""), MANIFESTS);
    assert_eq!(warnings(&overlay::render(&original, ".")), "");
    for (path, text) in changes {
        let mut tree = original.clone();
        put(&mut tree, path, &text);
        let rendered = overlay::render(&tree, ".");
        assert_eq!((errors(&rendered), warnings(&rendered)), (String::new(), message.to_owned()));
        assert!(rendered.read.contains("values.yaml") && rendered.read.contains("vendor.lock"));
    }
}

#[test]
fn a_chart_with_another_source_or_output_is_refused() {
    let entry = |chart: &str| format!("helmCharts: [{{{chart}}}]\n");
    let changes = [
        ("kustomization.yaml", entry("name: db, repo: 'https://charts.example.com'")),
        ("kustomization.yaml", entry("name: web, repo: 'https://other.example.com'")),
        ("kustomization.yaml", entry("name: web, repo: 'https://charts.example.com', version: 1.x")),
        ("kustomization.yaml", entry("name: web, repo: 'https://charts.example.com', releaseName: x")),
        ("kustomization.yaml", entry("name: web, repo: 'https://charts.example.com', namespace: x")),
        ("vendor/c/manifests.yaml", config_map("evil")),
        ("vendor/c/more.yaml", String::new()),
        ("vendor.lock", String::new()),
    ];
    let reported = changes.map(|(path, text)| {
        let mut tree = with_chart(&entry("name: web, repo: 'https://charts.example.com'"), MANIFESTS);
        put(&mut tree, path, &text);
        errors(&overlay::render(&tree, "."))
    });
    insta::assert_snapshot!(reported.join("\n"));
}

#[test]
fn malformed_output_of_a_chart_is_reported() {
    let entry = format!("helmCharts: [{{name: web, repo: '{CHARTS}'}}]\n");
    let outputs = [
        "Error: not YAML: [",
        "- a\n",
        "kind: A\n",
        "",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: x-}\n",
    ];
    let reported =
        outputs.map(|output| format!("{output:?}\n  {}", errors(&overlay::render(&with_chart(&entry, output), "."))));
    insta::assert_snapshot!(reported.join("\n"));
}

#[test]
fn a_local_chart_that_changed_is_a_warning() {
    let mut tree = with_chart("helmCharts: [{name: web, repo: 'https://charts.example.com'}]\n", MANIFESTS);
    put(&mut tree, "charts/web/Chart.yaml", "name: web\n");
    let lock = String::from_utf8(tree.files["vendor.lock"].clone()).unwrap();
    let hash = tidegate_kustomize::vendor::hash(&tree, "charts/web").unwrap();
    let digest = tidegate_model::digest::Digest::of(b"archive");
    let lock = lock.replace(CHARTS, "charts/web").replace(digest.as_str(), hash.as_str());
    put(&mut tree, "vendor.lock", &lock);
    let rendered = overlay::render(&tree, ".");
    assert_eq!((errors(&rendered), warnings(&rendered)), (String::new(), String::new()));
    assert!(overlay::may_change(&rendered.read, "charts/web/templates/new.yaml"));
    put(&mut tree, "charts/web/templates/new.yaml", "");
    let message = "kustomization.yaml:1:14: the chart charts/web changed after it was rendered; run `tidegate vendor`";
    assert_eq!(warnings(&overlay::render(&tree, ".")), message);
}

proptest::proptest! {
    /// A tree in which one byte of the lock or of a vendored file changed renders as before, or not at all.
    #[test]
    fn no_changed_byte_changes_the_result(which in 0_usize..100, at in 0_usize..4_000, byte in 0_u8..128) {
        let mut tree = example();
        let expected = overlay::render(&tree, ".").to_yaml().unwrap();
        let paths: Vec<_> = tree.files.keys().filter(|path| path.starts_with("vendor")).cloned().collect();
        let bytes = tree.files.get_mut(&paths[which % paths.len()]).unwrap();
        let at = at % bytes.len();
        bytes[at] = byte;
        let rendered = overlay::render(&tree, ".");
        proptest::prop_assert!(rendered.is_failed() || rendered.to_yaml().unwrap() == expected);
        let _: Needs = needs(&tree, &[".".to_owned()]);
    }
}

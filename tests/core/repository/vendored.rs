//! Charts of AddOnTemplates, and the checks of what is vendored.

use tidegate_kustomize::vendor::{
    ChartDeclaration, ChartSource, Entry, Lock, State, VendoredChart, VendoredDirectory, Wanted, What, hash,
};
use tidegate_model::diagnostic::Place;
use tidegate_model::digest::Digest;
use tidegate_model::tree::Tree;
use tidegate_repository::revert::{Request, revert};
use tidegate_repository::{Loaded, load, needs, vendors, written};

use super::fixture::{complaints, edit, good, shown, tree};

const MANIFESTS: &str = "---
# Source: podinfo/templates/service.yaml
apiVersion: v1
kind: Service
metadata:
  name: podinfo
  namespace: default
spec:
  ports: [{port: 80, name: http}]
---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: podinfo, namespace: default}
  data: {cluster: \"{{CLUSTER_NAME}}\"}
";

/// The good repository, whose template has annotations.
fn with(annotations: &str) -> Tree {
    let mut tree = good();
    edit(&mut tree, "template.yaml", "  name: hello-1\n", &format!("  name: hello-1\n  annotations:\n{annotations}"));
    tree.files.insert("values/prod.yaml".to_owned(), b"# values\nreplicas: 2\n".to_vec());
    tree
}

fn annotated() -> Tree {
    with(
        "    tidegate.io/chart: oci://ghcr.io/charts/podinfo\n    tidegate.io/chart-version: 6.x\n    tidegate.io/chart-values: values/prod.yaml\n",
    )
}

/// Vendors every chart that a tree needs, with the same manifests.
fn vendored(tree: Tree, manifests: &str) -> Tree {
    pinned(tree, &|_| manifests.to_owned())
}

/// Vendors every chart that a tree needs, each with its manifests.
pub(crate) fn pinned(mut tree: Tree, manifests: &dyn Fn(&ChartDeclaration) -> String) -> Tree {
    let needs = needs(&tree, "");
    assert_eq!(needs.problems, []);
    let mut lock = Lock::default();
    for (index, need) in needs.needs.iter().enumerate() {
        assert_eq!(need.state, State::Missing);
        let Wanted::Chart(chart) = &need.wanted else { panic!("{need:?}") };
        let digest = match &chart.source {
            ChartSource::Local(local) => hash(&tree, &local.directory).unwrap(),
            _ => Digest::of(b""),
        };
        let directory = format!("vendor/charts/{index}");
        tree.files.insert(format!("{directory}/manifests.yaml"), manifests(chart).into_bytes());
        let what = What::Chart(VendoredChart {
            used_by: chart.used_by.clone(),
            name: chart.name.clone(),
            release: chart.release.clone(),
            namespace: chart.namespace.clone(),
            repository: chart.source.repository().to_owned(),
            request: chart.source.version().map(str::to_owned),
            version: "6.5.0".to_owned(),
            digest,
            values: chart.values_digest(),
            helm: "v4.1.4".to_owned(),
        });
        let files = hash(&tree, &directory).unwrap();
        lock.entries.push(Entry { directory, what, files, place: Place::default() });
    }
    tree.files.insert("vendor.lock".to_owned(), lock.write().into_bytes());
    tree
}

fn manifests(loaded: &Loaded) -> Vec<String> {
    let template =
        loaded.repository.objects.iter().find(|(key, _)| key.kind == "AddOnTemplate").map(|(_, found)| found);
    let Some(template) = template else { return Vec::new() };
    let list = template.object.pointer("/spec/agentSpec/workload/manifests").unwrap();
    let kind = |manifest: &serde_json::Value| {
        format!("{}/{}", manifest["kind"], manifest["metadata"]["name"]).replace('"', "")
    };
    list.as_array().unwrap().iter().map(kind).collect()
}

#[test]
fn the_manifests_of_a_chart_are_appended_to_the_template() {
    let loaded = load(&vendored(annotated(), MANIFESTS), "");
    assert_eq!(shown(&loaded), complaints(&good()));
    assert_eq!(manifests(&loaded), ["ConfigMap/hello", "Service/podinfo", "ConfigMap/podinfo"]);
    assert!(loaded.repository.blocked.is_empty() && loaded.repository.may_prune);
}

#[test]
fn the_digest_of_an_add_on_follows_the_manifests_of_its_chart() {
    let digest = |tree: &Tree| load(tree, "").repository.digest(&"hello".parse().unwrap()).cloned();
    let original = vendored(annotated(), MANIFESTS);
    let other = vendored(annotated(), &MANIFESTS.replace("port: 80", "port: 81"));
    assert!(digest(&original).is_some() && digest(&original) != digest(&other));
    // Comments and the version are not part of what clusters get.
    let same = vendored(annotated(), &MANIFESTS.replace("# Source", "# From"));
    assert_eq!(digest(&original), digest(&same));
}

#[test]
fn a_chart_is_taken_back_with_its_lock() {
    let past = vendored(annotated(), MANIFESTS);
    let mut tip = annotated();
    edit(&mut tip, "template.yaml", "6.x", "7.x");
    let tip = vendored(tip, &MANIFESTS.replace("port: 80", "port: 81"));
    let addon = "hello".parse().unwrap();
    let digest = load(&past, "").repository.digest(&addon).unwrap().clone();
    let files = revert(&Request {
        tip: &tip,
        past: &past,
        path: "",
        operator: &Default::default(),
        addon: &addon,
        digest: &digest,
    })
    .unwrap();
    assert_eq!(
        files.into_keys().collect::<Vec<_>>(),
        ["template.yaml", "vendor.lock", "vendor/charts/0/manifests.yaml"]
    );
}

#[test]
fn a_template_may_consist_of_its_chart() {
    let template = "apiVersion: addon.open-cluster-management.io/v1alpha1\nkind: AddOnTemplate\nmetadata:\n  name: hello-1\n  annotations:\n    \
                    tidegate.io/chart: ./charts/podinfo\nspec:\n  addonName: hello\n";
    let mut tree = good();
    tree.files.insert("template.yaml".to_owned(), template.as_bytes().to_vec());
    // The files of a chart are no declarations.
    tree.files.insert("charts/podinfo/Chart.yaml".to_owned(), b"apiVersion: v2\nname: podinfo\n".to_vec());
    tree.files.insert("charts/podinfo/templates/a.yaml".to_owned(), b"{{ if .Values.a }}\nkind: A\n".to_vec());
    let mut tree = vendored(tree, MANIFESTS);
    assert_eq!(reported(&tree), "\nblocked: [], may prune: true");
    edit(&mut tree, "charts/podinfo/templates/a.yaml", "kind: A", "kind: B");
    let changed = "warning template template.yaml:6:24: the chart charts/podinfo changed after it was rendered; run `tidegate vendor`";
    assert_eq!(reported(&tree), format!("{changed}\nblocked: [], may prune: true"));
    let loaded = load(&tree, "");
    assert_eq!(manifests(&loaded), ["Service/podinfo", "ConfigMap/podinfo"]);
}

#[test]
fn values_of_a_chart_have_their_places_in_its_output() {
    let written = written(&vendored(annotated(), MANIFESTS), "");
    let template = written.iter().find(|object| object.key.kind == "AddOnTemplate").unwrap();
    let (node, is_there) = template.value("/spec/agentSpec/workload/manifests/1/spec/ports/0/port");
    assert!(is_there);
    assert_eq!(template.provenance.place(node.origin).to_string(), "vendor/charts/0/manifests.yaml:9:18");
    let (own, _) = template.value("/spec/agentSpec/workload/manifests/0/kind");
    assert!(template.provenance.place(own.origin).to_string().starts_with("template.yaml:"));
}

#[test]
fn manifests_of_charts_are_checked_like_those_of_templates() {
    let outputs = [
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: '{{ open'}\n",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: hello, namespace: default}\n",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: 1}\n",
        "- a\n",
        "a: [\n",
    ];
    let reported = outputs.map(|output| {
        let loaded = load(&vendored(annotated(), output), "");
        let about: Vec<_> = shown(&loaded)
            .into_iter()
            .filter(|reported| reported.starts_with("vendor/") || reported.contains("chart"))
            .collect();
        format!(
            "{output}=> {}; blocked: {:?}",
            about.join("\n   "),
            loaded.repository.blocked.keys().collect::<Vec<_>>()
        )
    });
    insta::assert_snapshot!(reported.join("\n\n"));
}

/// Returns the complaints that the good repository does not have, with the add-ons that are blocked.
fn reported(tree: &Tree) -> String {
    let loaded = load(tree, "");
    let known = complaints(&good());
    let new: Vec<_> = loaded
        .complaints
        .iter()
        .filter(|complaint| !known.contains(&complaint.to_string()))
        .map(|complaint| {
            format!("{} {} {complaint}", if complaint.is_error() { "error" } else { "warning" }, complaint.rule.name())
        })
        .collect();
    let blocked: Vec<_> = loaded.repository.blocked.keys().map(ToString::to_string).collect();
    format!("{}\nblocked: {blocked:?}, may prune: {}", new.join("\n"), loaded.repository.may_prune)
}

#[test]
fn charts_that_cannot_be_used_block_their_add_ons_only() {
    let change = |change: fn(&mut Tree)| {
        let mut tree = vendored(annotated(), MANIFESTS);
        change(&mut tree);
        reported(&tree)
    };
    let all = [
        reported(&annotated()),
        change(|tree| edit(tree, "template.yaml", "6.x", "7.x")),
        change(|tree| edit(tree, "template.yaml", "charts/podinfo", "charts/other")),
        change(|tree| edit(tree, "values/prod.yaml", "2", "3")),
        change(|tree| drop(tree.files.remove("values/prod.yaml"))),
        change(|tree| edit(tree, "vendor/charts/0/manifests.yaml", "80", "81")),
        change(|tree| drop(tree.files.remove("vendor/charts/0/manifests.yaml"))),
        change(|tree| drop(tree.files.insert("vendor.lock".to_owned(), b"[".to_vec()))),
        change(|tree| drop(tree.files.remove("vendor.lock"))),
    ];
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn malformed_annotations_are_reported() {
    let annotations = [
        "    tidegate.io/chart: podinfo\n",
        "    tidegate.io/chart: oci://host/--x\n",
        "    tidegate.io/chart: https://me:secret@host/podinfo\n",
        "    tidegate.io/chart: ./charts/none\n",
        "    tidegate.io/chart: ../../etc/passwd\n",
        "    tidegate.io/chart-version: 1.0.0\n",
        "    tidegate.io/chart: oci://host/a/b\n    tidegate.io/chart-valeus: a.yaml\n",
        "    tidegate.io/chart: oci://host/a/b\n    tidegate.io/chart-values: a.yaml, b.yaml\n",
        "    tidegate.io/chart: oci://host/a/b\n    tidegate.io/chart-values: ../secret.yaml\n",
        "    tidegate.io/chart: oci://host/a/b\n    tidegate.io/chart-version: --devel\n",
        "    tidegate.io/chart: oci://host/a/b\n    tidegate.io/chart-release: --post-renderer=x\n",
        "    tidegate.io/chart: oci://host/a/b\n    tidegate.io/chart-namespace: A\n",
        "    tidegate.io/chart: ./values\n    tidegate.io/chart-version: 1.0.0\n",
    ];
    insta::assert_snapshot!(annotations.map(|text| format!("{text}{}", reported(&with(text)))).join("\n\n"));
}

#[test]
fn what_is_vendored_and_not_used_is_a_warning() {
    let mut tree = vendored(annotated(), MANIFESTS);
    tree.files.insert("vendor/stray.yaml".to_owned(), b"kind: A\n".to_vec());
    tree.files.insert("vendor/.gitattributes".to_owned(), b"* linguist-generated\n".to_vec());
    tree.files.insert("vendor/unused/x.yaml".to_owned(), b"kind: A\n".to_vec());
    let mut lock = Lock::read(&tree).unwrap();
    let what = What::Git(VendoredDirectory {
        source: "git@host:org/repo".to_owned(),
        repository: "git@host:org/repo".to_owned(),
        reference: None,
        commit: "0123456789012345678901234567890123456789".to_owned(),
        path: String::new(),
    });
    let files = hash(&tree, "vendor/unused").unwrap();
    lock.entries.push(Entry { directory: "vendor/unused".to_owned(), what, files, place: Place::default() });
    tree.files.insert("vendor.lock".to_owned(), lock.write().into_bytes());
    let unused = reported(&tree);
    tree.files.insert("vendor/unused/y.yaml".to_owned(), Vec::new());
    insta::assert_snapshot!(format!("{unused}\n\nchanged:\n{}", reported(&tree)));
}

#[test]
fn vendored_files_are_no_declarations() {
    let mut tree = good();
    tree.files.insert(
        "vendor/object.yaml".to_owned(),
        b"apiVersion: v1\nkind: Namespace\nmetadata: {name: stray}\n".to_vec(),
    );
    tree.files.insert("vendor/a/kustomization.yaml".to_owned(), b"resources: []\n".to_vec());
    let loaded = load(&tree, "");
    assert!(!loaded.repository.objects.keys().any(|key| key.name == "stray"));
    insta::assert_snapshot!(reported(&tree));
    assert!(vendors("vendor.lock") && vendors("vendor/a/b") && !vendors("vendor") && !vendors("a/vendor/b"));
}

#[test]
fn a_chart_of_a_template_in_an_overlay_is_relative_to_the_file_of_its_annotations() {
    let base = "apiVersion: addon.open-cluster-management.io/v1alpha1\nkind: AddOnTemplate\nmetadata:\n  name: t\n  annotations: {tidegate.io/chart: \
                'https://charts.example.com/podinfo'}\nspec: {addonName: hello}\n";
    let patch = "apiVersion: addon.open-cluster-management.io/v1alpha1\nkind: AddOnTemplate\nmetadata:\n  name: t\n  annotations: \
                 {tidegate.io/chart-values: 'values.yaml'}\n";
    let kustomization = "resources: [../base]\npatches: [{path: patch.yaml}]\n";
    let files = tree(&[
        ("tidegate.toml", "[repository]\npath = 'prod'\n"),
        ("base/kustomization.yaml", "resources: [template.yaml]\n"),
        ("base/template.yaml", base),
        ("prod/kustomization.yaml", kustomization),
        ("prod/patch.yaml", patch),
        ("prod/values.yaml", "a: prod\n"),
        ("dev/kustomization.yaml", kustomization),
        ("dev/patch.yaml", patch),
        ("dev/values.yaml", "a: dev\n"),
    ]);
    let found = needs(&files, "");
    assert_eq!(found.problems, []);
    let charts: Vec<_> = found
        .needs
        .iter()
        .map(|need| match &need.wanted {
            Wanted::Chart(chart) => {
                (chart.used_by.as_str(), String::from_utf8_lossy(&chart.values.files[0]).into_owned())
            }
            wanted => panic!("{wanted:?}"),
        })
        .collect();
    assert_eq!(charts, [("base/template.yaml", "a: dev\n".to_owned()), ("base/template.yaml", "a: prod\n".to_owned())]);
    let tree = vendored(files, MANIFESTS);
    let loaded = load(&tree, "");
    assert_eq!(shown(&loaded), [""; 0]);
    let read = loaded.repository.read.as_ref().unwrap();
    assert!(read.contains("vendor.lock") && read.contains("prod/values.yaml"));
    assert!(needs(&tree, "").needs.iter().all(|need| matches!(need.state, State::Current { .. })));
}

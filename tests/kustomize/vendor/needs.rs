//! What the kustomizations of a tree need.

use tidegate_kustomize::overlay::overlays;
use tidegate_kustomize::vendor::{ChartSource, Needs, State, Wanted, needs};
use tidegate_model::tree::Tree;

use super::{file, git, locked, tree};

fn of(tree: &Tree) -> Needs {
    needs(tree, &overlays(tree))
}

/// Returns each need and each problem on a line.
fn reported(tree: &Tree) -> String {
    let found = of(tree);
    let need = |need: &tidegate_kustomize::vendor::Need| {
        let what = match &need.wanted {
            Wanted::Directory(_) => "directory".to_owned(),
            Wanted::File(_) => "file".to_owned(),
            Wanted::FileOrDirectory(_) => "file or directory".to_owned(),
            Wanted::Chart(chart) => {
                let namespace = chart.namespace.as_deref().unwrap_or("-");
                format!("chart from {} in {namespace} for {}", chart.source.repository(), chart.used_by)
            }
        };
        let state = match &need.state {
            State::Missing => "missing".to_owned(),
            State::Outdated { why, .. } => format!("outdated: {why}"),
            State::Current { directory } => format!("current: {directory}"),
        };
        format!("{}: {} ({what}): {state}", need.place, need.wanted.name())
    };
    let needs = found.needs.iter().map(need);
    needs.chain(found.problems.iter().map(|problem| format!("problem: {problem}"))).collect::<Vec<_>>().join("\n")
}

#[test]
fn remote_sources_are_needed_from_every_field() {
    let kustomization = "
resources:
- local.yaml
- https://github.com/acme/config//base?ref=v1
- git@github.com:acme/config//other
- https://example.com/crd.yaml
- https://example.com/a/b/c
- https://example.com/short
- ssh://nothing
- https://me:password@example.com/a/b
bases: [github.com/acme/bases]
components: [https://example.com/parts/ha]
configurations: [https://example.com/config.yaml]
patches: [{path: https://example.com/patch.yaml}, {patch: https}, {path: local.yaml}]
patchesStrategicMerge: [https://example.com/merge.yaml, |-
  https://example.com/not
  a: b]
patchesJson6902: [{path: https://example.com/json.yaml, target: {kind: A, name: b}}]
replacements: [{path: https://example.com/replacements.yaml}]
configMapGenerator: [{name: a, files: [x=https://example.com/x, https://example.com/y], envs: [https://example.com/z], env: https://example.com/e}]
";
    let files = tree(&[
        (
            "kustomization.yaml",
            &kustomization.replace("|-\n  https://example.com/not\n  a: b", "\"https://example.com/not\\na: b\""),
        ),
        ("local.yaml", ""),
    ]);
    insta::assert_snapshot!(reported(&files));
}

#[test]
fn a_base_gets_the_namespace_of_each_overlay() {
    let chart = "helmCharts: [{name: web, repo: https://charts.example.com, version: 1.x}]\n";
    let files = tree(&[
        ("base/kustomization.yaml", chart),
        ("middle/kustomization.yaml", "resources: [../base]\n"),
        ("dev/kustomization.yaml", "namespace: dev\nresources: [../middle]\n"),
        ("prod/kustomization.yaml", "namespace: prod\nresources: [../middle, ../base]\n"),
        ("own/kustomization.yaml", "namespace: outer\nresources: [inner]\n"),
        (
            "own/inner/kustomization.yaml",
            "namespace: inner\nhelmCharts: [{name: a, repo: oci://host/charts/}, {name: b, repo: oci://host/charts, namespace: mine}]\n",
        ),
    ]);
    insta::assert_snapshot!(reported(&files));
}

#[test]
fn vendored_files_have_needs_of_their_own() {
    let source = "https://github.com/acme/config//base?ref=v1";
    let own = "resources:\n- ../common\n- https://example.com/crd.yaml\n- https://github.com/acme/config//base?ref=v1\n- git@host:org/more\n- file:///etc\n";
    let files = tree(&[
        ("kustomization.yaml", &format!("namespace: prod\nresources: [\"{source}\"]\n")),
        ("vendor/a@v1/base/kustomization.yaml", own),
        ("vendor/a@v1/common/kustomization.yaml", "helmCharts: [{name: web, repo: https://charts.example.com}]\n"),
        ("vendor/b@1/crd.yaml", "kind: X\n"),
    ]);
    let entries = [
        ("vendor/a@v1", git(source, "https://github.com/acme/config", "v1", "base")),
        ("vendor/b@1", file("https://example.com/crd.yaml", "crd.yaml")),
    ];
    let mut files = locked(files, &entries);
    insta::assert_snapshot!("current", reported(&files));
    files.files.insert("vendor/a@v1/base/more.yaml".to_owned(), Vec::new());
    insta::assert_snapshot!("changed", reported(&files));
    files.files.insert("vendor.lock".to_owned(), b"a: b".to_vec());
    insta::assert_snapshot!("unreadable", reported(&files));
}

#[test]
fn a_chart_below_the_chart_home_is_local() {
    let entries = "helmCharts:
- {name: web}
- {name: web, repo: https://charts.example.com}
- {name: web, repo: https://charts.example.com, version: 1.0.0}
- {name: db, repo: https://charts.example.com, version: 2.0.0}
";
    let files = [
        ("a/kustomization.yaml", entries),
        ("a/charts/web/Chart.yaml", ""),
        ("a/charts/db-2.0.0/db/Chart.yaml", ""),
        ("b/kustomization.yaml", "helmGlobals: {chartHome: ../a/charts}\nhelmCharts: [{name: web}]\n"),
        (
            "c/kustomization.yaml",
            "helmChartInflationGenerator: [{chartName: web, chartHome: ../a/charts, releaseName: x}]\n",
        ),
    ];
    let found = of(&tree(&files));
    assert_eq!(found.problems, []);
    let sources: Vec<_> = found
        .needs
        .iter()
        .map(|need| match &need.wanted {
            Wanted::Chart(chart) => (chart.source.repository(), matches!(chart.source, ChartSource::Local(_))),
            _ => panic!("{need:?}"),
        })
        .collect();
    let expected = [
        ("a/charts/web", true),
        ("a/charts/web", true),
        ("https://charts.example.com", false),
        ("a/charts/db-2.0.0/db", true),
        ("a/charts/web", true),
        ("a/charts/web", true),
    ];
    assert_eq!(sources, expected);
}

#[test]
fn malformed_kustomizations_need_nothing() {
    for text in [
        "",
        "[",
        "1",
        "resources: 1\nhelmCharts: x\npatches: {a: b}\nopenapi: []\nconfigMapGenerator: [1]\n",
        "resources: [[], {}, null]",
    ] {
        assert_eq!(of(&tree(&[("kustomization.yaml", text)])), Needs::default(), "{text}");
    }
}

#[test]
fn cycles_and_long_chains_end() {
    let mut files = tree(&[("kustomization.yaml", "resources: [git@h:o/r0]\n")]);
    let mut entries = Vec::new();
    let names: Vec<_> = (0..40).map(|at| (format!("vendor/r{at:02}"), format!("git@h:o/r{at}"))).collect();
    for (at, (directory, source)) in names.iter().enumerate() {
        let next = format!("resources: [git@h:o/r0, git@h:o/r{}]\n", at + 1);
        files.files.insert(format!("{directory}/kustomization.yaml"), next.into_bytes());
        entries.push((directory.as_str(), git(source, source, "", "")));
    }
    let found = of(&locked(files, &entries));
    assert!(found.needs.len() < 60);
    let last = found.problems.last().map(ToString::to_string);
    let message =
        "vendor/r16/kustomization.yaml:1:25: more than 16 remote directories use one another; copy what is needed";
    assert_eq!(last.as_deref(), Some(message));
}

#[test]
fn a_password_in_a_url_is_never_repeated() {
    for url in ["https://ann:hunter2@example.com/a/b//c?ref=v1", "https://ann:hunter2@example.com/a/b.yaml"] {
        for field in ["resources", "components", "crds"] {
            let tree = tree(&[("kustomization.yaml", &format!("{field}: ['{url}']\n"))]);
            let rendered = tidegate_kustomize::overlay::render(&tree, ".");
            assert!(rendered.is_failed(), "{field}");
            let printed = format!("{:?} {}", rendered.complaints, reported(&tree));
            assert!(!printed.contains("hunter2"), "{printed}");
        }
    }
}

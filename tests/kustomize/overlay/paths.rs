//! Which files are read, and which the result depends on.

use tidegate_kustomize::overlay;
use tidegate_model::tree::Tree;

use super::{config_map, errors, tree};

#[test]
fn the_result_depends_on_all_files_that_were_looked_for() {
    let map = config_map("web");
    let files = tree(&[
        ("base/kustomization.yml", "resources: [cm.yaml]\n"),
        ("base/cm.yaml", &map),
        ("base/other.yaml", "unread"),
        (
            "overlays/prod/kustomization.yaml",
            "resources: [../../base]\nconfigMapGenerator: [{name: g, files: [a.txt]}]\n",
        ),
        ("overlays/prod/a.txt", "a"),
    ]);
    let rendered = overlay::render(&files, "overlays/prod");
    assert_eq!(errors(&rendered), "");
    let read: Vec<_> = rendered.read.iter().map(String::as_str).collect();
    let expected = [
        "base",
        "base/Kustomization",
        "base/cm.yaml",
        "base/kustomization.yaml",
        "base/kustomization.yml",
        "overlays/prod/Kustomization",
        "overlays/prod/a.txt",
        "overlays/prod/kustomization.yaml",
        "overlays/prod/kustomization.yml",
    ];
    assert_eq!(read, expected);
}

#[test]
fn the_result_depends_on_missing_files() {
    let rendered = overlay::render(&tree(&[("kustomization.yaml", "resources: [cm.yaml]\n")]), "");
    assert!(rendered.is_failed());
    assert!(rendered.read.contains("cm.yaml"));
}

/// Returns a tree with symbolic links, in the form that tree readers give them.
fn with_links(files: &[(&str, &str)], links: &[(&str, &str)]) -> Tree {
    let mut tree = tree(files);
    for (path, target) in links {
        tree.links.insert((*path).to_owned(), (*target).to_owned());
        tree.skipped.insert((*path).to_owned(), "it is a symbolic link".to_owned());
    }
    tree
}

#[test]
fn symbolic_links_are_followed_inside_the_repository() {
    let map = config_map("web");
    let files = [
        ("base/kustomization.yaml", "resources: [linked.yaml]\nnamePrefix: a-\n"),
        ("base/cm.yaml", &map),
        ("prod/kustomization.yaml", "resources: [here]\n"),
    ];
    let files = with_links(&files, &[("base/linked.yaml", "cm.yaml"), ("prod/here", "../base"), ("latest", "prod")]);
    for entry in ["prod", "latest"] {
        let rendered = overlay::render(&files, entry);
        assert_eq!(errors(&rendered), "");
        assert_eq!(&*rendered.objects[0].place.file, "base/cm.yaml");
        assert!(["prod/here", "base/linked.yaml", "base/cm.yaml"].iter().all(|path| rendered.read.contains(*path)));
    }
    assert_eq!(overlay::overlays(&files), ["prod"]);
    assert!(overlay::is_overlay(&files, "latest"));
}

#[test]
fn symbolic_links_that_cannot_be_followed_are_refused() {
    let map = config_map("web");
    let cases = [
        ("up", "up leads out of the repository through a symbolic link; copy what is needed into it"),
        ("root", "root leads out of the repository through a symbolic link; copy what is needed into it"),
        ("round", "round leads through too many symbolic links; replace it with a regular file"),
        ("gone", "there is no prod/nothing; add it, or remove the entry"),
        (
            "aside",
            "other/cm.yaml is not in or below prod; move it there, or give its directory a kustomization.yaml and name the directory",
        ),
        ("linked", "the kustomization of prod/linked is a link to other/kustomization.yaml; copy it"),
    ];
    for (name, why) in cases {
        let kustomization = format!("resources: [{name}]\n");
        let files = [
            ("prod/kustomization.yaml", kustomization.as_str()),
            ("other/cm.yaml", &map),
            ("other/kustomization.yaml", "resources: [cm.yaml]\n"),
            ("prod/linked/cm.yaml", &map),
        ];
        let links = [
            ("prod/up", "../../x"),
            ("prod/root", "/etc"),
            ("prod/round", "round"),
            ("prod/gone", "nothing"),
            ("prod/aside", "../other/cm.yaml"),
            ("prod/linked/kustomization.yaml", "../../other/kustomization.yaml"),
        ];
        let rendered = overlay::render(&with_links(&files, &links), "prod");
        assert_eq!(errors(&rendered), format!("prod/kustomization.yaml:1:13: {why}"));
    }
}

#[test]
fn the_result_depends_on_every_link_that_was_followed() {
    let map = config_map("web");
    let files = [
        ("v1/kustomization.yaml", "resources: [cm.yaml]\n"),
        ("v1/cm.yaml", &map),
        ("prod/kustomization.yaml", "resources: [../base]\n"),
    ];
    let files = with_links(&files, &[("base", "current"), ("current", "v1"), ("entry", "door"), ("door", "prod")]);
    let rendered = overlay::render(&files, "entry");
    assert_eq!(errors(&rendered), "");
    for link in ["entry", "door", "base", "current"] {
        assert!(overlay::may_change(&rendered.read, link), "{link}");
    }
    assert!(!overlay::may_change(&rendered.read, "elsewhere"));
}

#[test]
fn endless_chains_of_links_cost_little() {
    let long = "./".repeat(400);
    let links: Vec<_> = (0..39).map(|at| (format!("l{at}"), format!("{long}l{}", at + 1))).collect();
    let mut tree = tree(&[("kustomization.yaml", "resources: [l0]\n"), ("l39", "")]);
    tree.links.extend(links);
    assert_eq!(
        errors(&overlay::render(&tree, ".")),
        "kustomization.yaml:1:13: l0 leads through too many symbolic links; replace it with a regular file"
    );
}

#[test]
fn files_that_are_not_read_are_reported_with_the_reason() {
    let mut files = tree(&[("kustomization.yaml", "resources: [link/cm.yaml]\n")]);
    files.skipped.insert("link".to_owned(), "symbolic links are not followed".to_owned());
    let rendered = overlay::render(&files, ".");
    assert_eq!(errors(&rendered), "kustomization.yaml:1:13: link/cm.yaml is not read: symbolic links are not followed");
}

#[test]
fn the_directory_may_be_written_in_many_ways() {
    let map = config_map("web");
    let files = tree(&[("a/b/kustomization.yaml", "resources: [cm.yaml]\n"), ("a/b/cm.yaml", &map)]);
    for directory in ["a/b", "./a/b", "a/b/", "a/x/../b", "/a/b"] {
        assert_eq!(errors(&overlay::render(&files, directory)), "", "{directory}");
    }
    let outside = overlay::render(&files, "../a");
    assert_eq!(errors(&outside), "../a: the directory ../a leaves the repository");
    let missing = overlay::render(&Tree::default(), "a");
    assert_eq!(errors(&missing), "a: there is no directory a");
}

#[test]
fn a_file_that_needs_no_approval_and_has_no_author_is_no_source_of_an_overlay() {
    let map = config_map("web");
    let (component, patch) = ("kind: Component\nresources: [cm.yaml]\n", "- {op: add, path: /data/a, value: evil}\n");
    let mut files = vec![("prod/cm.yaml", map.as_str()), ("other/keep.yaml", map.as_str())];
    for directory in ["approvals", "control", "status"] {
        let path = |name: &str| -> &'static str { format!("{directory}/common/{name}").leak() };
        files.extend([(path("kustomization.yaml"), component), (path("cm.yaml"), &map), (path("patch.yaml"), patch)]);
    }
    let links = [
        ("other/link.yaml", "../approvals/common/cm.yaml"),
        ("other/dir", "../status/common"),
        ("other/hidden/kustomization.yaml", "../../control/common/kustomization.yaml"),
    ];
    let refused = |kustomization: &str| {
        let mut files = files.clone();
        files.push(("prod/kustomization.yaml", kustomization));
        let rendered = overlay::render(&with_links(&files, &links), "prod");
        assert!(rendered.objects.is_empty(), "{kustomization}");
        errors(&rendered)
    };
    for kustomization in [
        "components: [../approvals/common]\n",
        "resources: [../control/common]\n",
        "resources: [../other/../status/common]\n",
        "resources: [../other/dir]\n",
        "resources: [cm.yaml]\npatches: [{path: ../status/common/patch.yaml, target: {kind: ConfigMap}}]\n",
        "resources: [cm.yaml]\npatchesStrategicMerge: [../approvals/common/cm.yaml]\n",
        "configMapGenerator: [{name: a, files: [../control/common/cm.yaml]}]\n",
        "secretGenerator: [{name: a, envs: [../status/common/cm.yaml]}]\n",
        "generators: [../approvals/common]\n",
        "resources: [cm.yaml]\nconfigurations: [../status/common/cm.yaml]\n",
        "helmCharts: [{name: a, repo: 'https://charts.test', version: '1', valuesFile: ../approvals/common/cm.yaml}]\n",
        "helmCharts: [{name: common}]\nhelmGlobals: {chartHome: ../approvals}\n",
    ] {
        let message = refused(kustomization);
        assert!(
            message.contains("at the root of the repository, whose files are not declarations; move it"),
            "{kustomization}: {message}"
        );
    }
    assert!(!refused("resources: [../other/hidden]\n").is_empty());
    assert!(!refused("resources: [../other/link.yaml]\n").is_empty());
    for entry in ["approvals/common", "other/dir"] {
        let rendered = overlay::render(&with_links(&files, &links), entry);
        assert!(errors(&rendered).contains("whose files are not declarations"), "{entry}: {}", errors(&rendered));
    }
}

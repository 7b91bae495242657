//! Tests with hostile and very large input.

use std::sync::Arc;

use std::fmt::Write as _;

use tidegate_kustomize::yaml::MAX_BYTES;
use tidegate_model::tree::Tree;
use tidegate_repository::{NodeBudget, load, load_within};

use super::fixture::{complaints, good, load_plain, with};

fn one(text: &str) -> String {
    let found = complaints(&with("bad.yaml", text));
    assert_eq!(found.len(), 1, "{found:?}");
    found.concat()
}

#[test]
fn malformed_yaml_is_reported_with_its_place() {
    assert_eq!(one("a: b\nc: [\n"), "bad.yaml:2:4: this is not valid YAML: the bracket [ is not closed; close it");
    assert_eq!(
        one("a: b\n\tc: d\n"),
        "bad.yaml:1:4: this is not valid YAML: a tab continues this value on the next line; indent with spaces"
    );
    assert_eq!(
        one("a: *nobody\n"),
        "bad.yaml:1:4: this is not valid YAML: no anchor of this name comes before the alias in this document; write out the value"
    );
    assert_eq!(
        one("a: .nan\n"),
        "bad.yaml:1:4: .nan is a number that Kubernetes cannot store; put quotes around it if it is a string"
    );
}

#[test]
fn files_above_the_size_limit_are_refused() {
    let text = format!("a: {}\n", "x".repeat(MAX_BYTES));
    assert_eq!(one(&text), "bad.yaml:1:1: the file has 4194308 bytes, and at most 4194304 are read; split it");
}

#[test]
fn files_that_are_not_utf8_are_refused() {
    let mut tree = good();
    tree.files.insert("bad.yaml".into(), b"a: b\nc: \xe9\n".to_vec());
    assert_eq!(complaints(&tree), ["bad.yaml:2:4: the file is not UTF-8 text from here on; save it as UTF-8"]);
}

#[test]
fn deep_nesting_is_refused_and_the_allowed_depth_is_read() {
    let block = |depth: usize| format!("{}x\n", "- ".repeat(depth));
    let flow = |depth: usize| format!("{}{}\n", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(complaints(&with("deep.yaml", &block(63))), Vec::<String>::new());
    assert_eq!(complaints(&with("deep.yaml", &flow(64))), Vec::<String>::new());
    for text in [block(64), flow(65), block(100_000), flow(100_000)] {
        assert!(one(&text).ends_with(": the file nests deeper than 64 levels; flatten it"), "{}", one(&text));
    }
}

#[test]
fn alias_bombs_are_refused() {
    let mut nested = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for i in 1..10 {
        let before = format!("*a{}", i - 1);
        writeln!(nested, "a{i}: &a{i} [{}]", vec![before; 10].join(", ")).unwrap();
    }
    let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(500_000), vec!["*a"; 5_000].join(", "));
    for text in [nested, long] {
        let found = one(&text);
        assert!(found.contains("aliases"), "{found}");
    }
}

#[test]
fn wide_mappings_and_keyed_lists_do_not_hang() {
    let members: String = (0..60_000).fold(String::new(), |mut text, i| {
        let _ = writeln!(text, "  k{i}: v");
        text
    });
    let map = format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\ndata:\n{members}");
    assert_eq!(complaints(&with("wide.yaml", &map)), Vec::<String>::new());
    let items: String = (0..30_000).fold(String::new(), |mut text, i| {
        let _ = writeln!(text, "    - {{ name: V{i}, value: v }}");
        text
    });
    let config = format!(
        "apiVersion: addon.open-cluster-management.io/v1beta1\nkind: AddOnDeploymentConfig\n\
         metadata: {{ name: wide, namespace: fleet }}\nspec:\n  customizedVariables:\n{items}"
    );
    assert_eq!(complaints(&with("wide.yaml", &config)), Vec::<String>::new());
}

#[test]
fn eight_thousand_manifests_are_loaded() {
    let mut tree = Tree::default();
    for file in 0..80 {
        let mut text = String::new();
        for i in 0..100 {
            let _ = write!(
                text,
                "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: map-{file}-{i}\n  namespace: fleet\n"
            );
            let _ = write!(text, "  labels:\n    app.kubernetes.io/name: map\n    tier: canary\ndata:\n");
            for line in 0..12 {
                let _ = writeln!(text, "  key-{line}: some value of the usual length {i}");
            }
        }
        tree.files.insert(format!("maps/{file}.yaml"), text.into_bytes());
    }
    let loaded = load_plain(&tree);
    assert_eq!(loaded.complaints, []);
    assert_eq!(loaded.repository.objects.len(), 8_000);
}

#[test]
fn a_fleet_of_thousands_is_loaded() {
    let mut tree = good();
    for file in 0..40 {
        let mut text = String::new();
        for i in 0..50 {
            let cluster = format!("c-{file}-{i}");
            let _ = write!(
                text,
                "---\napiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: {{ name: {cluster} }}\n\
                 spec: {{ hubAcceptsClient: true, taints: [{{ key: a/b, effect: NoSelect }}] }}\n\
                 ---\napiVersion: addon.open-cluster-management.io/v1beta1\nkind: ManagedClusterAddOn\n\
                 metadata: {{ name: hello, namespace: {cluster} }}\nspec: {{}}\n"
            );
        }
        tree.files.insert(format!("fleet/{file}.yaml"), text.into_bytes());
    }
    let loaded = load(&tree, "");
    assert_eq!(loaded.complaints, []);
    assert_eq!(loaded.repository.clusters.len(), 2_001);
    assert_eq!(loaded.repository.addons["hello"].overrides.len(), 2_001);
}

/// Returns a file that is small in Git, and takes much memory once it is read: each line has three nodes.
fn many_nodes(lines: usize) -> String {
    format!("l: [\n{}]\n", "{a: },\n".repeat(lines))
}

#[test]
fn a_revision_that_expands_to_too_many_nodes_is_refused_as_a_whole_at_the_line_that_exceeds_the_limit() {
    let tree = with("huge.yaml", &many_nodes(5_000));
    let budget = NodeBudget::new(10_000);
    let loaded = load_within(&tree, "", &Arc::default(), &budget);
    let found: Vec<String> = loaded.complaints.iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    let (place, message) = found[0].split_once(": ").unwrap();
    let line: usize = place.strip_prefix("huge.yaml:").and_then(|place| place.split(':').next()?.parse().ok()).unwrap();
    assert!((3_000..3_400).contains(&line), "{place}");
    assert!(message.starts_with("the files of this revision have more than 10000 YAML nodes"), "{message}");
    assert!(loaded.repository.addons.is_empty() && !loaded.repository.may_prune);
    assert!(loaded.repository.unreadable_files.contains("tidegate.toml"), "nothing counts as removed");
    assert!(budget.used() <= 10_001, "reading stops: {} nodes", budget.used());
}

#[test]
fn an_overlay_that_expands_to_too_many_nodes_is_refused_however_often_it_uses_a_file() {
    let config_map = |name: &str| {
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: fleet}}\ndata: {{}}\n{}",
            many_nodes(1_000)
        )
    };
    let mut tree = Tree::default();
    tree.files.insert("base/kustomization.yaml".into(), b"resources: [cm.yaml]\n".to_vec());
    tree.files.insert("base/cm.yaml".into(), config_map("a").into_bytes());
    let mut entry = "resources:\n".to_owned();
    for i in 0..4 {
        writeln!(entry, "- ../o{i}").unwrap();
        let overlay = format!("namePrefix: p{i}-\nresources: [../base]\n");
        tree.files.insert(format!("o{i}/kustomization.yaml"), overlay.into_bytes());
    }
    tree.files.insert("all/kustomization.yaml".into(), entry.into_bytes());
    let loaded = load_within(&tree, "all", &super::fixture::plain_kinds(), &NodeBudget::new(15_000));
    assert_eq!(loaded.complaints, []);
    let budget = NodeBudget::new(10_000);
    let loaded = load_within(&tree, "all", &super::fixture::plain_kinds(), &budget);
    let found: Vec<String> = loaded.complaints.iter().map(ToString::to_string).collect();
    assert!(
        found.iter().any(|found| found.starts_with("base/cm.yaml:") && found.contains("more than 10000 YAML nodes")),
        "{found:?}"
    );
    assert!(loaded.repository.objects.is_empty());
    assert!(budget.used() <= 10_100, "{} nodes", budget.used());
}

#[test]
fn keys_values_and_copies_of_aliases_count_as_nodes() {
    for (text, nodes) in [("a: 1\n", 3), ("a: [x, y]\n", 5), ("a: &a {b: c}\nd: *a\n", 10), ("--- {}\n---\n{}\n", 2)] {
        let tree = Tree { files: [("a.yaml".to_owned(), text.into())].into(), ..Tree::default() };
        let budget = NodeBudget::default();
        load_within(&tree, "", &Arc::default(), &budget);
        assert_eq!(budget.used(), nodes, "{text}");
    }
}

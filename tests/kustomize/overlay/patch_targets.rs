//! The targets of patches.

use super::patch_bench::{Bench, selector};
use crate::transcript::transcript;

const OBJECTS: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: prod, labels: {app: web, tier: front}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web-db, namespace: prod, labels: {app: db}, annotations: {team: a}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: web}
";

/// Returns the first letters of the kinds of the objects that a target matches.
fn taken(target: &str) -> String {
    let mut bench = Bench::new(OBJECTS);
    bench.patch(Some(target), "- {op: add, path: /seen, value: true}").unwrap();
    let seen = bench.resources.iter().filter(|resource| resource.node.get("seen").is_some());
    seen.filter_map(|resource| resource.kind().chars().next()).collect()
}

#[test]
fn targets_match_whole_values() {
    let table = [
        ("{}", "DSC"),
        ("{kind: Deployment}", "D"),
        ("{kind: deployment}", ""),
        ("{kind: Deployment|StatefulSet}", "DS"),
        ("{name: web}", "DC"),
        ("{name: we}", ""),
        ("{name: we.}", "DC"),
        ("{name: 'web.*'}", "DSC"),
        ("{kind: Deployment, name: web}", "D"),
        ("{group: apps}", "DS"),
        ("{version: v1}", "DSC"),
        ("{namespace: prod}", "DS"),
        ("{namespace: default}", "C"),
        ("{labelSelector: app=web}", "D"),
        ("{labelSelector: 'app!=web'}", "SC"),
        ("{labelSelector: 'app in (web, db)'}", "DS"),
        ("{labelSelector: 'app notin (web)'}", "SC"),
        ("{labelSelector: 'app,!tier'}", "S"),
        ("{labelSelector: 'app==web,tier=front'}", "D"),
        ("{annotationSelector: team=a}", "S"),
    ];
    for (target, wanted) in table {
        assert_eq!(taken(target), wanted, "{target}");
    }
}

#[test]
fn malformed_targets_are_refused() {
    let cases = [
        "{name: '([)'}",
        "{labels: a}",
        "{name: 1}",
        "{labelSelector: 'a in b'}",
        "{labelSelector: 'a,'}",
        "{labelSelector: 'a=b c'}",
        "{labelSelector: 'a>b'}",
        "{labelSelector: '/=b'}",
        // A form feed separates no tokens.
        r#"{labelSelector: "a\fb"}"#,
    ];
    insta::assert_snapshot!(transcript(cases, |target| selector(target).unwrap_err().message));
}

#[test]
fn patches_that_match_or_change_nothing_are_a_warning() {
    let warned = |target: &str, text: &str| {
        let warnings = Bench::new(OBJECTS).patch(Some(target), text).unwrap();
        warnings.into_iter().map(|warning| warning.message).collect::<String>()
    };
    let cases = [
        ("{kind: Pod}", "- {op: add, path: /x, value: 1}"),
        ("{kind: ConfigMap}", "- {op: add, path: /kind, value: ConfigMap}"),
        ("{kind: ConfigMap}", "kind: ConfigMap\nmetadata: {name: x}"),
    ];
    insta::assert_snapshot!(transcript(cases, |(target, text)| warned(target, text)));
    assert_eq!(warned("{kind: ConfigMap}", "- {op: add, path: /x, value: 1}"), "");
}

#[test]
fn patches_without_a_target_name_one_object() {
    let cases = [
        (None, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: no}"),
        (None, "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}"),
        (None, "apiVersion: v2\nkind: ConfigMap\nmetadata: {name: web}"),
        (None, "- {op: add, path: /x, value: 1}"),
        (None, "kind: ConfigMap"),
        (None, "metadata: {name: a}"),
        (None, "just text"),
        (Some("{}"), "kind: A\nmetadata: {name: a}\n---\nkind: A\nmetadata: {name: a}\n"),
    ];
    let refused = |(target, text)| Bench::new(OBJECTS).patch(target, text).unwrap_err().message;
    insta::assert_snapshot!(transcript(cases, refused));
    let default = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: default}\ndata: {a: b}";
    assert_eq!(Bench::new(OBJECTS).patch(None, default), Ok(Vec::new()));
}

//! The targets of patches.

use super::patch_bench::{Bench, selector};

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
    let table = [
        ("{name: '([)'}", "not a regular expression"),
        ("{labels: a}", "no field \"labels\""),
        ("{name: 1}", "must be a string"),
        ("{labelSelector: 'a in b'}", "expected ("),
        ("{labelSelector: 'a,'}", "missing at the end"),
        ("{labelSelector: 'a=b c'}", "comma or the end"),
        ("{labelSelector: 'a>b'}", "whole numbers"),
        ("{labelSelector: '/=b'}", "not a label"),
        // A form feed separates no tokens.
        (r#"{labelSelector: "a\fb"}"#, "not a label"),
    ];
    for (target, wanted) in table {
        let message = selector(target).unwrap_err().message;
        assert!(message.contains(wanted), "{target}: {message}");
    }
}

#[test]
fn patches_that_match_or_change_nothing_are_a_warning() {
    let warned = |target: &str, text: &str| {
        let warnings = Bench::new(OBJECTS).patch(Some(target), text).unwrap();
        warnings.into_iter().map(|warning| warning.message).collect::<String>()
    };
    assert!(warned("{kind: Pod}", "- {op: add, path: /x, value: 1}").contains("matches no object"));
    assert!(warned("{kind: ConfigMap}", "- {op: add, path: /kind, value: ConfigMap}").contains("changes nothing"));
    assert!(warned("{kind: ConfigMap}", "kind: ConfigMap\nmetadata: {name: x}").contains("changes nothing"));
    assert_eq!(warned("{kind: ConfigMap}", "- {op: add, path: /x, value: 1}"), "");
}

#[test]
fn patches_without_a_target_name_one_object() {
    let fault = |text: &str| Bench::new(OBJECTS).patch(None, text).unwrap_err().message;
    assert!(fault("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: no}").contains("there is no such object"));
    assert!(fault("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}").contains("namespace"));
    assert!(fault("apiVersion: v2\nkind: ConfigMap\nmetadata: {name: web}").contains("apiVersion of the object"));
    assert!(fault("- {op: add, path: /x, value: 1}").contains("give the entry a target"));
    assert!(fault("kind: ConfigMap").contains("no metadata.name"));
    assert!(fault("metadata: {name: a}").contains("no kind"));
    assert!(fault("just text").contains("a single value"));
    let two =
        Bench::new(OBJECTS).patch(Some("{}"), "kind: A\nmetadata: {name: a}\n---\nkind: A\nmetadata: {name: a}\n");
    assert!(two.unwrap_err().message.contains("accepts one object"));
    let default = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: default}\ndata: {a: b}";
    assert_eq!(Bench::new(OBJECTS).patch(None, default), Ok(Vec::new()));
}

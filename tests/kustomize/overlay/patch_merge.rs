//! Strategic merges.

use tidegate_kustomize::overlay::patch::Options;
use tidegate_kustomize::yaml::Node;

use super::patch_bench::Bench;
use crate::transcript::transcript;

const HEAD: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n";

/// Merges the pod spec of a patch into that of a Deployment, both in flow style, and returns the result as JSON.
fn pod(base: &str, patch: &str) -> String {
    let wrap = |spec: &str| format!("{HEAD}spec: {{template: {{spec: {spec}}}}}\n");
    let mut bench = Bench::new(&wrap(base));
    bench.patch(None, &wrap(patch)).unwrap();
    let node = bench.resources[0].node.find(&["spec", "template", "spec"]).unwrap();
    serde_json::to_string(&node.to_value().unwrap()).unwrap()
}

#[test]
fn lists_of_known_kinds_are_merged_by_their_keys() {
    let table = [
        // Elements of the patch come first, in their order.
        (
            "{containers: [{name: a}, {name: b}]}",
            "{containers: [{name: c}, {name: b, image: x}]}",
            r#"{"containers":[{"name":"c"},{"image":"x","name":"b"},{"name":"a"}]}"#,
        ),
        (
            "{containers: [{name: a}, {name: b}]}",
            "{containers: [{name: a, $patch: delete}]}",
            r#"{"containers":[{"name":"b"}]}"#,
        ),
        (
            "{containers: [{name: a}]}",
            "{containers: [{$patch: replace}, {name: b}]}",
            r#"{"containers":[{"name":"b"}]}"#,
        ),
        ("{containers: [{name: a}]}", "{containers: [{$patch: delete}]}", "{}"),
        // Replacing a single element does nothing.
        (
            "{containers: [{name: a, image: x}]}",
            "{containers: [{name: a, $patch: replace, tty: true}]}",
            r#"{"containers":[{"image":"x","name":"a"}]}"#,
        ),
        // An element without its key removes all others.
        ("{containers: [{name: a}]}", "{containers: [{image: x}]}", r#"{"containers":[]}"#),
        (
            "{containers: [{name: a, args: [x, y]}]}",
            "{containers: [{name: a, args: [z]}]}",
            r#"{"containers":[{"args":["z"],"name":"a"}]}"#,
        ),
        // Ports are identified by port and protocol, and keep their order.
        (
            "{containers: [{name: a, ports: [{containerPort: 53, protocol: TCP}, {containerPort: 53, protocol: UDP}]}]}",
            "{containers: [{name: a, ports: [{containerPort: 53, protocol: UDP, name: dns}]}]}",
            r#"{"containers":[{"name":"a","ports":[{"containerPort":53,"protocol":"TCP"},{"containerPort":53,"name":"dns","protocol":"UDP"}]}]}"#,
        ),
        (
            "{containers: [{name: a, ports: [{containerPort: 80}]}]}",
            "{containers: [{name: a, ports: [{containerPort: 80, protocol: TCP}]}]}",
            r#"{"containers":[{"name":"a","ports":[{"containerPort":80}]}]}"#,
        ),
        (
            "{volumes: [{name: v, emptyDir: {}}]}",
            "{volumes: [{name: v, emptyDir: null, configMap: {name: c}}]}",
            r#"{"volumes":[{"configMap":{"name":"c"},"name":"v"}]}"#,
        ),
        ("{tolerations: [{key: a}]}", "{tolerations: [{key: b}]}", r#"{"tolerations":[{"key":"b"}]}"#),
    ];
    for (base, patch, wanted) in table {
        assert_eq!(pod(base, patch), wanted, "{base} with {patch}");
    }
}

#[test]
fn mappings_are_merged_and_nulls_remove_fields() {
    let table = [
        ("{nodeSelector: {a: x, b: y}}", "{nodeSelector: {a: null, c: z}}", r#"{"nodeSelector":{"b":"y","c":"z"}}"#),
        ("{nodeSelector: {a: x}}", "{nodeSelector: {$patch: replace, c: z}}", r#"{"nodeSelector":{"c":"z"}}"#),
        ("{nodeSelector: {a: x}}", "{nodeSelector: {$patch: delete}}", "{}"),
        ("{a: 1}", "{securityContext: {runAsUser: 1, fsGroup: null}}", r#"{"a":1,"securityContext":{"runAsUser":1}}"#),
        // A null that the patch does not mention stays.
        ("{a: null}", "{b: 1}", r#"{"a":null,"b":1}"#),
        // Quoted values keep their quotes.
        ("{a: \"1\"}", "{a: 2}", r#"{"a":"2"}"#),
        ("{a: 1}", "{a: \"2\"}", r#"{"a":"2"}"#),
    ];
    for (base, patch, wanted) in table {
        assert_eq!(pod(base, patch), wanted, "{base} with {patch}");
    }
}

#[test]
fn lists_of_custom_kinds_are_replaced() {
    let mut bench = Bench::new("apiVersion: x/v1\nkind: Foo\nmetadata: {name: a}\nspec: {items: [{name: a}]}\n");
    bench.patch(None, "apiVersion: x/v1\nkind: Foo\nmetadata: {name: a}\nspec: {items: [{name: b}]}\n").unwrap();
    let wanted = "apiVersion: x/v1\nkind: Foo\nmetadata:\n  name: a\nspec:\n  items:\n  - name: b\n";
    assert_eq!(bench.written(), wanted);
}

#[test]
fn mismatched_values_are_refused_at_their_location() {
    let wrap = |spec: &str| format!("{HEAD}spec: {spec}\n");
    let cases = [
        ("{a: {b: 1}}", "{a: 1}"),
        ("{a: 1}", "{a: {b: 1}}"),
        ("{a: {b: 1}}", "{a: [1]}"),
        ("{a: {b: 1}}", "{a: {$patch: remove}}"),
    ];
    let refused = |(base, patch)| {
        let mut bench = Bench::new(&wrap(base));
        let error = bench.patch(None, &wrap(patch)).unwrap_err();
        format!("{}: {}", bench.provenance.place(error.place), error.message)
    };
    insta::assert_snapshot!(transcript(cases, refused));
}

#[test]
fn each_value_records_what_set_it_and_what_it_replaced() {
    let mut bench = Bench::new(&format!("{HEAD}spec:\n  replicas: 1\n  paused: true\n"));
    bench.patch(None, &format!("{HEAD}spec:\n  replicas: 3\n  paused: true\n  minReadySeconds: 5\n")).unwrap();
    let place = |field: &str| {
        let origin = bench.resources[0].node.find(&["spec", field]).map(|node: &Node| node.origin).unwrap();
        let steps: Vec<_> = bench.provenance.steps(origin).cloned().collect();
        (bench.provenance.place(origin).to_string(), steps)
    };
    let (at, steps) = place("replicas");
    assert_eq!(at, "patch.yaml:6:13");
    assert_eq!(&*steps[0].field, "patches[0]");
    assert_eq!(bench.provenance.place(steps[0].before.unwrap()).to_string(), "base.yaml:6:13");
    let (at, steps) = place("minReadySeconds");
    assert_eq!((at.as_str(), steps[0].before), ("patch.yaml:8:20", None));
    let (at, steps) = place("paused");
    assert_eq!((at.as_str(), steps.len()), ("base.yaml:7:11", 0));
}

#[test]
fn whole_objects_are_deleted_or_kept() {
    let mut bench = Bench::new(HEAD);
    bench.patch(None, &format!("$patch: delete\n{HEAD}")).unwrap();
    assert!(bench.resources.is_empty());
    let mut bench = Bench::new(&format!("{HEAD}spec: {{paused: true}}\n"));
    let warnings = bench.patch(None, &format!("$patch: replace\n{HEAD}")).unwrap();
    assert!(bench.written().contains("paused: true"));
    assert!(warnings[0].message.contains("changes nothing"), "{}", warnings[0].message);
}

#[test]
fn names_and_kinds_change_only_if_allowed() {
    let patch = "kind: StatefulSet\nmetadata: {name: other, namespace: ns}\n";
    let mut bench = Bench::new(HEAD);
    bench.patch(Some("{kind: Deployment}"), patch).unwrap();
    assert_eq!(bench.written(), HEAD);
    let entry = bench.entry(Some("{kind: Deployment}"), patch, Options { name: true, kind: true }).unwrap();
    tidegate_kustomize::overlay::patch::apply(&mut bench.resources, &[entry], &mut bench.provenance).unwrap();
    assert_eq!(bench.written(), HEAD.replace("Deployment", "StatefulSet").replace("web", "other"));
    assert_eq!(&*bench.resources[0].original_id().name, "web");
}

#[test]
fn patches_with_a_target_turn_null_labels_into_strings() {
    let base = format!("{HEAD}  labels: {{a: x}}\n");
    let patch = format!("{HEAD}  labels: {{a: null}}\n");
    let mut bench = Bench::new(&base);
    bench.patch(Some("{kind: Deployment}"), &patch).unwrap();
    assert!(bench.written().contains("a: \"null\""));
    let mut bench = Bench::new(&base);
    bench.patch(None, &patch).unwrap();
    assert!(bench.written().contains("labels: {}"));
}

#[test]
fn elements_that_kustomize_loses_are_a_warning() {
    let cases = [
        (
            "{containers: [{name: a, ports: [{containerPort: 80}]}]}",
            "{containers: [{name: a, ports: [{containerPort: 80, protocol: TCP}]}]}",
        ),
        ("{containers: [{name: a}]}", "{containers: [{image: x}]}"),
        ("{containers: [{name: a}]}", "{containers: [{name: a, $patch: replace}]}"),
    ];
    let warned = |(base, patch)| {
        let wrap = |spec: &str| format!("{HEAD}spec: {{template: {{spec: {spec}}}}}\n");
        let warnings = Bench::new(&wrap(base)).patch(None, &wrap(patch)).unwrap();
        warnings.into_iter().map(|warning| warning.message + "\n").collect()
    };
    insta::assert_snapshot!(transcript(cases, warned));
}

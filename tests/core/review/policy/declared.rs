//! How policies are declared, and what is wrong with them.

use std::collections::BTreeMap;

use super::{good, policy, read};
use tidegate_model::tree::Tree;
use tidegate_repository::{PolicySeverity, load};

fn complaints(text: &str) -> Vec<String> {
    read(&[("policies/x.yaml", text)]).1.iter().map(ToString::to_string).collect()
}

#[test]
fn a_policy_is_read_with_its_tests() {
    let text = "apiVersion: tidegate.io/v1alpha1
kind: PlanPolicy
metadata: {name: canary}
spec:
  severity: warning
  match: {addons: [istio, 'otel*']}
  rule: addon.changed < 10
  message: too many
  tests:
  - {name: few, addon: {changed: 3}, expect: pass}
  - {name: many, addon: {changed: 30}, expect: fail}
";
    let policies = good(text);
    let [policy] = policies.as_slice() else { panic!("{policies:?}") };
    assert_eq!((policy.name.as_str(), policy.severity), ("canary", PolicySeverity::Warning));
    assert_eq!((policy.addons.join(" "), policy.rule.as_str()), ("istio otel*".to_owned(), "addon.changed < 10"));
    assert_eq!(policy.place.to_string(), "policies/x.yaml:7:9");
    assert_eq!(policy.tests.iter().map(|test| test.passes).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn a_mistake_in_an_expression_has_its_place_in_the_file() {
    let literal = policy("a", "addon.changed <\n      adon.clusters");
    let quoted = policy("a", "x").replace("|\n    x", "'1 < adon.changed'");
    let folded = policy("a", "x").replace("|\n    x", ">\n    1 <\n    adon.changed");
    assert_eq!(
        [literal, quoted, folded].map(|text| complaints(&text).join("\n")),
        [
            "policies/x.yaml:7:7: spec.rule: the expression is not valid: undeclared reference to 'adon' (in container ''); fix it",
            "policies/x.yaml:5:14: spec.rule: the expression is not valid: undeclared reference to 'adon' (in container ''); fix it",
            "policies/x.yaml:6:5: spec.rule: the expression is not valid: undeclared reference to 'adon' (in container ''), at 1:5 of the expression; fix it",
        ]
    );
}

#[test]
fn mistakes_in_the_declaration_are_reported() {
    let cases = [
        policy("a", "addon.name"),
        policy("a", "1 + 1"),
        policy("A b", "true"),
        policy("a", "true").replace("message: refused", "mesage: refused"),
        policy("a", "true").replace("v1alpha1", "v1beta1"),
        policy("a", "true").replace("spec:", "spec:\n  severity: fatal"),
        format!("{}---\n{}", policy("a", "true"), policy("a", "false")),
        "kind: PlanPolicy: x\n".to_owned(),
    ];
    let found: Vec<String> = cases.iter().map(|text| complaints(text).join("\n")).collect();
    let expected = [
        "",
        "policies/x.yaml:6:5: spec.rule: the rule is not a boolean expression; write a comparison",
        "policies/x.yaml:3:18: metadata.name \"A b\" is not a valid name: only lower-case letters, digits, '-' and '.' are allowed; write another one",
        "policies/x.yaml:7:3: spec.mesage is not known; did you mean \"message\"?",
        "policies/x.yaml:1:13: apiVersion \"tidegate.io/v1beta1\" is not known for PlanPolicy; write tidegate.io/v1alpha1",
        "policies/x.yaml:5:13: spec.severity is \"fatal\"; write \"error\" or \"warning\"",
        "policies/x.yaml:12:18: policy a is already declared at policies/x.yaml:1:1; rename one of the two",
        "policies/x.yaml:1:17: this is not valid YAML: a key cannot end here; fix the indentation, or put quotes around text that contains a \":\"",
    ];
    assert_eq!(found, expected);
}

#[test]
fn other_documents_are_left_alone() {
    let kyverno = "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: x}\nspec: {anything: 1}\n";
    let files =
        [("policies/a.yaml", kyverno), ("policies/b.rego", "package PlanPolicy"), ("policies/c.yaml", "{{ .Values }}")];
    assert_eq!(read(&files), (Vec::new(), Vec::new()));
    let nested = policy("nested", "true");
    assert_eq!(read(&[("policies/team/x.yaml", &nested)]).0.len(), 1);
    let list = format!("apiVersion: v1\nkind: List\nitems:\n- {}", nested.trim_end().replace('\n', "\n  "));
    assert_eq!(good(&list).len(), 1);
}

#[test]
fn a_repository_has_its_policies_and_does_not_apply_them() {
    let mut files: BTreeMap<String, Vec<u8>> = crate::example_tree::tree().files;
    files.insert("policies/a.yaml".to_owned(), policy("a", "true").into_bytes());
    let tree = |files: &BTreeMap<String, Vec<u8>>| Tree { files: files.clone(), ..Tree::default() };
    for path in ["", "."] {
        let repository = load(&tree(&files), path).repository;
        assert_eq!(repository.plan_policies.as_ref().map(Vec::len), Some(1), "{path:?}");
        assert!(repository.objects.keys().all(|key| key.kind != "PlanPolicy"));
    }
    files.insert("policies/b.yaml".to_owned(), policy("b", "plan.(").into_bytes());
    let loaded = load(&tree(&files), "");
    assert_eq!(loaded.repository.plan_policies, None, "not all of them are known");
    assert!(!loaded.repository.addons.is_empty() && loaded.repository.blocked.is_empty(), "no add-on is blocked");
    files.insert("fleet/b.yaml".to_owned(), policy("b", "true").into_bytes());
    files.remove("policies/b.yaml");
    let complaints: Vec<String> = load(&tree(&files), "").complaints.iter().map(ToString::to_string).collect();
    assert_eq!(
        complaints,
        ["fleet/b.yaml:1:1: a PlanPolicy is read only from policies/ at the root of the repository; move it there"]
    );
}

//! Tests of vars: what messages say, where values come from, and hostile input.

use proptest::prelude::*;

use super::{config_map, errors, rendered, warnings, yaml};

const SERVICE: &str =
    "apiVersion: v1\nkind: Service\nmetadata: {name: front, labels: {tier: web}}\nspec: {ports: [{port: 80}]}\n";

/// Returns a kustomization with a Service, a Pod with an argument, and vars.
fn files<'f>(vars: &'f str, pod: &'f str) -> [(&'f str, &'f str); 3] {
    [("kustomization.yaml", vars), ("service.yaml", SERVICE), ("pod.yaml", pod)]
}

fn kustomization(vars: &str) -> String {
    format!("resources: [service.yaml, pod.yaml]\nvars:\n{vars}")
}

fn pod(argument: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec: {{containers: [{{name: m, args: [{argument:?}]}}]}}\n"
    )
}

const FRONT: &str = "- name: FRONT\n  objref: {apiVersion: v1, kind: Service, name: front}\n";

fn arguments(output: &str) -> Option<&str> {
    output.split_once("args:\n    - ").and_then(|(_, rest)| rest.lines().next())
}

fn argument(text: &str) -> String {
    let output = yaml(&files(&kustomization(FRONT), &pod(text)));
    arguments(&output).unwrap().to_owned()
}

#[test]
fn references_are_replaced_and_everything_else_stays() {
    let cases = [
        ("$(FRONT)", "front"),
        ("a-$(FRONT)-$(FRONT)", "a-front-front"),
        ("$$(FRONT)", "$(FRONT)"),
        ("$$$(FRONT)", "$front"),
        ("$(FRONT", "$(FRONT"),
        ("$(FRONT)$(FRO", "front$(FRO"),
        ("$(OTHER)", "$(OTHER)"),
        ("$(A$(FRONT))", "$(A$(FRONT))"),
        ("${FRONT} $FRONT $", "${FRONT} $FRONT $"),
        ("$é$(FRONT)", "$éfront"),
    ];
    for (text, expected) in cases {
        assert_eq!(argument(text), expected, "{text}");
    }
}

#[test]
fn messages_name_the_var_the_place_and_what_to_do() {
    let message = |vars: &str| errors(&rendered(&files(&kustomization(vars), &pod("$(FRONT)"))));
    insta::assert_snapshot!(message("- name: FRONT\n  objref: {kind: Service, name: front}\n"));
    insta::assert_snapshot!(message("- name: FRONT\n  objref: {apiVersion: v1, kind: Service, name: fron}\n"));
    insta::assert_snapshot!(message(&format!("{FRONT}  fieldref: {{fieldPath: spec.nothing}}\n")));
    insta::assert_snapshot!(message(&format!("{FRONT}{FRONT}")));
    insta::assert_snapshot!(message("- name: FRONT\n"));
    insta::assert_snapshot!(message("- {name: 1}\n- {title: FRONT}\n"));
}

#[test]
fn a_var_that_nothing_refers_to_is_a_warning() {
    let rendered = rendered(&files(&kustomization(FRONT), &pod("x")));
    insta::assert_snapshot!(warnings(&rendered));
}

#[test]
fn a_var_reference_without_vars_is_no_problem() {
    let files = [
        ("kustomization.yaml", "resources: [a.yaml]\nconfigurations: [c.yaml]\n"),
        ("c.yaml", "varReference:\n- path: data/a\n"),
        ("a.yaml", &config_map("a")),
    ];
    let rendered = rendered(&files);
    assert_eq!((errors(&rendered), warnings(&rendered)), (String::new(), String::new()));
}

#[test]
fn a_value_records_the_var_and_the_field_that_it_comes_from() {
    let vars = kustomization(FRONT);
    let rendered = rendered(&files(&vars, &pod("at $(FRONT)")));
    let pod = rendered.objects.iter().find(|object| object.node.get("kind").unwrap().as_str() == Some("Pod")).unwrap();
    let containers = pod.node.find(&["spec", "containers"]).unwrap().as_sequence().unwrap();
    let value = &containers[0].get("args").unwrap().as_sequence().unwrap()[0];
    let step = rendered.provenance.steps(value.origin).next().unwrap();
    let place = |origin| rendered.provenance.place(origin).to_string();
    assert_eq!(&*step.field, "vars");
    assert_eq!(place(step.at), "kustomization.yaml:3:3");
    assert_eq!(step.from.map(place), Some("service.yaml:3:18".to_owned()));
    assert_eq!(step.before.map(place), Some("pod.yaml:4:38".to_owned()));
}

#[test]
fn vars_that_contain_each_other_end() {
    let vars = "- name: A\n  objref: {apiVersion: v1, kind: Service, name: front}\n  fieldref: {fieldPath: metadata.annotations.b}\n\
                - name: B\n  objref: {apiVersion: v1, kind: Service, name: front}\n  fieldref: {fieldPath: metadata.annotations.a}\n";
    let service = SERVICE.replace("labels:", "annotations: {a: $(A), b: $(B)}, labels:");
    let kustomization = kustomization(vars);
    let output =
        yaml(&[("kustomization.yaml", &kustomization), ("service.yaml", &service), ("pod.yaml", &pod("$(A)$(B)"))]);
    assert_eq!(arguments(&output), Some("$(B)$(A)"));
}

#[test]
fn large_values_are_refused_before_they_fill_the_memory() {
    let service = SERVICE.replace("web", &"w".repeat(1 << 20));
    let vars = kustomization(&format!("{FRONT}  fieldref: {{fieldPath: metadata.labels.tier}}\n"));
    let files =
        |pod: &str| errors(&rendered(&[("kustomization.yaml", &vars), ("service.yaml", &service), ("pod.yaml", pod)]));
    assert_eq!(files(&pod("$(FRONT)")), "");
    let message = files(&pod(&"$(FRONT)".repeat(1000)));
    assert_eq!(
        message,
        "pod.yaml:4:38: vars applies to spec/containers/args of Pod p (v1): the values of vars have more than 16 MiB in total; refer to smaller values"
    );
}

proptest! {
    #[test]
    fn text_without_references_stays(text in "[$(){}a-z é]{0,20}") {
        prop_assume!(!text.contains("$$") && !text.contains("$(FRONT)"));
        let rendered = rendered(&files(&kustomization(FRONT), &pod(&text)));
        let nodes: Vec<_> = rendered.objects.iter().map(|object| object.node.to_value().unwrap()).collect();
        let pod = nodes.iter().find(|node| node["kind"] == "Pod").unwrap();
        prop_assert_eq!(pod["spec"]["containers"][0]["args"][0].as_str(), Some(&*text));
    }
}

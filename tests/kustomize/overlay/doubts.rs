//! Warnings about input that is legal but probably unintended, and independent errors that are reported together.

use super::{config_map, errors, rendered, warnings};
use crate::transcript::transcript;

const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      \
    containers: [{name: web, image: 'nginx:1'}]\n";

/// Renders a kustomization of a deployment.
fn of_web(kustomization: &str) -> tidegate_kustomize::overlay::Rendered {
    rendered(&[("kustomization.yaml", &format!("resources: [web.yaml]\n{kustomization}")), ("web.yaml", WEB)])
}

#[test]
fn a_duplicate_key_in_a_kustomization_is_a_warning() {
    let files =
        [("kustomization.yaml", "resources: [a.yaml]\nnamePrefix: a-\nnamePrefix: b-\n"), ("a.yaml", &config_map("x"))];
    let rendered = rendered(&files);
    assert!(rendered.to_yaml().unwrap().contains("name: b-x"));
    assert_eq!(
        warnings(&rendered),
        "kustomization.yaml:3:1: \"namePrefix\" is given twice in one mapping, and the last one counts; remove one of the two"
    );
}

#[test]
fn a_second_document_in_a_kustomization_is_a_warning() {
    let second = "kustomization.yaml:2:1: a second document starts here and is ignored; remove it";
    for (rest, expected) in [("---\nnamePrefix: a-\n", second), ("---\n", ""), ("---\n# nothing\n", ""), ("...\n", "")]
    {
        let text = format!("resources: [a.yaml]\n{rest}");
        let rendered = rendered(&[("kustomization.yaml", &text), ("a.yaml", &config_map("x"))]);
        assert_eq!((errors(&rendered), warnings(&rendered)), (String::new(), expected.to_owned()), "{rest:?}");
    }
}

#[test]
fn unknown_directives_are_a_warning() {
    let patch = "patches:\n- patch: |\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: web}\n    \
        spec:\n      $setElementOrder/things: [{name: z}]\n";
    let rendered = of_web(patch);
    assert!(rendered.to_yaml().unwrap().contains("$setElementOrder/things"));
    insta::assert_snapshot!(warnings(&rendered));
}

#[test]
fn images_that_match_nothing_are_a_warning() {
    let images = "images: [{name: ngnix, newTag: '2'}, {name: nginx, newTag: '2'}, {name: other, newTag: '2'}]\n";
    insta::assert_snapshot!(warnings(&of_web(images)));
}

#[test]
fn a_word_that_is_true_or_false_cannot_be_a_key() {
    assert_eq!(
        errors(&of_web("commonLabels: {app: x, n: '1'}\n")),
        "kustomization.yaml:2:24: kustomize reads the key \"false\" as true or false, and then fails; put quotes around a word \
         such as y or n, or use another key"
    );
    assert_eq!(errors(&of_web("commonLabels: {app: x, \"n\": '1'}\n")), "");
}

#[test]
fn errors_in_several_files_are_reported_together() {
    let files = [
        (
            "kustomization.yaml",
            "resources: [none.yaml, a.yaml, base, b.yaml]\nconfigurations: [no.yaml]\n\
          configMapGenerator: [{name: x, files: [gone]}, {literals: [a=b]}]\nsecretGenerator: [{name: s, envs: [lost]}]\n",
        ),
        ("a.yaml", "a: ]\n"),
        ("b.yaml", "kind: ConfigMap\n"),
        ("base/kustomization.yaml", "resources: [c.yaml, ../other]\nnonsense: 1\nmore: 2\n"),
    ];
    let told = errors(&rendered(&files));
    insta::assert_snapshot!(told);
    let patches = "patches: [{path: no.yaml}, {patch: '{'}, {patch: '{kind: x', path: y.yaml}]\n";
    assert_eq!(errors(&of_web(patches)).lines().count(), 3);
}

#[test]
fn an_open_bracket_and_an_unfinished_merge_are_reported() {
    let told = |text: &str| errors(&rendered(&[("kustomization.yaml", text)]));
    let cases = [
        "resources: [cm.yaml\nnamePrefix: x\n",
        "resources:\n<<<<<<< HEAD\n- a.yaml\n=======\n- b.yaml\n>>>>>>> topic\n",
    ];
    insta::assert_snapshot!(transcript(cases, told));
}

#[test]
fn a_target_that_matches_nothing_gets_a_suggestion() {
    let told = |target: &str| {
        let patch = r#"[{"op": "add", "path": "/x", "value": 1}]"#;
        warnings(&of_web(&format!("patches: [{{target: {{{target}}}, patch: '{patch}'}}]\n")))
    };
    let cases = [
        "kind: deployment",
        "kind: Deployment, name: wed",
        "kind: Deployment, name: web, namespace: other",
        "kind: Secret",
        "name: other",
    ];
    insta::assert_snapshot!(transcript(cases, told));
}

#[test]
fn a_failing_base_is_tried_once_and_a_hundred_errors_are_reported() {
    let missing: String = (0..150).map(|at| format!("- none-{at}.yaml\n")).collect();
    let uses = |base: &str| format!("resources:\n{}", format!("- ../{base}\n").repeat(150));
    let files = [
        ("c/kustomization.yaml", format!("resources:\n{missing}")),
        ("b/kustomization.yaml", uses("c")),
        ("a/kustomization.yaml", uses("b")),
        ("d/kustomization.yaml", format!("resources:\n{missing}")),
        ("kustomization.yaml", "resources: [a, b, c, d]\n".to_owned()),
    ];
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let count = errors(&rendered(&files)).lines().count();
    assert!((90..=101).contains(&count), "{count}");
}

#[test]
fn a_duplicate_id_is_reported_with_the_first_object() {
    let (a, b) = (config_map("a"), config_map("b"));
    let files = [
        ("kustomization.yaml", "resources: [a1.yaml, a2.yaml, b.yaml, a3.yaml]\n"),
        ("a1.yaml", &*a),
        ("a2.yaml", &a),
        ("b.yaml", &b),
        ("a3.yaml", &a),
    ];
    let told = |file: &str| {
        format!("{file}:1:1: ConfigMap a (v1) already exists, from a1.yaml:1:1; rename or remove one of them")
    };
    assert_eq!(errors(&rendered(&files)), format!("{}\n{}", told("a2.yaml"), told("a3.yaml")));
}

#[test]
fn merge_markers_in_a_string_are_not_an_unfinished_merge() {
    let text = "resources:\n- {name: a\n- b\nmore: \"\n<<<<<<< HEAD\n=======\n>>>>>>> x\"\n";
    let told = errors(&rendered(&[("kustomization.yaml", text)]));
    assert!(told.contains("this is not valid YAML") && !told.contains("unfinished"), "{told}");
}

//! Complaints whose place or advice could lead a person astray.

use super::fixture::{complaints, edited, with};

fn lines(tree: &tidegate_model::tree::Tree) -> Vec<String> {
    complaints(tree).iter().map(ToString::to_string).collect()
}

#[test]
fn a_reference_to_an_object_in_an_unreadable_file_names_that_file_and_nothing_else() {
    let lines = lines(&edited("template.yaml", "name: hello-1", "name: hello-1\n   oh: ["));
    let about = "AddOnTemplate hello-1 is not known, since template.yaml could not be read; fix that file first";
    assert!(lines.iter().any(|line| line.ends_with(about)), "{lines:#?}");
}

#[test]
fn a_wrong_namespace_of_a_reference_is_marked_and_not_its_name() {
    let from = "            namespace: fleet\n            name: hello-config";
    let lines = lines(&edited("addon.yaml", from, &from.replace("fleet", "float")));
    let about =
        "AddOnDeploymentConfig float/hello-config is not in the repository; did you mean \"fleet/hello-config\"?";
    assert!(lines.contains(&format!("addon.yaml:22:24: {about}")), "{lines:#?}");
}

#[test]
fn a_deadline_without_a_unit_is_not_also_reported_as_missing() {
    let lines = lines(&edited("addon.yaml", "progressDeadline: 10m", "progressDeadline: 60"));
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(lines[0].ends_with("progressDeadline is a number; write a duration such as \"60s\""), "{lines:#?}");
}

#[test]
fn a_percentage_has_its_bounds_and_its_form_in_the_advice() {
    let line = |wrong: &str| {
        let lines = lines(&edited("addon.yaml", "maxFailures: 1", &format!("maxFailures: {wrong}")));
        lines.first().cloned().unwrap_or_default()
    };
    assert!(
        line("110%").ends_with("write a number such as 3, or a percentage of at most 100% such as \"10%\""),
        "{}",
        line("110%")
    );
    assert!(line("0.1").ends_with("write a percentage such as \"10%\", or a whole number"), "{}", line("0.1"));
    assert!(line("0.025").ends_with("write a percentage such as \"2.5%\", or a whole number"), "{}", line("0.025"));
    assert!(
        line("2.5").ends_with("write a whole number such as 3, or a percentage such as \"10%\""),
        "{}",
        line("2.5")
    );
}

#[test]
fn quotes_are_suggested_only_for_a_value_that_starts_with_braces() {
    let about = "put quotes around a value that starts with";
    let line = |text: &str| {
        let lines = lines(&with("extra.yaml", text));
        lines.into_iter().find(|line| line.starts_with("extra.yaml")).unwrap_or_default()
    };
    for wrong in ["a: {{NAME}}\n", "a:\n- {{NAME}} x\n", "- b: {{NAME}}\n"] {
        assert!(line(wrong).contains(about), "{wrong:?}: {}", line(wrong));
    }
    for wrong in ["a: 1\n  b: \"{{NAME}}\"\n", "a:\n    - x\n  - --v={{LEVEL}}\n", "a: \"x\n  b: {{NAME}}\n"] {
        let line = line(wrong);
        assert!(!line.is_empty() && !line.contains(about), "{wrong:?}: {line}");
    }
}

#[test]
fn an_empty_repository_is_not_blamed_on_a_file_that_does_not_exist() {
    let empty = tidegate_model::tree::Tree::default();
    assert_eq!(
        lines(&empty),
        [
            ".:1:1: there is no YAML or JSON file here; write the objects, name their directory in tidegate.toml, or begin with `tidegate init`"
        ]
    );
}

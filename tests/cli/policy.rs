//! `tidegate policy`, and broken policies in `tidegate plan` and `tidegate validate`.

use super::plan::{ADDON, Clone};
use super::text;
use serde_json::Value;

use crate::scratch::tempdir;

/// Returns a policy with a rule.
fn policy(name: &str, rule: &str, more: &str) -> String {
    format!(
        "apiVersion: tidegate.io/v1alpha1\nkind: PlanPolicy\nmetadata: {{name: {name}}}\nspec:\n  rule: |\n    {rule}\n  message: not this way\n{more}"
    )
}

#[test]
fn a_plan_shows_the_policies_that_the_change_breaks() {
    let clone = Clone::new();
    clone.write("policies/few.yaml", &policy("few", "addon.updated <= 100", "  remedy: start with a few clusters\n"));
    clone.write("policies/hint.yaml", &policy("hint", "addon.nam != ''", "  severity: warning\n"));
    clone.commit("policies");
    clone.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    clone.write("policies/new.yaml", &policy("new", "plan.fleet < 100", ""));
    clone.write("policies/few.yaml", &policy("few", "true", ""));
    insta::assert_snapshot!("plan_with_policies", clone.run(&["plan"]));
    let plan = clone.json(&["plan", "-o", "json"]);
    insta::assert_snapshot!("broken_policies", format!("{:#}", plan["policies"]));
    assert_eq!(plan["result"], "Blocked");
    let markdown = clone.run(&["plan", "-o", "markdown"]);
    let section: Vec<&str> = markdown.lines().skip_while(|line| !line.contains("broken policies")).take(9).collect();
    insta::assert_snapshot!("markdown_with_policies", section.join("\n"));
    let other = clone.json(&["plan", "--addon", "managed-serviceaccount", "-o", "json"]);
    let names: Vec<_> = other["policies"].as_array().unwrap().iter().map(|broken| broken["policy"].clone()).collect();
    assert_eq!((names.len(), &other["result"]), (0, &Value::from("Nothing")), "{other}");
}

#[test]
fn the_policies_of_the_configuration_file_judge_in_addition() {
    let clone = Clone::new();
    clone.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let outside = tempdir();
    let path = |name: &str| outside.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("floor.yaml"), policy("floor", "addon.updated <= 100", "")).unwrap();
    std::fs::write(path("daemon.toml"), "[policies]\nfiles = [\"floor.yaml\"]\n").unwrap();
    let plan = clone.json(&["plan", "--config", &path("daemon.toml"), "-o", "json"]);
    assert_eq!(plan["policies"][0]["policy"], "floor");
    std::fs::write(path("floor.yaml"), policy("floor", "addon.(", "")).unwrap();
    let refused = clone.run(&["plan", "--config", &path("daemon.toml")]);
    assert!(refused.contains("error: the policies of [policies] files cannot be used: "), "{refused}");
    assert!(refused.contains("floor.yaml:6:11: spec.rule: the expression is not valid"), "{refused}");
}

#[test]
fn the_declarations_are_judged_without_a_change() {
    let clone = Clone::new();
    clone.write("policies/a.yaml", &policy("canary", "addon.placements.all(p, p.groups.size() > 20)", ""));
    clone.write("policies/b.yaml", &policy("of-a-change", "plan.changed.size() > 1000", ""));
    let validated = |path: &str| {
        let shown = clone.run(&["validate", path]);
        shown.split("hub permissions").next().unwrap_or_default().to_owned()
    };
    let judged = validated(".");
    let github = clone.run(&["validate", ".", "-o", "github"]);
    let annotation = "::error file=fleet/addons/hello-template/addon.yaml,line=2,endLine=2,col=1,endColumn=11,title=tidegate policy::policy canary";
    assert!(github.contains(annotation), "{github}");
    clone.write("policies/c.yaml", &policy("broken", "addon.(", ""));
    insta::assert_snapshot!("validate_with_policies", [judged, validated(".")].join("\n"));
}

#[test]
fn policies_are_tested_and_listed() {
    let clone = Clone::new();
    let none = clone.run(&["policy", "test"]);
    let tests = "  tests:\n  - {name: few, addon: {changed: 3}, expect: pass}\n  - {name: many, addon: {changed: 30}, expect: pass}\n";
    clone.write("policies/a.yaml", &policy("few", "addon.changed < 10", tests));
    clone.write("policies/b.yaml", &policy("untested", "true", "  severity: warning\n  match: {addons: ['otel*']}\n"));
    let tested = clone.run(&["policy", "test"]);
    let listed = clone.run(&["policy", "list", "policies"]);
    insta::assert_snapshot!("policies", [none, tested, listed].join("\n"));
    let document = clone.json(&["policy", "test", "-o", "json"]);
    assert_eq!((&document["tests"], &document["failed"]), (&Value::from(2), &Value::from(1)));
    assert_eq!(document["policies"][0]["tests"][1]["problem"], "the rule is false, but should be true: not this way");
}

#[test]
fn first_use_b5_a_rule_without_tests_that_has_no_value_fails() {
    let clone = Clone::new();
    clone.write("policies/a.yaml", &policy("misspelled", "addon.clusterz < 10", ""));
    clone.write("policies/b.yaml", &policy("string", "addon.name", ""));
    clone.write("policies/c.yaml", &policy("divides", "100 / addon.changed < 10", ""));
    let output = super::tidegate_in(clone.root(), &["policy", "test"]);
    assert_eq!(super::code(&output), 1);
    let said = text(&output.stdout);
    assert!(
        said.contains("misspelled: the rule cannot be evaluated: it reads \"clusterz\", which does not exist"),
        "{said}"
    );
    assert!(said.contains("string: the rule cannot be evaluated: it gives a string, and not true or false"), "{said}");
    assert!(!said.contains("divides: the rule"), "{said}");
}

#[test]
fn the_library_is_written_and_passes_its_tests() {
    let clone = Clone::new();
    clone.write("policies/soak-time.yaml", &policy("own", "true", ""));
    let written = clone.run(&["policy", "library", "--write", "policies"]);
    assert!(
        written.contains("kept policies/soak-time.yaml, which exists")
            && written.contains("wrote policies/no-downgrade.yaml")
    );
    let tested = clone.run(&["policy", "test", "."]);
    assert!(tested.contains("10 policies, 25 tests: all passed"), "{tested}");
    let printed = super::tidegate(&["policy", "library"]);
    assert_eq!(text(&printed.stdout).matches("kind: PlanPolicy").count(), 10);
}

#[test]
fn the_page_about_policies_lists_every_field_of_the_variables() {
    let schema: Value = serde_json::from_str(&text(&super::tidegate(&["schema", "policy-variables"]).stdout)).unwrap();
    let mut fields = Vec::new();
    for (variable, name) in [("addon", "AddonVariables"), ("plan", "PlanVariables")] {
        listed(&schema, variable, &schema["$defs"][name], &mut fields);
    }
    let page = std::fs::read_to_string("docs/policies.md").unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let rows: Vec<&str> = rows.map(|(field, _)| field).filter(|field| field.starts_with(['a', 'p'])).collect();
    assert_eq!(rows, fields);
}

/// Adds the paths of the fields of an object.
fn listed(schema: &Value, prefix: &str, object: &Value, fields: &mut Vec<String>) {
    for (name, field) in object["properties"].as_object().unwrap() {
        let items = field.pointer("/items/$ref").and_then(Value::as_str);
        let path = format!("{prefix}.{name}{}", if items.is_some() { "[]" } else { "" });
        fields.push(path.clone());
        let inner = items
            .or_else(|| field.get("$ref").and_then(Value::as_str))
            .filter(|inner| !inner.ends_with("AddonVariables"));
        if let Some(inner) = inner {
            listed(schema, &path, schema.pointer(inner.trim_start_matches('#')).unwrap(), fields);
        }
    }
}

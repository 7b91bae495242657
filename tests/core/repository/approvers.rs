//! Tests of people whose approvals a policy asks for.

use std::sync::Arc;

use tidegate_repository::{OperatorRules, load_with};

use super::fixture::{complaints, good};

/// Returns the complaints about a policy, with people in the settings.
fn with(of: &str, people: &str) -> Vec<String> {
    let mut tree = good();
    let policy = format!(
        "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {{name: p}}\nspec:\n  approvals:\n  - {{name: a, of: {of}}}\n  breakGlass: {{name: b, of: {of}}}\n"
    );
    tree.files.insert("policy.yaml".to_owned(), policy.into_bytes());
    tree.files.insert("tidegate.toml".to_owned(), people.as_bytes().to_vec());
    complaints(&tree)
}

#[test]
fn an_approver_that_is_not_known_is_reported() {
    for people in ["", "[people]\nada = ['ada@example.com']\n"] {
        let found = with("[sre]", people);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].starts_with("policy.yaml:6:20: spec.approvals[0].of[0] is \"sre\", which [people]"),
            "{found:?}"
        );
        assert!(found[1].contains("spec.breakGlass.of[0]"), "{found:?}");
    }
    let found = with("[sree]", "[people]\nsre = ['ada@example.com']\n");
    assert!(found[0].ends_with("did you mean \"sre\"?"), "{found:?}");
    let known = "[sre, bob@example.com, 'key:SHA256:x', 'forge:ada', 'team:acme/sre', 'role:maintain']";
    assert_eq!(with(known, "[people]\nsre = ['ada@example.com']\n"), Vec::<String>::new());
}

#[test]
fn people_of_the_operator_are_known() {
    let mut tree = good();
    let policy = "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {name: p}\nspec:\n  approvals:\n  - {name: a, of: [sre]}\n";
    tree.files.insert("policy.yaml".to_owned(), policy.as_bytes().to_vec());
    let people = [("sre".to_owned(), vec!["ada@example.com".to_owned()])].into();
    let operator = Arc::new(OperatorRules { people, ..OperatorRules::default() });
    assert!(load_with(&tree, "", &operator).complaints.iter().all(|found| !found.to_string().contains("[people]")));
    assert!(
        load_with(&tree, "", &Arc::default()).complaints.iter().any(|found| found.to_string().contains("[people]"))
    );
}

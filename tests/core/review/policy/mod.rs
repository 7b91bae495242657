//! Tests of policies as code: how they are declared, what they judge, and the library.

mod declared;
mod described;
mod judged;
mod library;
mod properties;
mod reviewed;

use tidegate_model::tree::Tree;
use tidegate_repository::{Complaint, PlanPolicy, plan_policies};

/// Returns a policy with a rule.
fn policy(name: &str, rule: &str) -> String {
    format!(
        "apiVersion: tidegate.io/v1alpha1\nkind: PlanPolicy\nmetadata: {{name: {name}}}\nspec:\n  rule: |\n    {rule}\n  message: refused\n  remedy: do it\n"
    )
}

fn read(files: &[(&str, &str)]) -> (Vec<PlanPolicy>, Vec<Complaint>) {
    let files = files.iter().map(|(file, text)| ((*file).to_owned(), text.as_bytes().to_vec())).collect();
    plan_policies(&Tree { files, ..Tree::default() }, "policies/")
}

/// Returns the policies in a file that has no mistakes.
fn good(text: &str) -> Vec<PlanPolicy> {
    let (policies, complaints) = read(&[("policies/x.yaml", text)]);
    assert_eq!(complaints, [], "{text}");
    policies
}

//! Tests of references that an overlay breaks by renaming, and of the option that updates them.

use tidegate_model::tree::Tree;

use super::fixture::{complaints, good};

/// Returns the good repository as the base of an overlay.
fn overlay(kustomization: &str, toml: &str) -> Tree {
    let mut tree = good();
    let files: Vec<String> = tree.files.keys().cloned().collect();
    let text =
        format!("resources:\n{}\n{kustomization}", files.iter().map(|file| format!("- {file}\n")).collect::<String>());
    tree.files.insert("kustomization.yaml".to_owned(), text.into_bytes());
    tree.files.insert("tidegate.toml".to_owned(), toml.as_bytes().to_vec());
    tree
}

const RENAMED: &str = "patches:\n\
    - target: {kind: Placement|AddOnTemplate|AddOnDeploymentConfig}\n  \
      patch: '[{\"op\": \"replace\", \"path\": \"/metadata/name\", \"value\": \"new\"}]'\n  \
      options: {allowNameChange: true}\n";

#[test]
fn a_reference_that_an_overlay_breaks_names_the_option() {
    let found = complaints(&overlay(RENAMED, ""));
    let hint = "the overlay renames it to fleet/new, but not in references; write ocm_references = true in section [render] of \
                tidegate.toml";
    for what in ["Placement fleet/everywhere", "AddOnDeploymentConfig fleet/hello-config"] {
        let wanted = format!("{what} is not in the repository; {hint}");
        assert!(found.iter().any(|line| line.ends_with(&wanted)), "{wanted}\n{found:#?}");
    }
    let template = hint.replace("fleet/new", "new");
    let wanted = format!("addon.yaml:13:13: AddOnTemplate hello-1 is not in the repository; {template}");
    assert!(found.contains(&wanted), "{found:#?}");
}

#[test]
fn the_option_updates_references() {
    assert_eq!(complaints(&overlay(RENAMED, "[render]\nocm_references = true\n")), Vec::<String>::new());
}

#[test]
fn a_cluster_set_that_an_overlay_renames_names_the_option() {
    let renamed = RENAMED.replace("Placement|AddOnTemplate|AddOnDeploymentConfig", "ManagedClusterSet");
    let found = complaints(&overlay(&renamed, ""));
    let hint =
        "ManagedClusterSet global is not in the repository; the overlay renames it to new, but not in references";
    assert!(found.iter().any(|line| line.contains(hint)), "{found:#?}");
}

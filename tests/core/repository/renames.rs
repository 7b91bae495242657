//! References that an overlay breaks by renaming, and the option that lets them follow.

use tidegate_model::tree::Tree;

use super::fixture::{complaints, good};

/// The good repository as the base of an overlay.
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
    let hint = "the overlay calls it fleet/new, and references do not follow; write ocm_references = true in section [render] of \
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
fn with_the_option_references_follow() {
    assert_eq!(complaints(&overlay(RENAMED, "[render]\nocm_references = true\n")), Vec::<String>::new());
}

#[test]
fn cluster_sets_that_an_overlay_renames_name_the_option() {
    let renamed = RENAMED.replace("Placement|AddOnTemplate|AddOnDeploymentConfig", "ManagedClusterSet");
    let found = complaints(&overlay(&renamed, ""));
    let hint =
        "ManagedClusterSet global is not in the repository; the overlay calls it new, and references do not follow";
    assert!(found.iter().any(|line| line.contains(hint)), "{found:#?}");
}

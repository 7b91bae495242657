//! Tests that kustomizations render as in kustomize.

mod arbitrary;
mod bases;
mod differences;
mod doubts;
mod entry_points;
mod hostile;
mod limits;
mod messages;
mod ocm_references;
mod openapi;
mod patch_bench;
mod patch_json;
mod patch_merge;
mod patch_properties;
mod patch_targets;
mod paths;
mod places;
mod plugins;
mod properties;
mod recorded;
mod replacement;
mod unused;
mod vars;
mod vendored;

use tidegate_kustomize::overlay::{self, Rendered};
use tidegate_model::tree::Tree;

/// Creates a tree from files.
fn tree(files: &[(&str, &str)]) -> Tree {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
    Tree { files: files.collect(), ..Tree::default() }
}

/// Renders the root of a tree with some files.
fn rendered(files: &[(&str, &str)]) -> Rendered {
    overlay::render(&tree(files), ".")
}

/// Returns the errors, one per line.
fn errors(rendered: &Rendered) -> String {
    let errors = rendered.complaints.iter().filter(|complaint| complaint.is_error());
    errors.map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Returns the warnings, one per line.
fn warnings(rendered: &Rendered) -> String {
    let warnings = rendered.complaints.iter().filter(|complaint| !complaint.is_error());
    warnings.map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Renders, and returns the YAML.
fn yaml(files: &[(&str, &str)]) -> String {
    let rendered = rendered(files);
    assert_eq!(errors(&rendered), "");
    rendered.to_yaml().unwrap()
}

/// Returns a ConfigMap with a name.
fn config_map(name: &str) -> String {
    format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n")
}

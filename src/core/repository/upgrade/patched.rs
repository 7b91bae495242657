//! Patches that name a template: they would not reach its copy.

use tidegate_kustomize::yaml::{Input, Node, SourceId, resources};
use tidegate_model::tree::Tree;

/// Returns the first file besides that of a template which changes the template by its name: an object for a strategic merge, or a patch in a
/// kustomization.
pub(super) fn patched<'t>(tree: &'t Tree, file: &str, template: &str) -> Option<&'t str> {
    let names = |path: &str, bytes: &[u8]| {
        path != file && std::str::from_utf8(bytes).is_ok_and(|text| text.contains(template)) && changes(bytes, template)
    };
    tree.files.iter().find(|(path, bytes)| names(path, bytes)).map(|(path, _)| path.as_str())
}

fn changes(bytes: &[u8], template: &str) -> bool {
    let nodes = resources(Input::of_file(SourceId::default(), bytes)).unwrap_or_default();
    nodes.iter().any(|node| is_template(node, template) || patches(node).any(|patch| is_about(patch, template)))
}

fn is_template(node: &Node, template: &str) -> bool {
    let text = |path: &[&str]| node.find(path).and_then(Node::as_str);
    text(&["kind"]) == Some("AddOnTemplate") && text(&["metadata", "name"]) == Some(template)
}

/// Returns the patches of a kustomization.
fn patches(node: &Node) -> impl Iterator<Item = &Node> {
    let lists = ["patches", "patchesJson6902", "patchesStrategicMerge"];
    lists.into_iter().filter_map(|list| node.get(list)?.as_sequence()).flatten()
}

/// Returns `true` if a patch names a template in its target, or in its text.
fn is_about(patch: &Node, template: &str) -> bool {
    let is_target = patch.find(&["target", "name"]).and_then(Node::as_str) == Some(template);
    let text = patch.get("patch").unwrap_or(patch).as_str().unwrap_or_default();
    let is_in_text = resources(Input::of_file(SourceId::default(), text.as_bytes()))
        .is_ok_and(|nodes| nodes.iter().any(|node| is_template(node, template)));
    is_target || is_in_text
}

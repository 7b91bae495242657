//! The copy of a template in the text of a file, which keeps comments and formatting.

use super::edit::{Edit, edited};
use super::newer::Newer;
use tidegate_kustomize::yaml::{Content, Input, Node, SourceId, resources};
use tidegate_model::name::UnitName;

/// The annotation with the version of a template's chart.
const CHART_VERSION: &str = "tidegate.io/chart-version";

/// A template, and what its copy has instead.
pub(super) struct Copied<'a> {
    pub(super) addon: &'a UnitName,
    /// The name and version in use.
    pub(super) from: (&'a str, &'a str),
    /// The name and version of the copy.
    pub(super) to: (&'a str, &'a str),
    pub(super) newer: &'a [Newer],
}

/// Returns the document with the copy; `None` if the text does not contain the template, or something that is newer, itself.
pub(super) fn copied(text: &str, copy: &Copied<'_>) -> Option<String> {
    let nodes = resources(Input::of_file(SourceId::default(), text.as_bytes())).ok()?;
    let is_template = |node: &&Node| {
        text_at(node, &["kind"]) == Some("AddOnTemplate") && text_at(node, &["metadata", "name"]) == Some(copy.from.0)
    };
    let template = nodes.iter().find(is_template)?;
    let name = template.find(&["metadata", "name"])?;
    let mut edits = vec![Edit { at: name.origin, from: copy.from.0, to: copy.to.0 }];
    let images: Vec<(String, String)> = copy.newer.iter().filter_map(image).collect();
    for newer in copy.newer {
        let before = edits.len();
        if let Newer::Chart { from, to } = newer {
            let version = template.find(&["metadata", "annotations"]).and_then(|all| all.get(CHART_VERSION));
            let version = version.filter(|version| version.as_str() == Some(from))?;
            edits.push(Edit { at: version.origin, from, to });
        }
        if let Some((old, new)) = images.iter().find(|(old, _)| Some(old) == image(newer).map(|(old, _)| old).as_ref())
        {
            uses(template, old, new, &mut edits);
        }
        if edits.len() == before {
            return None;
        }
    }
    let line = usize::try_from(name.origin.line).ok()?.checked_sub(1)?;
    let edited = edited(text, &edits)?;
    Some(commented(&document(&edited, line)?, copy))
}

/// Returns an image as it is written, before and after.
fn image(newer: &Newer) -> Option<(String, String)> {
    let Newer::Image { name, from, to } = newer else { return None };
    Some((format!("{name}:{from}"), format!("{name}:{to}")))
}

fn text_at<'n>(node: &'n Node, path: &[&str]) -> Option<&'n str> {
    node.find(path).and_then(Node::as_str)
}

/// Adds the places where containers have an image.
fn uses<'e>(node: &Node, from: &'e str, to: &'e str, edits: &mut Vec<Edit<'e>>) {
    match &node.content {
        Content::Mapping(mapping) => {
            let image = mapping.get("image").filter(|image| image.as_str() == Some(from));
            edits.extend(image.map(|image| Edit { at: image.origin, from, to }));
            mapping.iter().for_each(|entry| uses(&entry.value, from, to, edits));
        }
        Content::Sequence(items) => items.iter().for_each(|item| uses(item, from, to, edits)),
        Content::Scalar(_) => {}
    }
}

/// Returns the document that a line, counted from 0, is in.
fn document(text: &str, line: usize) -> Option<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let is_separator = |line: &&str| line.trim_end() == "---" || line.starts_with("--- ");
    let start = lines.get(..line)?.iter().rposition(is_separator).map_or(0, |at| at + 1);
    let end = lines.get(line..)?.iter().position(is_separator).map_or(lines.len(), |at| line + at);
    let document = lines.get(start..end)?.concat();
    Some(format!("{}\n", document.trim_matches('\n')))
}

/// Replaces the version in comments that name the add-on with it.
fn commented(text: &str, copy: &Copied<'_>) -> String {
    let named = |version: &str| format!("{} {version}", copy.addon);
    let (old, new) = (named(copy.from.1), named(copy.to.1));
    let line = |line: &str| match line.trim_start().starts_with('#') {
        true => line.replace(&old, &new),
        false => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect()
}

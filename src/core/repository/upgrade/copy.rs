//! The copy of a template in the text of a file, which keeps comments and formatting.

use super::edit::{Edit, edited};
use super::newer::Newer;
use super::rendered::CHART_VERSION;
use tidegate_kustomize::yaml::{Content, Input, Node, SourceId, resources};
use tidegate_model::name::UnitName;

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
    let written: Vec<(String, String)> = copy.newer.iter().map(written).collect();
    for (newer, (from, to)) in copy.newer.iter().zip(&written) {
        let before = edits.len();
        match newer {
            Newer::Image { .. } => uses(template, from, to, &mut edits),
            Newer::Chart { .. } => {
                let version = template.find(&["metadata", "annotations"]).and_then(|all| all.get(CHART_VERSION));
                let version = version.filter(|version| version.as_str() == Some(from));
                edits.extend(version.map(|version| Edit { at: version.origin, from, to }));
            }
        }
        if edits.len() == before {
            return None;
        }
    }
    let line = usize::try_from(name.origin.line).ok()?.checked_sub(1)?;
    let edited = edited(text, &edits)?;
    Some(commented(&document(&edited, line)?, copy))
}

/// Returns what is written in the template, before and after.
fn written(newer: &Newer) -> (String, String) {
    match newer {
        Newer::Image { name, from, to } => (format!("{name}:{from}"), format!("{name}:{to}")),
        Newer::Chart { from, to } => (from.clone(), to.clone()),
    }
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

/// Replaces the version in the comment at the start, if that begins with the add-on and its version.
fn commented(text: &str, copy: &Copied<'_>) -> String {
    let start = |version: &str| format!("# {} {version}", copy.addon);
    let Some(rest) = text.strip_prefix(&start(copy.from.1)) else { return text.to_owned() };
    // `1.0.0` is not the start of `1.0.01`.
    let mut after = rest.chars();
    let ends = match after.next() {
        Some('.') => after.next().is_none_or(char::is_whitespace),
        other => other.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '+'),
    };
    if ends { format!("{}{rest}", start(copy.to.1)) } else { text.to_owned() }
}

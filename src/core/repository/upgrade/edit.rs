//! Changes of words in a file, which keep everything else of it.

use tidegate_kustomize::yaml::{Input, Node, Origin, SourceId, resources};
use tidegate_model::name::UnitName;

/// The plural of AddOnTemplate, as configurations name it.
pub(super) const TEMPLATES: &str = "addontemplates";

/// Returns the text of a file in which the add-on names another template; `None` if the file does not name `from` exactly once.
pub(super) fn renamed(text: &str, addon: &UnitName, from: &str, to: &str) -> Option<String> {
    let nodes = resources(Input::of_file(SourceId::default(), text.as_bytes())).ok()?;
    let named: Vec<Origin> = nodes.iter().flat_map(|node| templates(node, addon, from)).collect();
    let [at] = named[..] else { return None };
    edited(text, &[Edit { at, from, to }])
}

/// A word that is replaced.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edit<'a> {
    /// Where it is.
    pub(super) at: Origin,
    /// The word.
    pub(super) from: &'a str,
    /// What replaces it.
    pub(super) to: &'a str,
}

/// Returns a text with words replaced; `None` if one of them is somewhere else, for example behind an alias.
pub(super) fn edited(text: &str, edits: &[Edit<'_>]) -> Option<String> {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let mut edits = edits.to_vec();
    // From right to left, so that the columns of the others stay.
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.at.line, edit.at.column)));
    // An alias has the place of its anchor.
    if edits.windows(2).any(|pair| matches!(pair, [a, b] if (a.at.line, a.at.column) == (b.at.line, b.at.column))) {
        return None;
    }
    for Edit { at, from, to } in edits {
        let line = lines.get_mut(usize::try_from(at.line).ok()?.checked_sub(1)?)?;
        *line = replaced(line, usize::try_from(at.column).ok()?.checked_sub(1)?, from, to)?;
    }
    Some(lines.concat())
}

/// Returns a line with a name in place of the one at, or after, a column.
pub(super) fn replaced(line: &str, column: usize, from: &str, to: &str) -> Option<String> {
    let start = line.char_indices().nth(column).map(|(start, _)| start)?;
    let (before, after) = line.split_at(start);
    let at = after.find(from)?;
    // A quotation mark may be before the name.
    (at <= 1).then(|| format!("{before}{}{to}{}", &after[..at], &after[at + from.len()..]))
}

/// Returns where a ClusterManagementAddOn names the template: in v1beta1 and in v1alpha1.
fn templates(node: &Node, addon: &UnitName, template: &str) -> Vec<Origin> {
    let text = |node: &Node, path: &[&str]| node.find(path).and_then(Node::as_str).map(str::to_owned);
    let is_declaration = text(node, &["kind"]).as_deref() == Some("ClusterManagementAddOn")
        && text(node, &["metadata", "name"]).as_deref() == Some(addon.as_str());
    if !is_declaration {
        return Vec::new();
    }
    let items = |path: &[&str]| node.find(path).and_then(Node::as_sequence).unwrap_or_default();
    let found = |item: &Node, path: &[&str]| {
        let name = item.find(path).filter(|name| name.as_str() == Some(template))?;
        (text(item, &["resource"]).as_deref() == Some(TEMPLATES)).then_some(name.origin)
    };
    let current = items(&["spec", "defaultConfigs"]).iter().filter_map(|item| found(item, &["name"]));
    let older = items(&["spec", "supportedConfigs"]).iter().filter_map(|item| found(item, &["defaultConfig", "name"]));
    current.chain(older).collect()
}

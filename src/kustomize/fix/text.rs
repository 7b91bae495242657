//! The text of a kustomization file.

use serde_json::{Value, json};

use super::occurrence::Occurrence;
use crate::yaml::{Node, Origin, write};

/// Returns a file without the lines of `vars`, and the comments in them, as lines of a list; `None` if no line starts with `vars:`, or if a
/// comment is beside a value.
pub(super) fn without_vars(text: &str) -> Option<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().position(|line| line.starts_with("vars:"))?;
    let is_inside = |line: &&&str| line.is_empty() || line.starts_with([' ', '-', '#']);
    let inside = lines.iter().skip(start + 1).take_while(is_inside).count();
    // Comments before the next key are about that key.
    let block = lines.get(start..=start + inside)?;
    let own = block.iter().rposition(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default();
    if block.get(..=own)?.iter().any(|line| !line.trim_start().starts_with('#') && line.contains(" #")) {
        return None;
    }
    let comments = block.get(..=own)?.iter().map(|line| line.trim()).filter(|line| line.starts_with('#'));
    let comments: String = comments.map(|comment| format!("  {comment}\n")).collect();
    let kept = lines.iter().take(start).chain(lines.iter().skip(start + own + 1));
    Some((kept.map(|line| format!("{line}\n")).collect(), comments))
}

/// Returns the replacement for a var, as an item of a list.
pub(super) fn replacement(var: &Node, found: &[Occurrence]) -> String {
    let text = |path: &[&str]| var.find(path).and_then(Node::as_str).unwrap_or_default().to_owned();
    let mut source = json!({ "kind": text(&["objref", "kind"]), "name": text(&["objref", "name"]) });
    let path = text(&["fieldref", "fieldPath"]);
    let path = if path.is_empty() { "metadata.name".to_owned() } else { path };
    let namespace = text(&["objref", "namespace"]);
    if let Value::Object(source) = &mut source {
        // Paths of vars may have indexes in brackets, and replacements have them between dots.
        source.insert("fieldPath".to_owned(), path.replace('[', ".").replace(']', "").into());
        if !namespace.is_empty() {
            source.insert("namespace".to_owned(), namespace.into());
        }
    }
    let targets: Vec<Value> = found.iter().map(target).collect();
    let item = json!([{ "source": source, "targets": targets }]);
    let item = write(&Node::from_value(&item, Origin::default())).unwrap_or_default();
    item.lines().map(|line| format!("  {line}\n")).collect()
}

fn target(occurrence: &Occurrence) -> Value {
    let [kind, name, namespace] = &occurrence.object;
    let mut target = json!({ "select": { "kind": kind, "name": name }, "fieldPaths": [occurrence.path] });
    if !namespace.is_empty() {
        target["select"]["namespace"] = namespace.as_str().into();
    }
    if let Some((separator, index)) = occurrence.part {
        target["options"] = json!({ "delimiter": separator.to_string(), "index": index });
    }
    target
}

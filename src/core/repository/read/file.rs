//! Parses one YAML or JSON file into documents, as kubectl does.

use serde_json::Value;
use tidegate_kustomize::yaml::{self, Content, Error, Input, MAX_BYTES, Node, NodeBudget, Origin, SourceId};

/// Parses the documents of a file, without empty ones; returns each as a tree and as plain data.
///
/// # Errors
/// [`Error`] if any part of the file is not YAML, or the file or its revision exceeds a limit: half a file is no basis for decisions.
pub(crate) fn documents(source: SourceId, bytes: &[u8], budget: &NodeBudget) -> Result<Vec<(Node, Value)>, Error> {
    let documents = yaml::manifests(Input::of_file(source, bytes).within(budget))?;
    // Trees share the text of aliases, and objects do not.
    if documents.iter().map(text_bytes).sum::<usize>() > MAX_BYTES {
        let message = "the aliases expand beyond the limit; write out the values";
        return Err(Origin::new(source, 1, 1).error(message));
    }
    documents.into_iter().map(|document| document.to_value().map(|value| (document, value))).collect()
}

/// Returns the length of all scalars of a tree.
fn text_bytes(node: &Node) -> usize {
    match &node.content {
        Content::Scalar(scalar) => scalar.text().len(),
        Content::Sequence(items) => items.iter().map(text_bytes).sum(),
        Content::Mapping(entries) => {
            entries.iter().map(|entry| entry.key().text.len() + text_bytes(&entry.value)).sum()
        }
    }
}

//! Parses one YAML or JSON file into documents, as kubectl does.

use super::node::{Mark, Node, node};
use tidegate_kustomize::yaml::{self, Fault, Input, MAX_BYTES, Origin, Schema};

/// The reason why a file could not be read.
#[derive(Debug)]
pub(super) struct Unreadable {
    pub(super) mark: Mark,
    pub(super) message: String,
}

/// Parses the documents of a file, without empty ones.
///
/// # Errors
/// [`Unreadable`] if any part of the file is not YAML, or the file exceeds a limit: half a file is no basis for decisions.
pub(super) fn documents(bytes: &[u8]) -> Result<Vec<Node>, Unreadable> {
    let unreadable = |fault: Fault| Unreadable { mark: mark(fault.origin), message: fault.message };
    let documents = yaml::manifests(Input::of_file(yaml::SourceId::default(), bytes)).map_err(unreadable)?;
    // Trees share the text of aliases, and objects do not.
    if documents.iter().map(text_bytes).sum::<usize>() > MAX_BYTES {
        let message = "the aliases expand beyond the limit; write out the values".to_owned();
        return Err(Unreadable { mark: Mark::START, message });
    }
    let node = |document| node(document, Schema::Kustomization, Mark::START, &mut |origin, _| mark(origin));
    documents.iter().map(node).collect::<Result<_, _>>().map_err(unreadable)
}

/// Returns the length of all scalars of a tree.
fn text_bytes(node: &yaml::Node) -> usize {
    match &node.content {
        yaml::Content::Scalar(scalar) => scalar.text().len(),
        yaml::Content::Sequence(items) => items.iter().map(text_bytes).sum(),
        yaml::Content::Mapping(entries) => {
            entries.iter().map(|entry| entry.key().text.len() + text_bytes(&entry.value)).sum()
        }
    }
}

fn mark(origin: Origin) -> Mark {
    Mark { line: origin.line.max(1), column: origin.column.max(1), file: 0 }
}

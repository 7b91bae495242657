//! Parses files into trees.

use super::composer::{Composer, FileState};
use super::documents::documents as split;
use super::input::Input;
use super::json_escapes;
use crate::yaml::origin::{Error, Origin};
use crate::yaml::scalar::resolve::Schema;
use crate::yaml::tree::{Interner, Node};
use tidegate_model::diagnostic::Diagnostic;

/// Parses the objects of a resource file or of a patch: all documents that are not empty.
///
/// # Errors
/// [`Error`] if the file is not valid YAML, a key is not a string, a key is duplicate in a mapping, or a limit is exceeded.
pub fn resources(input: Input<'_>) -> Result<Vec<Node>, Error> {
    resources_with(input, &mut Interner::default())
}

/// Like [`resources`], with strings that are shared with other files.
///
/// # Errors
/// As [`resources`].
pub fn resources_with(input: Input<'_>, interner: &mut Interner) -> Result<Vec<Node>, Error> {
    let text = input.text()?;
    let file = FileState::new(input, Schema::Resource, interner);
    Ok(documents(&text, file)?.into_iter().filter(|node| !node.is_empty()).collect())
}

/// Parses the objects of a plain manifest as kubectl does: all documents that are not null. Words such as `yes` are booleans.
/// Unlike kubectl, it rejects duplicate keys. Files that start
/// with a brace are JSON, and may contain its escapes.
///
/// # Errors
/// [`Error`] if the file is not valid YAML, a key is duplicate in a mapping, or a limit is exceeded.
///
/// # Source
/// `sigs.k8s.io/yaml` v1.5, `k8s.io/apimachinery` pkg/util/yaml.
pub fn manifests(input: Input<'_>) -> Result<Vec<Node>, Error> {
    let text = json_escapes::replaced(input.text()?);
    let mut interner = Interner::default();
    let mut file = FileState::new(input, Schema::Kustomization, &mut interner);
    file.allows_duplicates = false;
    Ok(documents(&text, file)?.into_iter().filter(|node| !node.is_null()).collect())
}

fn documents(text: &str, mut file: FileState<'_>) -> Result<Vec<Node>, Error> {
    let chunks = split(text).map_err(|bad| {
        let message = "the line starts with --- and continues with something else; move that to the next line";
        file.input.origin(bad.line, 0).error(message)
    })?;
    let mut nodes = Vec::new();
    for chunk in chunks {
        let mut composer = Composer::new(chunk.text, chunk.line, &mut file);
        nodes.extend(composer.document()?);
        composer.end()?;
    }
    Ok(nodes)
}

/// Parses a kustomization file, or a text that is parsed like one, such as a JSON patch. Returns the first document; `None` if
/// the text contains no document. The last of duplicate keys wins; words such as `yes` are booleans, and scalars keep their style.
///
/// # Errors
/// [`Error`] if the document is not valid YAML, or a limit is exceeded.
pub fn kustomization(input: Input<'_>) -> Result<Option<Node>, Error> {
    kustomization_with(input, &mut Vec::new())
}

/// Parses a kustomization file as [`kustomization`] does, and adds warnings for legal but doubtful content: duplicate keys, and a
/// second document, which is ignored.
///
/// # Errors
/// As [`kustomization`].
pub fn kustomization_with(input: Input<'_>, warnings: &mut Vec<Diagnostic<Origin>>) -> Result<Option<Node>, Error> {
    let text = input.text()?;
    let mut interner = Interner::default();
    let mut file = FileState::new(input, Schema::Kustomization, &mut interner);
    let mut composer = Composer::new(&text, 0, &mut file);
    let node = composer.document()?;
    if node.is_some()
        && let Some(second) = composer.another()
    {
        file.warnings.push(second);
    }
    warnings.append(&mut file.warnings);
    Ok(node)
}

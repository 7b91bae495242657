//! Reading files into trees.

use super::compose::{Composer, Shared};
use super::fault::Fault;
use super::input::Input;
use super::node::Node;
use super::resolve::Schema;
use super::split;
use super::texts::Texts;

/// CRDs, the deepest manifests in use, nest about 40 levels. Each level costs stack here and in what goes through the trees.
pub const MAX_DEPTH: usize = 64;
/// Nodes that the anchors and aliases of a file may make: far above what people write, and little memory.
pub const MAX_ALIASED: usize = 100_000;

/// Reads the objects of a resource file or of a patch: all documents but those that hold nothing.
///
/// # Errors
/// [`Fault`] if anything in it is no YAML, no key is text, a key stands twice in one mapping, or a limit is passed.
pub fn resources(input: Input<'_>) -> Result<Vec<Node>, Fault> {
    resources_with(input, &mut Texts::default())
}

/// Reads objects as [`resources`] does, with texts that other files have, too.
///
/// # Errors
/// As [`resources`].
pub fn resources_with(input: Input<'_>, texts: &mut Texts) -> Result<Vec<Node>, Fault> {
    let text = input.text()?;
    let chunks = split::documents(&text).map_err(|bad| {
        let message = "the line begins with --- and goes on with something else; put that on the next line";
        Fault::new(input.origin(bad.line, 0), message)
    })?;
    let mut shared = Shared::new(input, Schema::Resource, texts);
    let mut nodes = Vec::new();
    for chunk in chunks {
        let node = Composer::new(chunk.text, chunk.line, &mut shared).document()?;
        nodes.extend(node.filter(|node| !node.is_empty()));
    }
    Ok(nodes)
}

/// Reads a kustomization file, or anything else that is read as one, such as the text of a JSON patch: the first document; `None`
/// if there is none. Keys may stand twice, and the last one counts; words such as `yes` are booleans, and scalars keep their style.
///
/// # Errors
/// [`Fault`] if the document is no YAML, or a limit is passed.
pub fn kustomization(input: Input<'_>) -> Result<Option<Node>, Fault> {
    kustomization_with(input, &mut Vec::new())
}

/// Reads a kustomization file as [`kustomization`] does, and notes what is legal and doubtful: keys that stand twice, and a second
/// document, which is ignored.
///
/// # Errors
/// As [`kustomization`].
pub fn kustomization_with(input: Input<'_>, doubts: &mut Vec<Fault>) -> Result<Option<Node>, Fault> {
    let text = input.text()?;
    let mut texts = Texts::default();
    let mut shared = Shared::new(input, Schema::Kustomization, &mut texts);
    let mut composer = Composer::new(&text, 0, &mut shared);
    let node = composer.document()?;
    if node.is_some()
        && let Some(second) = composer.another()
    {
        shared.doubts.push(second);
    }
    doubts.append(&mut shared.doubts);
    Ok(node)
}

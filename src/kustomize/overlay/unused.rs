//! Finds files in the directories of a rendering that nothing uses.

use std::collections::{BTreeMap, BTreeSet};

use super::bases::kustomizations;
use crate::vendor::DIRECTORY;
use crate::vendor::path::{is_within, parent};
use crate::yaml;
use crate::yaml::{Input, SourceId};
use tidegate_model::diagnostic::{Diagnostic, Place};
use tidegate_model::tree::Tree;

/// Files with more bytes are not examined.
const MAX_LOOKED_INTO: usize = 256 << 10;

/// Returns a warning for each YAML file in a directory of the rendering that was not read.
///
/// The directories are those of the kustomizations and of the files that they use. A directory whose own kustomization was not read
/// belongs to another overlay. Hidden files belong to other programs, and vendored files to their repository.
pub(crate) fn unused(tree: &Tree, read: &BTreeSet<String>) -> Vec<Diagnostic> {
    let mut directories: BTreeMap<&str, bool> = BTreeMap::new();
    for file in read.iter().filter(|path| tree.files.contains_key(*path) && !is_within(path, DIRECTORY)) {
        directories.entry(parent(file)).or_insert(true);
    }
    for (directory, is_ours) in &mut directories {
        let mut own = kustomizations(directory).into_iter();
        *is_ours = !own.any(|path| tree.files.contains_key(&path) && !read.contains(&path));
    }
    let is_unused = |path: &&String| {
        let name = path.rsplit('/').next().unwrap_or(path);
        (name.ends_with(".yaml") || name.ends_with(".yml"))
            && !name.starts_with('.')
            && !read.contains(*path)
            && directories.get(parent(path)) == Some(&true)
            && tree.files.get(*path).is_some_and(|bytes| may_be_used(bytes))
    };
    let message = "nothing in this overlay uses this file; list it in the kustomization.yaml, or remove it";
    let complaint = |path: &String| Diagnostic::warning(Place::start_of(path), message);
    tree.files.keys().filter(is_unused).map(complaint).collect()
}

/// Returns `true` if a file may be meant for a kustomization: it holds objects or patches, or that cannot be determined. The values
/// file of a Helm chart, for example, is not.
fn may_be_used(bytes: &[u8]) -> bool {
    if bytes.len() > MAX_LOOKED_INTO {
        return true;
    }
    let node = yaml::kustomization(Input::of_file(SourceId::default(), bytes));
    node.map_or(true, |node| node.is_some_and(|node| node.as_mapping().is_none() || node.get("kind").is_some()))
}

//! The example repository.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use tidegate_model::tree::Tree;

fn walk(root: &Path, directory: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(root, &path, found);
        } else {
            found.insert(path.strip_prefix(root).unwrap().to_string_lossy().into_owned());
        }
    }
}

/// The example repository as a tree.
pub(crate) fn tree() -> Tree {
    let mut found = BTreeSet::new();
    let root = crate::root::path("examples-repo");
    walk(&root, &root, &mut found);
    let read = |path: String| {
        let bytes = fs::read(root.join(&path)).unwrap();
        (path, bytes)
    };
    Tree { files: found.into_iter().map(read).collect(), ..Tree::default() }
}

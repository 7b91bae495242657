//! Merges of trees, file by file.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::Tree;

/// The result of a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merge {
    /// The merged tree.
    pub tree: Tree,
    /// The paths that both sides changed in different ways. The tree has the version of the branch that is merged.
    pub conflicts: BTreeSet<String>,
}

/// Merges the tree of a branch into that of another one. `base` is the tree from which both started.
///
/// A file that only one side changed is taken from that side. Git also merges two changes of one file; here, that is a conflict.
pub fn merge(base: &Tree, into: &Tree, branch: &Tree) -> Merge {
    let mut conflicts = BTreeSet::new();
    let tree = Tree {
        files: merged(&base.files, &into.files, &branch.files, &mut conflicts),
        skipped: merged(&base.skipped, &into.skipped, &branch.skipped, &mut conflicts),
        links: merged(&base.links, &into.links, &branch.links, &mut conflicts),
        is_cut: base.is_cut || into.is_cut || branch.is_cut,
    };
    Merge { tree, conflicts }
}

fn merged<V: Clone + PartialEq>(
    base: &BTreeMap<String, V>,
    into: &BTreeMap<String, V>,
    branch: &BTreeMap<String, V>,
    conflicts: &mut BTreeSet<String>,
) -> BTreeMap<String, V> {
    let mut merged = into.clone();
    let paths: BTreeSet<&String> = base.keys().chain(branch.keys()).collect();
    for path in paths {
        let (old, ours, theirs) = (base.get(path), into.get(path), branch.get(path));
        if theirs == old || ours == theirs {
            continue;
        }
        if ours != old {
            conflicts.insert(path.clone());
        }
        match theirs {
            Some(value) => merged.insert(path.clone(), value.clone()),
            None => merged.remove(path),
        };
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> Tree {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
        Tree { files, ..Tree::default() }
    }

    #[test]
    fn each_file_is_taken_from_the_side_that_changed_it() {
        let base =
            tree(&[("same", "1"), ("ours", "1"), ("theirs", "1"), ("removed", "1"), ("kept", "1"), ("both", "1")]);
        let into =
            tree(&[("same", "1"), ("ours", "2"), ("theirs", "1"), ("removed", "1"), ("both", "2"), ("new", "1")]);
        let branch =
            tree(&[("same", "1"), ("ours", "1"), ("theirs", "3"), ("kept", "1"), ("both", "3"), ("added", "3")]);
        let merge = merge(&base, &into, &branch);
        let expected =
            tree(&[("same", "1"), ("ours", "2"), ("theirs", "3"), ("both", "3"), ("new", "1"), ("added", "3")]);
        assert_eq!(merge.tree, expected);
        assert_eq!(merge.conflicts, ["both".to_owned()].into());
    }

    #[test]
    fn the_same_change_on_both_sides_is_no_conflict() {
        let merge = merge(&tree(&[("a", "1"), ("b", "1")]), &tree(&[("a", "2")]), &tree(&[("a", "2")]));
        assert_eq!((merge.tree, merge.conflicts), (tree(&[("a", "2")]), BTreeSet::new()));
    }
}

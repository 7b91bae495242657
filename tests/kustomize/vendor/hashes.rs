//! The hash of vendored files.

use tidegate_kustomize::vendor::hash;

use super::tree;

#[test]
fn every_path_and_byte_changes_the_hash() {
    let base = || tree(&[("v/a", "1"), ("v/b/c", "2"), ("v-2/x", "not hashed"), ("other", "not hashed")]);
    let of = |tree: &tidegate_model::tree::Tree| hash(tree, "v").unwrap();
    let original = of(&base());
    let mut trees = Vec::new();
    for change in [
        |tree: &mut tidegate_model::tree::Tree| drop(tree.files.insert("v/a".into(), b"2".to_vec())),
        |tree: &mut tidegate_model::tree::Tree| drop(tree.files.insert("v/d".into(), Vec::new())),
        |tree: &mut tidegate_model::tree::Tree| drop(tree.files.remove("v/a")),
        |tree: &mut tidegate_model::tree::Tree| {
            let bytes = tree.files.remove("v/b/c").unwrap();
            tree.files.insert("v/bc".into(), bytes);
        },
        |tree: &mut tidegate_model::tree::Tree| {
            tree.files.remove("v/a");
            tree.links.insert("v/a".into(), "1".into());
        },
    ] {
        let mut changed = base();
        change(&mut changed);
        trees.push(of(&changed));
    }
    assert!(!trees.contains(&original));
    let mut elsewhere = base();
    elsewhere.files.insert("v-2/x".into(), Vec::new());
    assert_eq!(of(&elsewhere), original);
}

#[test]
fn the_hash_does_not_depend_on_the_directory() {
    let files = tree(&[("v/a", "1"), ("w/x/a", "1"), ("w/x/b", "")]);
    assert_eq!(hash(&files, "v"), hash(&tree(&[("a", "1")]), ""));
    assert_ne!(hash(&files, "v"), hash(&files, "w/x"));
}

#[test]
fn a_directory_that_was_not_read_completely_has_no_hash() {
    for skipped in ["v/big", "v", "v/sub/module"] {
        let mut files = tree(&[("v/a", "1")]);
        files.skipped.insert(skipped.to_owned(), "it is too large".to_owned());
        assert_eq!(hash(&files, "v").unwrap_err().to_string(), format!("{skipped} is not read: it is too large"));
    }
    let mut files = tree(&[("v/a", "1")]);
    files.skipped.insert("vendor-2".to_owned(), "it is too large".to_owned());
    assert!(hash(&files, "v").is_ok());
}

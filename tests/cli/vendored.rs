//! What is vendored, as users see it: rendering, validation and blame.

use std::fs;
use std::path::Path;

use tidegate_kustomize::vendor::{Entry, LOCK_FILE, Lock, VendoredDirectory, What, hash};
use tidegate_model::diagnostic::Place;
use tidegate_model::tree::Tree;

use super::{code, plain_kinds, text, tidegate};

use crate::scratch::tempdir;

const DIRECTORY: &str = "vendor/github.com/acme/config/base@v1";
const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: fleet}\ndata: {size: small}\n";

/// Writes an overlay with a vendored base.
fn example(root: &Path) {
    let source = "https://github.com/acme/config//base?ref=v1";
    let mut tree = Tree::default();
    let mut put = |path: &str, content: &str| drop(tree.files.insert(path.to_owned(), content.as_bytes().to_vec()));
    put("prod/kustomization.yaml", &format!("resources:\n- {source}\n"));
    put(&format!("{DIRECTORY}/base/kustomization.yaml"), "resources: [map.yaml]\n");
    put(&format!("{DIRECTORY}/base/map.yaml"), MAP);
    let what = What::Git(VendoredDirectory {
        source: source.to_owned(),
        repository: "https://github.com/acme/config".to_owned(),
        reference: Some("v1".to_owned()),
        commit: "0123456789012345678901234567890123456789".to_owned(),
        path: "base".to_owned(),
    });
    let files = hash(&tree, DIRECTORY).unwrap();
    let entry = Entry { directory: DIRECTORY.to_owned(), what, files, place: Place::default() };
    tree.files.insert(LOCK_FILE.to_owned(), Lock { entries: vec![entry], ..Lock::default() }.write().into_bytes());
    for (path, bytes) in tree.files {
        fs::create_dir_all(root.join(&path).parent().unwrap()).unwrap();
        fs::write(root.join(&path), bytes).unwrap();
    }
}

fn reported(arguments: &[&str]) -> (i32, String) {
    let output = tidegate(arguments);
    (code(&output), format!("{}{}", text(&output.stdout), text(&output.stderr)))
}

#[test]
fn a_vendored_base_is_rendered_and_checked() {
    let directory = tempdir();
    example(directory.path());
    let prod = directory.path().join("prod").to_str().unwrap().to_owned();
    let operator = plain_kinds(directory.path());
    // The lock is at the root, although no Git repository is around it.
    let (ended, said) = reported(&["render", &prod]);
    assert_eq!((ended, said.contains("size: small")), (0, true), "{said}");
    let (ended, said) = reported(&["validate", &prod, "--config", &operator]);
    assert_eq!(ended, 0, "{said}");
    fs::write(directory.path().join(DIRECTORY).join("base/map.yaml"), MAP.replace("small", "large")).unwrap();
    let (ended, said) = reported(&["render", &prod]);
    assert_ne!(ended, 0);
    assert!(said.contains("was changed after it was vendored"), "{said}");
    let (ended, said) = reported(&["validate", &prod, "--config", &operator]);
    assert_eq!(ended, 1);
    assert!(said.contains("was changed after it was vendored"), "{said}");
}

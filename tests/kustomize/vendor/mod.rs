//! Tests of vendored sources.

mod charts;
mod directories;
mod hashes;
mod lock;
mod needs;
mod remote;

use tidegate_kustomize::vendor::{Entry, Lock, VendoredChart, VendoredDirectory, VendoredFile, What, hash};
use tidegate_model::diagnostic::Place;
use tidegate_model::digest::Digest;
use tidegate_model::tree::Tree;

/// Creates a tree from files.
pub(crate) fn tree(files: &[(&str, &str)]) -> Tree {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
    Tree { files: files.collect(), ..Tree::default() }
}

/// The content of an entry for a directory of a repository on example.com.
pub(crate) fn git(source: &str, repository: &str, reference: &str, path: &str) -> What {
    What::Git(VendoredDirectory {
        source: source.to_owned(),
        repository: repository.to_owned(),
        reference: Some(reference.to_owned()).filter(|reference| !reference.is_empty()),
        commit: "0123456789abcdef0123456789abcdef01234567".to_owned(),
        path: path.to_owned(),
    })
}

/// The content of an entry for a file.
pub(crate) fn file(source: &str, name: &str) -> What {
    What::File(VendoredFile { source: source.to_owned(), name: name.to_owned() })
}

/// The content of an entry for a chart that a kustomization at the root declares without options.
pub(crate) fn chart(name: &str, repository: &str, values: Digest) -> What {
    What::Chart(VendoredChart {
        used_by: "kustomization.yaml".to_owned(),
        name: name.to_owned(),
        release: "release-name".to_owned(),
        namespace: None,
        repository: repository.to_owned(),
        request: None,
        version: "1.2.3".to_owned(),
        digest: Digest::of(b"archive"),
        values,
        helm: "v4.1.4".to_owned(),
    })
}

/// Adds a lock with entries for directories of the tree, with the hashes that they have.
pub(crate) fn locked(mut tree: Tree, entries: &[(&str, What)]) -> Tree {
    let entry = |(directory, what): &(&str, What)| Entry {
        directory: (*directory).to_owned(),
        what: what.clone(),
        files: hash(&tree, directory).unwrap(),
        place: Place::default(),
    };
    let mut lock = Lock { entries: entries.iter().map(entry).collect(), ..Lock::default() };
    lock.entries.sort_by(|a, b| a.directory.cmp(&b.directory));
    tree.files.insert("vendor.lock".to_owned(), lock.write().into_bytes());
    tree
}

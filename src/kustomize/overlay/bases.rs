//! Finds overlays and their bases without rendering them.

use std::collections::{BTreeMap, BTreeSet};

use crate::vendor::DIRECTORY;
pub use crate::vendor::names::{is_kustomization, kustomizations};
use crate::vendor::path::{is_within, join, parent};
use crate::yaml;
use crate::yaml::{Input, Node, SourceId};
use tidegate_model::tree::Tree;

/// The fields that name directories.
const BASES: [&str; 3] = ["resources", "components", "bases"];

/// Returns `true` if a directory has a kustomization file, even one that was not read. `.` and the empty path mean the root.
pub fn is_overlay(tree: &Tree, directory: &str) -> bool {
    let directory = tree.follow(directory, &mut Vec::new()).unwrap_or_else(|_| directory.to_owned());
    kustomizations(&directory).iter().any(|file| tree.files.contains_key(file) || tree.skipped.contains_key(file))
}

/// Returns the directories of the overlays that no other overlay uses; the root is `.`. Of a cycle that nothing else uses, only the
/// first overlay is returned. Vendored directories are not overlays of their own.
pub fn overlays(tree: &Tree) -> Vec<String> {
    let linked =
        tree.links.keys().filter_map(|link| Some((link, tree.files.get(&tree.follow(link, &mut Vec::new()).ok()?)?)));
    let files =
        tree.files.iter().chain(linked).filter(|(file, _)| is_kustomization(file) && !is_within(file, DIRECTORY));
    let below = |(file, bytes): (&String, &Vec<u8>)| {
        let directory = parent(file);
        (
            directory.to_owned(),
            bases(bytes)
                .iter()
                .filter_map(|path| tree.follow(&join(directory, path)?, &mut Vec::new()).ok())
                .collect::<Vec<_>>(),
        )
    };
    let all: BTreeMap<String, Vec<String>> = files.map(below).collect();
    let named: BTreeSet<&String> = all.values().flatten().collect();
    let (below, tops): (Vec<&String>, Vec<&String>) = all.keys().partition(|overlay| named.contains(overlay));
    let mut reached = BTreeSet::new();
    let mut overlays = BTreeSet::new();
    for top in tops.into_iter().chain(below) {
        if !reached.contains(top) {
            overlays.insert(if top.is_empty() { "." } else { top }.to_owned());
        }
        let mut next = vec![top];
        while let Some(overlay) = next.pop().filter(|overlay| reached.insert(*overlay)) {
            next.extend(all.get(overlay).into_iter().flatten());
        }
    }
    overlays.into_iter().collect()
}

/// Returns the entries of `resources`, `components` and `bases` as they are written: directories, but also files. Anything
/// malformed is skipped; rendering reports it.
pub fn bases(kustomization: &[u8]) -> Vec<String> {
    let Ok(Some(node)) = yaml::kustomization(Input::of_file(SourceId::default(), kustomization)) else {
        return Vec::new();
    };
    let entries = node.as_mapping().into_iter().flat_map(yaml::Mapping::iter);
    let named = entries.filter(|entry| BASES.iter().any(|field| field.eq_ignore_ascii_case(&entry.key().text)));
    let items = named.filter_map(|entry| entry.value.as_sequence()).flatten();
    items.filter_map(Node::as_str).map(str::to_owned).collect()
}

/// Returns `true` if a change to a file may change what was rendered from these files and directories. If no kustomization was
/// looked for in a directory, the directory did not exist; any file in it creates it, so that counts as a change. So does any file below a
/// path that ends with `/`: all of that directory was hashed.
pub fn may_change(read: &BTreeSet<String>, file: &str) -> bool {
    let was_missing =
        |directory: &str| read.contains(directory) && !kustomizations(directory).iter().any(|file| read.contains(file));
    let above = || file.match_indices('/').map(|(at, _)| at);
    read.contains(file)
        || above().filter_map(|at| file.get(..at)).any(was_missing)
        || above().filter_map(|at| file.get(..=at)).any(|directory| read.contains(directory))
}

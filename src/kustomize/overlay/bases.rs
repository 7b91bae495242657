//! Which directories are overlays, and what each stands on, without rendering one.

use std::collections::{BTreeMap, BTreeSet};

use super::path::{join, parent};
use crate::yaml::{self, Input, Node, SourceId};
use tidegate_model::tree::Tree;

/// The names that a kustomization file may have.
const NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// The fields that name directories.
const BASES: [&str; 3] = ["resources", "components", "bases"];

/// Returns the paths that the kustomization of a directory may have; `.` and the empty path are the root.
pub fn kustomizations(directory: &str) -> [String; 3] {
    NAMES.map(|name| match directory {
        "" | "." => name.to_owned(),
        directory => format!("{directory}/{name}"),
    })
}

/// Returns `true` if a file is a kustomization.
pub fn is_kustomization(file: &str) -> bool {
    NAMES.contains(&file.rsplit('/').next().unwrap_or(file))
}

/// Returns `true` if a directory is an overlay, rather than one of plain objects; `.` and the empty path are the root.
pub fn is_overlay(tree: &Tree, directory: &str) -> bool {
    let directory = tree.follow(directory, &mut Vec::new()).unwrap_or_else(|_| directory.to_owned());
    kustomizations(&directory).iter().any(|file| tree.files.contains_key(file) || tree.skipped.contains_key(file))
}

/// Returns the overlays that no other one stands on, each by its directory; the root is `.`. Of overlays in a circle it is the first.
pub fn overlays(tree: &Tree) -> Vec<String> {
    let linked =
        tree.links.keys().filter_map(|link| Some((link, tree.files.get(&tree.follow(link, &mut Vec::new()).ok()?)?)));
    let files = tree.files.iter().chain(linked).filter(|(file, _)| is_kustomization(file));
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

/// Returns the paths, as they are written, of what a kustomization stands on: directories, and files among them. What is wrong with
/// it is told where it is rendered.
pub fn bases(kustomization: &[u8]) -> Vec<String> {
    let Ok(Some(node)) = yaml::kustomization(Input::of_file(SourceId::default(), kustomization)) else {
        return Vec::new();
    };
    let members = node.as_mapping().into_iter().flat_map(yaml::Mapping::iter);
    let named = members.filter(|member| BASES.iter().any(|field| field.eq_ignore_ascii_case(&member.key().text)));
    let items = named.filter_map(|member| member.value.as_sequence()).flatten();
    items.filter_map(Node::as_str).map(str::to_owned).collect()
}

/// Returns `true` if what was rendered from these files and directories may be another thing after a file has changed. A directory of which
/// no kustomization was looked for was not there, and any file in it makes it be.
pub fn may_change(read: &BTreeSet<String>, file: &str) -> bool {
    let was_missing =
        |directory: &str| read.contains(directory) && !kustomizations(directory).iter().any(|file| read.contains(file));
    read.contains(file) || file.match_indices('/').filter_map(|(at, _)| file.get(..at)).any(was_missing)
}

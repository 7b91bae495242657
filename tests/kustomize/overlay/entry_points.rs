//! Entry points for arbitrary bytes, used by property tests and by those in `tests/fuzz`. None of them may panic or hang.

use std::sync::Arc;

use tidegate_kustomize::overlay::patch::{self, Head, PatchEntry};
use tidegate_kustomize::overlay::{self, Options, Resource, Selector};
use tidegate_kustomize::yaml::{self, Input, Origin, Provenance, SourceId};
use tidegate_model::tree::Tree;

/// Separates the parts of an input.
const SEPARATOR: &[u8] = b"\n====\n";

/// Reads bytes as a kustomization and as resources, and writes the resources.
pub(crate) fn yaml(bytes: &[u8]) {
    let input = Input::of_file(SourceId::default(), bytes);
    let _kustomization = yaml::kustomization(input);
    for mut node in yaml::resources(input).unwrap_or_default() {
        if yaml::normalize(&mut node).is_ok() {
            yaml::write(&node).unwrap();
        }
    }
}

/// Renders an overlay of up to three files: its kustomization, its resources, and the kustomization of a base.
pub(crate) fn overlay(bytes: &[u8]) {
    let names = ["kustomization.yaml", "a.yaml", "base/kustomization.yaml"];
    let files = names.into_iter().zip(parts(bytes)).map(|(name, part)| (name.to_owned(), part.to_vec()));
    let tree = Tree { files: files.collect(), ..Tree::default() };
    let rendered = overlay::render_with(&tree, ".", &Options { ocm_references: true, ..Options::default() });
    if !rendered.is_failed() {
        rendered.to_yaml().unwrap();
    }
}

/// Applies a patch to objects. The parts are the objects, the patch, and the target if there is one.
pub(crate) fn patch(bytes: &[u8]) {
    let mut parts = parts(bytes).into_iter();
    let mut provenance = Provenance::default();
    let source = provenance.add_source("a.yaml");
    let mut input = || Input::of_file(source, parts.next().unwrap_or_default());
    let objects = yaml::resources(input()).unwrap_or_default();
    let (text, target) = (input(), input());
    let mut resources: Vec<Resource> = objects.into_iter().map(Resource::new).collect();
    let target = yaml::kustomization(target).ok().flatten().and_then(|node| Selector::read(&node).ok());
    let head = Head { field: Arc::from("patches[0]"), origin: Origin::new(source, 1, 1) };
    let Ok(entry) = PatchEntry::new(head, text, target, patch::Options::default()) else { return };
    if patch::apply(&mut resources, &[entry], &mut provenance).is_err() {
        return;
    }
    for mut resource in resources {
        if yaml::normalize(&mut resource.node).is_ok() {
            yaml::write(&resource.node).unwrap();
        }
    }
}

fn parts(bytes: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(SEPARATOR.len()).position(|window| window == SEPARATOR) {
        let (part, behind) = rest.split_at(at);
        parts.push(part);
        rest = &behind[SEPARATOR.len()..];
    }
    parts.push(rest);
    parts
}

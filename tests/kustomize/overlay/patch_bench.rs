//! A bench for testing patches.

use std::sync::Arc;

use tidegate_kustomize::overlay::patch::{self, Head, Options, PatchEntry};
use tidegate_kustomize::overlay::{Resource, Selector};
use tidegate_kustomize::yaml::{self, Error, Input, Node, Origin, Provenance};
use tidegate_model::diagnostic::Diagnostic;

/// The objects that patches are applied to.
pub(super) struct Bench {
    pub(super) provenance: Provenance,
    pub(super) resources: Vec<Resource>,
}

impl Bench {
    pub(super) fn new(text: &str) -> Self {
        let mut provenance = Provenance::default();
        let source = provenance.add_source("base.yaml");
        let nodes = yaml::resources(Input::of_file(source, text.as_bytes())).unwrap();
        Self { provenance, resources: nodes.into_iter().map(Resource::new).collect() }
    }

    pub(super) fn entry(&mut self, target: Option<&str>, text: &str, options: Options) -> Result<PatchEntry, Error> {
        let source = self.provenance.add_source("patch.yaml");
        let head = Head { field: Arc::from("patches[0]"), origin: Origin::new(source, 1, 1) };
        let target = target.map(selector).transpose()?;
        PatchEntry::new(head, Input::of_file(source, text.as_bytes()), target, options)
    }

    pub(super) fn patch(&mut self, target: Option<&str>, text: &str) -> Result<Vec<Diagnostic<Origin>>, Error> {
        let entry = self.entry(target, text, Options::default())?;
        patch::apply(&mut self.resources, &[entry], &mut self.provenance)
    }

    pub(super) fn written(&self) -> String {
        let mut nodes: Vec<Node> = self.resources.iter().map(|resource| resource.node.clone()).collect();
        nodes.iter_mut().for_each(|node| yaml::normalize(node).unwrap());
        yaml::write_all(&nodes).unwrap()
    }
}

/// Reads a node as from a kustomization file.
pub(super) fn kustomization_node(text: &str) -> Node {
    let source = Provenance::default().add_source("kustomization.yaml");
    yaml::kustomization(Input::of_file(source, text.as_bytes())).unwrap().unwrap()
}

pub(super) fn selector(text: &str) -> Result<Selector, Error> {
    Selector::read(&kustomization_node(text))
}

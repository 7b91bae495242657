//! The objects of a rendered overlay.

use std::sync::Arc;

use super::object::{Object, Sorter};
use crate::complaint::{Complaint, Rule};
use tidegate_kustomize::overlay::RenderedObject;
use tidegate_kustomize::yaml::Provenance;

/// Returns the Kubernetes objects among rendered ones.
pub(crate) fn objects(
    rendered: Vec<RenderedObject>,
    provenance: &Arc<Provenance>,
    complaints: &mut Vec<Complaint>,
) -> Vec<Object> {
    let mut objects = Vec::new();
    for RenderedObject { node, .. } in rendered {
        match node.to_value() {
            Ok(value) => {
                let provenance = Arc::clone(provenance);
                let mut sorter = Sorter { provenance, is_rendered: true, objects: &mut objects, complaints };
                sorter.document(node, value);
            }
            Err(error) => complaints.push(Complaint::new(Rule::Overlay, provenance.resolve(error))),
        }
    }
    objects
}

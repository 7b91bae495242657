//! What an application renders for single clusters, because its definitions read `context.cluster`.

use std::collections::BTreeMap;

use super::{batches, component, ownership, rendered};
use crate::complaint::Complaint;
use crate::definition::Definitions;
use crate::read::notes::Notes;
use crate::read::object::Object;
use tidegate_model::plural::first_of;

/// Returns the first error in what a cluster gets of an application. The definitions are those for the cluster.
pub(crate) fn refusal(object: &Object, definitions: &Definitions) -> Option<Complaint> {
    let mut complaints = Vec::new();
    let notes = &mut Notes { object, complaints: &mut complaints };
    component::check(notes, definitions);
    batches::check(notes, definitions);
    rendered::check(notes, definitions);
    ownership::check(notes, definitions);
    complaints.into_iter().find(Complaint::is_error)
}

/// Adds a warning for each error in what the samples get: such a cluster keeps what it has, and the others are not affected.
pub(super) fn check(notes: &mut Notes<'_>, definitions: &Definitions) {
    if rendered::has_errors(notes) {
        return;
    }
    let object = notes.object;
    let mut found: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for sample in &definitions.samples {
        let refused = definitions.on_cluster(&sample.facts, || refusal(object, definitions));
        if let Some(complaint) = refused {
            found.entry(complaint.diagnostic.message).or_default().push(&sample.what);
        }
    }
    for (message, samples) in found {
        let samples = first_of(samples.into_iter(), 1);
        let consequence = "such a cluster keeps what it has";
        notes.warning(object.origin_of(&["spec"]), format!("for {samples}: {message}; {consequence}"));
    }
}

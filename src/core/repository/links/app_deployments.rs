//! AppDeployments and what they name: revisions, and clusters that the repository declares.

use std::collections::BTreeSet;

use super::used_revisions::{Used, application_key};
use crate::application::{MOST_ENTRIES, REVISION_ONLY, entries, is_app_deployment, revision_key};
use crate::assemble::index::Index;
use crate::complaint::{Complaint, Rule, mark_from};
use crate::links::declared_clusters;
use crate::read::notes::Notes;
use crate::read::object::Object;
use crate::read::unreadable::Unreadable;
use tidegate_model::near::nearest;
use tidegate_model::object::ObjectKey;

/// Adds the problems between AppDeployments and other objects. A missing revision may be in a file that could not be read.
pub(crate) fn check(
    objects: &[Object],
    index: &Index<'_>,
    unreadable: &Unreadable<'_>,
    complaints: &mut Vec<Complaint>,
) {
    let clusters = declared_clusters::of(index);
    for object in objects.iter().filter(|object| is_app_deployment(object)) {
        twin(object, index, complaints);
        let entries = entries(&object.value);
        if entries.len() > MOST_ENTRIES {
            // That is an error of its own.
            continue;
        }
        let mut found = Vec::new();
        let mut notes = Notes { object, complaints: &mut found };
        let used = Used::of(object, &entries, index);
        used.check(&mut notes, &entries);
        let mut missing = BTreeSet::new();
        for entry in &entries {
            let exists = index.by_key.contains_key(&revision_key(&object.key.namespace, &entry.revision));
            if !exists && missing.insert(&entry.at_revision) {
                let why = absent(&entry.revision, &object.key.namespace, index, unreadable);
                notes.error(object.value_origin(&entry.at_revision), why);
            }
            declared_clusters::check_labels(&mut notes, entry, &clusters);
        }
        declared_clusters::check_overlaps(&mut notes, &entries, &clusters);
        mark_from(&mut found, 0, Rule::Application);
        complaints.append(&mut found);
        used.rolled_out().into_values().for_each(|own| twice_delivered(object, own, complaints));
    }
}

/// Adds a complaint about an AppDeployment and an Application with the same name, at both: they would be one unit.
fn twin(object: &Object, index: &Index<'_>, complaints: &mut Vec<Complaint>) {
    let Some(twin) = index.by_key.get(&application_key(&object.key.namespace, &object.key.name)) else { return };
    for (object, other) in [(object, *twin), (*twin, object)] {
        let mut found = Vec::new();
        let message = format!("{} has the same name at {}; rename one of the two", other.key, other.place());
        Notes { object, complaints: &mut found }.error(object.origin_of(&["metadata", "name"]), message);
        mark_from(&mut found, 0, Rule::Reference);
        complaints.append(&mut found);
    }
}

/// Adds a complaint about an Application that is rolled out itself, and of which an AppDeployment delivers revisions. It is held, too: it would
/// start on clusters that the AppDeployment has.
fn twice_delivered(deployment: &Object, application: &Object, complaints: &mut Vec<Complaint>) {
    let mut found = Vec::new();
    let message = format!(
        "{} ({}) delivers revisions of this application, so both would deliver the same objects; write the annotation \
         {REVISION_ONLY}: \"true\" here, or remove the revisions there",
        deployment.key,
        deployment.place(),
    );
    let origin = application.origin_of(&["metadata", "name"]);
    Notes { object: application, complaints: &mut found }.error(origin, message);
    mark_from(&mut found, 0, Rule::Application);
    complaints.append(&mut found);
}

/// Returns the complaint about a revision that does not exist.
fn absent(name: &str, namespace: &str, index: &Index<'_>, unreadable: &Unreadable<'_>) -> String {
    if let Some(file) = unreadable.with(name) {
        return format!("revision {name:?} is not known, since {file} could not be read; fix that file first");
    }
    let from = revision_key(namespace, "");
    let known = index.by_key.range::<ObjectKey, _>(&from..).map(|(key, _)| *key);
    let known =
        known.take_while(|key| key.group == from.group && key.kind == from.kind && key.namespace == from.namespace);
    let known: Vec<&str> = known.map(|key| key.name.as_str()).collect();
    let shortened = || known.iter().copied().find(|known| is_shortened(name, known) || is_shortened(known, name));
    let remedy = match nearest(name, known.iter().copied()).or_else(shortened) {
        Some(near) => format!("did you mean {near:?}?"),
        None => "publish it with `tidegate app publish`, or restore its file".to_owned(),
    };
    format!("revision {name:?} does not exist; {remedy}")
}

/// Returns `true` if a name has the parts of another one in the same order, and not all of them.
fn is_shortened(short: &str, long: &str) -> bool {
    let mut parts = long.split('-');
    short.len() < long.len() && short.split('-').all(|part| parts.any(|other| other == part))
}

//! AppDeployments and what they name: revisions, and clusters that the repository declares.

use std::collections::{BTreeMap, BTreeSet};

use crate::application::{
    Entry, NoWorkload, REVISION_ONLY, Revision, entries, is_app_deployment, is_candidate, revision_key, unscalable,
};
use crate::assemble::index::Index;
use crate::complaint::{Complaint, Rule, mark_from};
use crate::links::declared_clusters;
use crate::read::notes::Notes;
use crate::read::object::Object;
use crate::read::unreadable::Unreadable;
use tidegate_api::key;
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
        let mut found = Vec::new();
        let mut notes = Notes { object, complaints: &mut found };
        let entries = entries(&object.value);
        let (mut missing, mut rolled_out) = (BTreeSet::new(), BTreeMap::new());
        for entry in &entries {
            match index.by_key.get(&revision_key(&object.key.namespace, &entry.revision)) {
                Some(published) => {
                    let own = of_entry(&mut notes, entry, published, index);
                    rolled_out.extend(own.map(|own| (&own.key, own)));
                }
                None if missing.insert(&entry.at_revision) => {
                    let why = absent(&entry.revision, &object.key.namespace, index, unreadable);
                    notes.error(object.value_origin(&entry.at_revision), why);
                }
                None => {}
            }
            declared_clusters::check_labels(&mut notes, entry, &clusters);
        }
        declared_clusters::check_overlaps(&mut notes, &entries, &clusters);
        mark_from(&mut found, 0, Rule::Application);
        complaints.append(&mut found);
        rolled_out.into_values().for_each(|own| twice_delivered(object, own, complaints));
        twin(object, index, complaints);
    }
}

/// Returns the revision of an entry; `None` if there is none, or it cannot be read.
pub(super) fn revision(deployment: &Object, entry: &Entry, index: &Index<'_>) -> Option<Revision> {
    let published = index.by_key.get(&revision_key(&deployment.key.namespace, &entry.revision))?;
    Revision::read(published).ok()
}

/// Returns the Application of a revision, if it is rolled out by itself as well.
pub(super) fn rolled_out_itself<'a>(revision: &Revision, index: &Index<'a>) -> Option<&'a Object> {
    let application = application_key(revision.application.namespace(), revision.application.name());
    index.by_key.get(&application).copied().filter(|own| !is_candidate(own))
}

fn application_key(namespace: &str, name: &str) -> ObjectKey {
    ObjectKey::new(key::APPLICATION_GROUP, "Application", namespace, name)
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

/// Adds the problems of an entry and its revision. Returns the Application of the revision, if it is rolled out by itself as well.
fn of_entry<'a>(notes: &mut Notes<'_>, entry: &Entry, published: &Object, index: &Index<'a>) -> Option<&'a Object> {
    let object = notes.object;
    let revision = Revision::read(published).ok()?;
    let name = &entry.revision;
    let own = rolled_out_itself(&revision, index);
    if let Some(own) = own {
        let message = format!(
            "revision {name:?} is of {}, which is rolled out itself ({}), so both would deliver the same objects; write the annotation \
             {REVISION_ONLY}: \"true\" there, or remove it",
            own.key,
            own.place(),
        );
        notes.error(object.value_origin(&entry.at_revision), message);
    }
    if revision.has_policies() {
        let message = format!("the policies of revision {name:?} have no effect here: the entry selects the clusters");
        notes.warning(object.value_origin(&entry.at_revision), message);
    }
    let replicas = entry.at.member("distribution").member("replicas");
    // A revision without objects has an error of its own.
    let Some(number) = entry.replicas.filter(|_| !revision.objects().is_empty()) else { return own };
    let origin = object.value_origin(&replicas);
    match unscalable(&revision.objects()) {
        Err(NoWorkload) => {
            let message = format!("{replicas} is {number}, but revision {name:?} has no workload; remove it");
            notes.error(origin, message);
        }
        Ok(found) => {
            for workload in found {
                let message = format!(
                    "{replicas} is {number}, but component {} of revision {name:?} is a {}, which has no spec.replicas; remove it, or move \
                     the component to another application",
                    workload.component, workload.kind
                );
                notes.error(origin, message);
            }
        }
    }
    own
}

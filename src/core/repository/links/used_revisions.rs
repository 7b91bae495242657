//! The revisions that an AppDeployment uses, and the entries that use them.

use std::collections::{BTreeMap, BTreeSet};

use crate::application::deployment::MOST_COMPONENTS;
use crate::application::{
    Entry, NoWorkload, REVISION_ONLY, Revision, Unscalable, is_candidate, revision_key, unscalable,
};
use crate::assemble::index::Index;
use crate::read::notes::Notes;
use crate::read::object::Object;
use tidegate_api::key;
use tidegate_model::object::ObjectKey;

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

/// Returns the key of an Application.
pub(super) fn application_key(namespace: &str, name: &str) -> ObjectKey {
    ObjectKey::new(key::APPLICATION_GROUP, "Application", namespace, name)
}

/// What entries need to know of their revisions, each of which is read and rendered once.
pub(super) struct Used<'a>(BTreeMap<String, Known<'a>>);

struct Known<'a> {
    /// Its Application, if that is rolled out by itself as well.
    own: Option<&'a Object>,
    has_policies: bool,
    components: usize,
    /// The components with a size of their own.
    sized: Vec<String>,
    /// Its workloads without a number of replicas; `None` for a revision without objects, which has an error of its own.
    unscalable: Option<Result<Vec<Unscalable>, NoWorkload>>,
}

impl<'a> Used<'a> {
    /// Reads the revisions of entries. Those that do not exist, or cannot be read, are left out.
    pub(super) fn of(deployment: &Object, entries: &[Entry], index: &Index<'a>) -> Self {
        let mut used = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for entry in entries.iter().filter(|entry| seen.insert(&entry.revision)) {
            let Some(revision) = revision(deployment, entry, index) else { continue };
            let objects = revision.objects();
            let known = Known {
                own: rolled_out_itself(&revision, index),
                has_policies: revision.has_policies(),
                components: revision.components(),
                sized: revision.sized().to_vec(),
                unscalable: (!objects.is_empty()).then(|| unscalable(&objects)),
            };
            used.insert(entry.revision.clone(), known);
        }
        Self(used)
    }

    /// Returns the Applications of the revisions that are rolled out by themselves as well.
    pub(super) fn rolled_out(&self) -> BTreeMap<&'a ObjectKey, &'a Object> {
        self.0.values().filter_map(|known| known.own).map(|own| (&own.key, own)).collect()
    }

    /// Adds the problems of entries and their revisions.
    pub(super) fn check(&self, notes: &mut Notes<'_>, entries: &[Entry]) {
        self.size(notes, entries);
        for entry in entries {
            let Some(known) = self.0.get(&entry.revision) else { continue };
            of_revision(notes, entry, known);
            replicas(notes, entry, known);
        }
    }

    /// Adds a complaint if clusters get too much. The content of each revision with each number of replicas is kept.
    fn size(&self, notes: &mut Notes<'_>, entries: &[Entry]) {
        let versions: BTreeMap<String, &str> =
            entries.iter().map(|entry| (entry.version(), entry.revision.as_str())).collect();
        let known = versions.values().filter_map(|revision| self.0.get(*revision));
        let size = known.fold(0_usize, |size, known| size.saturating_add(known.components));
        if size > MOST_COMPONENTS {
            let message = format!(
                "the AppDeployment has {size} components, those of each revision counted apart for each number of replicas; {MOST_COMPONENTS} \
                 are allowed, so split it, or use fewer revisions or numbers of replicas"
            );
            notes.error(notes.object.origin_of(&["spec", "appRevisions"]), message);
        }
    }
}

/// Adds the problems of the revision of an entry.
fn of_revision(notes: &mut Notes<'_>, entry: &Entry, known: &Known<'_>) {
    let origin = notes.object.value_origin(&entry.at_revision);
    let name = &entry.revision;
    if let Some(own) = known.own {
        let message = format!(
            "revision {name:?} is of {}, which is rolled out itself ({}), so both would deliver the same objects; write the annotation \
             {REVISION_ONLY}: \"true\" there, or remove it",
            own.key,
            own.place(),
        );
        notes.error(origin, message);
    }
    if known.has_policies {
        let message = format!("the policies of revision {name:?} have no effect here: the entry selects the clusters");
        notes.warning(origin, message);
    }
}

/// Adds the problems of the number of replicas of an entry.
fn replicas(notes: &mut Notes<'_>, entry: &Entry, known: &Known<'_>) {
    let (Some(number), Some(found)) = (entry.replicas, &known.unscalable) else { return };
    let name = &entry.revision;
    let replicas = entry.at.member("distribution").member("replicas");
    let origin = notes.object.value_origin(&replicas);
    for component in &known.sized {
        let message = format!(
            "{replicas} is {number}, but the trait rollout of component {component} of revision {name:?} has a targetSize; remove one of the two"
        );
        notes.error(origin, message);
    }
    match found {
        Err(NoWorkload) => {
            let message = format!("{replicas} is {number}, but revision {name:?} has no workload; remove it");
            notes.error(origin, message);
        }
        Ok(found) => {
            for Unscalable { component, kind, is_scaled } in found {
                let message = if *is_scaled {
                    format!(
                        "{replicas} is {number}, but an autoscaler of revision {name:?} sets the number of {kind} {component}; remove it"
                    )
                } else {
                    format!(
                        "{replicas} is {number}, but component {component} of revision {name:?} is a {kind}, which has no spec.replicas; \
                         remove it, or move the component to another application"
                    )
                };
                notes.error(origin, message);
            }
        }
    }
}

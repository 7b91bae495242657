//! What is wrong with an application, with the place of each mistake.

mod batches;
mod component;
mod container;
mod depends;
mod dispatch;
pub(crate) mod entries;
mod image_name;
mod images;
mod metadata;
mod overrides;
mod ownership;
mod pod;
mod policy;
mod rendered;
mod replication;
pub(super) mod revision;
pub(crate) mod samples;
mod schema;
mod selection;
mod traits;
mod volume;
mod waits;
mod workflow;

use crate::application::used::is_per_cluster;
use crate::definition::Definitions;
use crate::read::notes::Notes;
use tidegate_model::semantics::{Rules, Semantics};

/// Adds the problems of an application that its schema does not show.
pub(super) fn check(notes: &mut Notes<'_>, definitions: &Definitions) {
    metadata::check(notes);
    policy::check(notes);
    workflow::check(notes, definitions);
    if rendered::is_excessive(notes) {
        // It would take too long to go on.
        return;
    }
    depends::check(notes);
    component::check(notes, definitions);
    batches::check(notes, definitions);
    if is_per_cluster(&notes.object.value, definitions) {
        return samples::check(notes, definitions);
    }
    rendered::check(notes, definitions);
    ownership::check(notes, definitions);
}

/// Adds a complaint if the semantics of the repository have no rules for an object of applications.
pub(super) fn strict_only(notes: &mut Notes<'_>, rules: &Rules) {
    if rules.engine == Semantics::Compat {
        let message = format!(
            "the kind {} needs the semantics strict, but tidegate.toml says compat, and upstream has no rules for it; write semantics = \"strict\"",
            notes.object.key.kind
        );
        notes.error(notes.object.origin_of(&["kind"]), message);
    }
}

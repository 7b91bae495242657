//! What is wrong with an application, with the place of each mistake.

mod component;
pub(crate) mod entries;
mod metadata;
mod overrides;
mod pod;
mod policy;
mod rendered;
pub(super) mod revision;
mod schema;
mod traits;
mod volume;
mod workflow;

use crate::definition::Definitions;
use crate::read::notes::Notes;
use tidegate_model::semantics::{Rules, Semantics};

/// Adds the problems of an application that its schema does not show.
pub(super) fn check(notes: &mut Notes<'_>, rules: &Rules, definitions: &Definitions) {
    strict_only(notes, rules);
    metadata::check(notes);
    policy::check(notes);
    workflow::check(notes);
    component::check(notes, definitions);
    rendered::check(notes, definitions);
}

/// Adds a complaint if the semantics of the repository have no rules for applications.
fn strict_only(notes: &mut Notes<'_>, rules: &Rules) {
    if rules.engine == Semantics::Compat {
        let message = "an Application is rolled out with the semantics strict only, but tidegate.toml says compat; upstream has no rules for it";
        notes.error(notes.object.origin_of(&["kind"]), message);
    }
}

//! What is wrong with an application, with the place of each mistake.

mod component;
mod metadata;
mod policy;
mod rendered;
mod schema;

use crate::read::notes::Notes;
use crate::read::object::path;
use tidegate_model::semantics::{Rules, Semantics};

/// Adds the problems of an application that its schema does not show.
pub(super) fn check(notes: &mut Notes<'_>, rules: &Rules) {
    let object = notes.object;
    if rules.engine == Semantics::Compat {
        let message = "an Application is rolled out with the semantics strict only, but tidegate.toml says compat; upstream has no rules for it";
        notes.error(object.origin_of(&["kind"]), message);
    }
    metadata::check(notes);
    let workflow = path(&["spec", "workflow"]);
    if object.value.pointer("/spec/workflow").is_some() {
        let message = "spec.workflow is not supported yet; write a policy of type placement for each group of clusters, in their order";
        notes.error(object.key_origin(&workflow), message);
    }
    policy::check(notes);
    component::check(notes);
    rendered::check(notes);
}

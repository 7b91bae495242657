//! Selects the checks for an object.

use super::wording::wording;
use super::{addon, application, core, definition, integer, metadata, placement, policy, strategy, template};
use crate::application::{describes_applications, is_application, is_revision};
use crate::complaint::{Complaint, Rule, mark_from};
use crate::definition::{Definitions, is_definition};
use crate::read::notes::Notes;
use crate::read::object::Object;
use tidegate_api::key;
use tidegate_api::schema::check::{Violation, violations};
use tidegate_model::semantics::Rules;

/// Adds all problems of one object, without looking at other objects.
pub(crate) fn check(object: &Object, (rules, definitions): (&Rules, &Definitions), complaints: &mut Vec<Complaint>) {
    let mut found = Vec::new();
    let mut notes = Notes { object, complaints: &mut found };
    metadata::check(&mut notes);
    mark_from(&mut found, 0, Rule::Metadata);
    schema(&mut Notes { object, complaints: &mut found });
    let by_schema = found.len();
    let mut notes = Notes { object, complaints: &mut found };
    integer::check(&mut notes);
    let beyond = notes.complaints.len();
    let rule = match (object.key.group.as_str(), object.key.kind.as_str()) {
        (key::ADDON_GROUP, "ClusterManagementAddOn") => {
            addon::check(&mut notes);
            let strategies = notes.complaints.len();
            mark_from(notes.complaints, beyond, Rule::Addon);
            strategy::check(&mut notes, rules);
            mark_from(notes.complaints, strategies, Rule::Strategy);
            None
        }
        (key::ADDON_GROUP, "AddOnTemplate") => {
            template::check(&mut notes);
            Some(Rule::Template)
        }
        (key::CLUSTER_GROUP, "Placement") => {
            placement::check(&mut notes, rules);
            Some(Rule::Placement)
        }
        (key::APPLICATION_GROUP, _) if describes_applications(object) => {
            of_applications(&mut notes, rules, definitions);
            None
        }
        (key::TIDEGATE_GROUP, "RolloutPolicy") => {
            policy::check(&mut notes);
            Some(Rule::Policy)
        }
        (key::CLUSTER_GROUP, "ManagedClusterSetBinding") => {
            addon::check_binding(&mut notes);
            Some(Rule::Addon)
        }
        _ => {
            core::check(&mut notes);
            Some(Rule::Object)
        }
    };
    rule.into_iter().for_each(|rule| mark_from(&mut found, beyond, rule));
    // If the schema check has reported a value, a second complaint about it does not help.
    let beyond = found.split_off(by_schema);
    let new = beyond
        .into_iter()
        .filter(|new| found.iter().all(|old| old.diagnostic.place != new.diagnostic.place))
        .collect::<Vec<_>>();
    complaints.append(&mut found);
    complaints.extend(new);
}

/// Adds the problems of an object that describes applications, with their rules.
fn of_applications(notes: &mut Notes<'_>, rules: &Rules, definitions: &Definitions) {
    let (object, before) = (notes.object, notes.complaints.len());
    if is_definition(object) {
        definition::check(notes, definitions);
        return mark_from(notes.complaints, before, Rule::Application);
    }
    application::strict_only(notes, rules);
    if is_revision(object) {
        application::revision::check(notes, definitions);
        return mark_from(notes.complaints, before, Rule::Application);
    }
    match is_application(object) {
        true => application::check(notes, definitions),
        false => application::entries::check(notes),
    }
    let strategies = notes.complaints.len();
    mark_from(notes.complaints, before, Rule::Application);
    strategy::check(notes, rules);
    mark_from(notes.complaints, strategies, Rule::Strategy);
}

/// Adds the problems of an object of a kind of Tidegate itself: those of its metadata, and of its schema.
pub(crate) fn own(object: &Object, complaints: &mut Vec<Complaint>) {
    let mut notes = Notes { object, complaints };
    metadata::check(&mut notes);
    schema(&mut notes);
}

/// Adds the violations of the schema of an object's kind, with their places. Kinds without a schema are not checked.
fn schema(notes: &mut Notes<'_>) {
    let object = notes.object;
    let Some(schema) = object.schema else { return };
    for (path, violation) in violations(&object.value, schema) {
        if notes.is_full() {
            return;
        }
        let origin = match violation {
            Violation::Unknown { .. } | Violation::Missing => object.key_origin(&path),
            _ => object.value_origin(&path),
        };
        notes.error(origin, wording(&object.value, &path, &violation));
    }
}

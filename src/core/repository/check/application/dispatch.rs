//! Steps that dispatch parts of components to one cluster.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::rendered::has_errors;
use super::schema::{conform, listed};
use crate::application::dispatch::{COMP_REV, Dispatchable, TRAITS, dispatchable, steps};
use crate::definition::Definitions;
use crate::read::notes::Notes;
use crate::read::object::path;
use crate::settings::Executor;
use tidegate_api::schema::Schema;
use tidegate_api::schema::path::Path;
use tidegate_model::name::ClusterName;
use tidegate_model::near::remedy;

static OF_REVISION: LazyLock<Schema> = LazyLock::new(|| schema("compRev"));
static OF_TRAITS: LazyLock<Schema> = LazyLock::new(|| schema("component"));

fn schema(what: &str) -> Schema {
    let text = || json!({ "type": "string", "minLength": 1 });
    let properties = json!({ (what): text(), "cluster": text() });
    Schema::compile(&json!({ "type": "object", "required": [what, "cluster"], "properties": properties }))
}

/// Adds the problems of a step by itself.
pub(super) fn step(notes: &mut Notes<'_>, (at, step): (&Path, &Value), executor: Executor) {
    let object = notes.object;
    let type_ = step.get("type").and_then(Value::as_str).unwrap_or_default();
    if executor != Executor::Standard {
        let at = at.member("type");
        let message = format!(
            "{at} is {type_:?}, which needs a controller of standard.oam.dev on the clusters; write rollout = \"standard.oam.dev\" in section \
             [applications] of tidegate.toml, or a step of type deploy"
        );
        return notes.error(object.value_origin(&at), message);
    }
    if listed(step, "/subSteps").next().is_some() {
        let at = at.member("subSteps");
        notes.error(object.key_origin(&at), format!("{at} is only for a step-group; remove it"));
    }
    let none = Value::Object(serde_json::Map::new());
    let properties = step.get("properties").unwrap_or(&none);
    let at = at.member("properties");
    conform(notes, (&at, properties), if type_ == COMP_REV { &OF_REVISION } else { &OF_TRAITS });
    let cluster = properties.get("cluster").and_then(Value::as_str).filter(|name| !name.is_empty());
    if let Some(Err(invalid)) = cluster.map(str::parse::<ClusterName>) {
        let at = at.member("cluster");
        notes.error(object.value_origin(&at), format!("{at} is not the name of a cluster: {invalid}"));
    }
}

/// Adds the problems of all of them together. Each is sound by itself.
pub(super) fn check(notes: &mut Notes<'_>, definitions: &Definitions) {
    let object = notes.object;
    let steps = steps(&object.value);
    let Some((first, _)) = steps.first() else { return };
    if has_errors(notes) {
        return;
    }
    let is_deploy = |step: &Value| step.get("type").is_some_and(|type_| type_ == "deploy");
    let groups = listed(&object.value, "/spec/workflow/steps").map(|(_, step)| step);
    if groups.into_iter().any(|step| is_deploy(step) || listed(step, "/subSteps").any(|(_, part)| is_deploy(part))) {
        let message = format!(
            "{first} dispatches beside steps of type deploy, but a cluster gets what one of them says; write another application for it"
        );
        return notes.error(object.value_origin(first), message);
    }
    let known = dispatchable(object, definitions);
    for (index, (at, step)) in steps.iter().enumerate() {
        named(notes, (at, step), &known);
        let same = steps.iter().take(index).find(|(_, earlier)| what(earlier) == what(step));
        if let Some((earlier, _)) = same {
            notes.error(
                object.value_origin(at),
                format!("{at} dispatches the same as {earlier}; remove one of the two"),
            );
        }
    }
    if !has_errors(notes) {
        undispatched(notes, &steps, &known);
    }
    if !has_errors(notes) {
        elsewhere(notes, &steps, &known);
    }
}

/// Returns the type and the properties of a step.
fn what(step: &Value) -> (Option<&Value>, Option<&Value>) {
    (step.get("type"), step.get("properties"))
}

/// Returns a property of a step.
fn property<'v>(step: &'v Value, name: &str) -> &'v str {
    step.get("properties").and_then(|properties| properties.get(name)?.as_str()).unwrap_or_default()
}

/// Adds a complaint if what a step names is not there.
fn named(notes: &mut Notes<'_>, (at, step): (&Path, &Value), known: &[Dispatchable]) {
    let object = notes.object;
    let at = at.member("properties");
    let name = property(step, "compRev");
    let are_known = known.iter().all(|component| component.revision.is_some());
    let is_revision = |component: &Dispatchable| component.revision.as_deref() == Some(name);
    if !name.is_empty() && are_known && !known.iter().any(is_revision) {
        let at = at.member("compRev");
        let remedy = remedy(name, known.iter().filter_map(|component| component.revision.as_deref()));
        let message = format!(
            "{at} is {name:?}, which is not the revision of a component; {remedy} (a cluster keeps the revisions that it got earlier, and no \
             step has to name them)"
        );
        return notes.error(object.value_origin(&at), message);
    }
    let name = property(step, "component");
    if name.is_empty() {
        return;
    }
    let at = at.member("component");
    match known.iter().find(|component| component.component == name) {
        None => {
            let remedy = remedy(name, known.iter().map(|component| component.component.as_str()));
            notes.error(object.value_origin(&at), format!("{at} is {name:?}, which is not a component; {remedy}"));
        }
        Some(component) if component.revision.is_some() && !component.has_others => {
            let message =
                format!("{at} is {name}, which has no objects besides its workload; add a trait, or remove the step");
            notes.error(object.value_origin(&at), message);
        }
        Some(_) => {}
    }
}

/// Adds a complaint about each component that no step dispatches.
fn undispatched(notes: &mut Notes<'_>, steps: &[(Path, &Value)], known: &[Dispatchable]) {
    let is_dispatched = |component: &Dispatchable| {
        steps.iter().any(|(_, step)| {
            property(step, "component") == component.component
                || component.revision.as_deref() == Some(property(step, "compRev"))
        })
    };
    let without = known.iter().enumerate().filter(|(_, component)| !is_dispatched(component));
    for (index, component) in without {
        let at = path(&["spec", "components"]).item(index);
        let message = format!(
            "component {} has no effect, since no step dispatches it; write a step of type {COMP_REV} or {TRAITS}, or remove it",
            component.component
        );
        notes.error(notes.object.value_origin(&at), message);
    }
}

/// Adds a warning about each Rollout whose revision no step dispatches to the same cluster.
fn elsewhere(notes: &mut Notes<'_>, steps: &[(Path, &Value)], known: &[Dispatchable]) {
    for (at, step) in steps {
        let (name, cluster) = (property(step, "component"), property(step, "cluster"));
        let target = known
            .iter()
            .find(|component| component.component == name)
            .and_then(|component| component.target.as_deref());
        let Some(target) = target else { continue };
        let brings = |step: &Value| property(step, "compRev") == target && property(step, "cluster") == cluster;
        if !steps.iter().any(|(_, step)| brings(step)) {
            let at = at.member("properties");
            let message = format!(
                "cluster {cluster} gets the Rollout of {name} to revision {target}, which no step dispatches there: the cluster has to have it \
                 already"
            );
            notes.warning(notes.object.value_origin(&at), message);
        }
    }
}

//! Traits whose type the repository defines.

use std::fmt;

use serde_json::{Map, Value, json};

use super::kinds::TRAITS;
use super::target::{Problem, Target};
use super::workload::patch;
use crate::application::parsed::Component;
use crate::application::setting::Setting;
use crate::definition::{TraitType, depth};
use tidegate_api::schema::check::violations_of_value;
use tidegate_api::schema::path::Path;
use tidegate_kustomize::overlay::patch::merge_value;
use tidegate_kustomize::yaml::MAX_DEPTH;

/// Returns the type of traits that the repository defines with a name; `None` for those that are built in.
pub(super) fn find<'d>(setting: Setting<'d>, type_: &str) -> Option<&'d TraitType> {
    let defined = || setting.definitions.of_trait(setting.application.namespace(), type_)?.type_.as_ref();
    if TRAITS.schema(type_).is_some() { None } else { defined() }
}

/// Returns why the trait with an index cannot be a trait of its component, as what follows its type in a message.
pub(super) fn unfit(
    setting: Setting<'_>,
    defined: &TraitType,
    index: usize,
    component: &Component,
    workload: &Value,
) -> Option<String> {
    let type_ = component.traits.get(index).map(|of_component| of_component.type_.as_str()).unwrap_or_default();
    if !defined.applies(&component.type_, workload) {
        let kind = workload.get("kind").and_then(Value::as_str).unwrap_or_default();
        let wanted = defined.applies_to.join(", ");
        return Some(format!(
            "is {type_}, which applies to {wanted}, and not to a {kind} of type {}; move it to another component",
            component.type_
        ));
    }
    let excludes =
        |of: Option<&TraitType>, other: &str| of.is_some_and(|of| of.conflicts_with.iter().any(|name| name == other));
    let mut others = component.traits.iter().enumerate().filter(|(other, _)| *other != index);
    let conflict = others.find(|(at, other)| {
        // Of two traits that exclude each other, the later one has the mistake, or the one that says so.
        excludes(Some(defined), &other.type_) || *at < index && excludes(find(setting, &other.type_), type_)
    });
    let (other, of_component) = conflict?;
    Some(format!("is {type_}, which cannot be beside {} (traits[{other}]); keep one of the two", of_component.type_))
}

/// Applies a trait: its patches to the workload, and then its objects.
///
/// # Errors
/// A problem at a path of the trait.
pub(super) fn apply(
    setting: Setting<'_>,
    defined: &TraitType,
    component: &Component,
    properties: &Map<String, Value>,
    target: &mut Target<'_>,
) -> Result<(), Problem> {
    let Some(workload) = target.objects.first() else { return Ok(()) };
    if !defined.reads.is_empty() && setting.definitions.cluster().is_none() {
        // It is rendered for each cluster.
        return Ok(());
    }
    let outcome = defined.render(&setting.context(component), properties, workload, &setting.definitions.work);
    let product =
        outcome.as_ref().as_ref().map_err(|failure| Problem::at(&[], format!("cannot be rendered: {failure}")))?;
    if let Some(given) = &product.patch {
        strategic(given, target)?;
    }
    if !product.operations.is_empty() {
        let operations = Map::from_iter([("operations".to_owned(), json!(product.operations))]);
        operate(&operations, target)?;
    }
    if target.objects.first().is_some_and(|workload| depth(workload) > MAX_DEPTH) {
        return Err(inapplicable(format_args!("it makes the workload deeper than {MAX_DEPTH} levels; patch less")));
    }
    target.objects.extend(product.objects.iter().cloned());
    Ok(())
}

/// Merges a patch into the workload: strategically if its kind is known.
fn strategic(given: &Map<String, Value>, target: &mut Target<'_>) -> Result<(), Problem> {
    let Some(workload) = target.objects.first_mut() else { return Ok(()) };
    let is_known = merge_value(workload, given)
        .map_err(|mismatch| inapplicable(format_args!("its patch does not fit: {mismatch}")))?;
    let given = if is_known { &Map::new() } else { given };
    patch::merge(given, target).map_err(|problem| inapplicable(format_args!("its patch {}", sentence(&problem))))
}

/// Applies operations, which may be rendered from anything.
fn operate(operations: &Map<String, Value>, target: &mut Target<'_>) -> Result<(), Problem> {
    let given = Value::Object(operations.clone());
    let schema = TRAITS.schema("json-patch").map(|schema| violations_of_value(&given, schema)).unwrap_or_default();
    if let Some((at, _)) = schema.first() {
        return Err(inapplicable(format_args!(
            "its jsonPatch is not valid at {at}; write op, path, from and value as RFC 6902 says"
        )));
    }
    patch::apply(operations, target)
        .map_err(|problem| inapplicable(format_args!("its jsonPatch {}", sentence(&problem))))
}

fn inapplicable(why: impl fmt::Display) -> Problem {
    Problem::at(&[], format!("cannot be applied: {why}"))
}

fn sentence(problem: &Problem) -> String {
    match problem.at == Path::default() {
        true => problem.why.clone(),
        false => format!("has a mistake: {} {}", problem.at, problem.why),
    }
}

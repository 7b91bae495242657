//! Applies the trait, after all others: what it means depends on the workload that they leave.

use serde_json::{Value, json};

use super::ROLLOUT;
use super::batches::{Sizes, Wrong, sizes, unequal};
use super::objects::rollout;
use super::properties::{Given, Properties, given};
use crate::application::parsed::{Component, set};
use crate::application::setting::Setting;
use crate::settings::Executor;
use tidegate_api::schema::path::Path;

/// Traits that set the number of replicas.
const SCALING: [&str; 3] = ["cpuscaler", "hpa", "scaler"];

/// Returns `true` if the cluster gets a Rollout of a component in place of its workload.
pub(in crate::application) fn applies(setting: Setting<'_>, component: &Component) -> bool {
    setting.definitions.rollout == Executor::Standard && given(component).is_some()
}

/// What is wrong with the trait of a component.
pub(in crate::application) struct Misfit {
    /// The index of the trait.
    pub(in crate::application) index: usize,
    /// The path below the trait.
    pub(in crate::application) at: Path,
    /// What follows the path in a message.
    pub(in crate::application) why: String,
}

/// Applies the trait to the workload, if the component has it.
///
/// # Errors
/// A mistake, with which it changes nothing.
pub(in crate::application) fn apply(
    setting: Setting<'_>,
    component: &Component,
    workload: &mut Value,
) -> Result<(), Misfit> {
    let Some(Given { index, properties }) = given(component) else { return Ok(()) };
    let executor = setting.definitions.rollout;
    let misfit = |(at, why): (Path, String)| Misfit { index, at, why };
    unfit(executor, component, index, workload).map_or(Ok(()), |wrong| Err(misfit(wrong)))?;
    let sizes = fit(executor, &properties).map_err(misfit)?;
    if executor == Executor::Standard {
        return Ok(());
    }
    other_revision(component, &properties).map_or(Ok(()), |wrong| Err(misfit(wrong)))?;
    set(workload, &["spec", "replicas"], json!(properties.target_size));
    let rolling = json!({ "maxSurge": sizes.largest(), "maxUnavailable": 0 });
    set(workload, &["spec", "strategy"], json!({ "type": "RollingUpdate", "rollingUpdate": rolling }));
    Ok(())
}

/// Returns the Rollout of a component with the trait, given the name of its revision.
pub(in crate::application) fn executed(setting: Setting<'_>, component: &Component, revision: &str) -> Option<Value> {
    given(component).map(|Given { properties, .. }| rollout(setting, component, (&properties, revision)))
}

fn at(path: &[&str]) -> Path {
    path.iter().fold(Path::default(), |at, member| at.member(member))
}

/// Returns why a component cannot have the trait at an index.
fn unfit(executor: Executor, component: &Component, index: usize, workload: &Value) -> Option<(Path, String)> {
    let of_type = || at(&["type"]);
    let mut others = component.traits.iter().enumerate().filter(|(other, _)| *other != index);
    if let Some((other, found)) = others.clone().find(|(_, other)| SCALING.contains(&other.type_.as_str())) {
        let why =
            format!("sets the number of replicas, and so does {} (traits[{other}]); keep one of the two", found.type_);
        return Some((at(&["properties", "targetSize"]), why));
    }
    if let Some((other, _)) = others.find(|(_, other)| other.type_ == ROLLOUT) {
        return Some((of_type(), format!("is {ROLLOUT}, and so is that of traits[{other}]; keep one of the two")));
    }
    let kind = workload.get("kind").and_then(Value::as_str).unwrap_or_default();
    let group = workload.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
    let why = match (executor, group, kind) {
        (_, "apps/v1", "Deployment") => None,
        (Executor::Standard, "apps.kruise.io/v1alpha1", "CloneSet") => None,
        (_, "apps/v1", "DaemonSet") => Some("whose size is that of its cluster; write a k8s-update-strategy instead"),
        (_, _, "StatefulSet" | "CloneSet") => {
            Some("whose batches by partition are not supported yet; remove the trait")
        }
        _ => Some("which has no batches; remove the trait"),
    };
    if let Some(why) = why {
        return Some((of_type(), format!("is {ROLLOUT}, but the component is a {kind}, {why}")));
    }
    if workload.pointer("/spec/replicas").is_some() {
        let why = "sets the number of replicas, and so does the workload with its other traits; keep one of the two";
        return Some((at(&["properties", "targetSize"]), why.to_owned()));
    }
    if executor == Executor::Strategy && workload.pointer("/spec/strategy").is_some() {
        let why = "sets the update strategy, and so does the workload with its other traits; keep one of the two";
        return Some((at(&["properties", "rolloutBatches"]), why.to_owned()));
    }
    None
}

/// Returns the sizes of the batches.
fn fit(executor: Executor, properties: &Properties) -> Result<Sizes, (Path, String)> {
    let batches = at(&["properties", "rolloutBatches"]);
    let wrong = |Wrong { batch, why }: Wrong| match batch {
        Some(index) => (batches.clone().item(index).member("replicas"), why),
        None => (batches.clone(), why),
    };
    let target = properties.target_size;
    let sizes = sizes(&properties.amounts(), target).map_err(wrong)?;
    if executor == Executor::Strategy && sizes.sum != target {
        return Err((batches, unequal(sizes.sum, target)));
    }
    let partition = at(&["properties", "batchPartition"]);
    match (executor, properties.batch_partition) {
        (Executor::Strategy, Some(_)) => {
            let why = "has no effect, since a Deployment does not pause between batches; remove it, or set rollout = \"standard.oam.dev\" in section [applications] of tidegate.toml";
            Err((partition, why.to_owned()))
        }
        (Executor::Standard, Some(index)) if usize::try_from(index).map_or(true, |index| index >= sizes.each.len()) => {
            let last = sizes.each.len().saturating_sub(1);
            Err((partition, format!("is {index}, but the last batch is {last}; write at most that")))
        }
        _ => Ok(sizes),
    }
}

/// Returns why the trait is about another revision than that of the component, which alone a Deployment can run.
fn other_revision(component: &Component, properties: &Properties) -> Option<(Path, String)> {
    let target = properties.target_revision.as_ref()?;
    let why = match &component.external_revision {
        Some(own) if own == target => return None,
        Some(own) => format!(
            "is {target}, but the externalRevision of the component is {own}, and its Deployment runs no other revision; write {own}, or \
             leave the field out"
        ),
        None => format!(
            "is {target}, but the component has no externalRevision; write externalRevision: {target}, or leave the field out"
        ),
    };
    Some((at(&["properties", "targetRevision"]), why))
}

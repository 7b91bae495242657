//! Applies the trait, after all others: what it means depends on the workload that they leave.

use serde_json::Value;

use super::ROLLOUT;
use super::batches::{Sizes, Wrong, sizes, unequal};
use super::carrier::Carrier;
use super::objects::rollout;
use super::properties::{Given, Properties, given};
use crate::application::parsed::Component;
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
    let misfit = |(at, why): (Path, String)| Misfit { index, at, why };
    let carrier = carrier(setting.definitions.rollout, component, index, workload).map_err(misfit)?;
    let (sizes, last) = fit(carrier, &properties).map_err(misfit)?;
    if carrier != Carrier::Controller {
        other_revision(component, &properties, workload).map_or(Ok(()), |wrong| Err(misfit(wrong)))?;
    }
    carrier.apply(workload, (&sizes, properties.target_size), last);
    Ok(())
}

/// Returns the Rollout of a component with the trait, given the name of its revision.
pub(in crate::application) fn executed(setting: Setting<'_>, component: &Component, revision: &str) -> Option<Value> {
    given(component).map(|Given { properties, .. }| rollout(setting, component, (&properties, revision)))
}

fn at(path: &[&str]) -> Path {
    path.iter().fold(Path::default(), |at, member| at.member(member))
}

/// Returns who carries out the batches of a component with the trait at an index.
///
/// # Errors
/// Why the component cannot have the trait.
fn carrier(
    executor: Executor,
    component: &Component,
    index: usize,
    workload: &Value,
) -> Result<Carrier, (Path, String)> {
    let of_type = || at(&["type"]);
    let mut others = component.traits.iter().enumerate().filter(|(other, _)| *other != index);
    if let Some((other, found)) = others.clone().find(|(_, other)| SCALING.contains(&other.type_.as_str())) {
        let why =
            format!("sets the number of replicas, and so does {} (traits[{other}]); keep one of the two", found.type_);
        return Err((at(&["properties", "targetSize"]), why));
    }
    if let Some((other, _)) = others.find(|(_, other)| other.type_ == ROLLOUT) {
        return Err((of_type(), format!("is {ROLLOUT}, and so is that of traits[{other}]; keep one of the two")));
    }
    let kind = workload.get("kind").and_then(Value::as_str).unwrap_or_default();
    let unfit = |why: &str| (of_type(), format!("is {ROLLOUT}, but the component is a {kind}, {why}"));
    let carrier = Carrier::of(executor, workload).map_err(unfit)?;
    match carrier.conflict(workload) {
        Some((property, what)) => {
            let why = format!("sets {what}, and so does the workload with its other traits; keep one of the two");
            Err((at(&["properties", property]), why))
        }
        None => Ok(carrier),
    }
}

/// Returns the sizes of the batches, and the index of the last one that is replaced if not all of them are.
fn fit(carrier: Carrier, properties: &Properties) -> Result<(Sizes, Option<usize>), (Path, String)> {
    let batches = at(&["properties", "rolloutBatches"]);
    let wrong = |Wrong { batch, why }: Wrong| match batch {
        Some(index) => (batches.clone().item(index).member("replicas"), why),
        None => (batches.clone(), why),
    };
    let target = properties.target_size;
    let sizes = sizes(&properties.amounts(), target).map_err(wrong)?;
    if carrier != Carrier::Controller && sizes.sum != target {
        return Err((batches, unequal(sizes.sum, target)));
    }
    let partition = at(&["properties", "batchPartition"]);
    let Some(index) = properties.batch_partition else { return Ok((sizes, None)) };
    if carrier == Carrier::Strategy {
        let why = "has no effect, since a Deployment does not pause between batches; remove it, or set rollout = \"standard.oam.dev\" in section [applications] of tidegate.toml";
        return Err((partition, why.to_owned()));
    }
    match usize::try_from(index).ok().filter(|index| *index < sizes.each.len()) {
        Some(index) => Ok((sizes, Some(index))),
        None => {
            let last = sizes.each.len().saturating_sub(1);
            Err((partition, format!("is {index}, but the last batch is {last}; write at most that")))
        }
    }
}

/// Returns why the trait is about another revision than that of the component, which alone its workload can run.
fn other_revision(component: &Component, properties: &Properties, workload: &Value) -> Option<(Path, String)> {
    let target = properties.target_revision.as_ref()?;
    let kind = workload.get("kind").and_then(Value::as_str).unwrap_or_default();
    let why = match &component.external_revision {
        Some(own) if own == target => return None,
        Some(own) => format!(
            "is {target}, but the externalRevision of the component is {own}, and its {kind} runs no other revision; write {own}, or \
             leave the field out"
        ),
        None => format!(
            "is {target}, but the component has no externalRevision; write externalRevision: {target}, or leave the field out"
        ),
    };
    Some((at(&["properties", "targetRevision"]), why))
}

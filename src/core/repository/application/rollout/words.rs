//! Batches in words, for people.

use super::batches::sizes;
use super::properties::{Given, given};
use crate::application::parsed::Component;
use crate::settings::Executor;

/// Returns the batches of a component, and who carries them out; `None` without the trait `rollout`, or if it has a mistake.
pub(in crate::application) fn words(component: &Component, executor: Executor) -> Option<String> {
    let Given { properties, .. } = given(component)?;
    let target = properties.target_size;
    let sizes = sizes(&properties.amounts(), target).ok()?;
    let each: Vec<String> = sizes.each.iter().map(ToString::to_string).collect();
    let replicas = if target == 1 { "replica" } else { "replicas" };
    let in_batches = || format!("{target} {replicas} in batches of {}", each.join(", "));
    Some(match (executor, component.type_.as_str()) {
        (Executor::Strategy, "webservice" | "worker") => {
            format!("{target} {replicas}, at most {} of them new at once, by the Deployment", sizes.largest())
        }
        (Executor::Strategy, "statefulset") => format!("{}, by the partition of the StatefulSet", in_batches()),
        // The kind of the workload is not known here.
        (Executor::Strategy, _) => in_batches(),
        (Executor::Standard, _) => format!("{}, by the controller of standard.oam.dev", in_batches()),
    })
}

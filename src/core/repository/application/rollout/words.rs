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
    Some(match executor {
        Executor::Strategy => {
            format!("{target} {replicas}, at most {} of them new at once, by the Deployment", sizes.largest())
        }
        Executor::Standard => {
            format!("{target} {replicas} in batches of {}, by the controller of standard.oam.dev", each.join(", "))
        }
    })
}

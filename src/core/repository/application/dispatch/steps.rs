//! Steps that dispatch parts of components to one cluster, which they name.
//!
//! # Source
//! KubeVela 1.1, the example `workflow-with-ocm/rollout`.

use serde_json::Value;

use crate::read::object::path;
use tidegate_api::schema::path::Path;

/// The type of a step that dispatches the revision of a component.
pub(crate) const COMP_REV: &str = "dispatch-comp-rev";
/// The type of a step that dispatches all objects of a component but its workload.
pub(crate) const TRAITS: &str = "dispatch-traits";

/// Returns `true` for the type of a step that dispatches.
pub(crate) fn is_dispatch(type_: &str) -> bool {
    [COMP_REV, TRAITS].contains(&type_)
}

/// Returns the steps of an application that dispatch, those in groups included, each with its path. The application may have errors.
pub(crate) fn steps(application: &Value) -> Vec<(Path, &Value)> {
    let at = path(&["spec", "workflow", "steps"]);
    let mut found = Vec::new();
    for (index, step) in items(application.pointer("/spec/workflow/steps")) {
        let at = at.item(index);
        let of_group = at.member("subSteps");
        let parts = items(step.get("subSteps")).map(|(index, part)| (of_group.item(index), part));
        let all = [(at.clone(), step)].into_iter().chain(parts);
        let dispatches = |(_, step): &(Path, &Value)| step.get("type").and_then(Value::as_str).is_some_and(is_dispatch);
        found.extend(all.filter(dispatches));
    }
    found
}

/// Returns each cluster that steps dispatch to, with the first of them and its path.
pub(in crate::application) fn clusters(application: &Value) -> Vec<(Path, &Value, &str)> {
    let mut found: Vec<(Path, &Value, &str)> = Vec::new();
    for (at, step) in steps(application) {
        let Some(cluster) = step.pointer("/properties/cluster").and_then(Value::as_str) else { continue };
        if !cluster.is_empty() && !found.iter().any(|(_, _, known)| *known == cluster) {
            found.push((at, step, cluster));
        }
    }
    found
}

fn items(list: Option<&Value>) -> impl Iterator<Item = (usize, &Value)> {
    list.and_then(Value::as_array).into_iter().flatten().enumerate()
}

//! The parts that the output of `vela dry-run` has for an application.

use serde_json::Value;

use super::output::{Part, Unusable};

/// A part that is expected.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expected {
    pub(super) heading: String,
    /// The policies that change what its clusters get.
    pub(super) overrides: Vec<String>,
}

/// Returns the overrides of each part of the output.
///
/// # Errors
/// [`Unusable`]
pub(super) fn overrides(application: &Value, parts: &[Part]) -> Result<Vec<Vec<String>>, Unusable> {
    let expected = expected(application)?;
    if expected.iter().map(|expected| &expected.heading).eq(parts.iter().map(|part| &part.heading)) {
        return Ok(expected.into_iter().map(|expected| expected.overrides).collect());
    }
    let has_none = expected.iter().all(|expected| expected.overrides.is_empty());
    match parts {
        // Without overrides, all clusters get the same.
        [only] if has_none && only.heading == name(application) => Ok(vec![Vec::new()]),
        _ => {
            let listed =
                |headings: Vec<&str>| if headings.is_empty() { "none".to_owned() } else { headings.join(", ") };
            let found = listed(parts.iter().map(|part| part.heading.as_str()).collect());
            let wanted = listed(expected.iter().map(|expected| expected.heading.as_str()).collect());
            Err(Unusable::OtherParts { found, wanted })
        }
    }
}

fn expected(application: &Value) -> Result<Vec<Expected>, Unusable> {
    let name = name(application);
    let policies = named(application.pointer("/spec/policies"));
    let of_type = |type_: &str| -> Vec<&str> {
        policies.iter().filter(|(_, policy)| policy["type"] == *type_).map(|(name, _)| *name).collect()
    };
    let (topologies, overrides) = (of_type("topology"), of_type("override"));
    let part = |topology: &str, overrides: &[&str]| Expected {
        heading: format!("{name} with topology {topology}"),
        overrides: overrides.iter().map(|name| (*name).to_owned()).collect(),
    };
    let steps =
        application.pointer("/spec/workflow/steps").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for (name, step) in named(application.pointer("/spec/workflow/steps")) {
        if named(step.get("subSteps")).iter().any(|(_, step)| step["type"] == "deploy") {
            return Err(Unusable::Group(name.to_owned()));
        }
    }
    let deploys: Vec<&Value> = steps.iter().filter(|step| step["type"] == "deploy").collect();
    if steps.is_empty() && !topologies.is_empty() {
        return Ok(topologies.iter().map(|topology| part(topology, &overrides)).collect());
    }
    if deploys.is_empty() {
        return Ok(vec![Expected { heading: name.to_owned(), overrides: Vec::new() }]);
    }
    let mut expected = Vec::new();
    for step in deploys {
        let named: Vec<&str> = policies_of(step).collect();
        let own: Vec<&str> = named.iter().copied().filter(|name| overrides.contains(name)).collect();
        let selecting: Vec<&str> = named.into_iter().filter(|name| topologies.contains(name)).collect();
        if selecting.is_empty() {
            return Err(Unusable::NoTopology(step["name"].as_str().unwrap_or_default().to_owned()));
        }
        expected.extend(selecting.into_iter().map(|topology| part(topology, &own)));
    }
    Ok(expected)
}

/// Returns the policies that a step names.
pub(super) fn policies_of(step: &Value) -> impl Iterator<Item = &str> {
    step.pointer("/properties/policies").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Returns the items of a list with their names.
pub(super) fn named(list: Option<&Value>) -> Vec<(&str, &Value)> {
    let items = list.and_then(Value::as_array).into_iter().flatten();
    items.map(|item| (item.get("name").and_then(Value::as_str).unwrap_or_default(), item)).collect()
}

fn name(application: &Value) -> &str {
    application.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default()
}

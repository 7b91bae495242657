//! Rules for Placement that no schema expresses. Upstream finds violations while scheduling, or crashes on them.
//!
//! # Source
//! OCM `pkg/placement`, read 2026-08-11.

use serde_json::Value;

use super::selector;
use super::values::{is_zero, items, one_of, threshold};
use crate::read::notes::Notes;
use crate::read::object::path;
use tidegate_api::schema::path::Path;
use tidegate_cel::Program;
use tidegate_model::semantics::Rules;

/// The built-in prioritizers.
const PRIORITIZERS: [&str; 4] = ["Balance", "Steady", "ResourceAllocatableCPU", "ResourceAllocatableMemory"];

/// Adds the problems of a Placement.
pub(super) fn check(notes: &mut Notes<'_>, rules: &Rules) {
    let object = notes.object;
    let Some(spec) = object.value.get("spec") else { return };
    let at = path(&["spec"]);
    if let Some(count) = spec.get("numberOfClusters").and_then(Value::as_i64).filter(|count| *count < 0) {
        let origin = object.origin_of(&["spec", "numberOfClusters"]);
        notes.error(
            origin,
            format!("spec.numberOfClusters is {count}; write a number that is not negative, or leave it out"),
        );
    }
    let groups = path(&["spec", "decisionStrategy", "groupStrategy"]);
    let size = spec.pointer("/decisionStrategy/groupStrategy/clustersPerDecisionGroup");
    threshold(notes, &groups.member("clustersPerDecisionGroup"), size);
    no_size(notes, &groups.member("clustersPerDecisionGroup"), size, rules);
    let policy = at.member("prioritizerPolicy");
    one_of(notes, policy.member("mode"), spec.pointer("/prioritizerPolicy/mode"), &["Additive", "Exact"]);
    prioritizers(notes, &policy, spec.get("prioritizerPolicy"));
    tolerations(notes, &at, spec);
    for (index, predicate) in items(spec.get("predicates")) {
        let at = at.member("predicates").item(index).member("requiredClusterSelector");
        let selector = predicate.get("requiredClusterSelector");
        selector::check(notes, &at, selector);
        let expressions = selector.and_then(|selector| selector.pointer("/celSelector/celExpressions"));
        for (index, expression) in items(expressions) {
            let at = at.member("celSelector").member("celExpressions").item(index);
            expression.as_str().into_iter().for_each(|text| compiles(notes, &at, text));
        }
    }
    for (index, group) in items(spec.pointer("/decisionStrategy/groupStrategy/decisionGroups")) {
        let at = groups.member("decisionGroups").item(index).member("groupClusterSelector");
        selector::check(notes, &at, group.get("groupClusterSelector"));
    }
}

/// Adds a complaint about a group size of 0, an error in strict and a warning in compat. Upstream then puts all clusters into one
/// group.
fn no_size(notes: &mut Notes<'_>, at: &Path, size: Option<&Value>, rules: &Rules) {
    let Some(size) = size.filter(|size| is_zero(size)) else { return };
    let message = format!(
        "{at} is {size}, which puts all clusters into one group; write the number of clusters in a group, 1 or more, or \
         leave it out to get one group"
    );
    let origin = notes.object.value_origin(at);
    if rules.refuses_empty_groups {
        notes.error(origin, message);
    } else {
        notes.warning(origin, message);
    }
}

/// Adds the problems of the tolerations.
fn tolerations(notes: &mut Notes<'_>, at: &Path, spec: &Value) {
    for (index, toleration) in items(spec.get("tolerations")) {
        let at = at.member("tolerations").item(index);
        let text = |member: &str| toleration.get(member).and_then(Value::as_str).unwrap_or_default();
        one_of(notes, at.member("operator"), toleration.get("operator"), &["Equal", "Exists"]);
        if text("operator") == "Exists" && !text("value").is_empty() {
            let origin = notes.object.value_origin(&at.member("value"));
            notes.error(
                origin,
                format!("{at} has a value, which is allowed with operator Equal only; remove one of the two"),
            );
        }
        if text("operator") != "Exists" && text("key").is_empty() {
            let origin = notes.object.value_origin(&at);
            notes.error(
                origin,
                format!("{at} has no key, which is allowed with operator: Exists only; write one of the two"),
            );
        }
    }
}

/// Adds the problems of the prioritizers.
fn prioritizers(notes: &mut Notes<'_>, at: &Path, policy: Option<&Value>) {
    for (index, configuration) in items(policy.and_then(|policy| policy.get("configurations"))) {
        let at = at.member("configurations").item(index).member("scoreCoordinate");
        let Some(coordinate) = configuration.get("scoreCoordinate") else { continue };
        match coordinate.get("type").and_then(Value::as_str) {
            Some("AddOn") if coordinate.get("addOn").is_none() => {
                let origin = notes.object.value_origin(&at);
                notes.error(
                    origin,
                    format!("{at} is of type AddOn but has no addOn; add it, with resourceName and scoreName"),
                );
            }
            Some("AddOn") => {}
            _ => one_of(notes, at.member("builtIn"), coordinate.get("builtIn"), &PRIORITIZERS),
        }
    }
}

/// Adds a complaint if an expression does not compile. Upstream would notice that while scheduling, and evict everything.
fn compiles(notes: &mut Notes<'_>, at: &Path, text: &str) {
    let message = match Program::compile(text) {
        Ok(program) if program.may_hold() => return,
        Ok(_) => {
            format!("{at} is not a boolean expression, so it selects no cluster; write a comparison, or leave it out")
        }
        Err(refusal) => {
            let place = refusal.place.map(|(line, column)| format!(", at {line}:{column} of the expression"));
            format!(
                "{at} is not a valid expression: {}{}; fix it, or leave it out",
                refusal.summary,
                place.unwrap_or_default()
            )
        }
    };
    notes.error(notes.object.value_origin(at), message);
}

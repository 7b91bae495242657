//! Rules on Placement that no schema tells; upstream finds them out while scheduling, or crashes on them.
//!
//! # Source
//! OCM `pkg/placement`, read 2026-08-11.

use serde_json::Value;

use super::strategy::threshold;
use crate::api::schema::check::Path;
use crate::cel::Program;
use crate::repository::complaint::Notes;
use crate::repository::near::remedy;
use crate::repository::object::path;

/// Adds what is wrong with a Placement.
pub(super) fn check(notes: &mut Notes<'_>) {
    let object = notes.object;
    let Some(spec) = object.value.get("spec") else { return };
    let at = path(&["spec"]);
    if let Some(count) = spec.get("numberOfClusters").and_then(Value::as_i64).filter(|count| *count < 0) {
        let mark = object.mark_of(&["spec", "numberOfClusters"]);
        notes.error(
            mark,
            format!("spec.numberOfClusters is {count}; write a number that is not negative, or leave it out"),
        );
    }
    let groups = path(&["spec", "decisionStrategy", "groupStrategy"]);
    let size = spec.pointer("/decisionStrategy/groupStrategy/clustersPerDecisionGroup");
    threshold(notes, &groups.member("clustersPerDecisionGroup"), size);
    let policy = at.member("prioritizerPolicy");
    one_of(notes, policy.member("mode"), spec.pointer("/prioritizerPolicy/mode"), &["Additive", "Exact"]);
    for (index, toleration) in items(spec.get("tolerations")) {
        let at = at.member("tolerations").item(index).member("operator");
        one_of(notes, at, toleration.get("operator"), &["Equal", "Exists"]);
    }
    for (index, predicate) in items(spec.get("predicates")) {
        let at = at.member("predicates").item(index).member("requiredClusterSelector");
        let selector = predicate.get("requiredClusterSelector");
        selectors(notes, &at, selector);
        let expressions = selector.and_then(|selector| selector.pointer("/celSelector/celExpressions"));
        for (index, expression) in items(expressions) {
            let at = at.member("celSelector").member("celExpressions").item(index);
            expression.as_str().into_iter().for_each(|text| compiles(notes, &at, text));
        }
    }
    for (index, group) in items(spec.pointer("/decisionStrategy/groupStrategy/decisionGroups")) {
        let at = groups.member("decisionGroups").item(index).member("groupClusterSelector");
        selectors(notes, &at, group.get("groupClusterSelector"));
    }
}

fn items(list: Option<&Value>) -> impl Iterator<Item = (usize, &Value)> {
    list.and_then(Value::as_array).into_iter().flatten().enumerate()
}

fn one_of(notes: &mut Notes<'_>, at: Path, value: Option<&Value>, known: &[&str]) {
    if let Some(word) = value.and_then(Value::as_str).filter(|word| !word.is_empty() && !known.contains(word)) {
        let mark = notes.object.node.value_mark(&at);
        notes.error(mark, format!("{at} is {word:?}; {}", remedy(word, known.iter().copied())));
    }
}

fn selectors(notes: &mut Notes<'_>, at: &Path, selector: Option<&Value>) {
    for kind in ["labelSelector", "claimSelector"] {
        let expressions = selector.and_then(|selector| selector.get(kind)?.get("matchExpressions"));
        for (index, expression) in items(expressions) {
            let at = at.member(kind).member("matchExpressions").item(index).member("operator");
            one_of(notes, at, expression.get("operator"), &["In", "NotIn", "Exists", "DoesNotExist"]);
        }
    }
}

/// Adds a complaint if an expression cannot be asked: upstream would find that out while scheduling, and evict everything.
fn compiles(notes: &mut Notes<'_>, at: &Path, text: &str) {
    if let Err(refusal) = Program::compile(text) {
        let place = refusal.place.map(|(line, column)| format!(", at {line}:{column} of the expression"));
        let message = format!(
            "{at} is no expression that clusters can be asked: {}{}; mend it, or leave it out",
            refusal.summary,
            place.unwrap_or_default()
        );
        notes.error(notes.object.node.value_mark(at), message);
    }
}

//! Combinations of schemas: `anyOf`, `oneOf`, `allOf` and `not`.

use serde_json::Value;

use super::check::{At, Found};
use super::node::Node;
use super::words;

/// Checks a value against the combinations of a schema.
pub(super) fn combined(value: &Value, node: &Node, at: &At<'_>, old: Option<&Value>, found: &mut Found) {
    let all = &node.combined;
    if !all.any.is_empty() {
        any(value, &all.any, at, old, found);
    }
    if !all.one.is_empty() {
        one(value, &all.one, at, old, found);
    }
    if !all.all.is_empty() {
        let mut fitting = 0;
        for schema in &all.all {
            let tried = Found::of(value, schema, at, old);
            fitting += usize::from(tried.is_empty());
            found.merge(tried);
        }
        if fitting != all.all.len() {
            let rest = if fitting == 0 { ". None validated" } else { "" };
            found.add(words::nowhere(&format!("\"{}\" must validate all the schemas (allOf){rest}", at.text())));
        }
    }
    if let Some(schema) = &all.not
        && Found::of(value, schema, at, old).is_empty()
    {
        found.add(words::nowhere(&format!("\"{}\" must not validate the schema (not)", at.text())));
    }
    found.checks += 1;
}

fn any(value: &Value, schemas: &[Node], at: &At<'_>, old: Option<&Value>, found: &mut Found) {
    let mut closest: Option<Found> = None;
    for schema in schemas {
        let tried = Found::of(value, schema, at, old);
        if tried.is_empty() {
            found.merge(tried);
            return;
        }
        if closest.as_ref().is_none_or(|closest| tried.checks > closest.checks) {
            closest = Some(tried);
        }
    }
    found.add(words::nowhere(&format!("\"{}\" must validate at least one schema (anyOf)", at.text())));
    found.merge(closest.unwrap_or_default());
}

fn one(value: &Value, schemas: &[Node], at: &At<'_>, old: Option<&Value>, found: &mut Found) {
    let mut closest: Option<Found> = None;
    let mut first: Option<Found> = None;
    let mut fitting = 0;
    for schema in schemas {
        let tried = Found::of(value, schema, at, old);
        if tried.is_empty() {
            fitting += 1;
            closest = None;
            first.get_or_insert(tried);
        } else if fitting == 0 && closest.as_ref().is_none_or(|closest| tried.checks > closest.checks) {
            closest = Some(tried);
        }
    }
    if fitting == 1 {
        found.merge(first.unwrap_or_default());
        return;
    }
    let rest = if fitting == 0 { "Found none valid".to_owned() } else { format!("Found {fitting} valid alternatives") };
    let why = format!("\"{}\" must validate one and only one schema (oneOf). {rest}", at.text());
    found.add(words::nowhere(&why));
    found.merge(closest.unwrap_or_default());
}

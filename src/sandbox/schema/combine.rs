//! Combinations of schemas: `anyOf`, `oneOf`, `allOf` and `not`.

use super::errors::{At, Errors};
use super::messages;
use tidegate_api::schema::{Combined, Schema};

/// Checks the value at a path against the combinations of its schema. `check` returns the errors of the value for one of them.
pub(super) fn combined(all: &Combined, at: &At<'_>, check: &dyn Fn(&Schema) -> Errors, errors: &mut Errors) {
    if !all.any.is_empty() {
        any(&all.any, at, check, errors);
    }
    if !all.one.is_empty() {
        one(&all.one, at, check, errors);
    }
    if !all.all.is_empty() {
        let mut fitting = 0;
        for schema in &all.all {
            let tried = check(schema);
            fitting += usize::from(tried.is_empty());
            errors.merge(tried);
        }
        if fitting != all.all.len() {
            let rest = if fitting == 0 { ". None validated" } else { "" };
            errors.add(messages::without_field(&format!(
                "\"{}\" must validate all the schemas (allOf){rest}",
                at.text()
            )));
        }
    }
    if let Some(schema) = &all.not
        && check(schema).is_empty()
    {
        errors.add(messages::without_field(&format!("\"{}\" must not validate the schema (not)", at.text())));
    }
    errors.checks += 1;
}

fn any(schemas: &[Schema], at: &At<'_>, check: &dyn Fn(&Schema) -> Errors, errors: &mut Errors) {
    let mut closest: Option<Errors> = None;
    for schema in schemas {
        let tried = check(schema);
        if tried.is_empty() {
            errors.merge(tried);
            return;
        }
        if closest.as_ref().is_none_or(|closest| tried.checks > closest.checks) {
            closest = Some(tried);
        }
    }
    errors.add(messages::without_field(&format!("\"{}\" must validate at least one schema (anyOf)", at.text())));
    errors.merge(closest.unwrap_or_default());
}

fn one(schemas: &[Schema], at: &At<'_>, check: &dyn Fn(&Schema) -> Errors, errors: &mut Errors) {
    let mut closest: Option<Errors> = None;
    let mut first: Option<Errors> = None;
    let mut fitting = 0;
    for schema in schemas {
        let tried = check(schema);
        if tried.is_empty() {
            fitting += 1;
            closest = None;
            first.get_or_insert(tried);
        } else if fitting == 0 && closest.as_ref().is_none_or(|closest| tried.checks > closest.checks) {
            closest = Some(tried);
        }
    }
    if fitting == 1 {
        errors.merge(first.unwrap_or_default());
        return;
    }
    let rest = if fitting == 0 { "Found none valid".to_owned() } else { format!("Found {fitting} valid alternatives") };
    let why = format!("\"{}\" must validate one and only one schema (oneOf). {rest}", at.text());
    errors.add(messages::without_field(&why));
    errors.merge(closest.unwrap_or_default());
}

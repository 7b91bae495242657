//! Detection of duplicate list items.

use std::collections::BTreeSet;

use serde_json::Value;

use super::set::printed;
use super::shape::{Shape, behind, shape};

/// Returns an error for each duplicate item in lists of type `set` or `map`.
///
/// # Source
/// `validatingObjectWalker` of structured-merge-diff.
pub(crate) fn repeated(value: &Value, schema: Option<&Value>) -> Vec<String> {
    let mut found = Vec::new();
    walk(value, schema, "", &mut found);
    found
}

fn walk(value: &Value, schema: Option<&Value>, at: &str, found: &mut Vec<String>) {
    match shape(value, schema) {
        Shape::Atomic => {}
        Shape::Members(members) => {
            for (name, member) in members {
                walk(member, behind(schema, &format!("f:{name}")).0, &format!("{at}.{name}"), found);
            }
        }
        Shape::Items(items) => {
            let mut seen = BTreeSet::new();
            for (step, item) in &items {
                let place = printed(step);
                if !seen.insert(step) {
                    found.push(format!("{at}: duplicate entries for key {place}"));
                }
                walk(item, behind(schema, step).0, &format!("{at}{place}"), found);
            }
        }
    }
}

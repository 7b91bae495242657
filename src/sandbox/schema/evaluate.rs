//! Evaluation of the validation rules (CEL) of a schema.
//!
//! # Source
//! `k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go`.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::list_items::OldItems;
use super::messages;
use super::rules::{Rule, Rules};
use crate::api_error::Cause;
use tidegate_api::schema::Schema;
use tidegate_api::schema::path::Place;
use tidegate_cel::{Evaluator, Verdict, escaped};

/// Evaluates all rules and returns the errors. Errors in unchanged values are ignored, except those of transition rules.
pub(super) fn evaluate(object: &Value, schema: &Schema, rules: &Rules, old: Option<&Value>) -> Vec<Cause> {
    let mut evaluation = Evaluation { evaluator: Evaluator::default(), found: Vec::new() };
    let before = Before { value: old, nearest: old.map(|old| (object, old)) };
    evaluation.value(object, schema, rules, Place::Root, before);
    evaluation.found
}

/// The old state of a value, for ratcheting and transition rules.
#[derive(Debug, Clone, Copy)]
struct Before<'a> {
    /// The old value itself, if it existed and can be correlated.
    value: Option<&'a Value>,
    /// The new and the old state of the value, or of the nearest enclosing value that can be correlated.
    nearest: Option<(&'a Value, &'a Value)>,
}

impl<'a> Before<'a> {
    fn of(self, value: &'a Value, before: Option<&'a Value>) -> Self {
        Self { value: before, nearest: before.map(|before| (value, before)).or(self.nearest) }
    }

    fn is_same(self) -> bool {
        self.nearest.is_some_and(|(after, before)| after == before)
    }
}

struct Evaluation {
    evaluator: Evaluator,
    found: Vec<Cause>,
}

impl Evaluation {
    fn value<'a>(&mut self, value: &'a Value, schema: &Schema, rules: &Rules, place: Place<'_>, before: Before<'a>) {
        if value.is_null() {
            return;
        }
        if !rules.own.is_empty() {
            self.rules(value, schema, &rules.own, place, before);
        }
        match value {
            Value::Array(items) => {
                if let (Some(item_schema), Some(rules)) = (&schema.items, &rules.items) {
                    let old = OldItems::of(&schema.list_type, before.value);
                    for (index, item) in items.iter().enumerate() {
                        let before = before.of(item, old.of_item(item));
                        self.value(item, item_schema, rules, Place::Item(&place, index), before);
                    }
                }
            }
            Value::Object(fields) => {
                for (name, field) in fields {
                    let before = before.of(field, before.value.and_then(|before| before.get(name)));
                    if let Some(property) = schema.properties.get(name) {
                        let Some(rules) = rules.properties.get(name) else { continue };
                        self.value(field, property, rules, Place::Member(&place, name), before);
                    } else if let (Some(additional), Some(rules)) = (&schema.additional, &rules.additional) {
                        self.value(field, additional, rules, Place::Key(&place, name), before);
                    }
                }
            }
            _ => {}
        }
    }

    fn rules(&mut self, value: &Value, schema: &Schema, rules: &[Arc<Rule>], place: Place<'_>, before: Before<'_>) {
        let mut values = json!({ "self": named(value, schema) });
        if let Some(before) = before.value {
            values["oldSelf"] = named(before, schema);
        }
        for rule in rules {
            let program = match &rule.program {
                Ok(program) => program,
                Err(why) => {
                    self.found.push(not_evaluated(&place, schema, &format!("rule compile error: {why}")));
                    continue;
                }
            };
            if program.uses_old() && before.value.is_none() && !rule.optional_old {
                continue;
            }
            match self.evaluator.evaluate_rule(program, &values) {
                Verdict::Holds => {}
                Verdict::Fails if !program.uses_old() && before.is_same() => {}
                Verdict::Fails => {
                    let detail = self.detail(rule, &values);
                    self.found.push(broken(rule, &place, value, &detail));
                }
                Verdict::Message(_) | Verdict::Unknown => {
                    let why = format!("evaluation failed evaluating rule: {}", rule.message);
                    self.found.push(not_evaluated(&place, schema, &why));
                }
            }
        }
    }

    fn detail(&mut self, rule: &Rule, values: &Value) -> String {
        let message = rule.message_program.as_ref().map(|program| self.evaluator.evaluate_rule(program, values));
        if let Some(Verdict::Message(text)) = message {
            let text = text.trim();
            if !text.is_empty() && !text.contains('\n') && text.len() <= 5 * 1024 {
                return text.to_owned();
            }
        }
        if rule.has_no_message { format!("failed rule: {}", rule.message) } else { rule.message.clone() }
    }
}

/// Returns the cause for a rule that cannot be evaluated.
fn not_evaluated(place: &Place<'_>, schema: &Schema, why: &str) -> Cause {
    Cause::invalid(field(place, ""), &messages::shown(&json!(schema.type_)), why)
}

fn broken(rule: &Rule, place: &Place<'_>, value: &Value, detail: &str) -> Cause {
    let at = field(place, &rule.field);
    let is_simple = !value.is_object() && !value.is_array();
    let shown = if is_simple { format!(": {}", messages::shown(value)) } else { String::new() };
    match rule.reason.as_deref() {
        Some("FieldValueForbidden") => Cause::new("FieldValueForbidden", at, format!("Forbidden: {detail}")),
        Some("FieldValueRequired") => Cause::new("FieldValueRequired", at, format!("Required value: {detail}")),
        Some("FieldValueDuplicate") => Cause::new("FieldValueDuplicate", at, format!("Duplicate value{shown}")),
        _ => Cause::new("FieldValueInvalid", at, format!("Invalid value{shown}: {detail}")),
    }
}

/// Returns the path of a field; `<nil>` for the object itself.
fn field(place: &Place<'_>, member: &str) -> String {
    match (place.is_root(), member) {
        (true, "") => "<nil>".to_owned(),
        (true, member) => member.to_owned(),
        (false, "") => place.to_string(),
        (false, member) => format!("{place}.{member}"),
    }
}

/// Returns a value with the fields that the schema declares renamed to their escaped names in CEL.
fn named(value: &Value, schema: &Schema) -> Value {
    match value {
        Value::Object(members) => {
            let mut named_members = Map::new();
            for (name, member) in members {
                let (name, member) = match (schema.properties.get(name), &schema.additional) {
                    (Some(schema), _) => (escaped(name), named(member, schema)),
                    (None, Some(schema)) => (name.clone(), named(member, schema)),
                    _ => (name.clone(), member.clone()),
                };
                named_members.insert(name, member);
            }
            Value::Object(named_members)
        }
        Value::Array(items) => match &schema.items {
            Some(schema) => items.iter().map(|item| named(item, schema)).collect(),
            None => value.clone(),
        },
        value => value.clone(),
    }
}

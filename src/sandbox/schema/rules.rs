//! Evaluation of the validation rules (CEL) of a schema.
//!
//! # Source
//! `k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go`.

use serde_json::{Map, Value, json};

use super::keyed::Former;
use super::node::Node;
use super::place::Place;
use super::rule::Rule;
use super::words;
use crate::refusal::Cause;
use tidegate_cel::{Evaluator, RESERVED, Verdict};

/// Evaluates all rules and returns the errors. Errors in unchanged values are ignored, except those of transition rules.
pub(super) fn asked(object: &Value, schema: &Node, old: Option<&Value>) -> Vec<Cause> {
    let mut asking = Asking { evaluator: Evaluator::default(), found: Vec::new() };
    asking.value(object, schema, Place::Root, Before { value: old, nearest: old.map(|old| (object, old)) });
    asking.found
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

struct Asking {
    evaluator: Evaluator,
    found: Vec<Cause>,
}

impl Asking {
    fn value<'a>(&mut self, value: &'a Value, node: &Node, place: Place<'_>, before: Before<'a>) {
        if value.is_null() || !node.has_rules {
            return;
        }
        if !node.rules.is_empty() {
            self.rules(value, node, place, before);
        }
        match value {
            Value::Array(items) => {
                if let Some(schema) = &node.items {
                    let former = Former::of(&node.list, before.value);
                    for (index, item) in items.iter().enumerate() {
                        self.value(item, schema, Place::Item(&place, index), before.of(item, former.of_item(item)));
                    }
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    let at_member = before.of(member, before.value.and_then(|before| before.get(name)));
                    match (node.members.get(name), &node.others) {
                        (Some(schema), _) => self.value(member, schema, Place::Member(&place, name), at_member),
                        (None, Some(schema)) => self.value(member, schema, Place::Key(&place, name), at_member),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn rules(&mut self, value: &Value, node: &Node, place: Place<'_>, before: Before<'_>) {
        let mut values = json!({ "self": named(value, node) });
        if let Some(before) = before.value {
            values["oldSelf"] = named(before, node);
        }
        for rule in &node.rules {
            let program = match &rule.program {
                Ok(program) => program,
                Err(why) => {
                    self.found.push(untold(&place, node, &format!("rule compile error: {why}")));
                    continue;
                }
            };
            if program.uses_old() && before.value.is_none() && !rule.optional_old {
                continue;
            }
            match self.evaluator.judge(program, &values) {
                Verdict::Holds => {}
                Verdict::Fails if !program.uses_old() && before.is_same() => {}
                Verdict::Fails => {
                    let detail = self.detail(rule, &values);
                    self.found.push(broken(rule, &place, value, &detail));
                }
                Verdict::Says(_) | Verdict::Unknown => {
                    let why = format!("evaluation failed evaluating rule: {}", rule.message);
                    self.found.push(untold(&place, node, &why));
                }
            }
        }
    }

    fn detail(&mut self, rule: &Rule, values: &Value) -> String {
        let told = rule.told_by.as_ref().map(|program| self.evaluator.judge(program, values));
        if let Some(Verdict::Says(text)) = told {
            let text = text.trim();
            if !text.is_empty() && !text.contains('\n') && text.len() <= 5 * 1024 {
                return text.to_owned();
            }
        }
        if rule.is_bare { format!("failed rule: {}", rule.message) } else { rule.message.clone() }
    }
}

/// Returns the cause for a rule that cannot be evaluated.
fn untold(place: &Place<'_>, node: &Node, why: &str) -> Cause {
    Cause::invalid(field(place, ""), &words::shown(&json!(node.type_)), why)
}

fn broken(rule: &Rule, place: &Place<'_>, value: &Value, detail: &str) -> Cause {
    let at = field(place, &rule.field);
    let is_simple = !value.is_object() && !value.is_array();
    let shown = if is_simple { format!(": {}", words::shown(value)) } else { String::new() };
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
fn named(value: &Value, node: &Node) -> Value {
    match value {
        Value::Object(members) => {
            let mut named_members = Map::new();
            for (name, member) in members {
                let (name, member) = match (node.members.get(name), &node.others) {
                    (Some(schema), _) => (escaped(name), named(member, schema)),
                    (None, Some(schema)) => (name.clone(), named(member, schema)),
                    _ => (name.clone(), member.clone()),
                };
                named_members.insert(name, member);
            }
            Value::Object(named_members)
        }
        Value::Array(items) => match &node.items {
            Some(schema) => items.iter().map(|item| named(item, schema)).collect(),
            None => value.clone(),
        },
        value => value.clone(),
    }
}

fn escaped(name: &str) -> String {
    if RESERVED.contains(&name) {
        return format!("__{name}__");
    }
    let name = name.replace("__", "__underscores__");
    name.replace('.', "__dot__").replace('-', "__dash__").replace('/', "__slash__")
}

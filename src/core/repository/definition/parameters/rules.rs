//! The rules of parameters (`x-kubernetes-validations`).
//!
//! # Source
//! `k8s.io/apiextensions-apiserver` pkg/apiserver/schema/cel. There is no previous value, and so are no transition rules.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::shape::shape;
use crate::definition::failure::shown;
use crate::definition::mistake::Reader;
use crate::definition::work::Run;
use tidegate_api::schema::Schema;
use tidegate_api::schema::path::Path;
use tidegate_cel::{Program, Scope, Shape, escaped};

/// The variable for the value that a rule is about.
const SELF: &str = "self";

/// The rules of a schema, by the place of the value that they are about.
#[derive(Debug, Default)]
pub(super) struct Rules {
    own: Vec<Rule>,
    properties: BTreeMap<String, Rules>,
    additional: Option<Box<Rules>>,
    items: Option<Box<Rules>>,
}

#[derive(Debug)]
struct Rule {
    text: String,
    program: Program,
    message: Option<String>,
    message_program: Option<Program>,
    /// The fields below the value that a message is about.
    field: Vec<String>,
}

impl Rules {
    fn is_empty(&self) -> bool {
        let Self { own, properties, additional, items } = self;
        own.is_empty() && properties.is_empty() && additional.is_none() && items.is_none()
    }
}

/// Compiles the rules of a schema and of those below it. Those with mistakes, which are noted, are left out.
pub(super) fn compile(reader: &mut Reader<'_>, at: &Path, schema: &Value, compiled: &Schema) -> Rules {
    let mut rules = Rules::default();
    let given = schema.get("x-kubernetes-validations").and_then(Value::as_array).into_iter().flatten();
    let scope = Scope::default().with(SELF, &shape(compiled, true));
    for (index, rule) in given.enumerate() {
        let at = at.member("x-kubernetes-validations").item(index);
        rules.own.extend(self::rule(reader, &at, rule, &scope));
    }
    for (name, property) in &compiled.properties {
        let Some(schema) = schema.pointer("/properties").and_then(|properties| properties.get(name)) else { continue };
        let below = compile(reader, &at.member("properties").member(name), schema, property);
        if !below.is_empty() {
            rules.properties.insert(name.clone(), below);
        }
    }
    let mut nested = |member: &str, compiled: Option<&Schema>| {
        let below = compile(reader, &at.member(member), schema.get(member)?, compiled?);
        Some(Box::new(below)).filter(|below| !below.is_empty())
    };
    rules.additional = nested("additionalProperties", compiled.additional.as_deref());
    rules.items = nested("items", compiled.items.as_deref());
    rules
}

fn rule(reader: &mut Reader<'_>, at: &Path, rule: &Value, scope: &Scope) -> Option<Rule> {
    let text = |member: &str| rule.get(member).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let source = text("rule")?;
    let program = reader.program(&at.member("rule"), source, scope)?;
    if !program.may_hold() {
        let at = at.member("rule");
        reader.mistake(&at, format!("{at} is not a boolean expression; write a comparison"));
        return None;
    }
    let message_program = match text("messageExpression") {
        Some(text) => Some(reader.program(&at.member("messageExpression"), text, scope)?),
        None => None,
    };
    if message_program.as_ref().is_some_and(|program| !matches!(program.shape(), Shape::Text | Shape::Any)) {
        let at = at.member("messageExpression");
        reader.mistake(&at, format!("{at} does not give a string; write one"));
        return None;
    }
    let field = text("fieldPath").into_iter().flat_map(|path| path.split('.').skip(1)).map(str::to_owned).collect();
    let message = text("message").map(str::to_owned);
    Some(Rule { text: source.to_owned(), program, message, message_program, field })
}

/// Returns the rules that values break, each with the place of the value and what is wrong.
pub(super) fn broken(rules: &Rules, value: &Value, schema: &Schema, run: &mut Run<'_>) -> Vec<(Path, String)> {
    let mut found = Vec::new();
    walk(rules, (value, schema), &Path::default(), run, &mut found);
    found
}

fn walk(
    rules: &Rules,
    (value, schema): (&Value, &Schema),
    at: &Path,
    run: &mut Run<'_>,
    found: &mut Vec<(Path, String)>,
) {
    if run.is_spent() && !found.is_empty() {
        // It was reported, and no rule can be checked any more.
        return;
    }
    if !rules.own.is_empty() && !value.is_null() {
        let values = json!({ SELF: named(value, schema) });
        found.extend(rules.own.iter().filter_map(|rule| problem(rule, &values, at, run)));
    }
    match value {
        Value::Array(items) => {
            let (Some(rules), Some(schema)) = (&rules.items, &schema.items) else { return };
            for (index, item) in items.iter().enumerate() {
                walk(rules, (item, schema), &at.item(index), run, found);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let rules = rules.properties.get(name).or(rules.additional.as_deref());
                if let (Some(rules), Some(schema)) = (rules, schema.of_field(name)) {
                    walk(rules, (member, schema), &at.member(name), run, found);
                }
            }
        }
        _ => {}
    }
}

/// Returns what is wrong with a value according to a rule.
fn problem(rule: &Rule, values: &Value, at: &Path, run: &mut Run<'_>) -> Option<(Path, String)> {
    let text = shown(&rule.text);
    let why = match run.value(&rule.program, values) {
        Ok(Some(Value::Bool(true))) => return None,
        Ok(Some(Value::Bool(false))) => {
            let computed = rule.message_program.as_ref().and_then(|program| run.value(program, values).ok().flatten());
            let computed = computed.and_then(|value| value.as_str().map(|text| text.trim().to_owned()));
            let message =
                computed.filter(|text| !text.is_empty() && !text.contains('\n')).or_else(|| rule.message.clone());
            message.map_or_else(|| format!("breaks the rule {text}"), |message| format!("is refused: {message}"))
        }
        Ok(_) => format!("cannot be checked: the rule {text} gives neither true nor false"),
        Err(why) => format!("cannot be checked: the rule {text} {why}"),
    };
    Some((rule.field.iter().fold(at.clone(), |at, field| at.member(field)), why))
}

/// Returns a value with the fields that the schema declares renamed to their escaped names in CEL.
fn named(value: &Value, schema: &Schema) -> Value {
    match value {
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| {
                let shown = if schema.properties.contains_key(name) { escaped(name) } else { name.clone() };
                (shown, schema.of_field(name).map_or_else(|| value.clone(), |schema| named(value, schema)))
            };
            Value::Object(members.iter().map(member).collect::<Map<_, _>>())
        }
        Value::Array(items) => match &schema.items {
            Some(schema) => items.iter().map(|item| named(item, schema)).collect(),
            None => value.clone(),
        },
        value => value.clone(),
    }
}

//! Compiled validation rules (`x-kubernetes-validations`) of a schema.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use tidegate_cel::Program;

/// The validation rules of a schema, by the place of the value that they are about. Places without rules are left out.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    /// The rules of the value itself.
    pub(super) own: Vec<Arc<Rule>>,
    /// The rules of its declared fields.
    pub(super) properties: BTreeMap<String, Rules>,
    /// The rules of all its other fields.
    pub(super) additional: Option<Box<Rules>>,
    /// The rules of its items.
    pub(super) items: Option<Box<Rules>>,
}

impl Rules {
    /// Compiles the rules of a schema; `None` if it has none.
    pub(crate) fn compile(schema: &Value) -> Option<Self> {
        let nested = |name: &str| Some(Box::new(Self::compile(schema.get(name)?)?));
        let own = schema.get("x-kubernetes-validations").and_then(Value::as_array).into_iter().flatten();
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let rules = Self {
            own: own.map(|rule| Arc::new(Rule::compile(rule))).collect(),
            properties: properties.filter_map(|(name, one)| Some((name.clone(), Self::compile(one)?))).collect(),
            additional: nested("additionalProperties"),
            items: nested("items"),
        };
        let has_any = !rules.own.is_empty() || !rules.properties.is_empty();
        (has_any || rules.additional.is_some() || rules.items.is_some()).then_some(rules)
    }
}

/// A validation rule of a schema.
#[derive(Debug)]
pub(super) struct Rule {
    /// The compiled expression, or the compile error.
    pub(super) program: Result<Program, String>,
    /// The compiled `messageExpression`.
    pub(super) message_program: Option<Program>,
    /// The `message`, or the expression itself if the rule has no message.
    pub(super) message: String,
    /// Whether `message` holds the expression.
    pub(super) has_no_message: bool,
    /// The `reason` of the cause.
    pub(super) reason: Option<String>,
    /// The `fieldPath` that the error is reported for, relative to the value; empty for the value itself.
    pub(super) field: String,
    /// Whether the rule is also evaluated if there is no old value (`optionalOldSelf`).
    pub(super) optional_old: bool,
}

impl Rule {
    /// Parses a rule of `x-kubernetes-validations`.
    pub(super) fn compile(rule: &Value) -> Self {
        let text = |name: &str| rule.get(name).and_then(Value::as_str).unwrap_or_default();
        let optional_old = rule.get("optionalOldSelf") == Some(&Value::Bool(true));
        let has_no_message = text("message").is_empty();
        let message_program = Some(text("messageExpression")).filter(|text| !text.is_empty());
        Self {
            program: Program::rule(text("rule"), optional_old).map_err(|refusal| refusal.message),
            message_program: message_program.and_then(|text| Program::rule(text, optional_old).ok()),
            message: text(if has_no_message { "rule" } else { "message" }).trim().to_owned(),
            has_no_message,
            reason: Some(text("reason").to_owned()).filter(|reason| !reason.is_empty()),
            field: text("fieldPath").trim_start_matches('.').to_owned(),
            optional_old,
        }
    }
}

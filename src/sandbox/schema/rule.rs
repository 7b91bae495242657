//! Compiled validation rules.

use serde_json::Value;

use tidegate_cel::Program;

/// A validation rule of a schema.
#[derive(Debug)]
pub(crate) struct Rule {
    /// The compiled expression, or the compile error.
    pub(super) program: Result<Program, String>,
    /// The compiled `messageExpression`.
    pub(super) told_by: Option<Program>,
    /// The `message`, or the expression itself if there is none.
    pub(super) message: String,
    /// Whether `message` holds the expression.
    pub(super) is_bare: bool,
    /// The `reason` of the cause.
    pub(super) reason: Option<String>,
    /// The `fieldPath` that the error is reported for, relative to the value; empty for the value itself.
    pub(super) field: String,
    /// Whether the rule is also evaluated if there is no old value (`optionalOldSelf`).
    pub(super) optional_old: bool,
}

impl Rule {
    /// Parses a rule of `x-kubernetes-validations`.
    pub(super) fn read(rule: &Value) -> Self {
        let text = |name: &str| rule.get(name).and_then(Value::as_str).unwrap_or_default();
        let optional_old = rule.get("optionalOldSelf") == Some(&Value::Bool(true));
        let is_bare = text("message").is_empty();
        let told_by = Some(text("messageExpression")).filter(|text| !text.is_empty());
        Self {
            program: Program::rule(text("rule"), optional_old).map_err(|refusal| refusal.message),
            told_by: told_by.and_then(|text| Program::rule(text, optional_old).ok()),
            message: text(if is_bare { "rule" } else { "message" }).trim().to_owned(),
            is_bare,
            reason: Some(text("reason").to_owned()).filter(|reason| !reason.is_empty()),
            field: text("fieldPath").trim_start_matches('.').to_owned(),
            optional_old,
        }
    }
}

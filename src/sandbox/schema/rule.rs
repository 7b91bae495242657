//! One rule of a schema, compiled.

use serde_json::Value;

use tidegate_cel::Program;

/// A rule over a value.
#[derive(Debug)]
pub(crate) struct Rule {
    /// The expression, or why it cannot be asked.
    pub(super) program: Result<Program, String>,
    /// The expression that says what is wrong.
    pub(super) told_by: Option<Program>,
    /// What is wrong, or else the expression itself.
    pub(super) message: String,
    /// Whether the message is only the expression.
    pub(super) is_bare: bool,
    /// The reason of the cause.
    pub(super) reason: Option<String>,
    /// The member that the fault is said of; empty for the value itself.
    pub(super) field: String,
    /// Whether the rule is asked without a value before, too.
    pub(super) optional_old: bool,
}

impl Rule {
    /// Reads a rule of `x-kubernetes-validations`.
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

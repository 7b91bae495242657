//! What the answer of an HTTP server means.

use serde_json::{Value, json};

use super::answer::Answer;
use super::expression::holds;
use super::observation::Measured;
use tidegate_cel::{Evaluator, Program};

/// The variable for the body of an answer.
pub(super) const BODY: &[&str] = &["body"];

/// Judges an answer by its status and an expression over its body.
pub(super) fn measured(status: u16, expression: Option<&str>, answer: &Answer) -> Measured {
    if answer.status != status {
        let redirect = if (300..400).contains(&answer.status) { "; redirects are not followed" } else { "" };
        return Measured::new(false, &format!("status {}, must be {status}{redirect}", answer.status));
    }
    let Some(expression) = expression else { return Measured::new(true, &format!("status {status}")) };
    let program = match Program::about_values(expression, BODY) {
        Ok(program) => program,
        Err(error) => return Measured::none(&format!("the expression does not compile: {}", error.summary)),
    };
    let body: Value = match serde_json::from_slice(&answer.body) {
        Ok(body) => body,
        Err(error) => return Measured::none(&format!("the body is not JSON: {error}")),
    };
    match holds(&mut Evaluator::default(), &program, &json!({ "body": body })) {
        Ok(true) => Measured::new(true, &format!("status {status}, and the expression is true")),
        Ok(false) => Measured::new(false, &format!("status {status}, but the expression is false")),
        Err(why) => Measured::none(&format!("the expression {why}")),
    }
}

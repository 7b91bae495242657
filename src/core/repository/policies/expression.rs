//! Compiles the expressions of a policy, and finds the places of their mistakes in the file.

use super::types::VARIABLES;
use tidegate_cel::Program;
use tidegate_kustomize::yaml::Origin;

/// What is wrong with an expression, and where.
pub(super) type Mistake = (Origin, String);

/// Checks an expression. `origin` is where its scalar starts in the file.
///
/// # Errors
/// The first mistake.
pub(super) fn check(expression: &str, file: &str, origin: Origin, is_rule: bool) -> Result<(), Mistake> {
    match Program::about(expression, VARIABLES) {
        Ok(program) if is_rule && !program.may_hold() => {
            let message = "the rule is not a boolean expression; write a comparison";
            Err((origin, message.to_owned()))
        }
        Ok(_) => Ok(()),
        Err(refused) => {
            let found = refused.place.and_then(|place| in_file(file, origin, expression, place));
            let place = match (refused.place, &found) {
                (Some((line, column)), None) => format!(", at {line}:{column} of the expression"),
                _ => String::new(),
            };
            let message = format!("the expression is not valid: {}{place}; fix it", refused.summary);
            Err((found.unwrap_or(origin), message))
        }
    }
}

/// Returns the place of a line and a column of an expression in the file, if the file has the lines of the expression unchanged, as in
/// a literal block or on one line. The lines of a block have their indentation in common.
fn in_file(file: &str, origin: Origin, expression: &str, (line, column): (usize, usize)) -> Option<Origin> {
    let first = (origin.line as usize).checked_sub(1)?;
    let start = (origin.column as usize).checked_sub(1)?;
    let is_quoted = file.lines().nth(first)?.chars().nth(start).is_some_and(|quote| matches!(quote, '"' | '\''));
    let indent = start + usize::from(is_quoted);
    let mut lines = file.lines().skip(first).zip(expression.lines()).take(line);
    let is_unchanged = lines.all(|(there, here)| {
        let rest: String = there.chars().skip(indent).collect();
        rest.starts_with(here)
    });
    let number = |number: usize| u32::try_from(number).ok();
    is_unchanged.then(|| Some(Origin::new(origin.source, number(first + line)?, number(indent + column)?)))?
}

//! Go's text templates, as far as the chart uses them: a second opinion where Helm is not installed.
//!
//! Source: the documentation of Go's `text/template`, and of the functions that Helm adds. What is not known here panics, so a template
//! that uses more of the language fails its test.

mod evaluate;
mod functions;
mod parse;

use serde_json::Value;

/// Renders a template. `data` is what `.` and `$` are at its beginning.
///
/// # Errors
///
/// The message of `fail`.
pub(crate) fn render(template: &str, data: &Value) -> Result<String, String> {
    let mut output = String::new();
    evaluate::nodes(&parse::parse(template), data, data, &mut output)?;
    Ok(output)
}

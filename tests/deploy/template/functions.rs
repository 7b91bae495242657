//! The functions of the templates.

use regex::Regex;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tidegate_go::quote::go_quoted;

use super::evaluate::is_true;

/// Returns what Go prints for a value.
pub(crate) fn printed(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(_) | Value::Bool(_) => value.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => panic!("{value} is printed without toYaml"),
    }
}

/// Calls a function.
pub(crate) fn call(name: &str, arguments: &[Value]) -> Result<Value, String> {
    let text = |index: usize| arguments[index].as_str().unwrap();
    Ok(match name {
        "and" => arguments.iter().find(|argument| !is_true(argument)).unwrap_or(arguments.last().unwrap()).clone(),
        "contains" => Value::Bool(text(1).contains(text(0))),
        "default" => arguments[usize::from(is_true(&arguments[1]))].clone(),
        "eq" => Value::Bool(arguments[0] == arguments[1]),
        "fail" => return Err(text(0).to_owned()),
        "ne" => Value::Bool(arguments[0] != arguments[1]),
        "nindent" => {
            let indent = " ".repeat(usize::try_from(arguments[0].as_u64().unwrap()).unwrap());
            Value::String(text(1).split('\n').map(|line| format!("\n{indent}{line}")).collect())
        }
        "not" => Value::Bool(!is_true(&arguments[0])),
        "printf" => {
            let format = arguments[1..].iter().fold(text(0).to_owned(), |format, argument| {
                assert!(format.contains("%s"), "{arguments:?}");
                format.replacen("%s", &printed(argument), 1)
            });
            Value::String(format)
        }
        "quote" => Value::String(go_quoted(&printed(&arguments[0]))),
        "regexMatch" => Value::Bool(Regex::new(text(0)).unwrap().is_match(text(1))),
        "sha256sum" => Value::String(Sha256::digest(text(0)).iter().map(|byte| format!("{byte:02x}")).collect()),
        "toString" => Value::String(printed(&arguments[0])),
        "toYaml" => Value::String(serde_saphyr::to_string(&arguments[0]).unwrap().trim_end().to_owned()),
        _ => panic!("{name} is not known here"),
    })
}

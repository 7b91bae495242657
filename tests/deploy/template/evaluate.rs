//! From the tree of a template to its output.

use serde_json::Value;

use super::functions::{call, printed};
use super::parse::{Node, Operand, Pipeline};

/// Writes the output of nodes. `dot` is the current value, and `root` is that at the beginning of the template.
pub(crate) fn nodes(nodes: &[Node], dot: &Value, root: &Value, output: &mut String) -> Result<(), String> {
    for node in nodes {
        match node {
            Node::Text(text) => output.push_str(text),
            Node::Print(pipeline) => output.push_str(&printed(&value(pipeline, dot, root)?)),
            Node::If(condition, then, otherwise) => {
                let chosen = if is_true(&value(condition, dot, root)?) { then } else { otherwise };
                self::nodes(chosen, dot, root, output)?;
            }
            Node::With(pipeline, inner) => {
                let value = value(pipeline, dot, root)?;
                if is_true(&value) {
                    self::nodes(inner, &value, root, output)?;
                }
            }
            Node::Range(pipeline, inner) => {
                for item in value(pipeline, dot, root)?.as_array().unwrap() {
                    self::nodes(inner, item, root, output)?;
                }
            }
        }
    }
    Ok(())
}

fn value(pipeline: &Pipeline, dot: &Value, root: &Value) -> Result<Value, String> {
    let mut last = None;
    for command in pipeline {
        let operands = match &command[..] {
            [Operand::Function(_), operands @ ..] => operands,
            operands => operands,
        };
        let arguments: Result<Vec<Value>, String> = operands.iter().map(|operand| single(operand, dot, root)).collect();
        let mut arguments = arguments?;
        arguments.extend(last.take());
        last = Some(match &command[0] {
            Operand::Function(name) => call(name, &arguments)?,
            _ => {
                assert_eq!(arguments.len(), 1, "only functions have arguments: {command:?}");
                arguments.remove(0)
            }
        });
    }
    Ok(last.unwrap())
}

fn single(operand: &Operand, dot: &Value, root: &Value) -> Result<Value, String> {
    match operand {
        Operand::Text(text) => Ok(Value::String(text.clone())),
        Operand::Number(number) => Ok(Value::from(*number)),
        Operand::Group(pipeline) => value(pipeline, dot, root),
        Operand::Field(is_root, path) => {
            let start = if *is_root { root } else { dot };
            let found = path.iter().try_fold(start, |value, field| value.get(field));
            Ok(found.unwrap_or_else(|| panic!("{path:?} has no default in values.yaml")).clone())
        }
        Operand::Function(name) => panic!("{name} is called without parentheses"),
    }
}

/// Returns `true` if Go's templates treat the value as true.
pub(crate) fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

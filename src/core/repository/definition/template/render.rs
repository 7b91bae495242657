//! Renders templates.

use serde_json::{Map, Value};

use super::compile::{Expression, Piece, Template};
use crate::definition::failure::{Failure, shown};
use crate::definition::work::Run;
use tidegate_cel::NoJson;

impl Expression {
    /// Returns the value; `None` for an optional without a value.
    ///
    /// # Errors
    /// [`Failure`]
    pub(super) fn value(&self, run: &mut Run<'_>, values: &Value) -> Result<Option<Value>, Failure> {
        run.value(&self.program, values).map_err(|why| match why {
            NoJson::Exhausted => self.failure(&format!("{why}; {}", run.limits())),
            why => self.failure(&why.to_string()),
        })
    }

    /// Returns a failure of the expression; `why` follows it in a sentence.
    pub(super) fn failure(&self, why: &str) -> Failure {
        Failure::new(&self.place, format!("${{{}}} {why}", shown(&self.text)))
    }
}

/// Renders a template. `None` means that the field or the item is left out.
///
/// # Errors
/// [`Failure`]
pub(in crate::definition) fn render(
    template: &Template,
    run: &mut Run<'_>,
    values: &Value,
) -> Result<Option<Value>, Failure> {
    Ok(Some(match template {
        Template::Fixed(value, size) => {
            run.take(*size)?;
            value.clone()
        }
        Template::Whole(expression) => return expression.value(run, values),
        Template::Text(pieces) => Value::String(text(pieces, run, values)?),
        Template::List(items) => {
            let items = items.iter().filter_map(|item| render(item, run, values).transpose());
            Value::Array(items.collect::<Result<_, _>>()?)
        }
        Template::Map(members) => {
            let mut rendered = Map::new();
            for (name, member) in members {
                if let Some(value) = render(member, run, values)? {
                    run.take(name.len() + 4)?;
                    rendered.insert(name.clone(), value);
                }
            }
            Value::Object(rendered)
        }
    }))
}

fn text(pieces: &[Piece], run: &mut Run<'_>, values: &Value) -> Result<String, Failure> {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(piece) => {
                run.take(piece.len())?;
                text.push_str(piece);
            }
            Piece::Value(expression) => match expression.value(run, values)? {
                Some(Value::String(value)) => text.push_str(&value),
                Some(value @ (Value::Number(_) | Value::Bool(_))) => text.push_str(&value.to_string()),
                None => return Err(expression.failure("has no value; write orValue(...) after it")),
                Some(_) => {
                    return Err(expression.failure("gives no string, number or boolean, as a part of a string must be"));
                }
            },
        }
    }
    Ok(text)
}

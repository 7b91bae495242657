//! Compiles templates: all expressions are checked before any of them runs.

use serde_json::{Map, Value};

use super::text::{Part, parts};
use crate::definition::failure::shown;
use crate::definition::mistake::Reader;
use tidegate_api::schema::path::Path;
use tidegate_cel::{Program, Scope, Shape};
use tidegate_model::diagnostic::Place;

/// A compiled template.
#[derive(Debug)]
pub(in crate::definition) enum Template {
    /// A value without expressions, with its size in bytes of JSON.
    Fixed(Value, usize),
    /// A string that is an expression, whose value it becomes.
    Whole(Expression),
    /// A string with expressions in it.
    Text(Vec<Piece>),
    List(Vec<Template>),
    Map(Vec<(String, Template)>),
}

/// A part of a string with expressions in it.
#[derive(Debug)]
pub(in crate::definition) enum Piece {
    Text(String),
    Value(Expression),
}

/// An expression with its place.
#[derive(Debug)]
pub(in crate::definition) struct Expression {
    pub(super) text: String,
    pub(super) program: Program,
    pub(super) place: Place,
}

/// Compiles the template at a path; mistakes are noted, and the values with mistakes are left out.
pub(in crate::definition) fn compile(reader: &mut Reader<'_>, at: &Path, value: &Value, scope: &Scope) -> Template {
    match value {
        Value::String(text) => string(reader, at, text, scope),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            let items: Vec<_> = items.map(|(index, item)| compile(reader, &at.item(index), item, scope)).collect();
            joined(items, Template::List, Value::Array)
        }
        Value::Object(members) => {
            let mut compiled = Vec::new();
            for (name, member) in members {
                let at = at.member(name);
                if matches!(parts(name).as_deref(), Err(_) | Ok([_, _, ..] | [Part::Expression(_)])) {
                    let why = "cannot be a key, since keys have no expressions; write the map as an expression";
                    reader.mistake_of_key(&at, format!("{name:?} {why}"));
                }
                compiled.push(compile(reader, &at, member, scope));
            }
            let names: Vec<String> = members.keys().cloned().collect();
            let of_values =
                |values: Vec<Value>| Value::Object(names.iter().cloned().zip(values).collect::<Map<_, _>>());
            joined(compiled, |values| Template::Map(names.iter().cloned().zip(values).collect()), of_values)
        }
        value => fixed(value.clone()),
    }
}

fn fixed(value: Value) -> Template {
    let size = value.to_string().len();
    Template::Fixed(value, size)
}

/// Returns a list or a map, as a fixed value if all of its parts are fixed.
fn joined(
    parts: Vec<Template>,
    template: impl FnOnce(Vec<Template>) -> Template,
    value: impl FnOnce(Vec<Value>) -> Value,
) -> Template {
    if !parts.iter().all(|part| matches!(part, Template::Fixed(..))) {
        return template(parts);
    }
    let size: usize = parts.iter().map(|part| if let Template::Fixed(_, size) = part { *size } else { 0 }).sum();
    let values =
        parts.into_iter().filter_map(|part| if let Template::Fixed(value, _) = part { Some(value) } else { None });
    let value = value(values.collect());
    let names: usize = value.as_object().into_iter().flatten().map(|(name, _)| name.len() + 4).sum();
    Template::Fixed(value, size + names + 2)
}

fn string(reader: &mut Reader<'_>, at: &Path, text: &str, scope: &Scope) -> Template {
    let nothing = || Template::Fixed(Value::Null, 4);
    let Ok(parts) = parts(text) else {
        reader.mistake(at, format!("{at} has a ${{ that is not closed; write its }}, or $${{ for the text"));
        return nothing();
    };
    match parts.as_slice() {
        [Part::Text(text)] => fixed(Value::String(text.clone())),
        [Part::Expression(text)] => expression(reader, at, text, scope).map_or_else(nothing, Template::Whole),
        parts => {
            let pieces = parts.iter().filter_map(|part| match part {
                Part::Text(text) => Some(Piece::Text(text.clone())),
                Part::Expression(text) => {
                    let found = expression(reader, at, text, scope)?;
                    if matches!(found.program.shape(), Shape::List(_) | Shape::Map(_) | Shape::Record(_)) {
                        let why =
                            "gives a list or a map, which a string cannot contain; write it as a string of its own";
                        reader.mistake(at, format!("{at}: ${{{}}} {why}", shown(text)));
                        return None;
                    }
                    Some(Piece::Value(found))
                }
            });
            Template::Text(pieces.collect())
        }
    }
}

/// Compiles a string that has to be exactly one expression, whose value has to fit.
pub(in crate::definition) fn single(
    reader: &mut Reader<'_>,
    at: &Path,
    value: &Value,
    scope: &Scope,
    (what, fits): (&str, fn(&Shape) -> bool),
) -> Option<Expression> {
    let parts = parts(value.as_str().unwrap_or_default()).unwrap_or_default();
    let [Part::Expression(text)] = parts.as_slice() else {
        reader.mistake(at, format!("{at} must be one expression, such as \"${{...}}\""));
        return None;
    };
    let found = expression(reader, at, text, scope)?;
    if !fits(&found.program.shape()) {
        reader.mistake(at, format!("{at} must give {what}, but ${{{}}} gives something else; correct it", shown(text)));
        return None;
    }
    Some(found)
}

fn expression(reader: &mut Reader<'_>, at: &Path, text: &str, scope: &Scope) -> Option<Expression> {
    if text.trim().is_empty() {
        reader.mistake(at, format!("{at} has an empty ${{}}; write an expression in it, or $${{}} for the text"));
        return None;
    }
    let program = reader.program(at, text, scope)?;
    if let Shape::Other(type_) = program.shape() {
        let why =
            format!("gives a value of type {type_}, which JSON does not have; convert it, for example with string()");
        reader.mistake(at, format!("{at}: ${{{}}} {why}", shown(text)));
        return None;
    }
    Some(Expression { text: text.to_owned(), program, place: reader.place(at) })
}

//! `schematic.kube`: one object, into which parameters are written at the paths of fields.
//!
//! # Source
//! KubeVela 1.1 (`pkg/appfile`, schematic `kube`), and the field paths of crossplane-runtime that it uses.

use serde_json::{Map, Value, json};

use super::failure::Failure;
use super::mistake::Reader;
use super::parameters::Parameters;
use super::work::Run;
use tidegate_api::schema::path::{Path, Step};
use tidegate_model::diagnostic::Place;

/// An object with the fields of its parameters.
#[derive(Debug)]
pub(super) struct Kube {
    place: Place,
    template: Value,
    fields: Vec<(String, Path)>,
}

/// Reads the schematic at a path, with its parameters; mistakes are noted.
pub(super) fn compile(reader: &mut Reader<'_>, at: &Path, schematic: &Value) -> (Parameters, Kube) {
    let template = schematic.get("template").cloned().unwrap_or_else(|| json!({}));
    let place = reader.place(&at.member("template"));
    let (mut properties, mut required, mut fields) = (Map::new(), Vec::new(), Vec::new());
    let mut filled = template.clone();
    for (index, parameter) in schematic.get("parameters").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let at = at.member("parameters").item(index);
        let text = |member: &str| parameter.get(member).and_then(Value::as_str).unwrap_or_default();
        let (name, type_) = (text("name"), text("type"));
        properties.insert(name.to_owned(), json!({ "type": type_ }));
        if parameter.get("required") == Some(&Value::Bool(true)) {
            required.push(name);
        }
        let sample = match type_ {
            "number" => json!(1),
            "boolean" => json!(true),
            _ => json!(""),
        };
        let paths = parameter.get("fieldPaths").and_then(Value::as_array).into_iter().flatten().enumerate();
        for (index, text) in paths {
            let at = at.member("fieldPaths").item(index);
            let text = text.as_str().unwrap_or_default();
            match parsed(text).ok_or(UNREADABLE).and_then(|path| write(&mut filled, &path, &sample).map(|()| path)) {
                Ok(path) => fields.push((name.to_owned(), path)),
                Err(why) => reader.mistake(&at, format!("{at} is {text:?}, {why}")),
            }
        }
    }
    let schema = json!({ "type": "object", "required": required, "properties": properties });
    (Parameters::of_schema(&schema), Kube { place, template, fields })
}

const UNREADABLE: &str = "which is not the path of a field; write one such as spec.template.spec.containers[0].image";

/// Reads the path of a field. A key in brackets may contain dots.
fn parsed(text: &str) -> Option<Path> {
    let mut path = Path::default();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('[') {
            let (key, after) = after.split_once(']')?;
            let quoted = key.strip_prefix(['"', '\'']).and_then(|key| key.strip_suffix(['"', '\'']));
            path = match (quoted, key.parse::<usize>()) {
                (None, Ok(index)) => path.item(index),
                (quoted, _) => path.member(quoted.unwrap_or(key)),
            };
            rest = after;
            continue;
        }
        let named = if path.0.is_empty() { rest } else { rest.strip_prefix('.')? };
        let end = named.find(['.', '[']).unwrap_or(named.len());
        let (name, after) = named.split_at(end);
        if name.is_empty() {
            return None;
        }
        path = path.member(name);
        rest = after;
    }
    (!path.0.is_empty()).then_some(path)
}

/// Writes a value at a path. Fields that are missing are added, and an item at the end of a list.
fn write(into: &mut Value, path: &Path, value: &Value) -> Result<(), &'static str> {
    let mut at = into;
    for step in &path.0 {
        at = match step {
            Step::Member(name) => {
                if at.is_null() {
                    *at = json!({});
                }
                at.as_object_mut()
                    .ok_or("which leads through a value that is not a map; correct it")?
                    .entry(name)
                    .or_insert(Value::Null)
            }
            Step::Item(index) => {
                if at.is_null() {
                    *at = json!([]);
                }
                let items = at.as_array_mut().ok_or("which leads through a value that is not a list; correct it")?;
                if *index == items.len() {
                    items.push(Value::Null);
                }
                items.get_mut(*index).ok_or("which is behind the end of a list of the template; correct the number")?
            }
        };
    }
    *at = value.clone();
    Ok(())
}

impl Kube {
    /// Renders the object. It has the name of the component, as in KubeVela.
    ///
    /// # Errors
    /// [`Failure`]
    pub(super) fn render(&self, run: &mut Run<'_>, values: &Value) -> Result<Vec<Value>, Failure> {
        run.place = self.place.clone();
        let mut object = self.template.clone();
        let failed = |why: &str| Failure::new(&self.place, format!("a parameter has a field path {why}"));
        for (name, path) in &self.fields {
            let Some(value) = values.pointer("/parameters").and_then(|parameters| parameters.get(name)) else {
                continue;
            };
            // An item in the middle of a list may be left out, so that a later one is not at the end.
            write(&mut object, path, value).map_err(failed)?;
        }
        let name = values.pointer("/context/name").cloned().unwrap_or_default();
        write(&mut object, &Path::default().member("metadata").member("name"), &name).map_err(failed)?;
        run.take(object.to_string().len())?;
        Ok(vec![object])
    }
}

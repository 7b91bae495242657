//! The objects of a definition.

use serde_json::{Value, json};

use super::compile::{Expression, Template, compile, single};
use super::render::render;
use crate::definition::failure::{Failure, shown};
use crate::definition::mistake::Reader;
use crate::definition::work::Run;
use crate::fields::set;
use tidegate_api::key;
use tidegate_api::schema::path::Path;
use tidegate_cel::{Scope, Shape, escaped};
use tidegate_kustomize::yaml::MAX_DEPTH;
use tidegate_model::diagnostic::Place;

/// The variable of conditions in `readyWhen` for the object as its cluster reports it.
const OBJECT: &str = "object";

/// An object, or one for each item of a list.
#[derive(Debug)]
pub(in crate::definition) struct ObjectTemplate {
    place: Place,
    /// The lists, each with the variable for its items.
    for_each: Vec<(String, Expression)>,
    /// All of them must be true.
    include_when: Vec<Expression>,
    template: Template,
    /// The annotation with the conditions of the object, if it has any.
    ready_when: Option<String>,
}

/// Compiles the objects at a path; mistakes are noted.
pub(in crate::definition) fn objects(
    reader: &mut Reader<'_>,
    at: &Path,
    objects: &Value,
    scope: &Scope,
) -> Vec<ObjectTemplate> {
    let objects = objects.as_array().into_iter().flatten().enumerate();
    objects.map(|(index, object)| one(reader, &at.item(index), object, scope.clone())).collect()
}

fn one(reader: &mut Reader<'_>, at: &Path, object: &Value, mut scope: Scope) -> ObjectTemplate {
    let mut for_each = Vec::new();
    for (at, given) in listed(at, object, "forEach") {
        let mut entries = given.as_object().into_iter().flatten();
        let (Some((name, list)), None) = (entries.next(), entries.next()) else {
            reader.mistake(&at, format!("{at} must have one variable, such as `port: ${{parameters.ports}}`"));
            continue;
        };
        let at = at.member(name);
        if scope.has(name) || escaped(name) != *name || !is_identifier(name) {
            let why = "cannot be the name of a variable here; write another name of letters, digits and '_'";
            reader.mistake_of_key(&at, format!("{name:?} {why}"));
            continue;
        }
        let is_list = |shape: &Shape| matches!(shape, Shape::List(_) | Shape::Any);
        let list = single(reader, &at, list, &scope, ("a list", is_list));
        let item = match list.as_ref().map(|list| list.program.shape()) {
            Some(Shape::List(item)) => *item,
            _ => Shape::Any,
        };
        scope = scope.with(name, &item);
        for_each.extend(list.map(|list| (name.clone(), list)));
    }
    let is_bool = |shape: &Shape| matches!(shape, Shape::Bool | Shape::Any);
    let conditions = listed(at, object, "includeWhen");
    let include_when =
        conditions.filter_map(|(at, given)| single(reader, &at, given, &scope, ("true or false", is_bool))).collect();
    let template = at.member("template");
    let place = reader.place(&template);
    let template = compile(reader, &template, object.get("template").unwrap_or(&Value::Null), &scope);
    let ready_when = listed(at, object, "readyWhen").filter_map(|(at, given)| condition(reader, &at, given));
    let ready_when: Vec<String> = ready_when.collect();
    let ready_when = (!ready_when.is_empty()).then(|| json!(ready_when).to_string());
    ObjectTemplate { place, for_each, include_when, template, ready_when }
}

/// Compiles a condition in `readyWhen`, which the hub judges by what the clusters report.
fn condition(reader: &mut Reader<'_>, at: &Path, given: &Value) -> Option<String> {
    let is_bool = |shape: &Shape| matches!(shape, Shape::Bool | Shape::Any);
    let scope = Scope::default().with(OBJECT, &Shape::Any);
    let found = single(reader, at, given, &scope, ("true or false", is_bool))?;
    if let Err(why) = tidegate_delivery::fields(&found.text) {
        let remedy = "read single fields by their names, such as object.status.phase";
        reader.mistake(at, format!("{at}: ${{{}}} cannot be judged: {why}; {remedy}", shown(&found.text)));
        return None;
    }
    Some(found.text)
}

fn listed<'v>(at: &Path, object: &'v Value, member: &'v str) -> impl Iterator<Item = (Path, &'v Value)> + use<'v> {
    let at = at.member(member);
    let items = object.get(member).and_then(Value::as_array).into_iter().flatten().enumerate();
    items.map(move |(index, item)| (at.item(index), item))
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl ObjectTemplate {
    /// Renders the objects into a list. `values` has the variables, and gets those of the lists while they are needed.
    ///
    /// # Errors
    /// [`Failure`]
    pub(in crate::definition) fn render(
        &self,
        run: &mut Run<'_>,
        values: &mut Value,
        objects: &mut Vec<Value>,
    ) -> Result<(), Failure> {
        run.place = self.place.clone();
        self.each(&self.for_each, run, values, objects)
    }

    fn each(
        &self,
        lists: &[(String, Expression)],
        run: &mut Run<'_>,
        values: &mut Value,
        objects: &mut Vec<Value>,
    ) -> Result<(), Failure> {
        let Some(((name, list), inner)) = lists.split_first() else { return self.object(run, values, objects) };
        let items = match list.value(run, values)? {
            Some(Value::Array(items)) => items,
            _ => return Err(list.failure("gives no list, as forEach needs it")),
        };
        for item in items {
            values[name] = item;
            self.each(inner, run, values, objects)?;
        }
        if let Some(values) = values.as_object_mut() {
            values.remove(name);
        }
        Ok(())
    }

    fn object(&self, run: &mut Run<'_>, values: &Value, objects: &mut Vec<Value>) -> Result<(), Failure> {
        run.count()?;
        for condition in &self.include_when {
            match condition.value(run, values)? {
                Some(Value::Bool(true)) => {}
                Some(Value::Bool(false)) => return Ok(()),
                _ => return Err(condition.failure("gives neither true nor false, as includeWhen needs it")),
            }
        }
        let mut object = render(&self.template, run, values)?.unwrap_or(Value::Null);
        if depth(&object) > MAX_DEPTH {
            return Err(Failure::new(
                &self.place,
                format!("this renders an object deeper than {MAX_DEPTH} levels; simplify it"),
            ));
        }
        if let Some(conditions) = &self.ready_when {
            run.take(conditions.len())?;
            set(&mut object, &["metadata", "annotations", key::READY_WHEN], json!(conditions));
        }
        objects.push(object);
        Ok(())
    }
}

/// Returns how deep a value is nested.
pub(crate) fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

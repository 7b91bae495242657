//! Components of type `kustomize`: the overlays of the repository that they name are rendered when the revision is read, and their objects become
//! properties of the component. A published revision contains them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::component::{self, KUSTOMIZE, MADE, PATH, RENDERED, RENDERED_FROM, made};
use crate::application::kind::is_application;
use crate::complaint::{Complaint, Rule};
use crate::read::notes::Notes;
use crate::read::object::{Object, path};
use tidegate_go::json_length::json_length;
use tidegate_kustomize::overlay::{is_overlay, render_within};
use tidegate_kustomize::yaml::NodeBudget;
use tidegate_model::diagnostic::Diagnostic;
use tidegate_model::tree::Tree;

/// Most bytes of what overlays render to, those of each component counted apart: each has a copy.
const MOST_BYTES: usize = 64 << 20;

/// What an overlay renders to.
enum Overlay {
    /// Its objects, and their size in bytes.
    Objects(Vec<Value>, usize),
    Failed(Vec<Diagnostic>),
}

/// Renders the overlays that the components of applications name. Returns the files and directories that were looked for.
pub(crate) fn add_overlays(
    tree: &Tree,
    objects: &mut [Object],
    complaints: &mut Vec<Complaint>,
    budget: &NodeBudget,
) -> BTreeSet<String> {
    let mut known: BTreeMap<String, Overlay> = BTreeMap::new();
    let (mut read, mut left) = (BTreeSet::new(), MOST_BYTES);
    for object in objects.iter_mut().filter(|object| is_application(object)) {
        let mut found = Vec::new();
        for (index, directory) in named(&object.value) {
            given(object, index, &mut found);
            let overlay =
                known.entry(directory.clone()).or_insert_with(|| rendered(tree, &directory, budget, &mut read));
            let (objects, problems) = match overlay {
                Overlay::Objects(objects, size) if *size <= left => {
                    left -= *size;
                    (Some(&*objects), None)
                }
                Overlay::Objects(..) => {
                    excess(object, index, &mut found);
                    (None, None)
                }
                Overlay::Failed(problems) => (None, Some(problems)),
            };
            add(object, index, (&directory, objects));
            for problem in problems.into_iter().flatten().filter(|problem| problem.is_error()) {
                let of_overlay = Complaint::new(Rule::Overlay, problem.clone());
                found.push(Complaint { object: Some(object.key.clone()), ..of_overlay });
            }
        }
        complaints.append(&mut found);
    }
    read
}

/// Returns the overlays that the components of an application name, each with the index of its component.
fn named(application: &Value) -> Vec<(usize, String)> {
    let components = application.pointer("/spec/components").and_then(Value::as_array).into_iter().flatten();
    let overlay = |(index, component): (usize, &Value)| {
        let is_overlay = component.get("type").is_some_and(|type_| type_ == KUSTOMIZE);
        let directory = component.get("properties")?.get(PATH)?.as_str().filter(|_| is_overlay)?;
        Some((index, component::directory(directory)))
    };
    components.enumerate().filter_map(overlay).collect()
}

/// Adds a complaint about a component for whose overlay there is no room.
fn excess(object: &Object, index: usize, complaints: &mut Vec<Complaint>) {
    let at = path(&["spec", "components"]).item(index).member("properties").member(PATH);
    let message = format!(
        "the overlays of components have more than {} MiB together up to here, those of each component counted apart; use fewer of them",
        MOST_BYTES >> 20
    );
    Notes { object, complaints }.error(object.value_origin(&at), message);
}

/// Adds a complaint about properties that only a published revision has.
fn given(object: &Object, index: usize, complaints: &mut Vec<Complaint>) {
    let at = path(&["spec", "components"]).item(index).member("properties");
    let properties = object.value.pointer(&format!("/spec/components/{index}/properties"));
    for member in MADE {
        if properties.is_some_and(|properties| properties.get(member).is_some()) {
            let at = at.member(member);
            Notes { object, complaints }.error(object.key_origin(&at), made(&at));
        }
    }
}

fn rendered(tree: &Tree, directory: &str, budget: &NodeBudget, read: &mut BTreeSet<String>) -> Overlay {
    let found = render_within(tree, directory, &tidegate_kustomize::overlay::Options::default(), budget);
    let is_failed = found.is_failed();
    read.extend(found.read);
    if !is_overlay(tree, directory) {
        // The component says what is wrong.
        return Overlay::Failed(Vec::new());
    }
    if is_failed {
        return Overlay::Failed(found.complaints);
    }
    let values: Result<Vec<Value>, _> = found.objects.iter().map(|object| object.node.to_value()).collect();
    match values {
        Ok(values) => {
            let size = values.iter().map(json_length).fold(0, usize::saturating_add);
            Overlay::Objects(values, size)
        }
        Err(error) => Overlay::Failed(vec![found.provenance.resolve(error)]),
    }
}

/// Adds the objects of an overlay to the properties of its component; none if it cannot be rendered.
fn add(object: &mut Object, index: usize, (directory, objects): (&str, Option<&Vec<Value>>)) {
    let properties = object.value.pointer_mut(&format!("/spec/components/{index}/properties"));
    let Some(properties) = properties.and_then(Value::as_object_mut) else { return };
    properties.remove(RENDERED);
    properties.extend(objects.map(|objects| (RENDERED.to_owned(), json!(objects))));
    properties.insert(RENDERED_FROM.to_owned(), json!(directory));
}

//! The charts of AddOnTemplates: their manifests are appended to those that a template contains.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::file;
use super::notes::Notes;
use super::object::Object;
use crate::complaint::{Complaint, Rule, mark_from};
use tidegate_kustomize::vendor::{ObjectChart, ObjectCharts};
use tidegate_kustomize::yaml::{Content, Key, Mapping, Node, NodeBudget, Origin, Provenance, SourceId};
use tidegate_model::tree::Tree;

/// The path of the manifests of a template.
const MANIFESTS: [&str; 4] = ["spec", "agentSpec", "workload", "manifests"];

/// What the charts of all objects use.
#[derive(Default)]
pub(crate) struct Used {
    /// The directories of the entries in the lock.
    pub(crate) used: BTreeSet<String>,
    /// The files and directories that were looked for.
    pub(crate) looked_at: BTreeSet<String>,
}

/// Appends the manifests of charts to the AddOnTemplates that name them. A template whose chart cannot be used gets an error.
pub(crate) fn append(
    tree: &Tree,
    objects: &mut [Object],
    complaints: &mut Vec<Complaint>,
    budget: &NodeBudget,
) -> Used {
    let mut charts = ObjectCharts::new(tree, budget);
    let mut used = BTreeSet::new();
    for object in objects.iter_mut().filter(|object| object.is_addon_kind("AddOnTemplate")) {
        let before = complaints.len();
        match charts.of_template(&object.node, &object.provenance) {
            Ok(None) => {}
            Ok(Some(chart)) => used.extend(manifests(object, &chart, &mut charts, budget, complaints)),
            Err(error) => Notes { object, complaints: &mut *complaints }.error(error.place, error.message),
        }
        mark_from(complaints, before, Rule::Template);
    }
    Used { used, looked_at: charts.looked_at() }
}

/// Appends the manifests of a chart to its template. Returns the directory of the entry in the lock.
fn manifests(
    object: &mut Object,
    chart: &ObjectChart,
    charts: &mut ObjectCharts<'_>,
    budget: &NodeBudget,
    complaints: &mut Vec<Complaint>,
) -> Option<String> {
    let mut provenance = Provenance::clone(&object.provenance);
    let output = charts.output(chart, &mut provenance);
    object.provenance = Arc::new(provenance);
    let mut found = Vec::new();
    let mut notes = Notes { object, complaints: &mut found };
    let mut directory = None;
    let documents = match output {
        Ok(output) => {
            directory = Some(output.directory);
            output.outdated.into_iter().for_each(|warning| notes.warning(warning.place, warning.message));
            file::documents(output.source, output.manifests, budget).map(|documents| (output.source, documents))
        }
        Err(error) => Err(error),
    };
    match documents {
        Ok((source, documents)) => add(object, source, documents),
        Err(error) => notes.error(error.place, error.message),
    }
    complaints.append(&mut found);
    directory
}

/// Adds documents to the manifests of a template, those of lists one by one. A template with a field of the wrong type is left as it is; its
/// schema reports that.
fn add(object: &mut Object, source: SourceId, documents: Vec<(Node, Value)>) {
    let items = documents.into_iter().flat_map(|(node, value)| items(node, value));
    let (nodes, values): (Vec<Node>, Vec<Value>) = items.unzip();
    let at = Origin::new(source, 1, 1);
    let Some(list) = list_in(&mut object.value) else { return };
    let Some(node) = node_in(&mut object.node, at) else { return };
    list.extend(values);
    node.extend(nodes);
}

/// Returns the items of a list, or the document itself.
pub(crate) fn items(node: Node, mut value: Value) -> Vec<(Node, Value)> {
    let is_list = value.get("kind").and_then(Value::as_str) == Some("List");
    let values = value.get_mut("items").filter(|_| is_list).and_then(Value::as_array_mut).map(std::mem::take);
    let Some(values) = values else { return vec![(node, value)] };
    let Content::Mapping(mut mapping) = node.content else { return Vec::new() };
    match mapping.remove("items").map(|entry| entry.value.content) {
        Some(Content::Sequence(nodes)) => nodes.into_iter().zip(values).collect(),
        _ => Vec::new(),
    }
}

/// Returns the list of manifests of a template, which is created if it is missing.
fn list_in(template: &mut Value) -> Option<&mut Vec<Value>> {
    let (last, above) = MANIFESTS.split_last()?;
    let mut at = template;
    for name in above {
        at = at.as_object_mut()?.entry(*name).or_insert_with(|| json!({}));
    }
    at.as_object_mut()?.entry(*last).or_insert_with(|| json!([])).as_array_mut()
}

/// Returns the list of manifests in the node of a template, which is created if it is missing.
fn node_in(template: &mut Node, origin: Origin) -> Option<&mut Vec<Node>> {
    let (last, above) = MANIFESTS.split_last()?;
    let mut at = template;
    for name in above {
        at = child(at, name, || Node::mapping(Mapping::new(), origin))?;
    }
    match &mut child(at, last, || Node::sequence(Vec::new(), origin))?.content {
        Content::Sequence(items) => Some(items),
        _ => None,
    }
}

fn child<'n>(node: &'n mut Node, name: &str, make: impl FnOnce() -> Node) -> Option<&'n mut Node> {
    let Content::Mapping(mapping) = &mut node.content else { return None };
    let made = make();
    Some(mapping.get_or_insert_with(Key::new(name, made.origin), || made))
}

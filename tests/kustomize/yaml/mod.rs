//! Tests of parsing and writing YAML as Go does.

mod folding;
mod keys;
mod kustomizations;
mod limits;
mod properties;
mod reading;
mod scalars;
mod separation;
mod trees;
mod writing;

use serde_json::Value;
use tidegate_kustomize::yaml::{self, Error, Input, Node, Origin, Provenance};

/// Returns a file with a text.
fn input(text: &str) -> Input<'_> {
    Input::of_file(Provenance::default().add_source("a.yaml"), text.as_bytes())
}

/// Parses a resource file.
fn read(text: &str) -> Result<Vec<Node>, Error> {
    let source = Provenance::default().add_source("a.yaml");
    yaml::resources(Input::of_file(source, text.as_bytes()))
}

/// Parses a kustomization file.
fn read_kustomization(text: &str) -> Result<Option<Node>, Error> {
    let source = Provenance::default().add_source("kustomization.yaml");
    yaml::kustomization(Input::of_file(source, text.as_bytes()))
}

/// Parses a resource file and returns its documents in their final form.
fn values(text: &str) -> Vec<Value> {
    let mut nodes = read(text).unwrap_or_else(|error| panic!("{text:?}: {error:?}"));
    nodes.iter_mut().for_each(|node| yaml::normalize(node).unwrap());
    nodes.iter().map(|node| node.to_value().unwrap()).collect()
}

/// Parses the only document of a resource file and returns it in its final form.
fn value(text: &str) -> Value {
    let mut values = values(text);
    assert_eq!(values.len(), 1, "{text:?}");
    values.remove(0)
}

/// Returns the error in a resource file, as an editor would show it.
fn complaint(text: &str) -> String {
    let normalized = read(text).and_then(|mut nodes| nodes.iter_mut().try_for_each(yaml::normalize));
    said(normalized.expect_err(text))
}

fn said(error: Error) -> String {
    format!("{}:{}: {}", error.place.line, error.place.column, error.message)
}

/// Writes a JSON value as YAML.
fn written(value: &Value) -> String {
    let mut node = Node::from_value(value, Origin::default());
    yaml::normalize(&mut node).unwrap();
    yaml::write(&node).unwrap()
}

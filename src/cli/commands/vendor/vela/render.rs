//! Renders an application with `vela dry-run`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::fetcher::NotFetched;
use super::{application, output};
use tidegate_download::{DryRun, Vela};
use tidegate_kustomize::vendor::{VendoredApplication, inputs};
use tidegate_kustomize::yaml::{self, Input, Node, Origin, SourceId};
use tidegate_model::diagnostic::Place;
use tidegate_model::digest::Digest;
use tidegate_model::tree::Tree;
use tidegate_repository::Rendering;

/// Renders an application, and returns the file with its entry of the lock.
pub(in super::super) fn render(
    vela: &Vela,
    tree: &Tree,
    rendering: &Rendering,
) -> Result<(VendoredApplication, Vec<u8>), NotFetched> {
    let Rendering { app, definitions, target, .. } = rendering;
    let inputs = inputs(tree, app, definitions).map_err(|unreadable| NotFetched::from(unreadable.to_string()))?;
    let source = source(tree, app)?;
    let below = format!("{definitions}/");
    let is_input = |path: &String| path == app || path == definitions || path.starts_with(&below);
    let files: BTreeMap<String, Vec<u8>> = tree
        .files
        .iter()
        .filter(|(path, _)| is_input(path))
        .map(|(path, bytes)| (path.clone(), bytes.clone()))
        .collect();
    let printed = vela.dry_run(DryRun { files: &files, app, definitions })?;
    let made = output::parts(&printed).and_then(|parts| application::application(&source, &parts));
    let made = made.map_err(|why| format!("the output of vela for {app} cannot be used: {why}"))?;
    let text = yaml::write(&Node::from_value(&made, Origin::default())).map_err(|error| error.message)?;
    let version = vela.version();
    let text = format!(
        "# Written by `tidegate vendor` from {app} with vela {version}. Do not edit it; change that file or its definitions.\n{text}"
    );
    let entry = VendoredApplication {
        file: target.clone(),
        app: app.clone(),
        definitions: definitions.clone(),
        inputs,
        vela: version.to_owned(),
        content: Digest::of(text.as_bytes()),
        place: Place::default(),
    };
    Ok((entry, text.into_bytes()))
}

/// Reads the Application of a file.
fn source(tree: &Tree, app: &str) -> Result<Value, NotFetched> {
    let bytes = tree.files.get(app).map(Vec::as_slice).unwrap_or_default();
    let said = |error: yaml::Error| format!("{app}:{}: {}", error.place.line, error.message);
    let nodes = yaml::manifests(Input::of_file(SourceId::default(), bytes)).map_err(said)?;
    let [node] = nodes.as_slice() else {
        return Err(format!("{app} has {} documents; vela reads one Application", nodes.len()).into());
    };
    let value = node.to_value().map_err(said)?;
    let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let is_application = text("/kind") == "Application" && text("/apiVersion").starts_with("core.oam.dev/");
    if !is_application {
        return Err(format!("{app} is not an Application of core.oam.dev").into());
    }
    for member in ["name", "namespace"] {
        if text(&format!("/metadata/{member}")).is_empty() {
            return Err(format!("{app} has no metadata.{member}; write it").into());
        }
    }
    Ok(value)
}

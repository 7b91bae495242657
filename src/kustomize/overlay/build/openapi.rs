//! Loads the OpenAPI document of `openapi`, and the types of `crds`.

use std::sync::Arc;

use serde_json::Value;

use super::accumulated::Layer;
use crate::overlay::accumulator::Accumulator;
use crate::overlay::context::BuildContext;
use crate::overlay::field_specs::crds::{self, NotTypes};
use crate::overlay::input::kustomization::Kustomization;
use crate::overlay::input::{File, Text};
use crate::overlay::model::Resource;
use crate::overlay::patch::{Document, builtin_type};
use crate::yaml;
use crate::yaml::{Error, Origin};

/// The only version of the built-in types.
const VERSION: &str = "v1.21.2";

impl BuildContext<'_> {
    /// Chooses the types of the rendering as a kustomization asks.
    ///
    /// # Errors
    /// [`Error`] if the document cannot be read, or the version is unknown.
    ///
    /// # Source
    /// kyaml `openapi.SetSchema`. A document replaces all built-in types, unless something was merged, or a custom resource was
    /// read, before the document is named.
    pub(super) fn set_openapi(&mut self, kustomization: &Kustomization, directory: &str) -> Result<(), Error> {
        let Some(openapi) = &kustomization.openapi else { return Ok(()) };
        let document = match &openapi.path {
            Some(path) => {
                let file = self.files.load(directory, path, &mut self.provenance)?;
                Some(document(&file, path)?)
            }
            None => None,
        };
        if self.openapi.is_set {
            return Ok(());
        }
        match (&openapi.version, document) {
            (Some(version), Some(_)) => {
                return Err(version.error("openapi has both a path and a version; keep one of them"));
            }
            (Some(version), None) if &*version.text != VERSION => {
                let message = format!("the version {:?} is not built in; write {VERSION}, or remove it", version.text);
                return Err(version.error(message));
            }
            (Some(_), None) => self.openapi.is_set = true,
            (None, Some(document)) => {
                self.openapi.is_set = true;
                self.types.hides_builtin = !self.openapi.is_builtin_loaded;
                self.types.document = Some(document);
            }
            (None, None) => {}
        }
        Ok(())
    }

    /// Records that something was merged with the types that are known now.
    pub(super) fn note_merge(&mut self) {
        self.openapi.is_builtin_loaded |= self.types.document.is_none();
    }

    /// Looks up the scope of an object that was read.
    pub(super) fn look_up_scope(&mut self, resource: &mut Resource) {
        let is_known = self.types.document.is_some();
        if !is_known && self.openapi.is_builtin_loaded {
            return;
        }
        let (api_version, kind) = (resource.api_version(), resource.kind());
        if is_known {
            resource.is_cluster_scoped = self.types.is_cluster_scoped(&api_version, &kind);
        } else {
            self.openapi.is_builtin_loaded |= builtin_type(&api_version, &kind).is_none();
        }
    }

    /// Adds the field specs of the types in an entry of `crds`.
    pub(super) fn add_crds(
        &mut self,
        path: &Text,
        layer: &Layer<'_>,
        accumulator: &mut Accumulator,
    ) -> Result<(), Error> {
        let file = self.files.load(layer.directory, path, &mut self.provenance)?;
        let value = value(&file, path)?;
        let config = crds::read(&value, &mut |visits| self.budget.charge(visits, path.origin))
            .map_err(|why| why.unwrap_or_else(|why| wrong_crds(&file, path, &why)))?;
        self.merge(&mut accumulator.config, &Arc::new(config), path)
    }
}

fn wrong_crds(file: &File<'_>, path: &Text, why: &NotTypes) -> Error {
    path.error(format!(
        "{} does not describe types as kustomize expects: {why}; it needs an OpenAPI definition for each type, not a \
         CustomResourceDefinition",
        file.path
    ))
}

fn document(file: &File<'_>, path: &Text) -> Result<Document, Error> {
    Document::read(&value(file, path)?)
        .map_err(|why| path.error(format!("{} is not an OpenAPI document: {why}", file.path)))
}

/// Reads a file as JSON, or as YAML if it does not start with a brace.
fn value(file: &File<'_>, path: &Text) -> Result<Value, Error> {
    if !file.bytes.starts_with(b"{") {
        let node = yaml::kustomization(file.input())?;
        return node.ok_or_else(|| path.error(format!("{} is empty", file.path)))?.to_value();
    }
    serde_json::from_slice(file.bytes).map_err(|error| {
        let line = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let at = Origin::new(file.source, line(error.line()), line(error.column().max(1)));
        at.error(format!("this is not JSON: {error}"))
    })
}

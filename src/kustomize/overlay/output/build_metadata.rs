//! The annotations of `buildMetadata`, and internal annotations that are removed.

use std::sync::Arc;

use crate::overlay::build::BuildContext;
use crate::overlay::field_specs::spec::{FieldSpec, Gvk};
use crate::overlay::field_specs::{Create, FieldVisitor};
use crate::overlay::input::Text;
use crate::overlay::input::kustomization::Kustomization;
use crate::overlay::model::values::{Cause, check_key, set_field};
use crate::overlay::model::{Maker, Resource};
use crate::yaml::described;
use crate::yaml::{Error, Key, Mapping, Node, Origin, Provenance, Scalar, write as write_yaml};

const ORIGIN: &str = "config.kubernetes.io/origin";
const TRANSFORMATIONS: &str = "alpha.config.kubernetes.io/transformations";
const MANAGED_BY: &str = "app.kubernetes.io/managed-by";
/// The value that kustomize gives to that label.
const MANAGER: &str = "kustomize-v5.8.1";

/// Annotations that kustomize uses internally.
const INTERNAL: [&str; 20] = [
    ORIGIN,
    TRANSFORMATIONS,
    "internal.config.kubernetes.io/previousKinds",
    "internal.config.kubernetes.io/previousNames",
    "internal.config.kubernetes.io/prefixes",
    "internal.config.kubernetes.io/suffixes",
    "internal.config.kubernetes.io/previousNamespaces",
    "internal.config.kubernetes.io/allowNameChange",
    "internal.config.kubernetes.io/allowKindChange",
    "internal.config.kubernetes.io/refBy",
    "internal.config.kubernetes.io/generatorBehavior",
    "internal.config.kubernetes.io/needsHashSuffix",
    "internal.config.kubernetes.io/path",
    "internal.config.kubernetes.io/index",
    "internal.config.kubernetes.io/seqindent",
    "internal.config.kubernetes.io/id",
    "internal.config.kubernetes.io/annotations-migration-resource-id",
    "config.kubernetes.io/path",
    "config.kubernetes.io/index",
    "config.k8s.io/id",
];

/// Turns the values of annotations into strings, and removes `annotations` if it is empty.
///
/// # Errors
/// [`Error`] if metadata or annotations have the wrong type, or kustomize, which writes keys without quotes, would not read a key
/// as a string.
pub(crate) fn clean(object: &mut Node) -> Result<(), Error> {
    let origin = object.origin;
    if let Some(object) = object.as_mapping_mut() {
        // Only lists have no metadata: kustomize looks for annotations there, and leaves the mapping that it created for that.
        object.get_or_insert_with(Key::new("metadata", origin), || Node::mapping(Mapping::new(), origin));
    }
    check_metadata(object)?;
    let Some(metadata) = object.get_mut("metadata").and_then(Node::as_mapping_mut) else { return Ok(()) };
    let Some(annotations) = metadata.get_mut("annotations") else { return Ok(()) };
    if annotations.as_sequence().is_some_and(|items| !items.is_empty()) {
        let message = "the annotations are a list, but must be a mapping of strings; write a mapping";
        return Err(annotations.origin.error(message));
    }
    if let Some(annotations) = annotations.as_mapping_mut() {
        for (key, value) in annotations.iter_mut() {
            check_key(key)?;
            let text = value.as_scalar().map_or_else(Arc::default, |scalar| Arc::clone(scalar.shared_text()));
            // kustomize creates the annotations again, with values of several lines as literal blocks.
            let scalar = if text.contains('\n') { Scalar::literal(text) } else { Scalar::string(text) };
            *value = Node::scalar(scalar, value.origin);
        }
    }
    if annotations.as_mapping().is_none_or(Mapping::is_empty) {
        metadata.remove("annotations");
    }
    Ok(())
}

/// Checks that metadata, if present, can have annotations.
fn check_metadata(object: &Node) -> Result<(), Error> {
    match object.get("metadata").filter(|metadata| metadata.as_mapping().is_none() && !metadata.is_null()) {
        Some(metadata) => {
            let message = format!("metadata is {}, but must be a mapping; give it fields", described(metadata));
            Err(metadata.origin.error(message))
        }
        None => Ok(()),
    }
}

/// Removes kustomize's internal annotations, and adds what `buildMetadata` asks for.
///
/// # Errors
/// [`Error`] if the labels are not a mapping.
pub(crate) fn write(
    resources: &mut [Resource],
    kustomization: &Kustomization,
    context: &mut BuildContext<'_>,
) -> Result<(), Error> {
    let asked = kustomization.build_metadata.as_deref().unwrap_or_default();
    let find = |name: &str| asked.iter().find(|text| &*text.text == name);
    for text in asked {
        if !matches!(&*text.text, "originAnnotations" | "transformerAnnotations" | "managedByLabel") {
            let message = format!(
                "{:?} is not an option of buildMetadata; use originAnnotations, transformerAnnotations or managedByLabel",
                text.text
            );
            context.warnings.push(text.origin.warning(message));
        }
    }
    let (origin, changes, managed) =
        (find("originAnnotations"), find("transformerAnnotations"), find("managedByLabel"));
    for resource in resources {
        if let Some(text) = managed {
            label(resource, text, &mut context.provenance)?;
        }
        let metadata = resource.node.get_mut("metadata").and_then(|metadata| metadata.get_mut("annotations"));
        if let Some(annotations) = metadata.and_then(Node::as_mapping_mut) {
            annotations.retain(|key, _| !INTERNAL.contains(&&*key.text));
        }
        if let Some((text, maker)) = origin.zip(resource.made_by.clone()) {
            annotate(&mut resource.node, ORIGIN, maker.lines("")?, text, &mut context.provenance);
        }
        if let Some(text) = changes.filter(|_| !resource.changed_by.is_empty()) {
            let lines = resource.changed_by.iter().map(|maker| maker.lines("- ")).collect::<Result<String, _>>()?;
            annotate(&mut resource.node, TRANSFORMATIONS, lines, text, &mut context.provenance);
        }
    }
    Ok(())
}

fn label(resource: &mut Resource, text: &Text, provenance: &mut Provenance) -> Result<(), Error> {
    let spec = FieldSpec::new(Gvk::default(), "metadata/labels", true);
    let visitor = FieldVisitor { by: "buildMetadata", create: Create::Mapping, origin: text.origin };
    visitor.visit(resource, &spec, &mut |node| {
        let before = node.get(MANAGED_BY).map(|old| old.origin);
        let origin = Cause::new("buildMetadata", text.origin).origin(text.origin, before, provenance);
        set_field(node, &Key::new(MANAGED_BY, origin), Node::scalar(Scalar::string(MANAGER), origin))
    })
}

fn annotate(object: &mut Node, key: &str, value: String, text: &Text, provenance: &mut Provenance) {
    let origin = Cause::new("buildMetadata", text.origin).origin(text.origin, None, provenance);
    let Some(metadata) = object.get_mut("metadata").and_then(Node::as_mapping_mut) else { return };
    let empty = || Node::mapping(Mapping::new(), origin);
    let annotations = metadata.get_or_insert_with(Key::new("annotations", origin), empty);
    if annotations.as_mapping().is_none() {
        *annotations = empty();
    }
    annotations.set(Key::new(key, origin), Node::scalar(Scalar::string(value), origin));
}

impl Maker {
    /// Returns the lines that describe it in an annotation, the first one after `sign`.
    fn lines(&self, sign: &str) -> Result<String, Error> {
        let quoted = |text: &str| {
            let written = write_yaml(&Node::scalar(Scalar::string(text), Origin::default()));
            written.map(|text| text.trim_end().to_owned())
        };
        let indent = " ".repeat(sign.len());
        Ok(match self {
            Self::File(path) => format!("{sign}path: {}\n", quoted(path)?),
            Self::Builtin { configured_in, kind } => format!(
                "{sign}configuredIn: {}\n{indent}configuredBy:\n{indent}  apiVersion: builtin\n{indent}  kind: {kind}\n",
                quoted(configured_in)?
            ),
            Self::Plugin { configured_in, id } => {
                let mut lines = format!("{sign}configuredIn: {}\n{indent}configuredBy:\n", quoted(configured_in)?);
                let fields = [
                    ("apiVersion", &id.api_version),
                    ("kind", &id.kind),
                    ("name", &id.name),
                    ("namespace", &id.namespace),
                ];
                for (field, text) in fields.into_iter().filter(|(_, text)| !text.is_empty()) {
                    lines.extend([&indent, "  ", field, ": ", &quoted(text)?, "\n"]);
                }
                lines
            }
        })
    }
}

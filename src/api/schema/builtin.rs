//! The schemas of Kubernetes' own kinds, compiled one definition at a time, when they are first used.
//!
//! A definition refers to others by name ([`Schema::reference`]), because some are large and used in many places, and others contain
//! themselves.
//!
//! # Source
//! [`crate::kubernetes`]; for quantities and bytes, `k8s.io/apimachinery/pkg/api/resource` and Go's `encoding/base64`.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use serde_json::{Value, json};

use super::choices;
use super::structural::{Pattern, Schema};
use crate::kubernetes;

/// The pattern of a quantity, such as `500m` or `1Gi`.
pub const QUANTITY: &str = r"^\s*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?\s*$";

/// The pattern of bytes in base64, as Go decodes them: line breaks are ignored.
pub const BASE64: &str = concat!(
    r"^[\r\n]*(([A-Za-z0-9+/][\r\n]*){4})*",
    r"(([A-Za-z0-9+/][\r\n]*){2}=[\r\n]*=|([A-Za-z0-9+/][\r\n]*){3}=)?[\r\n]*$"
);

/// Name of the definition of a quantity.
const QUANTITY_NAME: &str = "io.k8s.apimachinery.pkg.api.resource.Quantity";
/// Name of the definition of a value of any type, such as a default in a CustomResourceDefinition.
const JSON_NAME: &str = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON";

/// The groups whose definitions are not below `io.k8s.api`.
const ELSEWHERE: [(&str, &str); 2] = [
    ("apiextensions.k8s.io", "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions"),
    ("apiregistration.k8s.io", "io.k8s.kube-aggregator.pkg.apis.apiregistration"),
];

static COMPILED: LazyLock<BTreeMap<&'static str, OnceLock<Schema>>> =
    LazyLock::new(|| kubernetes::names().map(|name| (name, OnceLock::new())).collect());

/// Returns the schema of a kind; `None` if there is no definition for it in this version.
pub fn of_kind(group: &str, version: &str, kind: &str) -> Option<&'static Schema> {
    let package = match ELSEWHERE.iter().find(|(elsewhere, _)| *elsewhere == group) {
        Some((_, package)) => (*package).to_owned(),
        None if group.is_empty() => "io.k8s.api.core".to_owned(),
        // The group of a custom resource may start like one of Kubernetes' own.
        None if group == "core" || group.contains('.') && !group.ends_with(".k8s.io") => return None,
        None => format!("io.k8s.api.{}", group.split('.').next().unwrap_or_default()),
    };
    let schema = of_definition(&format!("{package}.{version}.{kind}"))?;
    ["apiVersion", "kind", "metadata"].iter().all(|field| schema.properties.contains_key(*field)).then_some(schema)
}

/// Returns the schema of the metadata of all objects.
pub fn metadata() -> Option<&'static Schema> {
    of_definition("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")
}

/// Returns the schema that a schema refers to, or the schema itself.
pub(super) fn resolved(schema: &Schema) -> &Schema {
    schema.reference.as_deref().and_then(of_definition).unwrap_or(schema)
}

fn of_definition(name: &str) -> Option<&'static Schema> {
    let (name, compiled) = COMPILED.get_key_value(name)?;
    Some(compiled.get_or_init(|| compile(name)))
}

fn compile(name: &str) -> Schema {
    match name {
        // A number may have a fraction, too. Only strings are compared with a pattern.
        QUANTITY_NAME => return Schema::compile(&json!({ "pattern": QUANTITY })),
        JSON_NAME => return Schema::default(),
        _ => {}
    }
    let mut schema = Schema::compile(kubernetes::definition(name).unwrap_or(&Value::Null));
    require_base64(&mut schema);
    for (field, values) in choices::of(name) {
        if let Some(property) = schema.properties.get_mut(field) {
            let allowed = values.iter().map(|value| Value::from(*value)).collect();
            match property.items.as_deref_mut() {
                Some(items) => items.allowed = allowed,
                None => property.allowed = allowed,
            }
        }
    }
    schema
}

/// Sets the pattern of strings that hold bytes.
fn require_base64(schema: &mut Schema) {
    if schema.type_ == "string" && schema.format == "byte" {
        schema.pattern = Some(Pattern::new(BASE64));
    }
    let nested = schema.items.iter_mut().chain(&mut schema.additional).map(|nested| &mut **nested);
    nested.chain(schema.properties.values_mut()).for_each(require_base64);
}

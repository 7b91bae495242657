//! Kinds defined by CustomResourceDefinitions.

use std::cmp::Reverse;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    CustomResourceColumnDefinition, CustomResourceDefinition, CustomResourceDefinitionVersion,
};

use super::metadata::with_metadata;
use super::{CellFormat, Column, Kind, Version};
use crate::schema::Rules;
use tidegate_api::schema::Schema;

/// Returns the kind that a CRD defines; `None` if it has no served version or no storage version.
pub(crate) fn kind(crd: &CustomResourceDefinition) -> Option<Kind> {
    let spec = &crd.spec;
    let storage = spec.versions.iter().find(|version| version.storage)?;
    let mut versions: Vec<Version> = spec.versions.iter().filter(|version| version.served).map(version).collect();
    versions.sort_by_key(|version| Reverse(priority(&version.name)));
    if versions.is_empty() {
        return None;
    }
    let names = &spec.names;
    Some(Kind {
        index: 0,
        group: spec.group.clone(),
        kind: names.kind.clone(),
        list_kind: names.list_kind.clone().unwrap_or_else(|| format!("{}List", names.kind)),
        plural: names.plural.clone(),
        singular: names.singular.clone().unwrap_or_else(|| names.kind.to_lowercase()),
        short_names: names.short_names.clone().unwrap_or_default(),
        categories: names.categories.clone().unwrap_or_default(),
        namespaced: spec.scope == "Namespaced",
        custom: true,
        was_redefined: false,
        is_ending: crd.metadata.deletion_timestamp.is_some(),
        versions,
        storage: storage.name.clone(),
    })
}

fn version(version: &CustomResourceDefinitionVersion) -> Version {
    let schema = version.schema.as_ref().and_then(|schema| schema.open_api_v3_schema.as_ref());
    // The schema of a typed CRD always serializes to JSON. Without a schema, any object is valid.
    let schema = schema.and_then(|schema| serde_json::to_value(schema).ok());
    let given = version.additional_printer_columns.as_deref().unwrap_or_default();
    let age = CustomResourceColumnDefinition {
        name: "Age".to_owned(),
        type_: "date".to_owned(),
        json_path: ".metadata.creationTimestamp".to_owned(),
        ..CustomResourceColumnDefinition::default()
    };
    let columns = if given.is_empty() { vec![column(&age)] } else { given.iter().map(column).collect() };
    Version {
        name: version.name.clone(),
        field_schema: with_metadata(schema.as_ref()),
        rules: schema.as_ref().and_then(Rules::compile),
        schema: schema.as_ref().map(Schema::compile),
        schema_source: schema,
        has_status: version.subresources.as_ref().is_some_and(|sub| sub.status.is_some()),
        columns,
    }
}

fn column(column: &CustomResourceColumnDefinition) -> Column {
    let described = || format!("Custom resource definition column (in JSONPath format): {}", column.json_path);
    Column {
        name: column.name.clone(),
        type_: column.type_.clone(),
        format: column.format.clone().unwrap_or_default(),
        description: column.description.clone().filter(|text| !text.is_empty()).unwrap_or_else(described),
        priority: column.priority.unwrap_or(0),
        path: column.json_path.clone(),
        cell_format: CellFormat::Typed,
    }
}

/// Returns the sort key of a version; higher is preferred: `v2`, then `v1`, `v1beta2`, `v1alpha1`, then any other name.
///
/// # Source
/// `k8s.io/apimachinery/pkg/version.CompareKubeAwareVersionStrings`.
pub(super) fn priority(version: &str) -> (u8, u32, u32) {
    let Some(rest) = version.strip_prefix('v') else { return (0, 0, 0) };
    let number = |text: &str| text.parse::<u32>().ok();
    let parts = |word: &str| rest.split_once(word).and_then(|(major, minor)| Some((number(major)?, number(minor)?)));
    if let Some(major) = number(rest) {
        return (3, major, 0);
    }
    if let Some((major, minor)) = parts("beta") {
        return (2, major, minor);
    }
    parts("alpha").map_or((0, 0, 0), |(major, minor)| (1, major, minor))
}

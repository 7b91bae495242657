//! An OpenAPI document.

use std::collections::HashMap;

/// An OpenAPI document.
#[derive(Debug, Default)]
pub(crate) struct Document {
    pub(super) schemas: Vec<Schema>,
    /// The indices of the definitions by their names.
    pub(super) definitions: HashMap<String, usize>,
    /// The indices of the schemas of kinds by `apiVersion` and kind.
    pub(super) kinds: HashMap<(String, String), usize>,
    /// Whether kinds are namespaced.
    pub(super) namespaced: HashMap<(String, String), bool>,
}

/// A schema.
#[derive(Debug, Default)]
pub(super) struct Schema {
    /// The name of the definition that it refers to.
    pub(super) reference: Option<String>,
    pub(super) properties: HashMap<String, usize>,
    /// The schema of all properties that are not listed.
    pub(super) additional: Option<usize>,
    /// The schema of the elements of a list.
    pub(super) items: Option<usize>,
    /// The merge keys of a list that is merged. There are none if it is a set.
    pub(super) merged_by: Option<Vec<String>>,
}

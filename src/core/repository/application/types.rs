//! The types that components and traits can have.

use std::collections::BTreeMap;

use serde_json::Value;

use tidegate_api::schema::Schema;

/// Types with the schemas of their properties.
#[derive(Debug)]
pub(crate) struct Types {
    /// What has one of these types.
    pub(crate) what: &'static str,
    schemas: BTreeMap<&'static str, Schema>,
    /// Types of KubeVela that are not supported, with what to do instead.
    unsupported: &'static [(&'static str, &'static str)],
}

impl Types {
    /// Returns the types with these schemas.
    pub(super) fn new<const N: usize>(
        what: &'static str,
        schemas: [(&'static str, Value); N],
        unsupported: &'static [(&'static str, &'static str)],
    ) -> Self {
        let schemas = schemas.into_iter().map(|(name, schema)| (name, Schema::compile(&schema))).collect();
        Self { what, schemas, unsupported }
    }

    /// Returns the schema of the properties of a type.
    pub(crate) fn schema(&self, type_: &str) -> Option<&Schema> {
        self.schemas.get(type_)
    }

    /// Returns the names of all types.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.schemas.keys().copied()
    }

    /// Returns what to do instead of a type that KubeVela has, and that is not supported.
    pub(crate) fn unsupported(&self, type_: &str) -> Option<&'static str> {
        self.unsupported.iter().find(|(name, _)| *name == type_).map(|(_, remedy)| *remedy)
    }
}

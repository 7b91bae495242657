//! The values of parameters that a component or trait gives.

use serde_json::{Map, Value, json};

use super::rules::{self, Rules};
use super::shape::shape;
use crate::definition::work::{Run, Work};
use tidegate_api::schema::path::Path;
use tidegate_api::schema::{Schema, defaulting};
use tidegate_cel::Shape;

/// Maximum size of the defaults that are filled in, in bytes of JSON. The defaults of items are filled in once for each of them.
const MAX_DEFAULTS: usize = 256 * 1024;

/// The parameters of a definition.
#[derive(Debug)]
pub(crate) struct Parameters {
    schema: Schema,
    rules: Rules,
}

impl Default for Parameters {
    /// Returns those of a definition without parameters.
    fn default() -> Self {
        Self { schema: Schema::compile(&json!({ "type": "object" })), rules: Rules::default() }
    }
}

impl Parameters {
    /// Returns parameters with a schema and its rules.
    pub(super) fn new(schema: Schema, rules: Rules) -> Self {
        Self { schema, rules }
    }

    /// Returns parameters with a schema that has no rules.
    pub(in crate::definition) fn of_schema(schema: &Value) -> Self {
        Self { schema: Schema::compile(schema), rules: Rules::default() }
    }

    /// Returns the schema of the values.
    pub(crate) fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Returns what expressions know about the values.
    pub(in crate::definition) fn shape(&self) -> Shape {
        shape(&self.schema, false)
    }

    /// Returns the values with their defaults; `None` if these are too large.
    pub(in crate::definition) fn filled(&self, given: &Map<String, Value>) -> Option<Value> {
        let mut values = Value::Object(given.clone());
        defaulting::fill_within(&mut values, &self.schema, MAX_DEFAULTS).then_some(values)
    }

    /// Returns what is wrong with values that conform to the schema, each with its path.
    pub(crate) fn broken(&self, given: &Map<String, Value>, work: &Work) -> Vec<(Path, String)> {
        let Some(values) = self.filled(given) else {
            let why = format!("gets defaults of more than {} KiB; give fewer values", MAX_DEFAULTS / 1024);
            return vec![(Path::default(), why)];
        };
        rules::broken(&self.rules, &values, &self.schema, &mut Run::new(work))
    }
}

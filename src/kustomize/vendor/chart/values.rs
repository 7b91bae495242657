//! The values of a chart.

use serde_json::Value;

use super::merge::{Mismatch, merge};
use crate::yaml::{self, Input, Node, Origin, SourceId};

/// How inline values are combined with the values file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ValuesMerge {
    /// Inline values win.
    #[default]
    Override,
    /// The values file wins.
    Merge,
    /// The values file is not used.
    Replace,
}

/// The values of a chart, without the defaults in the chart.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChartValues {
    /// The content of the values file; `None` for that of the chart.
    pub file: Option<Vec<u8>>,
    /// The contents of the values files that are applied after it, in order.
    pub files: Vec<Vec<u8>>,
    /// The inline values, a non-empty object.
    pub inline: Option<Value>,
    /// How inline values are combined with the values file.
    pub merge: ValuesMerge,
}

/// Why values cannot be combined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidValues {
    /// The values file is not YAML, or not a mapping.
    #[error("the values file cannot be used: {0}")]
    File(String),
    /// The values of a field are of different kinds.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}

impl ValuesMerge {
    /// Returns the value of `valuesMerge`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Override => "override",
            Self::Merge => "merge",
            Self::Replace => "replace",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Self::Override, Self::Merge, Self::Replace].into_iter().find(|merge| merge.name() == name)
    }
}

impl ChartValues {
    /// Returns the contents of the values files that Helm gets, in order. `defaults` is the `values.yaml` of the chart; inline values are
    /// combined with it if the declaration names no values file.
    ///
    /// # Errors
    /// [`InvalidValues`] if inline values cannot be combined with the file.
    ///
    /// # Source
    /// kustomize `createNewMergedValuesFile`. Inline nulls remove a value of the file, so that Helm uses the default of the chart.
    pub fn merged(&self, defaults: Option<&[u8]>) -> Result<Vec<Vec<u8>>, InvalidValues> {
        let file = self.file.as_deref();
        let first = match (&self.inline, self.merge) {
            (None, _) => file.map(<[u8]>::to_vec),
            (Some(inline), ValuesMerge::Replace) => Some(written(inline)),
            (Some(inline), ValuesMerge::Override) => Some(written(&merge(inline, &read(file.or(defaults))?)?)),
            (Some(inline), ValuesMerge::Merge) => Some(written(&merge(&read(file.or(defaults))?, inline)?)),
        };
        Ok(first.into_iter().chain(self.files.iter().cloned()).collect())
    }
}

/// Reads a values file.
fn read(file: Option<&[u8]>) -> Result<Value, InvalidValues> {
    let refuse = |error: yaml::Error| InvalidValues::File(format!("line {}: {}", error.place.line, error.message));
    let node = match file {
        Some(bytes) => yaml::kustomization(Input::of_file(SourceId::default(), bytes)).map_err(refuse)?,
        None => None,
    };
    match node.map(|node| node.to_value()).transpose().map_err(refuse)? {
        None | Some(Value::Null) => Ok(Value::Object(serde_json::Map::new())),
        Some(Value::Object(values)) => Ok(Value::Object(values)),
        Some(_) => Err(InvalidValues::File("it is not a mapping; write keys with values".to_owned())),
    }
}

/// Writes values as JSON, which every YAML parser reads.
pub(super) fn written(values: &Value) -> Vec<u8> {
    let mut bytes = yaml::write(&Node::from_value(values, Origin::default())).unwrap_or_else(|_| values.to_string());
    if !bytes.ends_with('\n') {
        bytes.push('\n');
    }
    bytes.into_bytes()
}

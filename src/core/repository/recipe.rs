//! What an application is rendered from for each of its clusters.

use serde_json::Value;

use crate::read::object::Object;
use crate::settings::Applications;

/// What an application is rendered from. Two are equal if they render the same.
#[derive(Debug)]
pub(crate) struct Recipe {
    /// The application.
    pub(crate) application: Object,
    /// The definitions that it uses.
    pub(crate) definitions: Vec<Object>,
    /// What the settings say about rendering.
    pub(crate) settings: Applications,
    /// The version that people gave the application.
    pub(crate) version: Option<String>,
}

impl PartialEq for Recipe {
    fn eq(&self, other: &Self) -> bool {
        self.application.value == other.application.value
            && self.settings == other.settings
            && self.values().eq(other.values())
    }
}

impl Recipe {
    fn values(&self) -> impl Iterator<Item = &Value> {
        self.definitions.iter().map(|definition| &definition.value)
    }
}

//! What an application is rendered from for each of its clusters.

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
        let values = |recipe: &Self| recipe.definitions.iter().map(|object| object.value.clone()).collect::<Vec<_>>();
        self.application.value == other.application.value
            && self.settings == other.settings
            && values(self) == values(other)
    }
}

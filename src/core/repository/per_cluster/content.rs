//! What a cluster gets of an application.

use std::sync::Arc;

use crate::application::{self, Parsed};
use crate::check::application::samples::refusal;
use crate::definition::Definitions;
use crate::recipe::Recipe;
use crate::unit::{Configuration, Given};
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_model::digest::short;

/// What clusters that are alike get.
#[derive(Debug)]
pub(super) struct Content {
    /// By the index of the part.
    pub(super) given: Arc<Vec<Given>>,
    pub(super) configurations: Vec<(ConfigReference, Configuration)>,
}

/// Returns what the parts of an application give to a cluster. An error anywhere keeps it from getting anything.
pub(super) fn content(recipe: &Recipe, definitions: &Definitions) -> Content {
    let object = &recipe.application;
    let refused = |why: String, parts: usize| Content {
        given: Arc::new(vec![Given::Refused(why); parts]),
        configurations: Vec::new(),
    };
    let parsed = Parsed::read(&object.value).ok();
    let rendered = parsed.and_then(|parsed| application::unit(object, &parsed, (&recipe.settings, definitions)).ok());
    let Some((_, unit)) = rendered else { return refused("it cannot be read".to_owned(), 1) };
    if let Some(complaint) = refusal(object, definitions) {
        return refused(complaint.to_string(), unit.parts().len());
    }
    let mut content = Content { given: Arc::default(), configurations: Vec::new() };
    let mut given = Vec::new();
    for part in unit.parts() {
        let reference = part.configs.first().or_else(|| unit.defaults().first());
        let known = reference.and_then(|reference| Some((reference, unit.configurations.get(reference)?)));
        let Some((reference, configuration)) = known else {
            given.push(Given::Refused("it has no content for this part".to_owned()));
            continue;
        };
        let mut reference = reference.clone();
        if recipe.version.is_some() {
            // Clusters have different contents of one version.
            reference.name = format!("{}-{}", reference.name, short(&configuration.spec_hash));
        }
        content.configurations.push((reference.clone(), configuration.clone()));
        given.push(Given::Content(reference));
    }
    content.given = Arc::new(given);
    content
}

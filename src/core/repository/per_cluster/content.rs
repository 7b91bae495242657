//! What a cluster gets of an application.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::application::{self, Parsed};
use crate::check::application::samples::refusal;
use crate::definition::Definitions;
use crate::digest::written;
use crate::recipe::Recipe;
use crate::unit::{Configuration, Given};
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_model::digest::short;
use tidegate_model::object::ObjectKey;

/// What clusters that are alike get.
#[derive(Debug)]
pub(super) struct Content {
    /// By the index of the part.
    pub(super) given: Arc<Vec<Given>>,
    pub(super) configurations: Vec<(ConfigReference, Configuration)>,
    /// The objects of the configurations that one unit alone may have.
    pub(super) objects: BTreeSet<ObjectKey>,
}

impl Content {
    /// Returns the content of a cluster that gets nothing, with the reason.
    pub(super) fn refused(why: String, parts: usize) -> Self {
        let given = Arc::new(vec![Given::Refused(why); parts]);
        Self { given, configurations: Vec::new(), objects: BTreeSet::new() }
    }

    fn new(given: Vec<Given>, configurations: Vec<(ConfigReference, Configuration)>) -> Self {
        // Namespaces may be shared.
        let is_owned = |key: &ObjectKey| !(key.group.is_empty() && key.kind == "Namespace");
        let objects = configurations.iter().flat_map(|(_, configuration)| written(&configuration.object));
        Self { objects: objects.filter(is_owned).collect(), given: Arc::new(given), configurations }
    }
}

/// Returns what the parts of an application give to a cluster. An error anywhere keeps it from getting anything.
pub(super) fn content(recipe: &Recipe, definitions: &Definitions) -> Content {
    let object = &recipe.application;
    let parsed = Parsed::read(&object.value).ok();
    let rendered = parsed.and_then(|parsed| application::unit(object, &parsed, (&recipe.settings, definitions)).ok());
    let Some((_, unit)) = rendered else { return Content::refused("it cannot be read".to_owned(), 1) };
    if let Some(complaint) = refusal(object, definitions) {
        return Content::refused(complaint.to_string(), unit.parts().len());
    }
    let (mut given, mut configurations) = (Vec::new(), Vec::new());
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
        configurations.push((reference.clone(), configuration.clone()));
        given.push(Given::Content(reference));
    }
    Content::new(given, configurations)
}

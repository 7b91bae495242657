//! The applications that a directory declares.

use std::path::PathBuf;

use crate::cli::args::AppSourceArgs;
use crate::cli::config::File;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use crate::cli::repository::overlay::{self, Choice};
use serde_json::Value;
use tidegate_api::ocm::cluster_management_addon::PlacementStrategy;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_model::name::{ApplicationName, UnitName};
use tidegate_model::near::remedy;
use tidegate_model::tree::Tree;
use tidegate_repository::revisions::{Side as RenderedSide, rendered};
use tidegate_repository::{Complaint, Configuration, Loaded, Outline, OutlinedPart, SETTINGS_FILE, Unit, outlines};
use tidegate_review::proposal::{Manners, manners};

/// An application that can be used.
pub(super) struct Found<'a> {
    /// Its name.
    pub(super) name: &'a UnitName,
    /// What it means.
    pub(super) unit: &'a Unit,
    /// What it declares.
    pub(super) outline: &'a Outline,
}

impl<'a> Found<'a> {
    /// Returns the parts with the given number or name of a step, or name of a policy; all without one.
    pub(super) fn parts(&self, step: Option<&str>) -> Vec<(&'a OutlinedPart, &'a PlacementStrategy)> {
        let is_wanted = |part: &OutlinedPart| {
            step.is_none_or(|step| part.step.to_string() == step || part.name == step || part.policy == step)
        };
        let parts = self.outline.parts.iter().zip(self.unit.parts());
        parts.filter(|(part, _)| is_wanted(part)).collect()
    }

    /// Returns what the clusters of a part get: the name of its content, and the objects.
    pub(super) fn content(&self, part: &'a PlacementStrategy) -> Option<(&'a str, &'a [Value])> {
        let (reference, content) = self.configuration(part)?;
        let objects = content.object.pointer("/spec/agentSpec/workload/manifests")?.as_array()?;
        Some((&reference.name, objects))
    }

    /// Returns how the objects of a part are applied and kept, if a policy says so.
    pub(super) fn manners(&self, part: &'a PlacementStrategy) -> Manners {
        self.configuration(part).map(|(_, content)| manners(&content.object)).unwrap_or_default()
    }

    fn configuration(&self, part: &'a PlacementStrategy) -> Option<(&'a ConfigReference, &'a Configuration)> {
        let references = if part.configs.is_empty() { self.unit.defaults() } else { &part.configs };
        let reference = references.first()?;
        Some((reference, self.unit.configurations.get(reference)?))
    }
}

/// Returns the name of an application without the word for its kind.
pub(super) fn short(name: &str) -> &str {
    name.strip_prefix("application/").unwrap_or(name)
}

/// What a directory declares.
pub(super) struct Declared {
    /// The directory of the files on this machine.
    pub(super) root: PathBuf,
    /// The applications, in the order of their names.
    pub(super) applications: Vec<Outline>,
    /// The whole repository.
    pub(super) loaded: Loaded,
    tree: Tree,
    directory: String,
}

impl Declared {
    /// Reads a directory.
    ///
    /// # Errors
    /// [`Failure::Usage`] if there is none, or it does not switch applications on.
    pub(super) fn read(process: &Process, args: &AppSourceArgs) -> Result<Self, Failure> {
        let Choice { tree, root, directory, .. } = overlay::choose(process, &args.path, None)?;
        let directory = directory.unwrap_or_default();
        let operator = File::read(args.journal.config.as_deref())?.operator();
        let loaded = tidegate_repository::load_with(&tree, &directory, &operator);
        if !loaded.repository.settings.applications.enabled {
            return Err(Failure::Usage(format!(
                "{} does not read applications; write `[applications]` with `enabled = true` to {SETTINGS_FILE}",
                root.display()
            )));
        }
        let mut applications = outlines(&tree, &directory);
        applications.sort_by(|one, other| one.name.as_str().cmp(other.name.as_str()));
        Ok(Self { root, applications, loaded, tree, directory })
    }

    /// Returns what an application declares.
    ///
    /// # Errors
    /// [`Failure::Usage`] if there is no such application.
    pub(super) fn outline(&self, name: &ApplicationName) -> Result<&Outline, Failure> {
        self.applications.iter().find(|outline| outline.name == *name).ok_or_else(|| {
            let known = self.applications.iter().map(|outline| short(outline.name.as_str()));
            let remedy = match self.applications.is_empty() {
                true => "there are none".to_owned(),
                false => remedy(short(name.as_str()), known),
            };
            Failure::Usage(format!("there is no application {:?}; {remedy}", short(name.as_str())))
        })
    }

    /// Returns the objects that the components of an application render to as they are; none if it has errors.
    pub(super) fn objects(&self, name: &ApplicationName) -> Vec<Value> {
        rendered(&self.tree, &self.directory, &RenderedSide::Application(name.clone())).unwrap_or_default()
    }

    /// Returns `true` if no cluster gets an application, because it is a candidate.
    pub(super) fn is_candidate(&self, outline: &Outline) -> bool {
        self.loaded.repository.candidates.contains_key(outline.name.as_str())
    }

    /// Returns an application that clusters get. The errors of the declarations have been printed.
    ///
    /// # Errors
    /// [`Failure::Usage`] if there is no such application, or it is a candidate; [`Failure::Findings`] if it has an error.
    pub(super) fn find(&self, name: &ApplicationName) -> Result<Found<'_>, Failure> {
        let outline = self.outline(name)?;
        if self.is_candidate(outline) {
            let short = short(name.as_str());
            return Err(Failure::Usage(format!(
                "{short} is a candidate, which no cluster gets; publish it with `tidegate app publish {short}`, and assign the revision to clusters with an AppDeployment"
            )));
        }
        let found = self.loaded.repository.addons.get_key_value(outline.name.as_str());
        let (name, unit) = found.ok_or(Failure::Findings)?;
        Ok(Found { name, unit, outline })
    }

    /// Prints the errors of the declarations, and returns `true` if there are some.
    pub(super) fn warn(&self, process: &Process) -> bool {
        let errors = self.loaded.complaints.iter().filter(|complaint| complaint.is_error());
        errors.clone().for_each(|complaint: &Complaint| process.warn_line(&complaint.to_string()));
        errors.count() > 0
    }
}

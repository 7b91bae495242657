//! The revisions of a repository, and the objects that they are read from.

use std::collections::BTreeSet;

use serde_json::Value;

use super::refusal::Refusal;
use crate::application::{self, Revision, entries, is_app_deployment, is_application, is_revision};
use crate::complaint::Complaint;
use crate::definition::Definitions;
use crate::load::{load, objects_at};
use crate::read::object::Object;
use crate::settings::SETTINGS_FILE;
use crate::types::Loaded;
use tidegate_kustomize::yaml::NodeBudget;
use tidegate_model::diagnostic::Place;
use tidegate_model::digest::Digest;
use tidegate_model::name::{ApplicationName, NamespacedName};
use tidegate_model::object::ObjectKey;
use tidegate_model::tree::Tree;

/// Most errors that a refusal lists.
const MAX_LISTED: usize = 5;

/// A published revision of an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The application that was published.
    pub application: ApplicationName,
    /// The digest of its content.
    pub digest: Digest,
    /// The images that it runs.
    pub images: Vec<String>,
    /// The AppDeployments that use it.
    pub used_by: Vec<NamespacedName>,
    /// Where it starts.
    pub place: Place,
    /// Its first error, if it has one.
    pub error: Option<String>,
}

/// Returns the revisions of an application, the oldest first: those with a number at the end by that number.
///
/// # Errors
/// [`Refusal`] if there is neither such an application nor a revision of it.
pub fn listing(tree: &Tree, path: &str, application: &ApplicationName) -> Result<Vec<Listed>, Refusal> {
    let found = Found::read(tree, path)?;
    let own: Vec<Listed> = listed(&found).into_iter().filter(|known| known.application == *application).collect();
    if own.is_empty() {
        found.application(application)?;
    }
    Ok(own)
}

/// What a repository says about applications.
pub(super) struct Found {
    pub(super) objects: Vec<Object>,
    loaded: Loaded,
}

impl Found {
    /// Reads a repository.
    ///
    /// # Errors
    /// [`Refusal`] if it cannot be read, or applications are switched off.
    pub(super) fn read(tree: &Tree, path: &str) -> Result<Self, Refusal> {
        let loaded = load(tree, path);
        if loaded.repository.unreadable_files.contains(SETTINGS_FILE) {
            let first = loaded.complaints.iter().find(|complaint| complaint.is_error());
            return Err(Refusal::Unreadable(first.map(ToString::to_string).unwrap_or_default()));
        }
        if !loaded.repository.settings.applications.enabled {
            return Err(Refusal::Off);
        }
        let mut objects = objects_at(tree, &mut loaded.repository.clone());
        application::mark(&mut objects, &mut Vec::new());
        application::sources::add_sources(tree, &mut objects, &mut Vec::new(), &NodeBudget::default());
        Ok(Self { objects, loaded })
    }

    /// Returns an application.
    ///
    /// # Errors
    /// [`Refusal`] if it does not exist.
    pub(super) fn application(&self, name: &ApplicationName) -> Result<&Object, Refusal> {
        let applications = || self.objects.iter().filter(|object| is_application(object));
        let is_named = |object: &&Object| object.key.namespace == name.namespace() && object.key.name == name.name();
        applications().find(is_named).ok_or_else(|| Refusal::NoApplication {
            application: name.clone(),
            known: applications().filter_map(application::declared_unit).map(|unit| unit.to_string()).collect(),
        })
    }

    /// Returns the definitions of the repository.
    pub(super) fn definitions(&self) -> Definitions {
        Definitions::of(&self.objects).with(&self.loaded.repository.settings.applications)
    }

    /// Checks that an object has no errors. `subject` is its name in the message.
    ///
    /// # Errors
    /// [`Refusal::Errors`] with the first of them.
    pub(super) fn sound(&self, object: &Object, subject: &str) -> Result<(), Refusal> {
        let errors: Vec<String> = self.errors(&object.key).take(MAX_LISTED).map(ToString::to_string).collect();
        if errors.is_empty() { Ok(()) } else { Err(Refusal::Errors { subject: subject.to_owned(), errors }) }
    }

    fn errors<'f>(&'f self, key: &'f ObjectKey) -> impl Iterator<Item = &'f Complaint> {
        let complaints = self.loaded.complaints.iter().filter(|complaint| complaint.is_error());
        complaints.filter(move |complaint| complaint.object.as_ref() == Some(key))
    }
}

/// Returns all revisions that can be read.
pub(super) fn listed(found: &Found) -> Vec<Listed> {
    let revisions = found.objects.iter().filter(|object| is_revision(object));
    let mut all: Vec<Listed> = revisions.filter_map(|object| of_object(found, object)).collect();
    all.sort_by_cached_key(|known| (number(&known.name), known.name.clone()));
    all
}

fn of_object(found: &Found, object: &Object) -> Option<Listed> {
    let revision = Revision::read(object).ok()?;
    let uses = |user: &&Object| {
        user.key.namespace == object.key.namespace
            && entries(&user.value).iter().any(|entry| entry.revision == object.key.name)
    };
    let users = found.objects.iter().filter(|object| is_app_deployment(object)).filter(uses);
    Some(Listed {
        namespace: object.key.namespace.clone(),
        name: revision.name.clone(),
        application: revision.application.clone(),
        digest: revision.digest.clone(),
        images: images(&revision),
        used_by: users.map(|user| NamespacedName::new(&user.key.namespace, &user.key.name)).collect(),
        place: object.place(),
        error: found.errors(&object.key).next().map(ToString::to_string),
    })
}

/// Returns the images of the containers of a revision, each once.
fn images(revision: &Revision) -> Vec<String> {
    const CONTAINERS: [&str; 3] =
        ["/spec/template/spec/containers", "/spec/jobTemplate/spec/template/spec/containers", "/spec/containers"];
    let objects = revision.objects();
    let of_object = |object: &Value| -> Vec<String> {
        let lists = CONTAINERS.iter().filter_map(|pointer| object.pointer(pointer)?.as_array()).flatten();
        lists.filter_map(|container| Some(container.get("image")?.as_str()?.to_owned())).collect()
    };
    let mut seen = BTreeSet::new();
    let images = objects.iter().flat_map(|rendered| of_object(&rendered.object));
    images.filter(|image| seen.insert(image.clone())).collect()
}

/// Returns the number at the end of a name such as `web-v12`.
fn number(name: &str) -> Option<u32> {
    name.rsplit_once("-v")?.1.parse().ok()
}

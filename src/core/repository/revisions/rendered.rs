//! What a revision, or an application as it is, renders to.

use serde_json::Value;

use super::listing::{Found, listed};
use super::refusal::Refusal;
use crate::application::{self, Rendered, Revision, revision_key};
use tidegate_model::name::{ApplicationName, NamespacedName};
use tidegate_model::tree::Tree;

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Side {
    /// A published revision, or if there is none with this name, the application with it.
    Named(NamespacedName),
    /// An application as it is declared, without what its policies change.
    Application(ApplicationName),
}

/// Returns the objects of one side in their order, without the label with the name of the revision.
///
/// # Errors
/// [`Refusal`] if it does not exist, or has errors.
pub fn rendered(tree: &Tree, path: &str, side: &Side) -> Result<Vec<Value>, Refusal> {
    let found = Found::read(tree, path)?;
    let objects = match side {
        Side::Application(name) => of_application(&found, name)?,
        Side::Named(name) => of_name(&found, name)?,
    };
    Ok(objects.into_iter().map(|rendered| rendered.object).collect())
}

fn of_application(found: &Found, name: &ApplicationName) -> Result<Vec<Rendered>, Refusal> {
    let object = found.application(name)?;
    found.sound(object, name.as_str())?;
    Ok(application::components(object, &found.definitions()))
}

fn of_name(found: &Found, name: &NamespacedName) -> Result<Vec<Rendered>, Refusal> {
    let NamespacedName { namespace, name: of_revision } = name;
    let key = revision_key(namespace, of_revision);
    if let Some(object) = found.objects.iter().find(|object| object.key == key) {
        found.sound(object, &format!("revision {of_revision}"))?;
        return Ok(Revision::read(object).map(|revision| revision.content()).unwrap_or_default());
    }
    let application = ApplicationName::try_from(name).ok().filter(|name| found.application(name).is_ok());
    if let Some(application) = application {
        return of_application(found, &application);
    }
    let of_namespace = |known: super::Listed| (known.namespace == *namespace).then_some(known.name);
    let known = listed(found).into_iter().filter_map(of_namespace).collect();
    Err(Refusal::NoRevision { namespace: namespace.clone(), name: of_revision.clone(), known })
}

//! What a revision, or an application as it is, renders to.

use serde_json::Value;

use super::listing::{Found, listed};
use super::refusal::Refusal;
use crate::application::{self, Revision, revision_key};
use tidegate_model::name::{ApplicationName, NamespacedName};
use tidegate_model::tree::Tree;

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Side {
    /// A published revision.
    Revision(NamespacedName),
    /// An application as it is declared, without what its policies change.
    Application(ApplicationName),
}

/// Returns the objects of one side in their order.
///
/// # Errors
/// [`Refusal`] if it does not exist, or has errors.
pub fn rendered(tree: &Tree, path: &str, side: &Side) -> Result<Vec<Value>, Refusal> {
    let found = Found::read(tree, path)?;
    let objects = match side {
        Side::Application(name) => {
            let object = found.application(name)?;
            found.sound(object, name.as_str())?;
            application::components(object)
        }
        Side::Revision(NamespacedName { namespace, name }) => {
            let key = revision_key(namespace, name);
            let object = found.objects.iter().find(|object| object.key == key);
            let of_namespace = |known: super::Listed| (known.namespace == *namespace).then_some(known.name);
            let object = object.ok_or_else(|| Refusal::NoRevision {
                namespace: namespace.clone(),
                name: name.clone(),
                known: listed(&found).into_iter().filter_map(of_namespace).collect(),
            })?;
            found.sound(object, &format!("revision {name}"))?;
            Revision::read(&object.value).map(|revision| revision.objects()).unwrap_or_default()
        }
    };
    Ok(objects.into_iter().map(|rendered| rendered.object).collect())
}

//! An object that clusters get, with where it comes from.

use serde_json::Value;

use super::component::Made;
use super::ownership::Applying;
use super::parsed::Component;
use super::rollout;
use tidegate_api::schema::path::Path;
use tidegate_model::object::ObjectKey;

/// An object that clusters get.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rendered {
    /// The path of its component.
    pub(crate) at: Path,
    /// The name of its component.
    pub(crate) component: String,
    /// The name of its component as it is written, without the key of a replication.
    pub(crate) written: String,
    /// The type of its component.
    pub(crate) type_: String,
    /// The type of the trait that made it; `None` for the workload of the component.
    pub(crate) of_trait: Option<String>,
    /// Whether the trait `rollout` says how many replicas it has: it is the workload of a component with that trait.
    pub(crate) is_sized: bool,
    /// How the agent applies it.
    pub(crate) applying: Applying,
    pub(crate) object: Value,
}

impl Rendered {
    /// Returns an object of the component at a path, to be applied as any other.
    pub(super) fn of(at: Path, component: &Component, made: Made) -> Self {
        Self {
            at,
            component: component.name.clone(),
            written: component.written().to_owned(),
            type_: component.type_.clone(),
            is_sized: made.of_trait.is_none() && rollout::is_given(component),
            of_trait: made.of_trait,
            applying: Applying::default(),
            object: made.object,
        }
    }

    /// Returns the kind, the namespace and the name of the object.
    pub(crate) fn named(&self) -> String {
        ObjectKey::of(&self.object).map(|key| key.to_string()).unwrap_or_default()
    }
}

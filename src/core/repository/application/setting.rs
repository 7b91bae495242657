//! What a component is rendered with.

use super::parsed::Component;
use crate::definition::{Context, Definitions};
use tidegate_model::name::ApplicationName;

/// What a component is rendered with.
#[derive(Clone, Copy)]
pub(super) struct Setting<'s> {
    pub(super) application: &'s ApplicationName,
    /// The namespace of the objects on the clusters, unless they have their own.
    pub(super) namespace: &'s str,
    pub(super) definitions: &'s Definitions,
}

impl<'s> Setting<'s> {
    /// Returns what is known about a component.
    pub(super) fn context(&self, component: &'s Component) -> Context<'s> {
        let (application, cluster) = (self.application.name(), self.definitions.cluster());
        Context { name: &component.name, namespace: self.namespace, application, cluster }
    }
}

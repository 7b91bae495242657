//! An object to declare, and who refers to it.

use std::collections::BTreeSet;

use serde_json::Value;

use tidegate_model::name::{AddonName, ClusterName};

/// Who refers to an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum User {
    /// An add-on.
    Addon(AddonName),
    /// An add-on, on one cluster only.
    Cluster(AddonName, ClusterName),
}

impl User {
    /// Returns the name of the add-on.
    pub(super) fn addon(&self) -> &AddonName {
        match self {
            Self::Addon(addon) | Self::Cluster(addon, _) => addon,
        }
    }
}

/// An object to declare.
#[derive(Debug)]
pub(super) struct Found {
    /// Its declaration.
    pub(super) declaration: Value,
    /// Who refers to it.
    pub(super) users: BTreeSet<User>,
    /// What people should know about it before they commit it.
    pub(super) warnings: Vec<String>,
}

impl Found {
    /// Returns the add-on and the cluster, if nothing else refers to the object.
    pub(super) fn only_cluster(&self) -> Option<(&AddonName, &ClusterName)> {
        match (self.users.first(), self.users.len()) {
            (Some(User::Cluster(addon, cluster)), 1) => Some((addon, cluster)),
            _ => None,
        }
    }
}

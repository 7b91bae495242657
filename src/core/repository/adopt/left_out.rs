//! What is not written to the repository, and why.

use std::fmt;

use tidegate_api::key;
use tidegate_api::mark::Mark;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_model::plural::counted;

/// Something on the hub that is not written to the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The object, such as `Placement fleet-addons/fleet`.
    pub object: String,
    /// Why it is left out.
    pub reason: Reason,
}

/// Displays as `object: reason`.
impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.object, self.reason)
    }
}

/// Why an object is not written to the repository. Displays as a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// It belongs to another instance.
    Other(Mark),
    /// It is being deleted.
    Deleted,
    /// The add-on was not asked for.
    NotNamed,
    /// The add-on has no AddOnTemplate.
    NoTemplate,
    /// The annotation of the add-on names another controller.
    Controller(String),
    /// No add-on that is written refers to it.
    Unreferenced,
    /// A cluster set or a role that Kubernetes or OCM creates itself.
    BuiltIn,
    /// It could not be parsed as its kind, with the reason.
    Unreadable(String),
    /// A configuration of a kind that Tidegate does not read from a hub.
    ForeignKind,
    /// The ManagedClusterAddOns of this number of clusters, which were chosen by hand and not by placements.
    ByHand(usize),
    /// A copy of a configuration, with the name of the original.
    Copy(String),
    /// An object that this controller keeps up to date.
    Owned(String),
    /// A role that a template gives to its agents, and that the hub does not have.
    Absent,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other(mark) => write!(f, "it belongs to {mark}"),
            Self::Deleted => f.write_str("it is being deleted"),
            Self::NotNamed => f.write_str("--addon does not name it"),
            Self::NoTemplate => f.write_str("it has no AddOnTemplate, so a manager of its own drives it"),
            Self::Controller(name) => write!(f, "its annotation {} assigns it to {name:?}", key::LIFECYCLE),
            Self::Unreferenced => f.write_str("no add-on that is written refers to it"),
            Self::BuiltIn => f.write_str("the hub creates it itself"),
            Self::Unreadable(why) => write!(f, "it cannot be read: {why}"),
            Self::ForeignKind => f.write_str(
                "Tidegate does not read this kind from a hub; copy the object into the repository, or no cluster completes a rollout of \
                 the add-on",
            ),
            Self::ByHand(count) => {
                let clusters = counted(*count, "cluster");
                write!(f, "{clusters} got the add-on by hand; they keep it, and Tidegate drives it there without a declaration")
            }
            Self::Copy(original) => write!(f, "it is a copy of {original}, which Tidegate makes again"),
            Self::Owned(owner) => write!(f, "{owner} keeps it up to date"),
            Self::Absent => f.write_str(
                "the hub does not have this role, so the agents have no permissions from it; create it, or remove it from the template",
            ),
        }
    }
}

/// Returns the name of a configuration of any kind, such as `policies.example.com fleet-addons/strict`.
pub(super) fn config_name(config: &ConfigReference) -> String {
    let ConfigReference { group, resource, namespace, name } = config;
    let place = if namespace.is_empty() { String::new() } else { format!("{namespace}/") };
    format!("{resource}.{group} {place}{name}")
}

//! What keeps an add-on from being installed.

use std::fmt;

use crate::moves::Move;
use tidegate_model::name::UnitName;

/// What keeps an add-on from being installed on a cluster that a placement selects. Displays as a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Missing {
    /// The hub has no such ManagedCluster.
    Cluster,
    /// The hub does not have its ManagedClusterAddOn yet.
    Addon,
    /// Its ManagedClusterAddOn, or the work with the record of an application, is being deleted, which nothing can stop.
    Deleting,
    /// The hub has a work with the name of one of an application that this instance did not create, or that cannot be read.
    Taken,
    /// The cluster has works of an Application of which a revision is to be delivered. Both have the same objects.
    Occupied,
    /// The cluster has works of another unit, an AppDeployment, with objects of the same application.
    Shared,
    /// The cluster has an object of the unit that another one delivered there, which keeps it: it is a candidate, or has errors.
    Kept { by: UnitName },
    /// The cluster has an object of the unit that another one has there as well, or gets first: its name depends on the cluster in one of them.
    Alike { by: UnitName },
    /// The cluster has an object that the unit is to have no longer, and that another one is to have there, which does not have it yet.
    Moves(Box<Move>),
    /// Two entries of an AppDeployment select it, by their numbers. Neither decides what it gets.
    Contested { first: usize, second: usize },
    /// What it would get depends on the cluster, and cannot be rendered for it, or has an error.
    Unrendered { why: String },
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unrendered { why } => {
                return write!(f, "keeps what it has, because its content for this cluster is not usable: {why}");
            }
            Self::Contested { first, second } => {
                return write!(
                    f,
                    "keeps what it has: entries {first} and {second} of the AppDeployment both select it; keep one of them, or change \
                     the labels of the cluster"
                );
            }
            Self::Kept { by } => {
                return write!(
                    f,
                    "the cluster has an object of it that {by} delivered there, and keeps: it is revision-only, or has errors"
                );
            }
            Self::Alike { by } => {
                return write!(
                    f,
                    "{by} has an object of it on the cluster, or is to have it there: the two have the same name on this cluster"
                );
            }
            Self::Moves(moved) => {
                let Move { object, to } = &**moved;
                return write!(f, "waits until {to} has {object} on the cluster: it moves there, and would be deleted");
            }
            Self::Cluster => "waits until the hub has its ManagedCluster",
            Self::Occupied => {
                "the cluster still has what was rolled out of the published Application itself, and both have the same objects"
            }
            Self::Shared => "the cluster still has objects of the same application that an AppDeployment delivered there",
            Self::Taken => {
                "the hub has a ManifestWork with the name of one of its works that this instance did not create, or that cannot be read"
            }
            Self::Addon => "waits until the hub has its ManagedClusterAddOn",
            Self::Deleting => "the previous installation is still being deleted; it is installed again after that",
        })
    }
}

impl Missing {
    /// Returns what would let the installation start.
    pub(super) fn opens(&self) -> &'static str {
        match self {
            Self::Cluster => "the hub has its ManagedCluster",
            Self::Taken => "that ManifestWork is deleted",
            Self::Occupied => "the Application leaves the cluster: delete it from the repository",
            Self::Shared => "that AppDeployment leaves the cluster: delete it, or its entry for the cluster",
            Self::Unrendered { .. } => {
                "a commit corrects that, or the cluster gets the labels, claims or version that its definitions read"
            }
            Self::Contested { .. } => "only one entry selects it",
            Self::Kept { .. } => {
                "that unit no longer has the object there: roll it out without the object, or delete it from the repository"
            }
            Self::Moves(_) => "that unit starts on the cluster",
            Self::Alike { .. } => "a commit renames the object in one of them, or that unit leaves the cluster",
            Self::Addon => "the hub has its ManagedClusterAddOn",
            Self::Deleting => "the hub has deleted it",
        }
    }
}

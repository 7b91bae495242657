//! Delivery without a status of Tidegate's own: an annotation records what each cluster was given, and the view of the fleet shows it as the
//! status of an add-on.
//!
//! One such delivery is that by OCM's own add-on manager: what Tidegate writes so that the manager delivers to each cluster what Tidegate
//! has decided. The other one is that of applications, which have no objects on the hub but their works ([`Record`]).
//!
//! The manager merges the configurations of a cluster from the add-on, its placement and `spec.configs` of the ManagedClusterAddOn, and
//! the last layer wins. So a cluster is moved by its `spec.configs`, and by nothing else: they name copies of the configurations that
//! never change ([`copy`]). What Tidegate has assigned, since when, and how far the cluster is, stands in an annotation
//! ([`Assignment`]), since the status belongs to the manager. [`view`] puts it back into the status, where the rest of Tidegate
//! expects it: in this mode and in the other, rollouts are decided, reported and checked by the same code.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod applications;
mod assignment;
pub mod copy;
mod evidence;
pub mod manager;
mod record;
pub mod view;

pub use self::assignment::Assignment;
pub use self::evidence::progress;
pub use self::record::{Opened, Record, recorded};
pub use self::view::{Views, is_assigned};

/// Who delivers, as configured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryMode {
    /// OCM's add-on manager if it runs, otherwise Tidegate.
    #[default]
    Auto,
    /// Tidegate.
    Native,
    /// OCM's add-on manager.
    Upstream,
}

/// Who renders add-ons and writes their works.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Delivery {
    /// Tidegate.
    #[default]
    Native,
    /// The add-on manager of OCM, or the add-on's own manager. Tidegate chooses which configurations each cluster gets, and when.
    Upstream,
}

//! Everything that the checks look at.

use super::repository::{Journal, Keys, Source, TestMessage};
use super::{
    Addon, Certificate, Cluster, Definition, Foreign, Forge, Gate, Grant, Known, KubeVela, Lease, Placement, Review,
    Server, Trouble, Writer,
};
use tidegate_delivery::upstream::DeliveryMode;
use tidegate_model::time::Timestamp;

/// Everything that the checks look at.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The time on this machine.
    pub now: Timestamp,
    /// Whether the daemon would schedule placements itself.
    pub builtin_placement: bool,
    /// Who would deliver.
    pub delivery: DeliveryMode,
    /// Whether the daemon would write Events.
    pub events: bool,
    /// Whether the configuration file can be used, and what is wrong with it.
    pub configuration: Result<(), Trouble>,
    /// The hub.
    pub hub: Result<Server, Trouble>,
    /// The time between the clock of the hub and that of this machine, in seconds; positive if the hub is ahead.
    pub skew: Known<i64>,
    /// The CRDs of the required kinds that exist.
    pub definitions: Known<Vec<Definition>>,
    /// The leases of leader election in OCM's namespace.
    pub leases: Known<Vec<Lease>>,
    /// The feature gates of OCM's add-on manager; `None` if the hub has no ClusterManager.
    pub gates: Known<Option<Vec<Gate>>>,
    /// The add-ons of the hub.
    pub addons: Known<Vec<Addon>>,
    /// The placements of the hub.
    pub placements: Known<Vec<Placement>>,
    /// What the hub answered about the permissions of the table.
    pub reviews: Known<Vec<Review>>,
    /// What the hub answered about the permissions that the roles of the repository need.
    pub grants: Known<Vec<Grant>>,
    /// Fields of objects of this instance that another field manager owns.
    pub foreign: Known<Vec<Foreign>>,
    /// Who wrote to objects of this instance last, one entry for each field manager.
    pub writers: Known<Vec<Writer>>,
    /// The applications of KubeVela.
    pub kubevela: Known<KubeVela>,
    /// The clusters.
    pub clusters: Known<Vec<Cluster>>,
    /// The certificates that the access to the hub depends on.
    pub certificates: Known<Vec<Certificate>>,
    /// The config repository.
    pub source: Result<Source, Trouble>,
    /// The journal.
    pub journal: Known<Journal>,
    /// The keys that commits must be signed with.
    pub trusted_keys: Known<Keys>,
    /// The key that signs the journal.
    pub signing_key: Known<Keys>,
    /// The secrets of forges, for webhooks.
    pub webhook_secrets: Known<Keys>,
    /// The addresses and secrets of the receivers of notifications.
    pub receivers: Known<Keys>,
    /// The test messages that were sent to them; `None` if none was asked for.
    pub test_messages: Option<Vec<TestMessage>>,
    /// The forge on which changes are reviewed.
    pub forge: Known<Forge>,
}

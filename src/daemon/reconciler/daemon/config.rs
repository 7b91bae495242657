//! The configuration of the daemon.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::reconciler::checks::Allowed;
use crate::reconciler::forge::ForgeConfig;
use crate::reconciler::notification::{Receiver, Transport};
use crate::reconciler::source::{Floor, Policy};
use tidegate_delivery::upstream::DeliveryMode;
use tidegate_git::{Reference, Remote};
use tidegate_journal::writer::Writer;
use tidegate_model::backoff::Backoff;
use tidegate_model::instance::Instance;
use tidegate_model::name::NamespacedName;
use tidegate_model::revision::CommitId;
use tidegate_plan::PlacementMode;
use tidegate_repository::OperatorRules;
use tidegate_signature::SigningKey;

/// The configuration of the daemon.
#[derive(Debug, Clone)]
pub struct Config {
    /// The config repository.
    pub remote: Remote,
    /// The branch, tag or range of versions to follow.
    pub reference: Reference,
    /// Which revisions are trusted.
    pub policy: Policy,
    /// The rules that every revision must obey, in addition to those of the repository.
    pub floor: Floor,
    /// What the operator lets the repository do on the hub.
    pub operator: Arc<OperatorRules>,
    /// The directory of declarations; empty to use the one in `tidegate.toml`.
    pub path: String,
    /// The journal's branch; `None` to use the one in `tidegate.toml`.
    pub journal_branch: Option<String>,
    /// A commit of the journal that the operator vouches for.
    pub trusted_journal: Option<CommitId>,
    /// The key that signs the commits of the journal; `None` if they are not signed.
    pub signer: Option<Arc<SigningKey>>,
    /// The directory of the mirror of the repository.
    pub state_dir: PathBuf,
    /// The writer of the journal, unique to this process.
    pub writer: Writer,
    /// The Lease by which the replicas of this daemon elect a leader; `None` if there is only one process.
    /// A process with a Lease begins a term in the journal when it leads.
    pub lease: Option<NamespacedName>,
    /// The identity that the instance gets if its journal has none yet, and its name.
    pub instance: Instance,
    /// How often to poll Git, and to look for another daemon in the journal.
    pub poll: Duration,
    /// How long to gather changes into one commit of the journal.
    pub journal_interval: Duration,
    /// The pauses between retries when a remote fails.
    pub backoff: Backoff,
    /// Which scheduler chooses clusters.
    pub placement_mode: PlacementMode,
    /// Who renders add-ons and writes their works.
    pub delivery: DeliveryMode,
    /// Whether the independent checker sees the input of every plan, and ends the daemon if a rule was broken.
    pub check: bool,
    /// Whether news is also written to the hub as Kubernetes Events.
    pub events: bool,
    /// The forge on which changes are reviewed; `None` if it is not used.
    pub forge: Option<ForgeConfig>,
    /// The receivers of notifications.
    pub notify: Vec<Receiver>,
    /// How requests reach the receivers.
    pub transport: Transport,
    /// The servers that the checks of policies may ask.
    pub checks: Allowed,
}

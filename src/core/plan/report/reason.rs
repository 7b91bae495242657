//! Why a cluster is in its state, what would let it proceed, and when to look again.

use super::missing::Missing;
use crate::hub_objects::ownership::transfer;
use crate::report::departure::Departure;
use tidegate_api::mark::Mark;
use tidegate_delivery::Cause;
use tidegate_delivery::status::Progress;
use tidegate_model::line::{brief, without_numbers};
use tidegate_model::name::NamespacedName;
use tidegate_model::progress::ClusterState;
use tidegate_model::time::Timestamp;
use tidegate_rollout::{Verdict, Wait};

/// Most characters of a message of a cluster about its failure.
const LONGEST: usize = 400;

/// Why a cluster is in its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The rollout engine decided so.
    Decided(Verdict),
    /// It is under way.
    Watched {
        /// Its progress.
        progress: Progress,
        /// What the status of its works shows.
        cause: Option<Cause>,
        /// When it times out, if ever.
        deadline: Option<Timestamp>,
    },
    /// Nothing can be rendered for the cluster.
    Undeliverable {
        /// Why.
        why: String,
    },
    /// Clusters are being handed over to OCM's add-on manager.
    HandOver,
    /// OCM's add-on manager delivers the add-on, and the hub does not have copies of the configurations yet.
    Uncopied,
    /// OCM's add-on manager delivers the add-on, and the repository does not have this configuration.
    Unknown(NamespacedName),
    /// The add-on has no AddOnTemplate, and Tidegate is to deliver it.
    Untemplated,
    /// It failed.
    Failed {
        /// What it reports.
        message: String,
        /// What the status of its works shows now.
        cause: Option<Cause>,
        /// When it times out, if ever.
        deadline: Option<Timestamp>,
    },
    /// It took too long.
    TimedOut {
        /// How far it got.
        progress: Progress,
        /// What the status of its works shows.
        cause: Option<Cause>,
    },
    /// The add-on cannot be installed yet.
    Awaited(Missing),
    /// It has the add-on, and it is not known whether a placement selects it.
    PlacementUnknown,
    /// The hub was not observed for a while, and what clusters reported in the meantime is taken in first.
    FirstLook,
    /// The strategy cannot be read.
    InvalidStrategy {
        /// What is wrong with it.
        why: String,
    },
    /// No placement selects it any longer.
    Departs(Departure),
    /// Another instance owns its ManagedClusterAddOn.
    Foreign {
        /// Which one.
        owner: Mark,
    },
}

impl Reason {
    /// Returns the state that this reason explains.
    pub(crate) fn state(&self) -> ClusterState {
        match self {
            Self::Decided(Verdict::Starts | Verdict::Underway { .. })
            | Self::Watched { .. }
            | Self::Untemplated
            | Self::Undeliverable { .. } => ClusterState::Progressing,
            Self::Decided(Verdict::Waits(_))
            | Self::Awaited(_)
            | Self::PlacementUnknown
            | Self::FirstLook
            | Self::Foreign { .. }
            | Self::HandOver
            | Self::Uncopied
            | Self::Unknown(_)
            | Self::InvalidStrategy { .. } => ClusterState::Waiting,
            Self::Departs(Departure::Waits(_)) => ClusterState::Leaving,
            Self::Departs(Departure::Starts | Departure::Deleting { .. }) => ClusterState::Removing,
            Self::Decided(Verdict::Soaks { .. }) => ClusterState::Soaking,
            Self::Decided(Verdict::Done | Verdict::Late { .. } | Verdict::Skipped) => ClusterState::Succeeded,
            Self::Decided(Verdict::Failed { .. }) | Self::Failed { .. } => ClusterState::Failed,
            Self::Decided(Verdict::TimedOut) | Self::TimedOut { .. } => ClusterState::TimedOut,
            Self::Decided(Verdict::Removed) => ClusterState::Removed,
        }
    }

    /// Returns what the cluster waits for, if the engine holds it back.
    pub(crate) fn wait(&self) -> Option<&Wait> {
        match self {
            Self::Decided(Verdict::Waits(wait)) => Some(wait),
            _ => None,
        }
    }

    /// Returns what the works of the cluster show, if that is why it is not done.
    pub(crate) fn cause(&self) -> Option<&Cause> {
        match self {
            Self::Watched { cause, .. } | Self::TimedOut { cause, .. } | Self::Failed { cause, .. } => cause.as_ref(),
            _ => None,
        }
    }

    /// Returns the reason in words that stay the same as long as the reason does, without current numbers. Empty if the state is
    /// self-explanatory.
    pub(crate) fn lasting(&self) -> String {
        match self {
            Self::Decided(Verdict::Done) => String::new(),
            Self::Decided(Verdict::Waits(wait)) => wait.lasting(),
            Self::Decided(verdict) => verdict.to_string(),
            Self::Watched { cause: Some(cause), .. } | Self::TimedOut { cause: Some(cause), .. } => cause.to_string(),
            Self::Watched { progress, .. } | Self::TimedOut { progress, .. } => progress.to_string(),
            Self::Failed { message, cause, .. } => failure(message, cause.as_ref().map(Cause::to_string)),
            Self::Undeliverable { why } => why.clone(),
            Self::HandOver => "waits until all clusters are handed over to OCM's add-on manager".to_owned(),
            Self::Uncopied => "waits until the hub has copies of its configurations".to_owned(),
            Self::Unknown(name) => format!("waits for a configuration that is not in the repository: {name}"),
            Self::Untemplated => {
                "the add-on has no AddOnTemplate, so only a manager of its own can deliver it".to_owned()
            }
            Self::Awaited(missing) => missing.to_string(),
            Self::PlacementUnknown => {
                "keeps what it has: the selection of its placement or of a later one is not known".to_owned()
            }
            Self::FirstLook => "waits until the reports of all clusters are read".to_owned(),
            Self::InvalidStrategy { .. } => "the rollout strategy is invalid".to_owned(),
            Self::Departs(Departure::Waits(obstacle)) => obstacle.lasting(),
            Self::Departs(_) => "no placement selects it any longer, and its add-on is being deleted".to_owned(),
            Self::Foreign { owner } => format!("it belongs to {owner} on this cluster, and is not changed"),
        }
    }

    /// Returns the reason in lasting words, as it was reported before if only the numbers of a message have changed since.
    pub(crate) fn steady(&self, before: &str) -> String {
        match self {
            Self::Failed { message, cause: Some(cause), .. } => {
                let earlier = before.strip_prefix(&failure(message, Some(String::new()))).unwrap_or_default();
                failure(message, Some(cause.steady(earlier)))
            }
            Self::Watched { progress: held @ Progress::Held { .. }, cause: None, .. }
            | Self::TimedOut { progress: held @ Progress::Held { .. }, cause: None } => {
                let now = held.to_string();
                if without_numbers(before) == without_numbers(&now) { before.to_owned() } else { now }
            }
            reason => reason.cause().map_or_else(|| reason.lasting(), |cause| cause.steady(before)),
        }
    }

    /// Returns the reason with its current numbers.
    pub(crate) fn detailed(&self) -> String {
        match self {
            Self::Decided(Verdict::Waits(wait)) => wait.to_string(),
            Self::InvalidStrategy { why } => format!("the rollout strategy is invalid: {why}"),
            Self::Departs(Departure::Waits(obstacle)) => obstacle.to_string(),
            other => other.lasting(),
        }
    }

    /// Returns what would let the cluster proceed; empty if nothing is left to do.
    pub(crate) fn opens(&self) -> String {
        match self {
            Self::Decided(verdict) => verdict.opens(),
            Self::Watched { cause: Some(cause), .. } => cause.opens().to_owned(),
            Self::Watched { progress, .. } => progress.opens().to_owned(),
            Self::HandOver => "all clusters are handed over".to_owned(),
            Self::Uncopied => "the hub has copies of its configurations".to_owned(),
            Self::Unknown(_) => {
                "a commit adds it, or no longer refers to it; if it was set by hand, it leaves spec.configs of the ManagedClusterAddOn"
                    .to_owned()
            }
            Self::Untemplated => {
                "OCM's add-on manager runs, or [delivery] mode of the daemon is \"upstream\", or the add-on gets an AddOnTemplate"
                    .to_owned()
            }
            Self::Undeliverable { .. } => "a commit fixes the template or its configuration".to_owned(),
            Self::Failed { deadline, .. } => Verdict::Failed { deadline: *deadline }.opens(),
            Self::TimedOut { .. } => Verdict::TimedOut.opens(),
            Self::Awaited(missing) => missing.opens().to_owned(),
            Self::PlacementUnknown => "the placement can be scheduled".to_owned(),
            Self::FirstLook => "the reports are read".to_owned(),
            Self::InvalidStrategy { .. } => "a commit fixes the strategy".to_owned(),
            Self::Departs(Departure::Waits(obstacle)) => obstacle.opens(),
            Self::Departs(_) => "the hub has deleted it".to_owned(),
            Self::Foreign { owner } => transfer(owner),
        }
    }

    /// Returns when time alone changes the state of the cluster.
    pub(crate) fn look_at(&self) -> Option<Timestamp> {
        match self {
            Self::Decided(verdict) => verdict.look_at(),
            Self::Watched { deadline, .. } | Self::Failed { deadline, .. } => *deadline,
            Self::Departs(Departure::Deleting { deadline }) => *deadline,
            Self::Undeliverable { .. }
            | Self::HandOver
            | Self::Uncopied
            | Self::Unknown(_)
            | Self::Untemplated
            | Self::TimedOut { .. }
            | Self::Awaited(_)
            | Self::PlacementUnknown
            | Self::FirstLook
            | Self::Departs(_)
            | Self::Foreign { .. }
            | Self::InvalidStrategy { .. } => None,
        }
    }
}

/// Returns what a cluster reported when it failed, and what is wrong with it now.
fn failure(message: &str, now: Option<String>) -> String {
    let message = brief(message, LONGEST);
    now.map_or(message.clone(), |now| format!("{message}; now, {now}"))
}

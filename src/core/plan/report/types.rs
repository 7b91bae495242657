//! The state of every add-on and cluster, and why: the only source for the journal, the command line and every page.

use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};

use super::cluster::ClusterReport;
use crate::report::hold::Hold;
use tidegate_consent::{GoodDigests, RulesState, Verdict};
use tidegate_go::canonical::sha256_hex;
use tidegate_model::clock_steps::ClockSteps;
use tidegate_model::digest::{Digest, short};
use tidegate_model::followed::{LastGood, Rejection};
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::progress::{ClusterState, Counts, Phase};
use tidegate_model::shared::Shared;
use tidegate_model::time::Timestamp;
use tidegate_model::unseen::Unseen;
use tidegate_rollout::GroupKey;
use tidegate_rollout::gate::checks::Evidence;

/// What a plan found and decided, for people and programs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// One entry for each add-on of the repository, and for each one that is refused.
    pub addons: BTreeMap<UnitName, Shared<AddonReport>>,
    /// What people should know beyond single add-ons, such as objects whose removal is held.
    pub notices: Vec<String>,
    /// The approvals that override windows and freezes, in words.
    pub overrides: Vec<String>,
    /// Declared objects that another instance owns, each with its location and what to do about it. They are not
    /// written.
    pub collisions: Vec<String>,
    /// Add-ons that were reported before, no longer belong to this instance, and are still on clusters.
    pub given_up: BTreeSet<UnitName>,
    /// Fields that others have added to declared objects and that are removed in this tick, each with its field
    /// manager.
    pub repairs: Vec<String>,
    /// The removal of objects that left the repository, if it is beyond the limits.
    pub hold: Option<Hold>,
    /// Which rules are in force; `None` if no change of them was ever recorded.
    pub rules: Option<RulesState>,
    /// When the hub was not observed while clusters were under way.
    pub unseen: Unseen,
    /// How the clock of this machine was set while a time was measured; see [`Report::measures_time`].
    pub clock: ClockSteps,
}

impl Report {
    /// Returns the report about an add-on.
    pub fn addon<Q: Ord + ?Sized>(&self, name: &Q) -> Option<&AddonReport>
    where
        UnitName: Borrow<Q>,
    {
        self.addons.get(name).map(|addon| &**addon)
    }

    /// Returns the last digest of each add-on that all its clusters completed.
    pub fn good_digests(&self) -> GoodDigests {
        let good = |(name, addon): (&UnitName, &Shared<AddonReport>)| {
            Some((name.clone(), addon.last_good.as_ref()?.digest.clone()))
        };
        self.addons.iter().filter_map(good).collect()
    }

    /// Returns `true` if a cluster is under way, soaks, or is being removed.
    pub fn is_underway(&self) -> bool {
        let states = self.addons.values().flat_map(|addon| addon.clusters.values()).map(|cluster| cluster.state);
        states.into_iter().any(|state| match state {
            ClusterState::Progressing
            | ClusterState::Soaking
            | ClusterState::Failed
            | ClusterState::TimedOut
            | ClusterState::Removing => true,
            ClusterState::Waiting | ClusterState::Succeeded | ClusterState::Leaving | ClusterState::Removed => false,
        })
    }

    /// Returns `true` if a decision waits for time to pass: a cluster is under way or about to lose an add-on, or rules wait.
    pub fn measures_time(&self) -> bool {
        let mut clusters = self.addons.values().flat_map(|addon| addon.clusters.values());
        self.is_underway()
            || clusters.any(|cluster| cluster.state == ClusterState::Leaving)
            || self.rules.as_ref().is_some_and(|rules| rules.waiting.is_some())
    }
}

/// The state of one add-on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AddonReport {
    /// The version that the clusters should have, taken from the name of its template.
    pub version: String,
    /// The digest of the revision that is in force for the add-on; `None` if it is refused or left the repository.
    pub digest: Option<Digest>,
    /// Its overall state.
    pub phase: Phase,
    /// Why the add-on is held at an older revision, refused or stopped.
    pub problem: Option<String>,
    /// Which failure budget is exceeded, with its numbers, if the rollout is stopped and clusters wait because of that.
    pub stopped_by: Option<String>,
    /// One entry for each placement, in the order of the declaration; one without a name for clusters chosen by hand.
    pub placements: Vec<PlacementReport>,
    /// The removal of the add-on from clusters, if it is beyond the limits.
    pub removal: Option<Hold>,
    /// Whether it left the repository.
    pub withdrawn: bool,
    /// The closed gates that clusters wait for.
    pub gates: Vec<GateReport>,
    /// The verdicts on the approvals that the rollout needs.
    pub approvals: Vec<ApprovalReport>,
    /// The digest that failed, as long as a policy rolls it back.
    pub rejected: Option<Rejection>,
    /// The last digest that all clusters completed.
    pub last_good: Option<LastGood>,
    /// The last measurements of the checks of its groups.
    pub checks: Vec<Evidence>,
    /// Every cluster that has the add-on or is to get it.
    pub clusters: BTreeMap<ClusterName, ClusterReport>,
    /// The next moment at which time alone may change something.
    pub look_at: Option<Timestamp>,
}

impl AddonReport {
    /// Returns the cluster counts of all placements together.
    pub fn counts(&self) -> Counts {
        Counts::of(self.clusters.values().map(ClusterReport::counted))
    }
}

/// The state of one placement of an add-on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlacementReport {
    /// Namespace and name of the Placement; empty for clusters chosen by hand.
    pub placement: String,
    /// The type of the rollout strategy.
    pub strategy: String,
    /// The version that the clusters of this placement should have.
    pub version: String,
    /// The configurations and how far they have been rolled out.
    pub configs: Vec<ConfigReport>,
    /// The decision groups, in order.
    pub groups: Vec<GroupReport>,
    /// A message for people, in upstream's words.
    pub message: String,
    /// Why clusters wait, each reason with the number of clusters.
    pub waiting: BTreeMap<String, usize>,
}

/// One configuration of a placement.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigReport {
    /// Plural resource and group, such as `addontemplates.addon.open-cluster-management.io`.
    pub resource: String,
    /// What the clusters should have.
    pub desired: ConfigVersion,
    /// The last version that all clusters had.
    pub last_applied: Option<ConfigVersion>,
    /// The last version that all clusters had without a failure.
    pub last_known_good: Option<ConfigVersion>,
}

/// One version of a configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigVersion {
    /// Name of the object, with its namespace if it has one.
    pub name: String,
    /// SHA-256 of its spec.
    pub hash: String,
}

/// The state of one decision group.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupReport {
    /// Index of the group, from 0.
    pub index: i32,
    /// Name of the group; empty if it has none.
    pub name: String,
    /// Its cluster counts.
    pub counts: Counts,
}

/// A closed gate that clusters wait for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateReport {
    /// Namespace and name of the Placement; empty for clusters chosen by hand.
    pub placement: String,
    /// The decision group whose clusters wait.
    pub group: GroupKey,
    /// Which gate it is, without current numbers.
    pub gate: String,
    /// What opens it, and who can.
    pub opens: String,
    /// Since when clusters wait for it.
    pub since: Timestamp,
    /// When it is looked at next, if time alone may open it.
    pub look_at: Option<Timestamp>,
    /// How many clusters wait for it.
    pub clusters: usize,
}

/// The verdict on the approvals that a rule asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovalReport {
    /// Namespace and name of the Placement; empty for clusters chosen by hand.
    pub placement: String,
    /// The policy that asks for them, such as `RolloutPolicy production`.
    pub policy: String,
    /// Whether they override windows and freezes instead of opening a gate.
    pub breaks_glass: bool,
    /// When it was the turn of the group; `None` if it is not its turn yet.
    pub reached: Option<Timestamp>,
    /// Whether the policy selects clusters by their labels: those that it does not select need no approval.
    pub selects_clusters: bool,
    /// Who has approved, and what is missing.
    pub verdict: Verdict,
}

/// The reason given for a cluster that loses an add-on because its ManagedCluster is deleted.
pub const DETACHED: &str = "its ManagedCluster is being deleted, or is gone";

/// How the problem of an add-on starts whose clusters return to the last good digest.
pub const ROLLED_BACK: &str = "rolled back by";

/// Returns a digest of twelve hex digits over the hashes of all configurations of a cluster; empty if no hash is known.
pub fn digest<'a>(hashes: impl Iterator<Item = &'a str>) -> String {
    let mut hashes: Vec<&str> = hashes.filter(|hash| !hash.is_empty()).collect();
    hashes.sort_unstable();
    if hashes.is_empty() { String::new() } else { short(&sha256_hex(hashes.join("\n").as_bytes())).to_owned() }
}

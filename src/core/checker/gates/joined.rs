//! Which clusters joined in the middle of a rollout.

use std::collections::{BTreeMap, BTreeSet};

use super::available::is_unreachable;
use super::control::quarantine;
use crate::declared::DeclaredPlacement;
use crate::groups::{self, GroupId};
use crate::owners::Owners;
use crate::progress::Progress;
use crate::snapshot::Snapshot;
use tidegate_model::digest::Digest;
use tidegate_model::name::{ClusterName, UnitName};

/// What is known of the rollouts of all add-ons.
#[derive(Debug, Default)]
pub(crate) struct Joins {
    rollouts: BTreeMap<UnitName, Rollout>,
    /// Whether the previous observation is known.
    is_continuous: bool,
}

/// The rollout of one digest.
#[derive(Debug, Default)]
pub(super) struct Rollout {
    pub(super) digest: Digest,
    /// Whether it was seen from its start.
    pub(super) is_witnessed: bool,
    /// Whether some cluster has waited ever since.
    pub(super) is_open: bool,
    /// The clusters that it had at its start and ever since, each with its group; `None` for those that came, left or changed their group.
    pub(super) members: BTreeMap<ClusterName, Option<GroupId>>,
    pub(super) late: BTreeSet<ClusterName>,
    /// Whether a cluster was seen to start. The first observations may still have the PlacementDecisions of an earlier revision, so that
    /// clusters that come before the first start are not late.
    has_begun: bool,
    /// The clusters that waited when they were seen last.
    waiting: BTreeSet<ClusterName>,
    /// All clusters that ever had the add-on, or were to get it.
    pub(super) known: BTreeSet<ClusterName>,
    /// The digests that may have been completed.
    pub(super) completed: BTreeSet<Digest>,
}

impl Joins {
    /// Forgets what a process that was killed may not have recorded.
    pub(crate) fn interrupt(&mut self) {
        self.is_continuous = false;
        self.rollouts.values_mut().for_each(|rollout| {
            rollout.is_witnessed = false;
            rollout.late.clear();
        });
    }

    /// Remembers an observation.
    pub(crate) fn note(&mut self, snapshot: &Snapshot) {
        if !snapshot.policies.iter().any(|policy| policy.spec().membership.is_some()) {
            // Nothing depends on it, so a policy that is added later finds nothing certain.
            *self = Self::default();
            return;
        }
        let is_continuous = std::mem::replace(&mut self.is_continuous, true);
        self.rollouts.retain(|addon, _| snapshot.addons.contains_key(addon));
        for (addon, declared) in &snapshot.addons {
            let rollout = self.rollouts.entry(addon.clone()).or_default();
            let is_new = rollout.digest != declared.digest || rollout.known.is_empty();
            if is_new {
                rollout.digest = declared.digest.clone();
                rollout.is_witnessed = is_continuous;
                rollout.is_open = !rollout.completed.contains(&rollout.digest);
                rollout.members.clear();
                rollout.late.clear();
                rollout.waiting.clear();
                rollout.has_begun = false;
            }
            match members(snapshot, addon) {
                Some(members) => rollout.note(snapshot, addon, &members, is_new),
                None => rollout.is_witnessed = false,
            }
        }
    }

    pub(super) fn of(&self, declaring: &Snapshot, addon: &UnitName) -> Option<&Rollout> {
        let digest = &declaring.addons.get(addon)?.digest;
        self.rollouts.get(addon).filter(|rollout| rollout.is_witnessed && rollout.digest == *digest)
    }
}

/// The clusters that an add-on should have, each with its placement and group.
type Members<'a> = BTreeMap<&'a ClusterName, (&'a DeclaredPlacement, GroupId)>;

/// Returns `None` if a placement is unknown.
fn members<'a>(snapshot: &'a Snapshot, addon: &UnitName) -> Option<Members<'a>> {
    let declared = snapshot.addons.get(addon)?;
    let placements: Vec<&DeclaredPlacement> = declared.placements.iter().flatten().collect();
    let groups = groups::decided(&snapshot.fleet, placements.iter().map(|placement| &placement.name));
    if groups.values().any(Option::is_none) {
        return None;
    }
    let owned = Owners::of(declared, &groups).owners.into_iter();
    // Names with the lifetime of the fleet.
    let in_fleet = |name: &ClusterName| snapshot.fleet.clusters.get_key_value(name).map(|(name, _)| name);
    let member = |(name, (index, group)): (&ClusterName, (usize, &GroupId))| {
        Some((in_fleet(name)?, (*placements.get(index)?, group.clone())))
    };
    Some(owned.filter_map(member).collect())
}

impl Rollout {
    fn note(&mut self, snapshot: &Snapshot, addon: &UnitName, members: &Members<'_>, is_new: bool) {
        let is_foreign = |cluster: &ClusterName| {
            snapshot.on_cluster(addon, cluster).is_some_and(|observed| snapshot.is_foreign(observed))
        };
        let is_waiting = |cluster: &ClusterName, placement: &DeclaredPlacement| {
            let observed = snapshot.on_cluster(addon, cluster);
            let desired =
                snapshot.addons.get(addon).map(|declared| declared.desired(Some(placement), cluster, observed));
            !is_foreign(cluster)
                && desired.is_some_and(|desired| Progress::of(observed, &desired) == Progress::NotStarted)
        };
        let waiting: BTreeSet<ClusterName> = members
            .iter()
            .filter(|(cluster, (placement, _))| is_waiting(cluster, placement))
            .map(|(cluster, _)| (*cluster).clone())
            .collect();
        let starts =
            |cluster: &ClusterName| members.contains_key(cluster) && !waiting.contains(cluster) && !is_foreign(cluster);
        for (cluster, (_, group)) in members {
            match self.members.get_mut(*cluster) {
                _ if is_new => drop(self.members.insert((*cluster).clone(), Some(group.clone()))),
                Some(known) => *known = known.take().filter(|known| known == group),
                None => drop(self.members.insert((*cluster).clone(), None)),
            }
            if !is_new && self.is_open && self.has_begun && !self.known.contains(*cluster) && waiting.contains(*cluster)
            {
                self.late.insert((*cluster).clone());
            }
        }
        let left = self.members.iter_mut().filter(|(cluster, _)| !members.contains_key(*cluster));
        left.for_each(|(_, group)| *group = None);
        self.known.extend(members.keys().map(|cluster| (*cluster).clone()));
        self.known.extend(snapshot.on_clusters(addon).map(|(cluster, _)| cluster.clone()));
        let holds_open = |(cluster, (_, group)): (&&ClusterName, &(&DeclaredPlacement, GroupId))| {
            let is_member = self.members.get(*cluster).is_some_and(|known| known.as_ref() == Some(group));
            let is_reachable = snapshot.fleet.clusters.get(*cluster).is_some_and(|cluster| !is_unreachable(cluster));
            is_member && is_reachable && quarantine(snapshot, addon, cluster).is_none() && waiting.contains(*cluster)
        };
        if !members.iter().any(holds_open) {
            self.is_open = false;
            self.completed.insert(self.digest.clone());
        }
        self.has_begun |= self.waiting.iter().any(starts);
        self.waiting = waiting;
    }
}

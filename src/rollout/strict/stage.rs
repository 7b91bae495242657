//! Where each cluster stands, laid out in stages: what must be done before what.

use std::collections::{HashMap, HashSet};

use crate::model::name::ClusterName;
use crate::model::time::Timestamp;
use crate::rollout::group::Group;
use crate::rollout::patience::{Class, Patience};
use crate::rollout::strict::rules::Rules;
use crate::rollout::{ClusterStatus, GroupKey, Status, Wait};

/// Where a cluster stands.
#[derive(Debug)]
pub(super) enum Standing {
    /// Not started; `reported` if the caller knows the cluster.
    Waiting { reported: bool },
    /// To be started by this decision.
    Starting,
    /// Progressing, failed but inside its deadline, or in its soak time.
    Underway(ClusterStatus),
    /// Timed out at this moment.
    Expired(ClusterStatus),
    /// Succeeded and soaked, skipped, or, if `failed`, timed out before.
    Closed { failed: bool },
}

/// One cluster of a stage.
#[derive(Debug)]
pub(super) struct Member<'a> {
    pub(super) cluster: &'a ClusterName,
    pub(super) group: &'a GroupKey,
    pub(super) standing: Standing,
}

impl<'a> Member<'a> {
    fn new(cluster: &'a ClusterName, group: &'a GroupKey, given: Option<&ClusterStatus>, patience: &Patience) -> Self {
        let standing = match given {
            None => Standing::Waiting { reported: false },
            Some(given) if given.status == Status::ToApply => Standing::Waiting { reported: true },
            Some(given) => {
                let mut status = ClusterStatus { group: group.clone(), ..given.clone() };
                match patience.classify(&mut status, given.last_transition.or(given.started)) {
                    Class::Rollout => Standing::Underway(status),
                    Class::TimedOut => Standing::Expired(status),
                    Class::Out => Standing::Closed { failed: status.is_failure() },
                }
            }
        };
        Self { cluster, group, standing }
    }

    fn is_failure(&self) -> bool {
        match &self.standing {
            Standing::Underway(status) => status.is_failure(),
            Standing::Expired(_) => true,
            Standing::Closed { failed } => *failed,
            Standing::Waiting { .. } | Standing::Starting => false,
        }
    }

    /// Returns whether the stage must wait for the cluster. A failed one is a matter of the budget, not of waiting.
    fn is_unfinished(&self) -> bool {
        match &self.standing {
            Standing::Waiting { .. } | Standing::Starting => true,
            Standing::Underway(status) => !status.is_failure(),
            Standing::Expired(_) | Standing::Closed { .. } => false,
        }
    }

    /// Returns when the soak time of the cluster ends, if it is in it.
    fn soaks_until(&self) -> Option<Timestamp> {
        match &self.standing {
            Standing::Underway(status) if status.status == Status::Succeeded => status.recheck,
            _ => None,
        }
    }
}

/// Which clusters a stage holds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Scope<'a> {
    /// Those of a mandatory group.
    Mandatory(&'a GroupKey),
    /// Those of one group, of a strategy that goes by group.
    Group(&'a GroupKey),
    /// All that are in no mandatory group.
    Rest,
}

/// Clusters that start only when all stages before theirs are done. Sorted by name.
#[derive(Debug)]
pub(super) struct Stage<'a> {
    pub(super) scope: Scope<'a>,
    pub(super) members: Vec<Member<'a>>,
}

impl Stage<'_> {
    /// Returns how many clusters of the stage failed or timed out.
    pub(super) fn failed(&self) -> usize {
        self.members.iter().filter(|member| member.is_failure()).count()
    }

    /// Returns how many clusters of the stage are under way.
    pub(super) fn in_flight(&self) -> usize {
        self.members.iter().filter(|member| matches!(member.standing, Standing::Underway(_))).count()
    }

    /// Returns when the soak times of the clusters end that are in it.
    pub(super) fn soak_ends(&self) -> impl Iterator<Item = Timestamp> {
        self.members.iter().filter_map(Member::soaks_until)
    }

    /// Lets up to `free` waiting clusters start, those that the caller knows first, and returns how many do.
    pub(super) fn start(&mut self, free: usize) -> usize {
        let is_waiting = |member: &&mut Member<'_>| matches!(member.standing, Standing::Waiting { .. });
        let mut waiting: Vec<_> = self.members.iter_mut().filter(is_waiting).collect();
        waiting.sort_by_key(|member| matches!(member.standing, Standing::Waiting { reported: false }));
        waiting.into_iter().take(free).map(|member| member.standing = Standing::Starting).count()
    }

    /// Returns what the stages behind this one wait for, if it is not done.
    pub(super) fn holds(&self) -> Option<Wait> {
        let unfinished = self.members.iter().filter(|member| member.is_unfinished()).count();
        if unfinished == 0 {
            return None;
        }
        if self.soak_ends().count() == unfinished {
            return self.soak_ends().max().map(|until| Wait::Soak { until });
        }
        match self.scope {
            Scope::Mandatory(group) => Some(Wait::MandatoryGroup { group: group.clone(), unfinished }),
            Scope::Group(group) => Some(Wait::Group { group: group.clone(), unfinished }),
            Scope::Rest => None,
        }
    }
}

/// All clusters, laid out.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    /// The mandatory groups in order of index, then the other clusters.
    pub(super) stages: Vec<Stage<'a>>,
    /// The given clusters that no group holds.
    pub(super) removed: Vec<ClusterStatus>,
}

impl<'a> Layout<'a> {
    /// Lays out the clusters of the groups.
    ///
    /// A cluster that is in several groups belongs to the first stage that holds it, and of several statuses of one
    /// cluster the first one counts.
    pub(super) fn new(rules: &Rules<'_>, groups: &'a [Group<'a>], existing: &[ClusterStatus]) -> Self {
        let mut given: HashMap<&str, &ClusterStatus> = HashMap::with_capacity(existing.len());
        for status in existing {
            given.entry(&status.cluster).or_insert(status);
        }
        let mut taken: HashSet<&ClusterName> = HashSet::with_capacity(existing.len());
        let mut members = |group: &'a Group<'a>| -> Vec<Member<'a>> {
            let fresh = group.clusters.iter().copied().filter(|cluster| taken.insert(cluster));
            fresh.map(|c| Member::new(c, &group.key, given.remove(c.as_str()), &rules.patience)).collect()
        };
        let is_mandatory = |group: &&Group<'_>| group.is_mandatory(rules.mandatory);
        let mut stages: Vec<Stage<'a>> = groups
            .iter()
            .filter(is_mandatory)
            .map(|group| Stage { scope: Scope::Mandatory(&group.key), members: members(group) })
            .collect();
        let others = groups.iter().filter(|group| !is_mandatory(group));
        if rules.by_group() {
            stages.extend(others.map(|group| Stage { scope: Scope::Group(&group.key), members: members(group) }));
        } else {
            let mut rest: Vec<_> = others.flat_map(&mut members).collect();
            rest.sort_unstable_by(|a, b| a.cluster.cmp(b.cluster));
            stages.push(Stage { scope: Scope::Rest, members: rest });
        }
        let removed = existing.iter().filter(|status| given.contains_key(status.cluster.as_str()));
        Self { stages, removed: removed.cloned().collect() }
    }
}

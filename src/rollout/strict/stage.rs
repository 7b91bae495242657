//! Where each cluster stands, laid out in stages: what must be done before what.

use std::iter;

use crate::model::name::ClusterName;
use crate::model::time::Timestamp;
use crate::rollout::group::Group;
use crate::rollout::patience::{Class, Patience};
use crate::rollout::strict::rules::Rules;
use crate::rollout::{ClusterStatus, GroupKey, Status, Verdict, Wait};

/// Where a cluster stands.
#[derive(Debug)]
pub(super) enum Standing<'a> {
    /// Not started; `reported` if the caller knows the cluster.
    Waiting { reported: bool },
    /// To be started by this decision.
    Starting,
    /// Progressing, failed but inside its deadline, or in its soak time; until `recheck`, if that ends.
    Underway { given: &'a ClusterStatus, recheck: Option<Timestamp> },
    /// Timed out at this moment.
    Expired { given: &'a ClusterStatus, deadline: Timestamp },
    /// Succeeded and soaked, skipped, or timed out before.
    Closed(Status),
}

impl Standing<'_> {
    /// Returns what is decided for the cluster, if it waits for `reason`; a cluster waits for something as long as it waits.
    pub(super) fn verdict(&self, reason: Option<&Wait>) -> Option<Verdict> {
        Some(match self {
            Self::Waiting { .. } => Verdict::Waits(reason?.clone()),
            Self::Starting => Verdict::Starts,
            Self::Underway { given, recheck } => match given.status {
                Status::Succeeded => Verdict::Soaks { until: *recheck },
                Status::Failed => Verdict::Failed { deadline: *recheck },
                _ => Verdict::Underway { deadline: *recheck },
            },
            Self::Expired { .. } | Self::Closed(Status::TimeOut) => Verdict::TimedOut,
            Self::Closed(Status::Skip) => Verdict::Skipped,
            Self::Closed(_) => Verdict::Done,
        })
    }
}

/// One cluster of a stage.
#[derive(Debug)]
pub(super) struct Member<'a> {
    pub(super) cluster: &'a ClusterName,
    pub(super) group: &'a GroupKey,
    pub(super) standing: Standing<'a>,
}

impl Member<'_> {
    fn is_failure(&self) -> bool {
        match &self.standing {
            Standing::Underway { given, .. } => given.status == Status::Failed,
            Standing::Expired { .. } => true,
            Standing::Closed(status) => *status == Status::TimeOut,
            Standing::Waiting { .. } | Standing::Starting => false,
        }
    }

    /// Returns whether the stage must wait for the cluster. A failed one is a matter of the budget, not of waiting.
    fn is_unfinished(&self) -> bool {
        match &self.standing {
            Standing::Waiting { .. } | Standing::Starting => true,
            Standing::Underway { given, .. } => given.status != Status::Failed,
            Standing::Expired { .. } | Standing::Closed(_) => false,
        }
    }

    /// Returns when the soak time of the cluster ends, if it is in it.
    fn soaks_until(&self) -> Option<Timestamp> {
        match &self.standing {
            Standing::Underway { given, recheck } if given.status == Status::Succeeded => *recheck,
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
        self.members.iter().filter(|member| matches!(member.standing, Standing::Underway { .. })).count()
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
    /// The given clusters that no group holds, sorted by name.
    pub(super) removed: Vec<ClusterStatus>,
}

impl<'a> Layout<'a> {
    /// Lays out the clusters of the groups.
    ///
    /// A cluster that is in several groups belongs to the first stage that holds it, and of several statuses of one
    /// cluster the first one counts.
    pub(super) fn new(rules: &Rules<'_>, groups: &'a [Group<'a>], existing: &'a [ClusterStatus]) -> Self {
        let (mut stages, seats) = seats(rules, groups);
        let mut removed = Vec::new();
        let mut given: Vec<_> = existing.iter().collect();
        given.sort_by(|a, b| a.cluster.cmp(&b.cluster));
        // Both lists are sorted by name, so one walk over the two finds the status of each seat.
        let mut given = given.into_iter().peekable();
        for Seat { cluster, group, stage } in seats {
            removed.extend(iter::from_fn(|| given.next_if(|status| *status.cluster < *cluster.as_str())).cloned());
            let status = given.next_if(|status| status.cluster == cluster.as_str());
            while given.next_if(|status| status.cluster == cluster.as_str()).is_some() {}
            let standing = standing(status, &rules.patience);
            if let Some(stage) = stages.get_mut(stage) {
                stage.members.push(Member { cluster, group, standing });
            }
        }
        removed.extend(given.cloned());
        Self { stages, removed }
    }
}

/// The place of a cluster in the stage of that number.
struct Seat<'a> {
    cluster: &'a ClusterName,
    group: &'a GroupKey,
    stage: usize,
}

/// Returns the stages, empty, and one seat for each cluster, sorted by name.
fn seats<'a>(rules: &Rules<'_>, groups: &'a [Group<'a>]) -> (Vec<Stage<'a>>, Vec<Seat<'a>>) {
    let (mandatory, others): (Vec<_>, Vec<_>) = groups.iter().partition(|group| group.is_mandatory(rules.mandatory));
    let mut scopes: Vec<_> = mandatory.iter().map(|group| Scope::Mandatory(&group.key)).collect();
    if rules.by_group() {
        scopes.extend(others.iter().map(|group| Scope::Group(&group.key)));
    } else {
        scopes.push(Scope::Rest);
    }
    let last = scopes.len().saturating_sub(1);
    let mut seats = Vec::with_capacity(groups.iter().map(|group| group.clusters.len()).sum());
    for (place, group) in mandatory.into_iter().chain(others).enumerate() {
        // All groups of the rest share the last stage.
        let stage = place.min(last);
        seats.extend(group.clusters.iter().map(|cluster| Seat { cluster, group: &group.key, stage }));
    }
    // Stable, so that of several seats of one cluster the one in the first stage stays.
    seats.sort_by(|a, b| a.cluster.cmp(b.cluster));
    seats.dedup_by(|later, kept| later.cluster == kept.cluster);
    (scopes.into_iter().map(|scope| Stage { scope, members: Vec::new() }).collect(), seats)
}

/// Returns where a cluster with the given status stands.
fn standing<'a>(given: Option<&'a ClusterStatus>, patience: &Patience) -> Standing<'a> {
    let Some(given) = given else { return Standing::Waiting { reported: false } };
    match patience.classify(given.status, given.last_transition.or(given.started)) {
        Class::Waiting => Standing::Waiting { reported: true },
        Class::Underway { recheck } => Standing::Underway { given, recheck },
        Class::TimedOut { deadline } => Standing::Expired { given, deadline },
        Class::Closed => Standing::Closed(given.status),
    }
}

//! The standing of each cluster, arranged in stages: what must be done before what.

use crate::cluster_index::ClusterIndex;
use crate::strict::strategy::Strategy;
use crate::timing::{Class, Timing};
use crate::{Admit, ClusterStatus, Gate, GroupKey, Status, Verdict, Wait};
use tidegate_model::name::ClusterName;
use tidegate_model::time::{SignedDuration, Timestamp};

/// Where a cluster stands.
#[derive(Debug, Clone)]
pub(super) enum Standing<'a> {
    /// Not started; `reported` if the caller knows the cluster.
    Waiting { reported: bool },
    /// To be started by this decision.
    Starting,
    /// Progressing, failed but within its deadline, or soaking; until `look_at`, if that ever ends.
    Underway { given: &'a ClusterStatus, look_at: Option<Timestamp> },
    /// Timed out at this moment.
    Expired { given: &'a ClusterStatus, deadline: Timestamp },
    /// Succeeded and soaked, skipped, or timed out before.
    Closed(Status),
}

impl Standing<'_> {
    pub(super) fn is_waiting(&self) -> bool {
        matches!(self, Standing::Waiting { .. })
    }

    pub(super) fn is_underway(&self) -> bool {
        matches!(self, Standing::Underway { .. })
    }

    pub(super) fn is_failure(&self) -> bool {
        match self {
            Standing::Underway { given, .. } => given.status == Status::Failed,
            Standing::Expired { .. } => true,
            Standing::Closed(status) => *status == Status::TimeOut,
            Standing::Waiting { .. } | Standing::Starting => false,
        }
    }

    /// Returns `true` if the stage must wait for the cluster. A failed one counts against the budget instead.
    pub(super) fn is_unfinished(&self) -> bool {
        match self {
            Standing::Waiting { .. } | Standing::Starting => true,
            Standing::Underway { given, .. } => given.status != Status::Failed,
            Standing::Expired { .. } | Standing::Closed(_) => false,
        }
    }

    /// Returns `true` if the time that the cluster took counts: it has started and does not count as a failure anyway.
    pub(super) fn can_be_late(&self) -> bool {
        !self.is_failure() && !self.is_waiting()
    }

    /// Returns the verdict on the cluster; `reason` is what it waits for if it has not started. `None` if it waits without a
    /// reason.
    fn verdict(&self, reason: Option<&Wait>) -> Option<Verdict> {
        Some(match self {
            Self::Waiting { .. } => Verdict::Waits(reason?.clone()),
            Self::Starting => Verdict::Starts,
            Self::Underway { given, look_at } => match given.status {
                Status::Succeeded => Verdict::Soaks { until: *look_at },
                Status::Failed => Verdict::Failed { deadline: *look_at },
                _ => Verdict::Underway { deadline: *look_at },
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
    pub(super) number: usize,
    pub(super) cluster: &'a ClusterName,
    pub(super) group: &'a GroupKey,
    pub(super) standing: Standing<'a>,
    /// How long it took, if it is in a mandatory group and was late.
    late: Option<SignedDuration>,
    /// What keeps it from starting although its turn has come.
    gate: Option<Gate>,
}

impl Member<'_> {
    /// Returns the verdict on the cluster; `reason` is what it waits for if it has not started.
    pub(super) fn verdict(&self, reason: Option<&Wait>) -> Option<Verdict> {
        match (&self.standing, self.late) {
            (Standing::Closed(Status::Succeeded), Some(took)) => Some(Verdict::Late { took }),
            (standing, _) => match &self.gate {
                Some(gate) => Some(Verdict::Waits(Wait::Gate(Box::new(gate.clone())))),
                None => standing.verdict(reason),
            },
        }
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.standing.is_waiting()
    }

    /// Returns `true` if the cluster was late, and recovered.
    fn is_late(&self) -> bool {
        self.late.is_some() && self.standing.can_be_late()
    }

    /// Returns when the soak time of the cluster ends, if it soaks.
    fn soaks_until(&self) -> Option<Timestamp> {
        match &self.standing {
            Standing::Underway { given, look_at } if given.status == Status::Succeeded => *look_at,
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
        self.members.iter().filter(|member| member.standing.is_failure()).count()
    }

    /// Returns the names of the clusters of a mandatory group that were late and recovered.
    pub(super) fn late(&self) -> Vec<String> {
        self.members.iter().filter(|member| member.is_late()).map(|member| member.cluster.to_string()).collect()
    }

    /// Returns `true` if a cluster of the stage has not started.
    pub(super) fn waits(&self) -> bool {
        self.members.iter().any(Member::is_waiting)
    }

    /// Returns how many clusters of the stage are under way.
    pub(super) fn in_flight(&self) -> usize {
        self.members.iter().filter(|member| member.standing.is_underway()).count()
    }

    /// Returns when the soak times of the soaking clusters end.
    pub(super) fn soak_ends(&self) -> impl Iterator<Item = Timestamp> {
        self.members.iter().filter_map(Member::soaks_until)
    }

    /// Starts up to `free` waiting clusters, those that the caller knows first, and returns how many. Those that may not start keep the gate
    /// that they wait for.
    pub(super) fn start(&mut self, free: usize, admit: &mut Admit<'_>) -> usize {
        let is_waiting = |member: &&mut Member<'_>| member.is_waiting();
        let mut waiting: Vec<_> = self.members.iter_mut().filter(is_waiting).collect();
        waiting.sort_by_key(|member| matches!(member.standing, Standing::Waiting { reported: false }));
        let mut started = 0;
        for member in waiting {
            if started == free {
                break;
            }
            member.gate = admit(member.cluster, member.group);
            if member.gate.is_none() {
                member.standing = Standing::Starting;
                started += 1;
            }
        }
        started
    }

    /// Returns what the later stages wait for, if this one is not done.
    pub(super) fn holds(&self) -> Option<Wait> {
        let unfinished = self.members.iter().filter(|member| member.standing.is_unfinished()).count();
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

/// Arranges the clusters of the groups in stages: the mandatory groups in order of index, then the other clusters.
///
/// A cluster that is in several groups belongs to the first stage that holds it. If a cluster has several statuses, the first one
/// counts.
pub(super) fn stages<'a>(strategy: &Strategy<'_>, index: &'a ClusterIndex<'a>) -> Vec<Stage<'a>> {
    let (mandatory, others): (Vec<_>, Vec<_>) =
        index.groups.iter().partition(|group| group.is_mandatory(strategy.mandatory));
    let mut scopes: Vec<_> = mandatory.iter().map(|group| Scope::Mandatory(&group.key)).collect();
    if strategy.by_group() {
        scopes.extend(others.iter().map(|group| Scope::Group(&group.key)));
    } else {
        scopes.push(Scope::Rest);
    }
    let last = scopes.len().saturating_sub(1);
    let in_order = mandatory.into_iter().chain(others).enumerate();
    // All groups of the rest share the last stage.
    let seats = in_order
        .flat_map(|(place, group)| group.members.iter().map(move |number| (*number, (place.min(last), &group.key))));
    let late = |given: &ClusterStatus| given.took.filter(|took| strategy.timing.is_late(*took));
    let given = index.given.iter();
    let given =
        given.filter_map(|(number, given)| Some(((*number)?, (standing(given, &strategy.timing), late(given)))));
    let mut stages: Vec<_> = scopes.into_iter().map(|scope| Stage { scope, members: Vec::new() }).collect();
    let members = index.by_number(seats).into_iter().zip(index.by_number(given)).zip(&index.clusters);
    for (number, ((seat, given), cluster)) in members.enumerate() {
        let Some((stage, group)) = seat else { continue };
        let (standing, late) = given.unwrap_or((Standing::Waiting { reported: false }, None));
        if let Some(stage) = stages.get_mut(stage) {
            let late = late.filter(|_| matches!(stage.scope, Scope::Mandatory(_)));
            stage.members.push(Member { number, cluster, group, standing, late, gate: None });
        }
    }
    stages
}

/// Returns the standing of a cluster with the given status.
pub(super) fn standing<'a>(given: &'a ClusterStatus, timing: &Timing) -> Standing<'a> {
    match timing.classify(given.status, given.last_transition.or(given.started)) {
        Class::Waiting => Standing::Waiting { reported: true },
        Class::Underway { look_at } => Standing::Underway { given, look_at },
        Class::TimedOut { deadline } => Standing::Expired { given, deadline },
        Class::Closed => Standing::Closed(given.status),
    }
}

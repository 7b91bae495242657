//! How far the decision groups of a placement are, in the order in which they start.

use crate::GroupKey;
use tidegate_api::ocm::rollout_strategy::MandatoryDecisionGroup;
use tidegate_model::name::ClusterName;
use tidegate_model::time::Timestamp;

/// Where a cluster stands, as far as a check of its group is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It has not started, or does not have the add-on yet.
    Waiting,
    /// It is under way or soaks.
    Underway,
    /// Nothing more is expected of it: it is done, or it failed.
    Done {
        /// Since when.
        since: Timestamp,
    },
    /// It takes no part in the rollout for now.
    Aside,
}

/// A cluster of a group.
#[derive(Debug, Clone, Copy)]
pub struct Member<'m> {
    /// Its name.
    pub name: &'m ClusterName,
    /// Where it stands.
    pub standing: Standing,
}

/// A decision group with its clusters.
#[derive(Debug, Clone)]
pub struct Stage<'m> {
    /// The group.
    pub group: GroupKey,
    /// Its clusters.
    pub members: Vec<Member<'m>>,
}

/// How far a group is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// No cluster has started.
    Idle,
    /// Some clusters have started, and not all are done.
    Underway,
    /// All clusters are done.
    Done {
        /// Since when.
        since: Timestamp,
    },
}

impl Stage<'_> {
    /// Returns how far the group is.
    pub fn phase(&self) -> Phase {
        let taking_part = || self.members.iter().map(|member| member.standing).filter(|s| *s != Standing::Aside);
        let since = taking_part().map(|standing| match standing {
            Standing::Done { since } => Some(since),
            _ => None,
        });
        // A group none of whose clusters takes part has nothing to finish.
        let since: Option<Timestamp> =
            since.collect::<Option<Vec<_>>>().map(|times| times.into_iter().max().unwrap_or(Timestamp::MIN));
        match since {
            Some(since) => Phase::Done { since },
            None if taking_part().all(|standing| standing == Standing::Waiting) => Phase::Idle,
            None => Phase::Underway,
        }
    }

    /// Returns `true` if a cluster of the group has not started.
    pub fn waits(&self) -> bool {
        self.members.iter().any(|member| member.standing == Standing::Waiting)
    }

    /// Returns the clusters of the group that have started.
    pub(super) fn started(&self) -> impl Iterator<Item = &ClusterName> {
        let has_started = |member: &&Member<'_>| matches!(member.standing, Standing::Underway | Standing::Done { .. });
        self.members.iter().filter(has_started).map(|member| member.name)
    }

    /// Returns the clusters of the group that have not started.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &ClusterName> {
        self.members.iter().filter(|member| member.standing == Standing::Waiting).map(|member| member.name)
    }
}

/// Sorts groups in the order in which they start: the mandatory ones, then the others, each by index. A group without clusters is left out.
pub(super) fn in_order<'s, 'm>(stages: &'s [Stage<'m>], mandatory: &[MandatoryDecisionGroup]) -> Vec<&'s Stage<'m>> {
    let mut stages: Vec<&Stage<'_>> = stages.iter().filter(|stage| !stage.members.is_empty()).collect();
    stages.sort_by_key(|stage| (!mandatory.iter().any(|asked| stage.group.is(asked)), stage.group.clone()));
    stages
}

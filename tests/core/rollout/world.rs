//! A fleet that follows a script, and a checker that judges decisions by the facts of the fleet alone.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_rollout::{ClusterStatus, Decision, Input, Status, decide};

use super::scene::now;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    All,
    Progressive,
    PerGroup,
}

/// A strategy in plain numbers; times are in minutes, one tick each.
#[derive(Debug, Clone)]
pub(super) struct Policy {
    pub(super) pace: Pace,
    pub(super) mandatory: BTreeSet<i32>,
    pub(super) count: Option<u32>,
    pub(super) percent: Option<u32>,
    pub(super) max_failures: u32,
    pub(super) deadline: Option<i64>,
    pub(super) soak: i64,
}

impl Policy {
    fn strategy(&self) -> RolloutStrategy {
        let concurrency = match (self.count, self.percent) {
            (Some(count), _) => json!(count),
            (None, Some(percent)) => json!(format!("{percent}%")),
            (None, None) => Value::Null,
        };
        let mandatory: Vec<_> = self.mandatory.iter().map(|index| json!({ "groupIndex": index })).collect();
        let mut settings = json!({
            "minSuccessTime": format!("{}m", self.soak),
            "progressDeadline": self.deadline.map_or("None".to_owned(), |minutes| format!("{minutes}m")),
            "maxFailures": self.max_failures,
        });
        let (kind, member) = match self.pace {
            Pace::All => ("All", "all"),
            Pace::Progressive => ("Progressive", "progressive"),
            Pace::PerGroup => ("ProgressivePerGroup", "progressivePerGroup"),
        };
        if self.pace != Pace::All {
            settings["mandatoryDecisionGroups"] = Value::Array(mandatory);
        }
        if self.pace == Pace::Progressive {
            settings["maxConcurrency"] = concurrency;
        }
        serde_json::from_value(json!({ "type": kind, member: settings })).unwrap()
    }

    /// Returns how many clusters may be in flight while a scope of `total` clusters is open.
    fn allowed(&self, total: usize) -> usize {
        match (self.pace, self.count, self.percent) {
            (Pace::Progressive, Some(count), _) => count as usize,
            (Pace::Progressive, None, Some(percent)) => (percent as usize * total).div_ceil(100),
            _ => usize::MAX,
        }
    }

    fn budget(&self, total: usize) -> usize {
        let all = self.pace == Pace::All && self.max_failures == 0;
        if all { total } else { (self.max_failures as usize).min(total) }
    }
}

/// What a cluster does once it has the configuration.
#[derive(Debug, Clone, Copy)]
pub(super) enum Script {
    Succeeds {
        after: i64,
    },
    Fails {
        after: i64,
        recovers: Option<i64>,
    },
    Hangs,
    /// It never reports since when it is progressing.
    IsSilent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fact {
    New,
    Running(i64),
    Failed(i64),
    Succeeded(i64),
}

#[derive(Debug, Clone)]
pub(super) struct World {
    pub(super) policy: Policy,
    pub(super) groups: Vec<DecisionGroup>,
    pub(super) scripts: BTreeMap<String, Script>,
    pub(super) reports_to_apply: bool,
    pub(super) started: BTreeMap<String, i64>,
    pub(super) tick: i64,
}

impl World {
    fn at(tick: i64) -> Timestamp {
        now() + SignedDuration::from_mins(tick)
    }

    fn fact(&self, cluster: &str) -> Fact {
        let Some(start) = self.started.get(cluster).copied() else { return Fact::New };
        match self.scripts[cluster] {
            Script::Succeeds { after } if self.tick >= start + after => Fact::Succeeded(start + after),
            Script::Fails { after, recovers: Some(wait) } if self.tick >= start + after + wait => {
                Fact::Succeeded(start + after + wait)
            }
            Script::Fails { after, .. } if self.tick >= start + after => Fact::Failed(start + after),
            _ => Fact::Running(start),
        }
    }

    fn statuses(&self) -> Vec<ClusterStatus> {
        let status = |name: &String| {
            let (status, since) = match self.fact(name) {
                Fact::New => (Status::ToApply, None),
                Fact::Running(since) => (Status::Progressing, Some(since)),
                Fact::Failed(since) => (Status::Failed, Some(since)),
                Fact::Succeeded(since) => (Status::Succeeded, Some(since)),
            };
            let is_silent = matches!(self.scripts[name], Script::IsSilent);
            ClusterStatus {
                last_transition: since.filter(|_| !is_silent).map(Self::at),
                started: self.started.get(name).copied().map(Self::at),
                ..ClusterStatus::new(name, status)
            }
        };
        let statuses = self.scripts.keys().map(status);
        statuses.filter(|status| self.reports_to_apply || status.status != Status::ToApply).collect()
    }

    pub(super) fn decide(&self, semantics: Semantics) -> Decision {
        self.decide_on(&self.groups, &self.statuses(), semantics)
    }

    /// Decides on the same input in another order: groups, pages of a group and statuses are rotated by a number of steps.
    pub(super) fn decide_turned(&self, steps: usize, semantics: Semantics) -> Decision {
        let mut existing = self.statuses();
        let mut groups = Vec::new();
        for group in &self.groups {
            let (first, second) = group.clusters.split_at(steps % (group.clusters.len() + 1));
            groups.extend([second, first].map(|page| DecisionGroup { clusters: page.to_vec(), ..group.clone() }));
        }
        let (by_groups, by_statuses) = (steps % groups.len().max(1), steps % existing.len().max(1));
        groups.rotate_left(by_groups);
        existing.rotate_left(by_statuses);
        self.decide_on(&groups, &existing, semantics)
    }

    fn decide_on(&self, groups: &[DecisionGroup], existing: &[ClusterStatus], semantics: Semantics) -> Decision {
        let strategy = self.policy.strategy();
        decide(
            &Input { strategy: &strategy, groups, existing, tolerates_failures: false, now: Self::at(self.tick) },
            semantics,
        )
        .unwrap()
    }

    /// Starts what the decision starts, and returns `true` if anything started.
    pub(super) fn start(&mut self, decision: &Decision) -> bool {
        let starts = starts(decision);
        self.started.extend(starts.iter().map(|name| (name.clone(), self.tick)));
        !starts.is_empty()
    }

    /// Returns when a cluster next does something by itself.
    pub(super) fn next_change(&self) -> Option<i64> {
        let changes = self.started.iter().filter_map(|(name, start)| Some((self.scripts.get(name)?, start)));
        let changes = changes.flat_map(|(script, start)| match script {
            Script::Succeeds { after } => vec![start + after],
            Script::Fails { after, recovers } => {
                std::iter::once(start + after).chain(recovers.map(|wait| start + after + wait)).collect()
            }
            Script::Hangs | Script::IsSilent => Vec::new(),
        });
        changes.filter(|at| *at > self.tick).min()
    }

    /// Starts what the decision starts and lets one tick pass; returns `true` if anything started.
    pub(super) fn follow(&mut self, decision: &Decision) -> bool {
        let has_started = self.start(decision);
        self.tick += 1;
        has_started
    }

    pub(super) fn is_done(&self, cluster: &str) -> bool {
        matches!(self.fact(cluster), Fact::Succeeded(since) if self.tick >= since + self.policy.soak)
    }

    fn is_timed_out(&self, cluster: &str) -> bool {
        match self.fact(cluster) {
            Fact::Running(since) | Fact::Failed(since) => {
                self.policy.deadline.is_some_and(|deadline| self.tick >= since + deadline)
            }
            Fact::New | Fact::Succeeded(_) => false,
        }
    }

    fn is_failure(&self, cluster: &str) -> bool {
        self.is_timed_out(cluster) || matches!(self.fact(cluster), Fact::Failed(_))
    }

    pub(super) fn is_in_flight(&self, cluster: &str) -> bool {
        self.fact(cluster) != Fact::New && !self.is_timed_out(cluster) && !self.is_done(cluster)
    }

    fn is_mandatory(&self, group: &DecisionGroup) -> bool {
        self.policy.pace != Pace::All && self.policy.mandatory.contains(&group.index)
    }

    pub(super) fn is_over_budget(&self) -> bool {
        let failed = |group: &DecisionGroup| group.clusters.iter().filter(|c| self.is_failure(c.as_str())).count();
        let of_group = |group: &DecisionGroup| {
            let mandatory = self.is_mandatory(group);
            let by_group = self.policy.pace == Pace::PerGroup;
            let allowed = if mandatory { 0 } else { self.policy.budget(group.clusters.len()) };
            (mandatory || by_group) && failed(group) > allowed
        };
        let over_all = self.policy.pace != Pace::PerGroup
            && self.groups.iter().map(failed).sum::<usize>() > self.policy.budget(self.scripts.len());
        over_all || self.groups.iter().any(of_group)
    }

    /// Asserts that the decision keeps every promise of the strict engine.
    pub(super) fn check(&self, decision: &Decision) {
        let starts = starts(decision);
        assert_eq!(decision.breach, self.is_over_budget(), "breach");
        assert!(starts.is_empty() || !self.is_over_budget(), "a start over the budget");
        let new: BTreeSet<_> = self.scripts.keys().filter(|name| self.fact(name) == Fact::New).cloned().collect();
        let waiting: BTreeSet<_> = decision.waiting().map(|(cluster, _)| cluster.to_string()).collect();
        assert!(starts.is_disjoint(&waiting));
        assert_eq!(new, starts.union(&waiting).cloned().collect(), "each new cluster starts or has a reason");
        for group in &self.groups {
            if group.clusters.iter().any(|cluster| starts.contains(cluster.as_str())) {
                self.check_start(group, starts.len());
            }
        }
    }

    fn check_start(&self, group: &DecisionGroup, starts: usize) {
        let mandatory = self.is_mandatory(group);
        for earlier in &self.groups {
            let before = earlier.index < group.index;
            let members = || earlier.clusters.iter().map(|cluster| cluster.as_str());
            if self.is_mandatory(earlier) && (before || !mandatory) {
                assert!(members().all(|c| self.is_done(c)), "a start before a mandatory group is done");
            } else if self.policy.pace == Pace::PerGroup && before && !mandatory {
                assert!(members().all(|c| self.is_done(c) || self.is_failure(c)), "a start before its group's turn");
            }
        }
        let rest = self.groups.iter().filter(|group| !self.is_mandatory(group)).map(|group| group.clusters.len());
        let allowed = self.policy.allowed(if mandatory { group.clusters.len() } else { rest.sum() });
        let in_flight = self.scripts.keys().filter(|name| self.is_in_flight(name)).count();
        assert!(in_flight + starts <= allowed, "{in_flight} in flight, {starts} starts, {allowed} allowed");
    }
}

fn starts(decision: &Decision) -> BTreeSet<String> {
    let starts = decision.rollout.iter().filter(|status| status.status == Status::ToApply);
    starts.map(|status| status.cluster.clone()).collect()
}

//! The rollback of an add-on whose rollout failed: when it begins, how it goes, and when it is over.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use super::control;
use super::rejection;
use super::ruling;
use crate::context::Context;
use crate::node::{Child, Node};
use crate::report::{AddonReport, ApprovalReport, ClusterReport, ROLLED_BACK};
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::rollout_strategy::{RolloutProgressive, RolloutStrategy};
use tidegate_api::rollout_policy::Underway;
use tidegate_consent::Judges;
use tidegate_delivery::status::State;
use tidegate_delivery::status::progress::reason::PROGRESSING;
use tidegate_model::followed::{LastGood, Rejection};
use tidegate_model::name::ClusterName;
use tidegate_model::plural::{counted, first_of};
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_model::time::{parse_go_duration, to_seconds};
use tidegate_repository::Rollback;
use tidegate_rollout::gate::{Reaction, Standing};
use tidegate_rollout::{Barrier, Gate, effective};

/// The number of reasons, and of clusters with each, that are evidence for a rollback.
const MOST_REASONS: usize = 3;

/// Returns `true` if the clusters of an add-on return to its last good digest.
pub(super) fn is_running(context: &Context<'_>) -> bool {
    running(context).is_some()
}

fn running<'a>(context: &Context<'a>) -> Option<&'a Rollback> {
    context.input.repository.rollbacks.get(context.name).filter(|rollback| rollback.refused.is_empty())
}

/// Returns the strategy of a rollback: with its own concurrency, or that of the rollout, without soak time, and whatever fails.
pub(super) fn strategy(strategy: &RolloutStrategy, reaction: Option<&Reaction>) -> RolloutStrategy {
    // Settings of other types have no effect.
    let strategy = &effective(strategy).unwrap_or_default();
    let own = reaction.and_then(|reaction| reaction.on_failure.max_concurrency.clone());
    let before = strategy.progressive.as_ref().and_then(|progressive| progressive.max_concurrency.clone());
    let max_concurrency = own.or(before).unwrap_or_else(|| IntOrString::String("100%".to_owned()));
    let deadlines = [
        strategy.progressive.as_ref().and_then(|progressive| progressive.progress_deadline.clone()),
        strategy.progressive_per_group.as_ref().and_then(|per_group| per_group.progress_deadline.clone()),
        strategy.all.as_ref().and_then(|all| all.progress_deadline.clone()),
    ];
    RolloutStrategy {
        type_: "Progressive".to_owned(),
        progressive: Some(RolloutProgressive {
            max_concurrency: Some(max_concurrency),
            max_failures: Some(IntOrString::String("100%".to_owned())),
            progress_deadline: deadlines.into_iter().flatten().next(),
            ..RolloutProgressive::default()
        }),
        ..RolloutStrategy::default()
    }
}

/// Returns the newest group of a node that is not back yet. The groups that started last go back first: the others wait until their clusters
/// are done, have failed, or are late. Without a deadline, a cluster could hold the others forever, so they wait only for starts.
pub(super) fn newest(context: &Context<'_>, node: &Node<'_>) -> Option<i32> {
    if !node.rolls_back {
        return None;
    }
    let progressive = node.strategy.progressive.as_ref();
    let has_deadline = progressive.is_some_and(|progressive| progressive.progress_deadline.is_some());
    let standings = ruling::standings(context, node);
    let is_open = |(child, standing): &(&Child<'_>, Standing)| {
        let is_underway = *standing == Standing::Underway && matches!(child.state, State::Progressing { .. });
        !node.aside.includes(child.name) && (child.state == State::ToApply || has_deadline && is_underway)
    };
    let open = node.children.iter().zip(standings).filter(is_open);
    open.filter_map(|(child, _)| child.group).max()
}

/// Returns the rejection of the digest of an add-on, if a policy rolls it back: an earlier one, or a new one if too many clusters of a
/// node have failed. `clusters` are the reports of all clusters.
pub(super) fn rejection<'r, 'n>(
    context: &Context<'_>,
    mut nodes: impl Iterator<Item = &'n Node<'n>>,
    stopped: Option<(&Node<'_>, &str)>,
    clusters: impl Iterator<Item = (&'r ClusterName, &'r ClusterReport)>,
) -> Option<Rejection> {
    let before = context.input.past.report.addons.get(context.name);
    let known = context.input.repository.rollbacks.get(context.name).map(|rollback| &rollback.rejection);
    let earlier = before.and_then(|report| report.rejected.as_ref());
    let earlier = known.or_else(|| earlier.filter(|rejected| rejected.digest == context.unit.digest));
    // Only a policy takes a digest back, whatever the hub says.
    let takes_back = |node: &Node<'_>| node.reaction.as_ref().is_some_and(Reaction::rolls_back);
    let earlier = earlier.cloned().or_else(|| rejection::on_hub(context).filter(|_| nodes.any(takes_back)));
    if let Some(rejected) = earlier {
        return (!rejection::is_retried(context, &rejected)).then_some(rejected);
    }
    let (node, why) = stopped?;
    let reaction = node.reaction.as_ref().filter(|reaction| reaction.rolls_back())?;
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, report) in clusters {
        if matches!(report.state, ClusterState::Failed | ClusterState::TimedOut) {
            reasons.entry(&report.reason).or_default().push(name.as_str());
        }
    }
    let failed: usize = reasons.values().map(Vec::len).sum();
    let evidence: Vec<String> = reasons
        .into_iter()
        .map(|(reason, names)| format!("{}: {reason}", first_of(names.into_iter(), MOST_REASONS)))
        .collect();
    let evidence = first_of(evidence.iter().map(String::as_str), MOST_REASONS);
    let good = before.and_then(|report| report.last_good.clone());
    let rejection = Rejection {
        digest: context.unit.digest.clone(),
        at: to_seconds(context.input.now),
        reason: format!("{why} ({}: {evidence})", counted(failed, "failed cluster")),
        policy: reaction.source.clone(),
        good: good.filter(|good| good.digest != context.unit.digest),
    };
    (!rejection::is_retried(context, &rejection)).then_some(rejection)
}

/// Returns the last digest that all clusters completed: the current one, if they have.
///
/// A digest that moves clusters to other groups, or takes over objects of other add-ons, must be approved, too: it may be complete without any
/// start, and no gate was asked. Otherwise a second change would be judged by the groups after the first one.
pub(super) fn last_good(context: &Context<'_>, judges: &Judges, report: &AddonReport) -> Option<LastGood> {
    let before = context.input.past.report.addons.get(context.name).and_then(|report| report.last_good.clone());
    let digest = &context.unit.digest;
    if before.as_ref().is_some_and(|before| before.digest == *digest) || report.phase != Phase::Completed {
        return before;
    }
    let is_missing = |needed: &ApprovalReport| !needed.breaks_glass && !needed.verdict.is_met();
    if judges.is_moved() && report.approvals.iter().any(is_missing) {
        return before;
    }
    // Of an add-on that is held or rolled back, the newest revision has another version.
    let repository = context.input.repository;
    let is_newest = !repository.held.contains_key(context.name) && !repository.rollbacks.contains_key(context.name);
    let commit = context.input.revision.filter(|_| is_newest && !report.clusters.is_empty());
    commit.map(|commit| LastGood { digest: digest.clone(), commit: commit.clone() }).or(before)
}

/// Returns what a person should know about a rollback; `None` without one.
pub(super) fn problem(context: &Context<'_>) -> Option<String> {
    let Rollback { rejection, refused } = context.input.repository.rollbacks.get(context.name)?;
    let failed = format!("digest {} failed: {}", rejection.digest.short(), rejection.reason);
    Some(match refused.as_slice() {
        [] => format!(
            "{ROLLED_BACK} {}: {failed}; a commit with another version, or tidegate retry, continues",
            rejection.policy
        ),
        why => format!("{failed}; {} does not roll it back: {}", rejection.policy, why.join("; ")),
    })
}

/// Returns why a cluster does not go back yet: newer groups go first, or it finishes what it has started.
pub(super) fn gate(
    context: &Context<'_>,
    node: &Node<'_>,
    newest: i32,
    name: &ClusterName,
    group: i32,
) -> Option<Gate> {
    let source = node.reaction.as_ref().map_or_else(|| "the rollback".to_owned(), |reaction| reaction.source.clone());
    let finishes = || {
        node.reaction.as_ref().filter(|reaction| reaction.on_failure.underway == Underway::Finish)?;
        let child = node.children.iter().find(|child| child.name == name)?;
        let conditions = child.addon.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default();
        let is_underway =
            condition::find(conditions, key::PROGRESSING).is_some_and(|found| found.reason == PROGRESSING);
        let deadline = node.strategy.progressive.as_ref()?.progress_deadline.as_deref()?;
        let deadline = parse_go_duration(deadline).ok().filter(|_| is_underway)?;
        let started = context.input.adjusted(control::started(child.addon)?);
        let until = started.checked_add(deadline).ok()?;
        (until > context.input.now).then_some(Barrier::FinishesFirst { until })
    };
    let barrier =
        if group < newest { Barrier::RollsBackLater { group: node.group_key(Some(newest)) } } else { finishes()? };
    Some(Gate { source, barrier })
}

//! One pass of the controller: which clusters start, wait or are done, and the resulting status.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonconfiguration` (2026-08-11).

use serde_json::{Value, json};

use super::case::Case;
use super::graph;
use super::node::{Child, Node, Verdict};
use super::refusal::Refusal;
use super::tell;
use tidegate_api::condition;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOnStatus;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOnStatus;
use tidegate_core::status::{State, configured, install, merge, progression};
use tidegate_model::name::NamespacedName;
use tidegate_model::time::{GoDuration, SignedDuration, Timestamp};

/// Requeue delays of this length or more are dropped: the periodic resync comes first.
const RESYNC: SignedDuration = SignedDuration::from_mins(10);

/// The statuses after a pass.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) addon: ClusterManagementAddOnStatus,
    /// In the order of the case.
    pub(super) cluster_addons: Vec<ManagedClusterAddOnStatus>,
    pub(super) requeue_after: Option<SignedDuration>,
}

/// Formats the result of a pass; one that is refused writes nothing.
pub(super) fn answer(case: &Case) -> Value {
    let mut answer = json!({});
    let Outcome { addon, cluster_addons, requeue_after } = passed(case).unwrap_or_else(|refusal| {
        answer["error"] = json!(refusal.to_string());
        untouched(case)
    });
    let told = case.managed_cluster_addons.iter().zip(&cluster_addons);
    answer["managedClusterAddOns"] = told.map(|(before, after)| tell::cluster_addon(before, after)).collect();
    answer["clusterManagementAddOn"] = tell::addon(&case.cluster_management_addon, &addon);
    if let Some(after) = requeue_after {
        answer["requeueAfter"] = json!(GoDuration(after).to_string());
    }
    answer
}

/// Carries out a pass. An add-on that someone else drives is left alone.
pub(super) fn passed(case: &Case) -> Result<Outcome, Refusal> {
    let mut outcome = untouched(case);
    if !install::is_managed(&case.cluster_management_addon) {
        return Ok(outcome);
    }
    let decided = |node| -> Result<_, Refusal> { Ok((Node::decided(&node, case.now)?, node)) };
    let decided: Vec<(Verdict, Node<'_>)> = graph::nodes(case)?.into_iter().map(decided).collect::<Result<_, _>>()?;
    for (addon, status) in case.managed_cluster_addons.iter().zip(&mut outcome.cluster_addons) {
        let is_it = |child: &&Child<'_>| std::ptr::eq(child.addon, addon);
        let name = addon.metadata.namespace.as_deref().unwrap_or_default();
        let found = decided.iter().find_map(|(verdict, node)| Some((verdict, node.children.get(name).filter(is_it)?)));
        if let Some((verdict, child)) = found {
            write(status, child, verdict.rollout.contains(name), case.now)?;
        }
    }
    for entry in &mut outcome.addon.install_progressions {
        let is_its = |placement: &NamespacedName| progression::is_of(entry, placement);
        let node = decided.iter().rev().find(|(_, node)| node.placed.as_ref().is_some_and(|p| is_its(&p.name)));
        if let Some((verdict, node)) = node {
            progression::update(entry, &node.tally(verdict), case.now);
        }
    }
    let rechecks = decided.iter().filter_map(|(verdict, _)| verdict.recheck_after);
    outcome.requeue_after = rechecks.min().filter(|after| *after < RESYNC);
    Ok(outcome)
}

fn write(
    status: &mut ManagedClusterAddOnStatus,
    child: &Child<'_>,
    is_in_rollout: bool,
    now: Timestamp,
) -> Result<(), Refusal> {
    if is_in_rollout {
        status.config_references = merge::compat(&status.config_references, &child.desired)?;
    }
    let claim = match (is_in_rollout, child.state) {
        (true, _) | (false, State::Succeeded { .. }) => configured::assigned(),
        (false, State::ToApply) => configured::waiting(),
        // They timed out, or the failure budget is exceeded: they are left alone.
        (false, State::Progressing { .. } | State::Failed { .. }) => return Ok(()),
    };
    condition::set(&mut status.conditions, claim, now);
    Ok(())
}

fn untouched(case: &Case) -> Outcome {
    let status = |status: &Option<ManagedClusterAddOnStatus>| status.clone().unwrap_or_default();
    Outcome {
        addon: case.cluster_management_addon.status.clone().unwrap_or_default(),
        cluster_addons: case.managed_cluster_addons.iter().map(|addon| status(&addon.status)).collect(),
        requeue_after: None,
    }
}

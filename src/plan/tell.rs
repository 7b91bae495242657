//! What is told of clusters and groups.

use std::collections::BTreeMap;

use super::addon::Context;
use super::cluster::Turn;
use super::layer::{self, Desired};
use super::node::{Child, Verdict};
use super::report::{ClusterReport, ClusterState, Counts, GroupReport, version_of};
use super::state::{self, State};
use crate::api::condition::{self, Condition};
use crate::api::key;
use crate::api::ocm::config_reference::ConfigSpecHash;
use crate::api::ocm::managed_cluster_addon::AddOnConfigReference;
use crate::model::decision::DecisionGroup;
use crate::model::name::{AddonName, ClusterName};
use crate::model::time::to_seconds;

/// Tells of a cluster that has the add-on.
pub fn cluster(
    context: &Context<'_>,
    child: &Child<'_>,
    verdict: &Verdict,
    turn: Turn,
    problem: Option<String>,
) -> ClusterReport {
    let status = child.addon.status.as_ref();
    let conditions = status.map(|s| s.conditions.as_slice()).unwrap_or_default();
    let references = status.map(|s| s.config_references.as_slice()).unwrap_or_default();
    let changed = |type_: &str| condition::find(conditions, type_).map(|c| c.last_transition_time.0);
    let configured = condition::find(conditions, key::CONFIGURED).filter(|c| c.status == "True");
    let mut report = ClusterReport {
        state: ClusterState::Progressing,
        version: version(context, references),
        hash: state::digest(references.iter().filter_map(|r| r.desired_config.as_ref())),
        group: child.group,
        started: configured.map(|c| c.last_transition_time.0),
        since: None,
        reason: String::new(),
    };
    match (turn, child.state) {
        (Turn::Start, _) => {
            let configs: Vec<ConfigSpecHash> = child.desired.iter().map(state::config).collect();
            report.version = target_version(context.name, &child.desired);
            report.hash = state::digest(configs.iter());
            report.started = Some(to_seconds(context.input.now));
            report.since = report.started;
            report.reason = "starts".to_owned();
        }
        (Turn::Wait, _) | (Turn::Keep, State::ToApply) => {
            report.state = ClusterState::Waiting;
            report.since = condition::find(conditions, key::CONFIGURED)
                .filter(|c| c.status == "False")
                .map(|c| c.last_transition_time.0);
            report.reason = verdict.lasting_wait(child.name);
        }
        (Turn::Keep, State::Progressing { started, .. }) => {
            let is_timed_out = verdict.is_timed_out(child.name);
            report.state = if is_timed_out { ClusterState::TimedOut } else { ClusterState::Progressing };
            report.since = started;
            report.reason = problem.unwrap_or_else(|| progress(conditions));
        }
        (Turn::Keep, State::Succeeded { since }) => {
            let is_soaking = verdict.is_soaking(child.name);
            report.state = if is_soaking { ClusterState::Soaking } else { ClusterState::Succeeded };
            report.since = since.or_else(|| changed(key::PROGRESSING));
            report.reason = problem
                .unwrap_or_else(|| if since.is_none() || is_soaking { progress(conditions) } else { String::new() });
        }
    }
    report
}

/// What keeps a cluster from being done: its health if that is bad, else how far its works are.
fn progress(conditions: &[Condition]) -> String {
    let progressing = condition::find(conditions, key::PROGRESSING).map(|c| c.message.clone());
    progressing.unwrap_or_default()
}

fn version(context: &Context<'_>, references: &[AddOnConfigReference]) -> String {
    let template = references.iter().find(|r| r.group == key::ADDON_GROUP && r.resource == key::ADDON_TEMPLATES);
    let name = template.and_then(|t| t.desired_config.as_ref()).map(|c| c.name.as_str());
    name.map(|name| version_of(context.name, name)).unwrap_or_default()
}

/// Returns the version that configurations bring, by the name of their template; empty without one.
pub fn target_version(addon: &AddonName, desired: &[Desired]) -> String {
    layer::first(desired, key::ADDON_TEMPLATES).map(|d| version_of(addon, &d.reference.name)).unwrap_or_default()
}

/// Tells of a cluster whose add-on is yet to be created.
pub fn awaited(group: Option<i32>) -> ClusterReport {
    ClusterReport {
        state: ClusterState::Waiting,
        version: String::new(),
        hash: String::new(),
        group,
        started: None,
        since: None,
        reason: "waits until its ManagedClusterAddOn is on the hub".to_owned(),
    }
}

/// Tells of the groups of a placement.
pub fn groups(groups: &[DecisionGroup], clusters: &BTreeMap<ClusterName, ClusterReport>) -> Vec<GroupReport> {
    groups
        .iter()
        .map(|group| {
            let states = group.clusters.iter().filter_map(|name| clusters.get(name)).map(|c| c.state);
            let counts = states.fold(Counts::default(), Counts::with);
            GroupReport { index: group.index, name: group.name.clone(), counts }
        })
        .collect()
}

//! Builds the reports of clusters and groups.

use std::collections::BTreeMap;

use super::cause::cause;
use super::missing::Missing;
use super::reason::Reason;
use super::types;
use super::types::{ClusterReport, DETACHED, GroupReport, version_of};
use crate::addon::context::{Action, Context};
use crate::addon::placement::Child;
use crate::addon::ruling::Ruling;
use crate::addon::survey;
use crate::cluster::planned::Planned;
use crate::cluster::rendering::Undeliverable;
use crate::input::Input;
use crate::removal::rollout;
use crate::removal::rollout::Departure;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::mark::Mark;
use tidegate_api::ocm::config_reference::ConfigSpecHash;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_delivery::status::{Desired, Progress, State, layer};
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::{AddonName, ClusterName};
use tidegate_model::progress::{ClusterState, Counts};
use tidegate_model::time::{Timestamp, to_seconds};
use tidegate_rollout::Verdict;

/// Reports a cluster that has the add-on.
pub(crate) fn cluster(context: &Context<'_>, child: &Child<'_>, action: Action, reason: &Reason) -> ClusterReport {
    let status = child.addon.status.as_ref();
    let conditions = status.map(|s| s.conditions.as_slice()).unwrap_or_default();
    let references = child.addon.config_references();
    let configured = |status: &str| {
        condition::find(conditions, key::CONFIGURED).filter(|c| c.status == status).map(|c| c.last_transition_time.0)
    };
    let hash = digest(references.iter().filter_map(|r| r.desired_config.as_ref()));
    let before = context.input.past.cluster(context.name, child.name).filter(|before| before.hash == hash);
    let before = before.and_then(|before| before.started);
    let on_hub = configured("True").filter(|_| action != Action::Wait);
    let started = match before {
        // The condition keeps its time when a cluster starts on another configuration.
        Some(before) if !context.rules.counts_from_start => Some(before),
        // The condition may be of a time when the clock was behind.
        Some(before) => on_hub.map(|on_hub| on_hub.max(before)),
        None => on_hub,
    };
    let mut report = ClusterReport {
        version: version(context.name, child.addon),
        group: child.group,
        started,
        hash,
        joined: survey::joined(context, child).filter(|_| action == Action::Wait),
        reason: reason.steady(context.input.past.cluster(context.name, child.name).map_or("", |before| &before.reason)),
        reported: reason.cause().and_then(|cause| cause.reported),
        ..bare(reason)
    };
    report.since = match child.state {
        _ if action == Action::Start => {
            let configs: Vec<ConfigSpecHash> = child.desired.iter().map(Desired::config).collect();
            report.version = target_version(context.name, &child.desired);
            report.hash = digest(configs.iter());
            report.started = Some(to_seconds(context.input.now));
            report.started
        }
        State::ToApply => configured("False"),
        State::Progressing { started, since } => since.or(started).or(report.started),
        State::Failed { since } => Some(since),
        State::Succeeded { since } => {
            since.or_else(|| condition::find(conditions, key::PROGRESSING).map(|c| c.last_transition_time.0))
        }
    };
    if action != Action::Start && is_settled(&child.state) && report.since < report.started {
        // A hand-over writes the condition again. What the cluster had before, it started then.
        report.started = before.filter(|before| report.since.is_some_and(|since| *before <= since));
    }
    if report.state == ClusterState::TimedOut {
        report.since = timed_out_since(context, child).or(report.since);
    }
    report
}

/// Returns when a cluster timed out: according to its condition or the last report, otherwise now. Compat keeps no record of it.
fn timed_out_since(context: &Context<'_>, child: &Child<'_>) -> Option<Timestamp> {
    if !context.rules.records_overdue {
        return None;
    }
    let conditions = child.addon.status.as_ref().map(|s| s.conditions.as_slice()).unwrap_or_default();
    let recorded = condition::find(conditions, key::OVERDUE).filter(|c| c.status == "True");
    let before = context.input.past.cluster(context.name, child.name);
    let before = before.filter(|before| before.state == ClusterState::TimedOut).and_then(|before| before.since);
    recorded.map(|c| c.last_transition_time.0).or(before).or_else(|| Some(to_seconds(context.input.now)))
}

/// Returns `true` if a cluster is done with what it has, or failed. If it finished before `Configured` last became true, it never
/// started this rollout: its pending change was reverted while it waited.
fn is_settled(state: &State) -> bool {
    matches!(state, State::Succeeded { .. } | State::Failed { .. })
}

/// Returns the digest of the configurations of a cluster.
fn digest<'a>(configs: impl Iterator<Item = &'a ConfigSpecHash>) -> String {
    types::digest(configs.map(|config| config.spec_hash.as_str()))
}

/// Returns a report with nothing but what follows from the reason.
fn bare(reason: &Reason) -> ClusterReport {
    ClusterReport {
        state: reason.state(),
        version: String::new(),
        hash: String::new(),
        group: None,
        placement: String::new(),
        joined: None,
        started: None,
        since: None,
        reason: reason.lasting(),
        reported: None,
        degraded: None,
        left_out: None,
        opens: reason.opens(),
        look_at: reason.look_at(),
    }
}

/// Returns why a cluster that has the add-on is in its state.
pub(crate) fn reason(
    context: &Context<'_>,
    child: &Child<'_>,
    action: Action,
    ruling: &Ruling,
    planned: &Planned,
) -> Reason {
    if (action, ruling.verdict(child.name)) == (Action::Wait, Some(&Verdict::Starts)) {
        return Reason::PlacementUnknown;
    }
    let Some(verdict) = ruling.verdict(child.name) else {
        return Reason::InvalidStrategy { why: ruling.fault() };
    };
    let progress = || planned.progress.clone().unwrap_or(Progress::NotReady);
    let cause = || cause(context, child, action, planned);
    match (action, verdict, &planned.problem) {
        (Action::Start, _, Some(Undeliverable::Uncopied)) => Reason::Uncopied,
        (Action::Start, _, Some(Undeliverable::Unknown(name))) => Reason::Unknown(name.clone()),
        (_, verdict, Some(Undeliverable::NoTemplate { .. }))
            if *verdict != Verdict::TimedOut && layer::first(&child.desired, key::ADDON_TEMPLATES).is_none() =>
        {
            Reason::Untemplated
        }
        (Action::Start, _, Some(why)) => Reason::Undeliverable { why: why.to_string() },
        (Action::Start | Action::Wait, verdict, _) => Reason::Decided(verdict.clone()),
        (_, Verdict::TimedOut, _) => Reason::TimedOut { progress: progress(), cause: cause() },
        (Action::Failed, verdict, _) => {
            Reason::Failed { message: failure(child), cause: cause(), deadline: verdict.look_at() }
        }
        (_, _, Some(why)) => Reason::Undeliverable { why: why.to_string() },
        (Action::Watch | Action::Leave, verdict, None) => {
            Reason::Watched { progress: progress(), cause: cause(), deadline: verdict.look_at() }
        }
        (Action::Soak | Action::Keep, verdict, None) => Reason::Decided(verdict.clone()),
    }
}

/// Returns the message that a cluster reports about its failure.
fn failure(child: &Child<'_>) -> String {
    let conditions = child.addon.status.as_ref().map(|s| s.conditions.as_slice()).unwrap_or_default();
    condition::find(conditions, key::PROGRESSING).map(|c| c.message.clone()).unwrap_or_default()
}

fn version(name: &AddonName, addon: &ManagedClusterAddOn) -> String {
    let template = addon.config_reference(key::ADDON_TEMPLATES).and_then(|entry| entry.desired_config.as_ref());
    template.map(|template| version_of(name, &template.name)).unwrap_or_default()
}

/// Returns the version of configurations, taken from the name of their template; empty without one.
pub(crate) fn target_version(addon: &AddonName, desired: &[Desired]) -> String {
    layer::first(desired, key::ADDON_TEMPLATES).map(|d| version_of(addon, &d.reference.name)).unwrap_or_default()
}

/// Reports a cluster whose add-on is yet to be created.
pub(crate) fn awaited(group: Option<i32>, missing: Missing) -> ClusterReport {
    ClusterReport { group, ..bare(&Reason::Awaited(missing)) }
}

/// Reports a cluster that has the add-on and is in no placement, while it is not known whether one selects it. It keeps
/// its last group and placement, and what it got when.
pub(crate) fn unselected(before: Option<&ClusterReport>) -> ClusterReport {
    let (group, placement) = before.map(|report| (report.group, report.placement.clone())).unwrap_or_default();
    let (version, hash) = before.map(|report| (report.version.clone(), report.hash.clone())).unwrap_or_default();
    let started = before.and_then(|report| report.started);
    ClusterReport { group, placement, version, hash, started, ..bare(&Reason::PlacementUnknown) }
}

/// Reports a cluster whose add-on another instance owns.
pub(crate) fn foreign(group: Option<i32>, owner: &Mark) -> ClusterReport {
    ClusterReport { group, ..bare(&Reason::Foreign { owner: owner.clone() }) }
}

/// Reports a cluster that an add-on leaves, or is to leave. It keeps its last group and placement.
pub(crate) fn departing(
    input: &Input<'_>,
    name: &AddonName,
    cluster: &ClusterName,
    addon: &ManagedClusterAddOn,
    departure: &Departure,
) -> ClusterReport {
    let references = addon.config_references();
    let before = input.past.cluster(name, cluster);
    let deleted = addon.metadata.deletion_timestamp.as_ref().map(|at| at.0);
    let started = match departure {
        Departure::Starts => Some(to_seconds(input.now)),
        // A start that was reported before stays; otherwise it is the hub's deletion timestamp.
        Departure::Deleting { .. } => {
            before.filter(|report| report.state == ClusterState::Removing).and_then(|report| report.started).or(deleted)
        }
        // The rollout in which it started still names it.
        Departure::Waits(_) => {
            before.filter(|report| report.state != ClusterState::Removing).and_then(|report| report.started)
        }
    };
    let since = match departure {
        Departure::Waits(_) => Some(rollout::unwanted_since(input, name, cluster)),
        Departure::Starts | Departure::Deleting { .. } => started,
    };
    let report = bare(&Reason::Departs(departure.clone()));
    let managed = input.fleet.clusters.get(cluster);
    let is_detached = managed.is_none_or(|managed| managed.metadata.deletion_timestamp.is_some());
    ClusterReport {
        version: version(name, addon),
        hash: digest(references.iter().filter_map(|r| r.desired_config.as_ref())),
        group: before.and_then(|report| report.group),
        placement: before.map(|report| report.placement.clone()).unwrap_or_default(),
        started,
        since,
        reason: if is_detached { DETACHED.to_owned() } else { report.reason.clone() },
        ..report
    }
}

/// Reports the groups of a placement.
pub(crate) fn groups(groups: &[DecisionGroup], clusters: &BTreeMap<ClusterName, ClusterReport>) -> Vec<GroupReport> {
    groups
        .iter()
        .map(|group| {
            let counts =
                Counts::of(group.clusters.iter().filter_map(|name| clusters.get(name).map(ClusterReport::counted)));
            GroupReport { index: group.index, name: group.name.clone(), counts }
        })
        .collect()
}

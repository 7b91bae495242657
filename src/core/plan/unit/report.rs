//! Reports a cluster that has the add-on: its state, why, and since when.

use super::cause::cause;
use super::ruling::Ruling;
use super::survey;
use crate::cluster::planned::Planned;
use crate::cluster::rendering::Undeliverable;
use crate::context::{Action, Context};
use crate::node::Child;
use crate::report::ClusterReport;
use crate::report::builder::{bare, digest, target_version, version};
use crate::report::missing::Missing;
use crate::report::reason::Reason;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::config_reference::ConfigSpecHash;
use tidegate_delivery::status::{Desired, Progress, State, layer};
use tidegate_model::progress::ClusterState;
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
        (Action::Start, _, Some(Undeliverable::Moves(moved))) => Reason::Awaited(Missing::Moves(moved.clone())),
        (Action::Start, _, Some(Undeliverable::Unknown(name))) => Reason::Unknown(name.clone()),
        (_, verdict, Some(Undeliverable::NoTemplate { .. }))
            if *verdict != Verdict::TimedOut && layer::content(&child.desired).is_none() =>
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

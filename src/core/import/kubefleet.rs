//! Staged update strategies of KubeFleet.
//!
//! # Source
//! KubeFleet `apis/placement/v1beta1`: `ClusterStagedUpdateStrategy`, `ClusterStagedUpdateRun`, and the placements that they are about.

use jiff::SignedDuration;

use crate::document::{Document, only};
use crate::duration::duration;
use crate::field::Field;
use crate::field::Use::{LeftOut, Read};
use crate::kubefleet_placement;
use crate::report::Report;
use crate::rollout::{Members, Others, Rollout, Stage};
use crate::selector::selector;
use crate::share::at_once;
use crate::stage_names::group_name;

/// The group of the API.
pub(crate) const GROUP: &str = "placement.kubernetes-fleet.io";

const STRATEGIES: [&str; 2] = ["ClusterStagedUpdateStrategy", "StagedUpdateStrategy"];
const PLACEMENTS: [&str; 2] = ["ClusterResourcePlacement", "ResourcePlacement"];
const RUNS: [&str; 2] = ["ClusterStagedUpdateRun", "StagedUpdateRun"];

/// Reads a strategy, and the placement beside it.
pub(crate) fn read<'n>(documents: &[Document<'n>], report: &mut Report) -> Option<Rollout<'n>> {
    for document in documents {
        match document.kind {
            kind if STRATEGIES.contains(&kind) || PLACEMENTS.contains(&kind) => {}
            kind if RUNS.contains(&kind) => {
                document
                    .field
                    .leave_out(report, "a run has no counterpart: a rollout starts with the merge of a change");
            }
            kind => document.field.refuse(report, format!("the kind {kind:?} is not known")),
        }
    }
    let strategy = only(documents, &STRATEGIES, report);
    let placement = only(documents, &PLACEMENTS, report);
    let Some(strategy) = strategy else {
        if let (Some(first), 0) = (documents.first(), report.refused().count()) {
            let why = "there is no ClusterStagedUpdateStrategy or StagedUpdateStrategy; name its file as well";
            first.field.refuse(report, why);
        }
        return None;
    };
    let spec = strategy.spec(report)?;
    spec.open(report, &[("stages", Read)]);
    let mut rollout = stages(&spec, report);
    match placement {
        Some(placement) => kubefleet_placement::read(placement, &mut rollout, report),
        None => {
            let why = "the placement is not among the files, so that all clusters of the stages are selected";
            spec.leave_out(report, why);
        }
    }
    Some(rollout)
}

fn stages<'n>(spec: &Field<'n>, report: &mut Report) -> Rollout<'n> {
    let mut stages = Vec::new();
    let mut soak: Option<SignedDuration> = None;
    // The approval after the stage before.
    let mut approval = None;
    let items = spec.list(report, "stages");
    for item in &items {
        let after = tasks(item, "afterStageTasks", report);
        let before = tasks(item, "beforeStageTasks", report);
        if let Some(wait) = &after.wait {
            let how =
                "each cluster of each stage is watched for the longest of these times, before the next stage starts";
            wait.0.differs(report, how);
            soak = soak.max(Some(wait.1));
        }
        if let (Some(own), Some(_)) = (&before.approval, &approval) {
            own.differs(report, "one approval counts for this task, and for that after the stage before");
        }
        let before = before.approval.or(approval);
        approval = after.approval;
        if let Some(mut stage) = stage(item, report) {
            stage.approval = before;
            stages.push(stage);
        } else {
            approval = approval.or(before);
        }
    }
    if let Some(approval) = approval {
        approval.leave_out(report, "no stage follows that could wait for it");
    }
    Rollout { soak, ..Rollout::new(stages, Others::Excluded) }
}

/// Reads a stage; `None` if it selects no cluster.
fn stage<'n>(item: &Field<'n>, report: &mut Report) -> Option<Stage<'n>> {
    let sorting = "clusters of a stage start in the order of their names";
    let known = [
        ("name", Read),
        ("labelSelector", Read),
        ("sortingLabelKey", LeftOut(sorting)),
        ("maxConcurrency", Read),
        ("afterStageTasks", Read),
        ("beforeStageTasks", Read),
    ];
    if !item.open(report, &known) {
        return None;
    }
    let name = group_name(item.text_of(report, "name").unwrap_or_default(), item, report);
    let Some(labels) = item.get("labelSelector") else {
        item.differs(report, "the stage has no labelSelector, so that it selects no cluster, and becomes no group");
        return None;
    };
    let members = Members::Labels(selector(&labels, report));
    // Without a number, clusters are updated one after the other.
    let at_once = item.get("maxConcurrency").map_or(Some(1), |field| at_once(&field, report));
    Some(Stage { at_once, ..Stage::new(name, members, item.clone()) })
}

/// What must happen before or after a stage.
#[derive(Default)]
struct Tasks<'n> {
    approval: Option<Field<'n>>,
    wait: Option<(Field<'n>, SignedDuration)>,
}

fn tasks<'n>(item: &Field<'n>, name: &str, report: &mut Report) -> Tasks<'n> {
    let mut found = Tasks::default();
    for task in item.list(report, name) {
        task.open(report, &[("type", Read), ("waitTime", Read)]);
        let time = task.get("waitTime");
        match (task.text_of(report, "type"), time) {
            (Some("Approval"), None) if found.approval.is_none() => found.approval = Some(task),
            (Some("TimedWait"), Some(time)) if found.wait.is_none() && name == "afterStageTasks" => {
                found.wait = duration(&time, report).map(|duration| (time, duration));
            }
            (Some("Approval"), Some(_)) => task.refuse(report, "an Approval has no waitTime"),
            (Some("TimedWait"), None) => task.refuse(report, "TimedWait needs a waitTime"),
            (Some("TimedWait"), _) if name != "afterStageTasks" => {
                task.refuse(report, "TimedWait is a task after a stage, and not before one");
            }
            (Some("Approval" | "TimedWait"), _) => task.refuse(report, "there are two tasks of this type"),
            (Some(other), _) => task.refuse(report, format!("the type {other:?} is not known: Approval or TimedWait")),
            (None, _) => task.refuse(report, "the task has no type"),
        }
    }
    found
}

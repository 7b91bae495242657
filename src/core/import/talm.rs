//! ClusterGroupUpgrades of the Topology Aware Lifecycle Manager (TALM).
//!
//! # Source
//! `openshift-kni/cluster-group-upgrades-operator`, API `ran.openshift.io/v1alpha1`.

use jiff::SignedDuration;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use tidegate_api::rollout_policy::FailureAction;

use crate::document::{Document, only_spec};
use crate::field::Field;
use crate::field::Use::{Content, LeftOut, Read};
use crate::report::{AFTER, Report};
use crate::rollout::{Members, Others, Rollout, Stage};
use crate::selector::{names, pair, selector};
use crate::share::{Share, at_once, share};

/// The group of the API.
pub(crate) const GROUP: &str = "ran.openshift.io";

const KIND: &str = "ClusterGroupUpgrade";

/// The timeout of an upgrade without one, in minutes.
const DEFAULT_TIMEOUT: u32 = 240;

/// Reads a ClusterGroupUpgrade.
pub(crate) fn read<'n>(documents: &[Document<'n>], report: &mut Report) -> Option<Rollout<'n>> {
    let spec = only_spec(documents, KIND, report)?;
    let labels = "labels of clusters are not changed by a rollout";
    let known = [
        ("clusters", Read),
        ("clusterSelector", Read),
        ("clusterLabelSelectors", Read),
        ("remediationStrategy", Read),
        ("batchTimeoutAction", Read),
        ("enable", Read),
        ("managedPolicies", Content),
        ("manifestWorkTemplates", Content),
        ("blockingCRs", LeftOut(AFTER)),
        ("actions", LeftOut(labels)),
        ("deleteObjectsOnCompletion", LeftOut("the objects stay, as Git declares them")),
        ("preCaching", LeftOut("write an add-on that pulls the images, and name it in `order[].after`")),
        ("preCachingConfigRef", LeftOut("write an add-on that pulls the images, and name it in `order[].after`")),
        ("backup", LeftOut("write an add-on that makes the backup, and name it in `order[].after`")),
    ];
    spec.open(report, &known);
    if let Some(false) = spec.flag(report, "enable") {
        let enable = spec.get("enable");
        enable.iter().for_each(|field| field.differs(report, "the rollout starts once the files are merged"));
    }
    let mut rollout = strategy(&spec, report)?;
    rollout.selection = selection(&spec, report);
    Some(rollout)
}

/// Reads which clusters are upgraded: those with a name, and those of each selector.
fn selection(spec: &Field<'_>, report: &mut Report) -> Vec<Members> {
    let mut selection = Vec::new();
    let names = names(&spec.list(report, "clusters"), report);
    if !names.is_empty() {
        selection.push(Members::Names(names));
    }
    for item in spec.list(report, "clusterLabelSelectors") {
        selection.push(Members::Labels(selector(&item, report)));
    }
    // The older form.
    for item in spec.list(report, "clusterSelector") {
        selection.extend(pair(&item, report).map(Members::Labels));
    }
    if selection.is_empty() {
        spec.refuse(report, "no clusters are selected: there are no `clusters` and no `clusterLabelSelectors`");
    }
    selection
}

fn strategy<'n>(spec: &Field<'n>, report: &mut Report) -> Option<Rollout<'n>> {
    let Some(strategy) = spec.get("remediationStrategy") else {
        spec.refuse(report, "there is no remediationStrategy, so that there is nothing to import");
        return None;
    };
    strategy.open(report, &[("canaries", Read), ("maxConcurrency", Read), ("timeout", Read)]);
    let Some(most) = strategy.get("maxConcurrency") else {
        strategy.refuse(report, "maxConcurrency is missing");
        return None;
    };
    let Some(Share::Number(_)) = share(&most, report) else {
        most.refuse(report, "must be a number");
        return None;
    };
    let size = at_once(&most, report).unwrap_or(1);
    let canaries = strategy.get("canaries").filter(|field| !field.node.is_empty()).map(|field| {
        let names = names(&strategy.list(report, "canaries"), report);
        // One after the other, each a batch of its own.
        Stage { at_once: Some(1), ..Stage::new("canary".to_owned(), Members::Names(names), field) }
    });
    let minutes = strategy.number(report, "timeout").unwrap_or(DEFAULT_TIMEOUT);
    let place = strategy.get("timeout").unwrap_or_else(|| strategy.clone());
    place.differs(
        report,
        format!("the {minutes} minutes are the deadline of each cluster, and not of the whole upgrade"),
    );
    let mut rollout = {
        // A batch starts after the one before it.
        let batch = IntOrString::Int(size.try_into().unwrap_or(i32::MAX));
        Rollout::new(canaries.into_iter().collect(), Others::Groups(Some(batch)))
    };
    rollout.deadline = Some(SignedDuration::from_mins(minutes.max(1).into()));
    rollout.on_failure = match spec.text_of(report, "batchTimeoutAction").unwrap_or("Continue") {
        "Continue" if rollout.stages.is_empty() => {
            strategy.differs(
                report,
                "the rollout goes through all clusters, also if some fail: batchTimeoutAction is Continue, the default",
            );
            FailureAction::Continue
        }
        "Continue" => {
            strategy
                .differs(report, "a canary that fails stops the rollout, and so does any other cluster, as with Abort");
            FailureAction::Halt
        }
        "Abort" => FailureAction::Halt,
        other => {
            spec.refuse(report, format!("the batchTimeoutAction {other:?} is not known: Continue or Abort"));
            FailureAction::Halt
        }
    };
    Some(rollout)
}

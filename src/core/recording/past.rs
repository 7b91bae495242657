//! What has changed in the results of earlier plans.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tidegate_consent::RulesState;
use tidegate_model::clock_steps::ClockSteps;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::digest::Digest;
use tidegate_model::followed::{LastGood, Rejection};
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::Phase;
use tidegate_model::shared::Shared;
use tidegate_model::time::Timestamp;
use tidegate_model::unseen::Unseen;
use tidegate_plan::report::{AddonReport, ApprovalReport, ClusterReport, GateReport, PlacementReport, Report};
use tidegate_plan::{Distrust, Hold, Past};
use tidegate_rollout::gate::checks::Evidence;

use crate::tracked::{Tracked, fields, whole};

/// The fields that others added to an object, and how many times in a row they were removed.
type Drift = (BTreeSet<String>, u32);

whole!(
    String,
    bool,
    Vec<String>,
    BTreeSet<String>,
    BTreeSet<UnitName>,
    Option<String>,
    Option<Hold>,
    Option<RulesState>,
    Option<Digest>,
    Option<Rejection>,
    Option<LastGood>,
    Option<Timestamp>,
    Unseen,
    ClockSteps,
    Phase,
    Vec<PlacementReport>,
    Vec<GateReport>,
    Vec<ApprovalReport>,
    ClusterReport,
    Vec<DecisionGroup>,
    Distrust,
    Drift,
);

/// When it was measured last is not among the fields of evidence that are written as data.
impl Tracked for Vec<Evidence> {
    type Change = Vec<(Evidence, Option<Timestamp>)>;

    fn change(&self, before: Option<&Self>) -> Option<Self::Change> {
        let all = || self.iter().map(|evidence| (evidence.clone(), evidence.latest)).collect();
        (before != Some(self)).then(all)
    }

    fn changed(_: Option<Self>, change: Self::Change) -> Option<Self> {
        Some(change.into_iter().map(|(evidence, latest)| Evidence { latest, ..evidence }).collect())
    }
}

fields!(AddonReport as AddonChange {
    version: String,
    digest: Option<Digest>,
    phase: Phase,
    problem: Option<String>,
    stopped_by: Option<String>,
    placements: Vec<PlacementReport>,
    removal: Option<Hold>,
    withdrawn: bool,
    gates: Vec<GateReport>,
    approvals: Vec<ApprovalReport>,
    rejected: Option<Rejection>,
    last_good: Option<LastGood>,
    checks: Vec<Evidence>,
    clusters: BTreeMap<ClusterName, ClusterReport>,
    look_at: Option<Timestamp>,
});

fields!(Report as ReportChange {
    addons: BTreeMap<UnitName, Shared<AddonReport>>,
    notices: Vec<String>,
    overrides: Vec<String>,
    collisions: Vec<String>,
    given_up: BTreeSet<UnitName>,
    repairs: Vec<String>,
    hold: Option<Hold>,
    rules: Option<RulesState>,
    unseen: Unseen,
    clock: ClockSteps,
});

fields!(Past as PastChange {
    report: Arc<Report>,
    is_old: bool,
    readings: BTreeMap<NamespacedName, Vec<DecisionGroup>>,
    distrusted: BTreeMap<NamespacedName, Distrust>,
    drifts: BTreeMap<ObjectKey, Drift>,
});

//! The order of the pipeline: declared objects, placements, add-ons.

use std::collections::{BTreeMap, BTreeSet};

use super::addon::{self, Context};
use super::declare;
use super::input::{Input, Memo};
use super::report::{AddonReport, Phase, Report};
use super::select;
use crate::api::key;
use crate::model::action::Lane;
use crate::model::name::{AddonName, NamespacedName};
use crate::model::time::Timestamp;
use crate::status::install;

/// What to write, what to tell, and when to look again.
#[derive(Debug, Default)]
#[must_use = "a plan that is not carried out changes nothing"]
pub struct Plan {
    /// The writes. Empty if the hub is as it should be.
    pub lanes: Vec<Lane>,
    /// What was found and decided.
    pub report: Report,
    /// The next moment at which time alone changes a decision.
    pub wake_at: Option<Timestamp>,
}

/// Decides what to do now.
///
/// # Guarantees
/// Pure and deterministic. A plan carried out and observed leads to a plan without writes, unless something else has changed.
///
/// # Assumptions
/// The fleet is one consistent observation, in which the answers to earlier writes are already seen.
pub fn plan(input: &Input<'_>, memo: &mut Memo) -> Plan {
    memo.retain(input.fleet);
    let refused = refused(input);
    let mut plan = Plan::default();

    let declared = declare::declared(input, &refused.keys().cloned().collect());
    plan.lanes.extend(declared.lanes);
    plan.report.notices.extend(declared.notices);

    let wanted = input.repository.addons.iter().filter(|(name, _)| !refused.contains_key(*name));
    let wanted: Vec<_> = wanted.collect();
    let placements: BTreeSet<NamespacedName> = wanted
        .iter()
        .flat_map(|(_, addon)| addon.declaration.spec.install_strategy.iter().flat_map(|s| &s.placements))
        .map(|placement| NamespacedName::new(&placement.namespace, &placement.name))
        .collect();
    let selections: BTreeMap<_, _> = select::selections(input, &placements);
    for selection in selections.values() {
        plan.lanes.extend(selection.lanes.iter().cloned());
        plan.wake_at = sooner(plan.wake_at, selection.requeue_at);
    }

    for (name, addon) in wanted {
        let context = Context { input, selections: &selections, name, addon };
        let planned = addon::planned(&context, memo);
        plan.lanes.extend(planned.lanes);
        plan.wake_at = sooner(plan.wake_at, planned.report.wake_at);
        plan.report.addons.insert(name.clone(), planned.report);
    }
    let absent = input.repository.blocked.iter().filter(|(name, _)| !input.repository.addons.contains_key(*name));
    let never_good = absent.filter_map(|(name, complaints)| Some((name.clone(), complaints.first()?.to_string())));
    for (name, problem) in never_good.chain(refused) {
        let report = AddonReport { phase: Phase::Refused, problem: Some(problem), ..AddonReport::default() };
        plan.report.addons.insert(name, report);
    }
    plan
}

/// Add-ons that upstream's manager drives, with what to do about it: two managers on one add-on would fight.
fn refused(input: &Input<'_>) -> BTreeMap<AddonName, String> {
    let is_foreign = |name: &AddonName| {
        input.fleet.addons.get(name).is_some_and(|observed| {
            let is_owned = observed.metadata.labels.as_ref().is_some_and(|l| l.contains_key(key::OWNED_LABEL));
            !is_owned && install::is_managed(observed)
        })
    };
    let foreign = input.repository.addons.keys().filter(|name| is_foreign(name));
    foreign
        .map(|name| {
            let problem = format!(
                "the hub already has ClusterManagementAddOn {name}, and upstream's add-on manager drives it; to hand it over, run: \
                 kubectl annotate clustermanagementaddon {name} {}={} --overwrite",
                key::LIFECYCLE,
                key::LIFECYCLE_SELF,
            );
            (name.clone(), problem)
        })
        .collect()
}

/// Returns the earlier of two moments.
pub(super) fn sooner(a: Option<Timestamp>, b: Option<Timestamp>) -> Option<Timestamp> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

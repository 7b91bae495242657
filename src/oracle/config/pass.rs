//! One pass of the controller: which clusters start, wait or are done, and the resulting status.
//!
//! The pass is a plan: a case becomes the repository and the fleet of a plan, and the statuses that the plan writes become the
//! answer. A plan does the work of several controllers of upstream; only what this one writes is taken from it.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonconfiguration` (2026-08-11).

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::case::Case;
use super::refusal::{self, Refusal};
use super::{declared, observed, tell, view};
use tidegate_api::condition::{self, Claim, Condition};
use tidegate_api::key;
use tidegate_api::ocm::cluster_management_addon::{ClusterManagementAddOnStatus, InstallProgression};
use tidegate_api::ocm::managed_cluster_addon::{ManagedClusterAddOn, ManagedClusterAddOnStatus};
use tidegate_delivery::status::progress::reason;
use tidegate_delivery::status::{install, layer, progression};
use tidegate_model::action::Write;
use tidegate_model::name::{AddonName, ClusterName, NamespacedName};
use tidegate_model::time::{GoDuration, SignedDuration, Timestamp};
use tidegate_plan::{Input, Memo, PlacementMode, Plan, plan};
use tidegate_repository::Repository;

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
    let addon = &case.cluster_management_addon;
    if !install::is_managed(addon) {
        return Ok(outcome);
    }
    let name: AddonName = addon.metadata.name.as_deref().unwrap_or_default().parse().map_err(Refusal::Name)?;
    let listed = declared::listed(case);
    let selected = refusal::selected(case, &listed)?;
    let (mut placed, mut rest) = (BTreeMap::new(), BTreeMap::new());
    for child in case.managed_cluster_addons.iter().filter(|child| is_of(child, &name)) {
        let Ok(cluster) = child.metadata.namespace.as_deref().unwrap_or_default().parse::<ClusterName>() else {
            continue;
        };
        match selected.iter().rposition(|clusters| clusters.contains(&cluster)) {
            Some(index) => placed.insert(cluster, view::child(child, &index.to_string())),
            // To this controller, a cluster that no placement selects is one that was chosen by hand.
            None => rest.insert(cluster, view::child(child, view::BY_HAND)),
        };
    }
    let plans = [
        planned(case, &name, &declared::with_placements(case, &name, &listed), &placed),
        planned(case, &name, &declared::by_hand(case, &name), &rest),
    ];
    let patches = plans.each_ref().map(patches);
    let defaults = layer::assigned_defaults(addon);
    let children = case.managed_cluster_addons.iter().zip(&mut outcome.cluster_addons);
    for (child, status) in children.filter(|(child, _)| is_of(child, &name)) {
        let namespace = child.metadata.namespace.as_deref().unwrap_or_default();
        let written = patches.iter().find_map(|patches| patches.get(namespace));
        let is_in =
            |(_, clusters): &(_, &BTreeSet<ClusterName>)| clusters.iter().any(|name| name.as_str() == namespace);
        let selecting = listed.iter().zip(&selected).filter(is_in).map(|(listed, _)| &listed.layers);
        let starts = written.is_some_and(|written| written.get("configReferences").is_some());
        refusal::crash(child, iter::once(&defaults).chain(selecting), starts)?;
        if let Some(written) = written {
            take_cluster(status, written)?;
        }
    }
    if let Some(written) = patches[0].get("") {
        take_addon(&mut outcome.addon, written, case.now)?;
    }
    outcome.requeue_after = plans[0].look_at.map(|at| at.duration_since(case.now)).filter(|after| *after < RESYNC);
    Ok(outcome)
}

/// The add-on on each cluster that has it.
type Installed = BTreeMap<ClusterName, ManagedClusterAddOn>;

fn is_of(child: &ManagedClusterAddOn, name: &AddonName) -> bool {
    child.metadata.name.as_deref() == Some(name.as_str())
}

fn planned(case: &Case, name: &AddonName, repository: &Repository, installed: &Installed) -> Plan {
    let (fleet, instance) = (observed::fleet(case, name, installed), observed::instance());
    let offline = Input::offline(repository, &fleet, &instance);
    let input = Input { placement_mode: PlacementMode::Hub, now: case.now, ..offline };
    plan(&input, &mut Memo::default())
}

/// Returns the statuses that a plan writes, by namespace. The namespace is empty for the status of the ClusterManagementAddOn.
fn patches(plan: &Plan) -> BTreeMap<&str, Value> {
    let patches = plan.lanes.iter().flat_map(|lane| &lane.writes).filter_map(|write| match write {
        Write::PatchStatus { key, status, .. } if key.group == key::ADDON_GROUP => {
            Some((key.namespace.as_str(), status.value()))
        }
        _ => None,
    });
    patches.collect()
}

/// Reads a list that a plan writes; `None` if it stays as it is.
fn read<T: DeserializeOwned>(written: &Value, list: &str) -> Result<Option<Vec<T>>, Refusal> {
    let Some(list) = written.get(list) else { return Ok(None) };
    let list: Option<Vec<T>> = Deserialize::deserialize(list).map_err(Refusal::Written)?;
    Ok(Some(list.unwrap_or_default()))
}

/// Takes over the configurations of a cluster, and condition `Configured`.
fn take_cluster(status: &mut ManagedClusterAddOnStatus, written: &Value) -> Result<(), Refusal> {
    if let Some(references) = read(written, "configReferences")? {
        status.config_references = references.into_iter().map(view::original).collect();
    }
    let conditions: Vec<Condition> = read(written, "conditions")?.unwrap_or_default();
    if let Some(configured) = conditions.into_iter().find(|condition| condition.type_ == key::CONFIGURED) {
        match status.conditions.iter_mut().find(|condition| condition.type_ == key::CONFIGURED) {
            Some(condition) => *condition = configured,
            None => status.conditions.push(configured),
        }
    }
    Ok(())
}

/// Takes over the progress of the placements. The times follow from the case, whose entries may be older than those of the plan.
fn take_addon(status: &mut ClusterManagementAddOnStatus, written: &Value, now: Timestamp) -> Result<(), Refusal> {
    let written: Vec<InstallProgression> = read(written, "installProgressions")?.unwrap_or_default();
    for entry in &mut status.install_progressions {
        let placement = NamespacedName::new(&entry.namespace, &entry.name);
        let its = written.iter().rev().find(|written| progression::is_of(written, &placement));
        let Some(condition) = its.and_then(|its| condition::find(&its.conditions, key::PROGRESSING)) else { continue };
        if condition.reason == reason::COMPLETED {
            progression::complete(entry);
        }
        let Condition { status, reason, message, .. } = condition;
        let status = if status == "True" { "True" } else { "False" };
        condition::set(&mut entry.conditions, Claim::new(key::PROGRESSING, status, reason, message), now);
    }
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

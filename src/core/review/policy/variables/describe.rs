//! Describes a plan for rules.

use std::collections::BTreeMap;

use super::addon::{AddonVariables, ClassVariables, GroupVariables, PlacementVariables, WaveVariables};
use super::object::ObjectVariables;
use super::plan::{PlanVariables, RevisionVariables};
use crate::proposal::document::{Action, AddonPlan, Change, Class, ObjectChange, PlacementPlan, Plan, Wave};
use tidegate_model::followed;
use tidegate_model::time::{Timestamp, parse_go_duration};

/// What a plan does not contain.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances<'a> {
    /// The time at which the change is judged.
    pub now: Timestamp,
    /// The description of the commit before the change, if it is known.
    pub base: Option<&'a followed::Revision>,
    /// The description of the commit with the change, if it is known.
    pub head: Option<&'a followed::Revision>,
}

/// Returns the variable `plan`, with the add-ons.
pub fn variables(plan: &Plan, circumstances: &Circumstances<'_>) -> PlanVariables {
    let is_changed = |addon: &&AddonPlan| matches!(addon.change, Change::Added | Change::Changed | Change::Removed);
    let object = |found: &crate::proposal::document::DeclaredChange| ObjectVariables {
        object: found.object.clone(),
        change: change(found.change),
        ..ObjectVariables::default()
    };
    let revision = |commit: Option<String>, known: Option<&followed::Revision>| {
        let people = known.into_iter().flat_map(|known| [&known.author, &known.committer]);
        RevisionVariables {
            commit: commit.unwrap_or_default(),
            authors: people.filter(|name| !name.is_empty()).cloned().collect(),
            approved_by: known.map(|known| known.approved_by.clone()).unwrap_or_default(),
            reverts: known.into_iter().flat_map(|known| &known.reverts).map(ToString::to_string).collect(),
        }
    };
    let commit = |revision: &crate::proposal::document::Revision| revision.commit.as_ref().map(ToString::to_string);
    PlanVariables {
        base: revision(commit(&plan.base), circumstances.base),
        head: revision(commit(&plan.head), circumstances.head),
        time: circumstances.now.to_string(),
        fleet: plan.fleet.clusters,
        clusters: plan.clusters,
        addons: plan.addons.iter().map(addon).collect(),
        changed: plan.addons.iter().filter(is_changed).map(|addon| addon.name.to_string()).collect(),
        objects: plan.objects.iter().map(object).collect(),
        complaints: plan.complaints.iter().map(ToString::to_string).collect(),
    }
}

fn addon(plan: &AddonPlan) -> AddonVariables {
    let count = |action: Action| {
        plan.classes.iter().filter(|class| class.action == action).map(|class| class.clusters).sum::<usize>()
    };
    let (base, head) = (plan.base.clone(), plan.head.clone());
    AddonVariables {
        name: plan.name.to_string(),
        change: change(plan.change),
        base_version: base.as_ref().map(|side| side.version.clone()).unwrap_or_default(),
        head_version: head.as_ref().map(|side| side.version.clone()).unwrap_or_default(),
        base_digest: base.map(|side| side.digest).unwrap_or_default(),
        head_digest: head.map(|side| side.digest).unwrap_or_default(),
        clusters: plan.placements.iter().map(|placement| placement.clusters).sum(),
        changed: plan.classes.iter().map(|class| class.clusters).sum(),
        installed: count(Action::Install),
        updated: count(Action::Update),
        removed: plan.removed,
        at_once: at_once(&plan.waves),
        placements: plan.placements.iter().map(|found| placement(plan, found)).collect(),
        classes: plan.classes.iter().map(class).collect(),
        waves: plan.waves.iter().map(wave).collect(),
        settings: plan.settings.iter().map(|setting| format!("{} {}", setting.of, setting.field)).collect(),
        gates: plan.gates.clone(),
        permissions: plan.permissions.clone(),
        earliest_seconds: plan.earliest.as_deref().and_then(seconds),
        expected_seconds: plan.expected.as_deref().and_then(seconds),
    }
}

/// Returns the largest number of clusters of one stage. The stages of a placement run one after the other, and the placements do not
/// wait for each other.
fn at_once(waves: &[Wave]) -> usize {
    let mut placements: BTreeMap<&str, BTreeMap<usize, usize>> = BTreeMap::new();
    for wave in waves {
        *placements.entry(&wave.placement).or_default().entry(wave.stage).or_default() += wave.at_once;
    }
    placements.values().map(|stages| stages.values().max().copied().unwrap_or_default()).sum()
}

fn placement(plan: &AddonPlan, found: &PlacementPlan) -> PlacementVariables {
    let strategy = found.strategy.clone().unwrap_or_default();
    let groups = plan.groups.iter().filter(|group| group.placement == found.placement);
    let group = |group: &crate::proposal::document::GroupPlan| GroupVariables {
        name: group.group.clone(),
        index: group.index,
        clusters: group.clusters,
        changed: group.changed,
        is_mandatory: strategy.mandatory_groups.contains(&group.group),
    };
    PlacementVariables {
        name: found.placement.clone(),
        clusters: found.clusters,
        groups: groups.map(group).collect(),
        strategy,
    }
}

fn class(class: &Class) -> ClassVariables {
    let object = |found: &ObjectChange| ObjectVariables {
        object: found.object.clone(),
        change: change(found.change),
        added: found.added,
        removed: found.removed,
    };
    let action = match class.action {
        Action::Blocked => "Blocked",
        Action::Install => "Install",
        Action::Update => "Update",
        Action::Remove => "Remove",
        Action::Move => "Move",
    };
    ClassVariables {
        action: action.to_owned(),
        clusters: class.clusters,
        labels: class.labels.clone(),
        groups: class.groups.iter().map(|group| group.group.clone()).collect(),
        objects: class.objects.iter().map(object).collect(),
    }
}

fn wave(wave: &Wave) -> WaveVariables {
    WaveVariables {
        placement: wave.placement.clone(),
        group: wave.group.clone(),
        stage: wave.stage,
        clusters: wave.clusters,
        at_once: wave.at_once,
        start_seconds: seconds(&wave.starts).unwrap_or_default(),
    }
}

fn change(change: Change) -> String {
    let name = match change {
        Change::Added => "Added",
        Change::Changed => "Changed",
        Change::Removed => "Removed",
        Change::Unchanged => "Unchanged",
        Change::Blocked => "Blocked",
    };
    name.to_owned()
}

fn seconds(span: &str) -> Option<i64> {
    parse_go_duration(span).ok().map(|span| span.as_secs())
}

//! One add-on on one cluster: what is written there, in which order, and what its status says afterwards.
//!
//! The status is written before the works: if the process is killed in between, the cluster counts as started, and the works
//! follow. The other way round, a cluster could have new works without being counted as started.

use super::advance::advance;
use super::phase;
use super::planned::Planned;
use super::registration::{Granted, registered};
use super::rendering::prepared;
use super::start::start;
use super::status::{generation, keep_overdue, observe_generations, unwell, update, watch};
use super::token;
use super::works::{assigned, cluster_works, references, released, repairs};
use crate::context::{Action, Context, Subject};
use crate::memo::{Inputs, Memo};
use crate::status_patch::status_patch;
use tidegate_api::condition::{self, Claim};
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOnStatus;
use tidegate_api::precondition::precondition;
use tidegate_delivery::Agent;
use tidegate_delivery::status::configured;
use tidegate_model::action::Write;
use tidegate_model::name::ClusterName;
use tidegate_model::object::ObjectKey;
use tidegate_model::shared::Shared;

/// Returns everything that the writes for a cluster depend on.
pub(crate) fn inputs(context: &Context<'_>, subject: &Subject<'_>) -> Inputs {
    let works = context.works(subject.name).values().map(|work| &work.metadata);
    let bindings = context.bindings(subject.name).values().map(|binding| &binding.metadata);
    let observed = [&subject.addon.metadata, &subject.cluster.metadata].into_iter().chain(works).chain(bindings);
    let tokens = token::versions(context, subject.name);
    let references = references(subject).iter();
    Inputs {
        delivery: context.input.delivery,
        action: subject.action,
        is_configured: subject.is_configured,
        is_overdue: subject.is_overdue,
        versions: observed.map(|metadata| metadata.resource_version.clone()).chain(tokens).collect(),
        generations: references.map(|reference| generation(context, reference)).collect(),
        is_blind: [context.input.bindings_are_unobserved(), !token::is_known(context.input)],
        desired: subject.desired.clone(),
        released: released(context, subject),
    }
}

/// Decides what to write for one cluster, where Tidegate delivers.
pub(crate) fn planned(context: &Context<'_>, subject: &Subject<'_>, memo: &mut Memo) -> Planned {
    let observed = subject.addon.status.clone().unwrap_or_default();
    let mut status = observed.clone();
    let mut planned = decided(context, subject, memo, &mut status);
    if let Some(patch) = status_patch(&observed, &status) {
        planned.writes.insert(
            0,
            Write::PatchStatus {
                key: self_key(context, subject.name),
                precondition: precondition(&subject.addon.metadata),
                status: patch,
            },
        );
    }
    planned
}

/// Decides what to write for one cluster, except for the status that it gets.
pub(super) fn decided(
    context: &Context<'_>,
    subject: &Subject<'_>,
    memo: &mut Memo,
    status: &mut ManagedClusterAddOnStatus,
) -> Planned {
    let planned = match subject.action {
        Action::Wait => waiting(context, subject, memo, status),
        Action::Leave => Planned { progress: Some(watch(context, subject, status)), ..Planned::default() },
        Action::Start | Action::Watch | Action::Soak | Action::Keep | Action::Failed => {
            delivered(context, subject, memo, status)
        }
    };
    if subject.action != Action::Wait {
        observe_generations(context, status);
    }
    if context.rules.records_overdue {
        keep_overdue(subject, planned.progress.as_ref(), status, context.input.now);
    }
    planned
}

/// A cluster that waits keeps what it has.
fn waiting(
    context: &Context<'_>,
    subject: &Subject<'_>,
    memo: &mut Memo,
    status: &mut ManagedClusterAddOnStatus,
) -> Planned {
    condition::set(&mut status.conditions, configured::waiting(), context.input.now);
    let Some(had) = assigned(context, subject).map(Shared::from) else { return Planned::default() };
    let before = Subject { desired: &had, ..*subject };
    let granted = granted(context, &before, memo, status);
    Planned { granted, writes: repairs(context, &before, memo), ..Planned::default() }
}

/// A cluster that has started gets its works.
fn delivered(
    context: &Context<'_>,
    subject: &Subject<'_>,
    memo: &mut Memo,
    status: &mut ManagedClusterAddOnStatus,
) -> Planned {
    let now = context.input.now;
    if subject.is_configured || !matches!(subject.action, Action::Watch | Action::Failed) {
        condition::set(&mut status.conditions, configured::assigned(), now);
    }
    if subject.action == Action::Start {
        start(context, subject, status);
    }
    let mut planned = Planned { granted: granted(context, subject, memo, status), ..Planned::default() };
    match cluster_works(context, subject, &status.config_references, phase::open(context, subject), memo) {
        Ok(works) => {
            let progress = update(context, subject, &works, status);
            planned.opened = works.wanted.opened;
            planned.writes = works.guard(context, subject).into_iter().chain(works.writes).collect();
            advance(context, subject, (&works.wanted, &progress), (memo, status, &mut planned));
            planned.progress = Some(progress);
        }
        Err(why) => {
            let message = format!("failed to get manifest from agent interface: {why}");
            let claim = Claim::new(key::MANIFEST_APPLIED, "False", "ManifestWorkApplyFailed", message);
            condition::set(&mut status.conditions, claim, now);
            unwell(context, subject, status);
            planned.problem = Some(why);
        }
    }
    planned
}

/// Returns what the agent of an add-on may do on the hub; nothing if it cannot be rendered, or if the unit is no add-on.
fn granted(
    context: &Context<'_>,
    subject: &Subject<'_>,
    memo: &mut Memo,
    status: &mut ManagedClusterAddOnStatus,
) -> Granted {
    let Some(addon) = context.unit.addon_name() else { return Granted::default() };
    let prepared = prepared(context, subject.name, subject.desired, memo);
    let agent = Agent { addon, cluster: subject.name };
    prepared.map(|prepared| registered(context, subject, (agent, &prepared.template), status)).unwrap_or_default()
}

fn self_key(context: &Context<'_>, cluster: &ClusterName) -> ObjectKey {
    object_key::cluster_addon(cluster.as_str(), context.name.as_str())
}

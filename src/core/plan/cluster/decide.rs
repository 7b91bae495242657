//! One add-on on one cluster: what is written there, in which order, and what its status says afterwards.
//!
//! The status is written before the works: if the process is killed in between, the cluster counts as started, and the works
//! follow. The other way round, a cluster could have new works without being counted as started.

use super::planned::Planned;
use super::registration::registered;
use super::rendering::{Rendering, Undeliverable, content, prepared, rendering};
use super::start::start;
use super::status::{ClusterWorks, generation, keep_overdue, observe_generations, unwell, update, watch};
use super::token;
use crate::context::{Action, Context, Subject};
use crate::memo::{Inputs, Memo};
use crate::removal::hooks;
use crate::status_patch::status_patch;
use tidegate_api::condition::{self, Claim};
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_api::ocm::managed_cluster_addon::{AddOnConfigReference, ManagedClusterAddOnStatus};
use tidegate_api::precondition::precondition;
use tidegate_delivery::status::{Desired, Entry, configured, works};
use tidegate_delivery::{Hosting, Layout};
use tidegate_model::action::Write;
use tidegate_model::name::ClusterName;
use tidegate_model::object::ObjectKey;

/// Returns everything that the writes for a cluster depend on.
pub(crate) fn inputs(context: &Context<'_>, subject: &Subject<'_>) -> Inputs {
    let works = context.works(subject.name).values().map(|work| &work.metadata);
    let bindings = context.bindings(subject.name).values().map(|binding| &binding.metadata);
    let observed = [&subject.addon.metadata, &subject.cluster.metadata].into_iter().chain(works).chain(bindings);
    let tokens = token::versions(context, subject.name);
    let references = references(subject).iter();
    Inputs {
        delivery: context.delivery(),
        action: subject.action,
        is_configured: subject.is_configured,
        is_overdue: subject.is_overdue,
        versions: observed.map(|metadata| metadata.resource_version.clone()).chain(tokens).collect(),
        generations: references.map(|reference| generation(context, reference)).collect(),
        is_blind: [context.input.bindings_are_unobserved(), !token::is_known(context.input)],
        desired: subject.desired.to_vec(),
    }
}

/// Decides what to write for one cluster, where Tidegate delivers.
pub(crate) fn planned(context: &Context<'_>, subject: &Subject<'_>, memo: &mut Memo) -> Planned {
    let now = context.input.now;
    let observed = subject.addon.status.clone().unwrap_or_default();
    let mut status = observed.clone();
    let mut planned = match subject.action {
        Action::Wait => waiting(context, subject, memo, &mut status),
        Action::Leave => Planned { progress: Some(watch(context, subject, &mut status)), ..Planned::default() },
        Action::Start | Action::Watch | Action::Soak | Action::Keep | Action::Failed => {
            delivered(context, subject, memo, &mut status)
        }
    };
    if subject.action != Action::Wait {
        observe_generations(context, &mut status);
    }
    if context.rules.records_overdue {
        keep_overdue(subject, planned.progress.as_ref(), &mut status, now);
    }
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

/// A cluster that waits keeps what it has.
fn waiting(
    context: &Context<'_>,
    subject: &Subject<'_>,
    memo: &mut Memo,
    status: &mut ManagedClusterAddOnStatus,
) -> Planned {
    condition::set(&mut status.conditions, configured::waiting(), context.input.now);
    let Some(had) = assigned(context, subject) else { return Planned::default() };
    let before = Subject { desired: &had, ..*subject };
    let prepared = prepared(context, subject.name, &had, memo);
    let granted = prepared.map(|prepared| registered(context, &before, &prepared.template, status));
    Planned { granted: granted.unwrap_or_default(), writes: repairs(context, &before, memo), ..Planned::default() }
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
    let mut planned = Planned::default();
    if let Ok(prepared) = prepared(context, subject.name, subject.desired, memo) {
        planned.granted = registered(context, subject, &prepared.template, status);
    }
    match delivery(context, subject, &status.config_references, memo) {
        Ok(delivery) => {
            planned.writes = tidegate_delivery::work_writes(&delivery.wanted, delivery.existing);
            planned.progress = Some(update(context, subject, &delivery, status, !planned.writes.is_empty()));
            let has_hooks = delivery.rendered.hooks().next().is_some();
            planned.writes.splice(0..0, hooks::guard(context.addon_name(), subject.addon, has_hooks));
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

fn self_key(context: &Context<'_>, cluster: &ClusterName) -> ObjectKey {
    object_key::cluster_addon(cluster.as_str(), context.name.as_str())
}

/// Returns the configurations that a cluster has been assigned, found by their hash in any revision; `None` if no configuration
/// has been assigned, or one is not found.
fn assigned(context: &Context<'_>, subject: &Subject<'_>) -> Option<Vec<Desired>> {
    let references = references(subject);
    let has = |reference: &AddOnConfigReference| {
        let desired = reference.desired()?;
        content(context, &desired.reference, &desired.spec_hash).map(|_| desired)
    };
    references.iter().map(has).collect::<Option<Vec<Desired>>>().filter(|had| !had.is_empty())
}

fn references<'a>(subject: &Subject<'a>) -> &'a [AddOnConfigReference] {
    subject.addon.config_references()
}

/// Returns the writes that restore the works of a waiting cluster, here with its assigned configurations, if someone has changed them.
///
/// Upstream leaves the works of waiting clusters as they are, and so does compat.
fn repairs(context: &Context<'_>, before: &Subject<'_>, memo: &mut Memo) -> Vec<Write> {
    if !context.rules.repairs_waiting_clusters {
        return Vec::new();
    }
    let delivery = delivery(context, before, references(before), memo);
    delivery.map(|delivery| tidegate_delivery::work_writes(&delivery.wanted, delivery.existing)).unwrap_or_default()
}

fn delivery<'a>(
    context: &Context<'a>,
    subject: &Subject<'_>,
    references: &[AddOnConfigReference],
    memo: &mut Memo,
) -> Result<ClusterWorks<'a>, Undeliverable> {
    let Rendering { template, rendered } = rendering(context, (subject.name, subject.cluster), subject.desired, memo)?;
    let existing = context.works(subject.name);
    let wanted = tidegate_delivery::works(&Layout {
        owner: context.owner,
        owner_uid: subject.addon.metadata.uid.as_deref().unwrap_or_default(),
        cluster: subject.name,
        hosting: Hosting::Unsupported,
        rendered: &rendered,
        config_hashes: works::annotation(references).as_deref(),
        template_configs: template.manifest_configs(),
        existing,
        budget: tidegate_delivery::BUDGET,
        rules: context.rules,
    })?;
    Ok(ClusterWorks { wanted, existing, rendered })
}

//! The works of one cluster: what it should have, and what is written.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::phase;
use super::rendering::{Sources, Undeliverable, content, sources};
use crate::context::{Action, Context, Subject};
use crate::kept_works::{Basis, Outline};
use crate::memo::Memo;
use crate::removal::hooks;
use tidegate_api::ocm::managed_cluster_addon::AddOnConfigReference;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_delivery::status::{Desired, Entry, works};
use tidegate_delivery::upstream::Opened;
use tidegate_delivery::{Hosting, Layout, Order, Rendered};
use tidegate_model::action::Write;
use tidegate_model::name::ClusterName;
use tidegate_model::object::ObjectKey;
use tidegate_repository::Configuration;

/// The works that a cluster should have, and those that exist.
pub(super) struct ClusterWorks<'a> {
    pub(super) wanted: Arc<Outline>,
    pub(super) existing: &'a BTreeMap<String, Arc<ManifestWork>>,
    /// The same, without the reports on what the cluster only keeps until it is the turn of its component.
    pub(super) seen: Cow<'a, BTreeMap<String, Arc<ManifestWork>>>,
    /// The writes that make the works what they should be.
    pub(super) writes: Vec<Write>,
}

impl ClusterWorks<'_> {
    /// Returns the writes of the finalizer that keeps an add-on with hooks until they have completed.
    pub(super) fn guard(&self, context: &Context<'_>, subject: &Subject<'_>) -> Option<Write> {
        hooks::guard(context.unit.addon_name()?, subject.addon, self.wanted.has_hooks)
    }
}

/// Returns the configurations that a cluster has been assigned, found by their hash in any revision; `None` if no configuration
/// has been assigned, or one is not found.
pub(super) fn assigned(context: &Context<'_>, subject: &Subject<'_>) -> Option<Vec<Desired>> {
    let references = references(subject);
    let has = |reference: &AddOnConfigReference| {
        let desired = reference.desired()?;
        content(context, &desired.reference, &desired.spec_hash).map(|_| desired)
    };
    references.iter().map(has).collect::<Option<Vec<Desired>>>().filter(|had| !had.is_empty())
}

pub(super) fn references<'a>(subject: &Subject<'a>) -> &'a [AddOnConfigReference] {
    subject.addon.config_references()
}

/// Returns the writes that restore the works of a waiting cluster, here with its assigned configurations, if someone has changed them.
///
/// Upstream leaves the works of waiting clusters as they are, and so does compat.
pub(super) fn repairs(context: &Context<'_>, before: &Subject<'_>, memo: &mut Memo) -> Vec<Write> {
    if !context.rules.repairs_waiting_clusters {
        return Vec::new();
    }
    let works = cluster_works(context, before, references(before), phase::open(context, before), memo);
    works.map(|works| works.writes).unwrap_or_default()
}

/// Returns the works that a cluster should have while a phase is open, with the add-on rendered for it. `references` are those that its
/// status will have.
///
/// Nothing is rendered if the works needed no writes before, and only their statuses have changed since.
pub(super) fn cluster_works<'a>(
    context: &Context<'a>,
    subject: &Subject<'_>,
    references: &[AddOnConfigReference],
    open: Opened,
    memo: &mut Memo,
) -> Result<ClusterWorks<'a>, Undeliverable> {
    let Sources { template, fingerprint } = sources(context, (subject.name, subject.cluster), subject.desired, memo)?;
    let existing = context.works(subject.name);
    let order = template.order().from_batch(open.first_batch);
    let opened = Opened { phase: open.phase.min(order.last()), ..open };
    let released = released(context, subject);
    let gone: String = released.iter().map(|object| format!(" {object} of {}", object.group)).collect();
    let basis = Basis {
        sources: format!("{fingerprint} {} {}{gone}", opened.phase, opened.first_batch),
        owner_uid: subject.addon.metadata.uid.clone().unwrap_or_default(),
        config_hashes: works::annotation(references),
        existing: existing.clone(),
    };
    if let Some(wanted) = memo.works.unchanged(context.name, subject.name, &basis) {
        return Ok(ClusterWorks { seen: seen(&wanted, existing), wanted, existing, writes: Vec::new() });
    }
    let rendered = template.render(subject.cluster)?;
    let whole = Layout {
        owner: context.owner,
        owner_uid: &basis.owner_uid,
        cluster: subject.name,
        hosting: Hosting::Unsupported,
        rendered: &rendered,
        config_hashes: basis.config_hashes.as_deref(),
        template_configs: template.manifest_configs(),
        existing,
        others: &[],
        budget: tidegate_delivery::BUDGET,
        rules: context.rules,
    };
    let partial = tidegate_delivery::partial(&whole, &order, opened.phase, &released);
    let layout = match &partial {
        Some(partial) => Layout { rendered: &partial.rendered, template_configs: &partial.configs, ..whole },
        None => whole,
    };
    let mut works = tidegate_delivery::works(&layout)?;
    if works.scales_new {
        works = tidegate_delivery::works(&Layout { others: &others(context, subject.name), ..layout })?;
    }
    let writes = tidegate_delivery::work_writes(&works, existing);
    let has_hooks = rendered.hooks().next().is_some();
    let names = works.names().map(str::to_owned).collect();
    let (rendered, waiting) = match partial {
        Some(partial) => (partial.rendered, Some(partial.waiting)),
        None => (rendered, None),
    };
    let Rendered { probes, conditioned, .. } = rendered;
    let wanted = Arc::new(Outline { names, has_hooks, probes, conditioned, opened, waiting });
    if writes.is_empty() && !works.follows_reports {
        memo.works.remember(context.name, subject.name, basis, wanted.clone());
    }
    Ok(ClusterWorks { seen: seen(&wanted, existing), wanted, existing, writes })
}

/// Returns the works of other units on a cluster.
fn others(context: &Context<'_>, cluster: &ClusterName) -> Vec<Arc<ManifestWork>> {
    let units = context.input.fleet.works.iter().filter(|(unit, _)| *unit != context.name);
    units.filter_map(|(_, clusters)| clusters.get(cluster)).flat_map(|works| works.values().cloned()).collect()
}

/// Returns the objects in the works of an application on a cluster that another unit has there by now. Only an application with components in an
/// order, or with batches, keeps objects of an earlier version, on the clusters that have started.
pub(super) fn released(context: &Context<'_>, subject: &Subject<'_>) -> BTreeSet<ObjectKey> {
    let desired = || subject.desired.iter().filter_map(|had| content(context, &had.reference, &had.spec_hash));
    let is_ordered = |content: &Configuration| Order::read(&content.object).last() > 0;
    let has_started = matches!(subject.action, Action::Start | Action::Watch | Action::Failed);
    if !has_started || context.unit.addon_name().is_some() || !desired().any(is_ordered) {
        return BTreeSet::new();
    }
    let works = context.works(subject.name);
    context.occupants.released(context.input, context.name, (subject.name, works))
}

fn seen<'a>(
    wanted: &Outline,
    existing: &'a BTreeMap<String, Arc<ManifestWork>>,
) -> Cow<'a, BTreeMap<String, Arc<ManifestWork>>> {
    wanted.waiting.as_ref().map_or(Cow::Borrowed(existing), |waiting| Cow::Owned(waiting.seen(existing)))
}

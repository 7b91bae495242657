//! The works of one cluster: what it should have, and what is written.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::rendering::{Rendering, Undeliverable, content, rendering};
use crate::context::{Context, Subject};
use crate::memo::Memo;
use crate::removal::hooks;
use tidegate_api::ocm::managed_cluster_addon::AddOnConfigReference;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_delivery::status::{Desired, Entry, works};
use tidegate_delivery::{Hosting, Layout, Rendered, Works};
use tidegate_model::action::Write;

/// The works that a cluster should have, and those that exist.
pub(super) struct ClusterWorks<'a> {
    pub(super) wanted: Works,
    pub(super) existing: &'a BTreeMap<String, Arc<ManifestWork>>,
    pub(super) rendered: Arc<Rendered>,
}

impl ClusterWorks<'_> {
    /// Returns the writes that make the works what they should be.
    pub(super) fn writes(&self) -> Vec<Write> {
        tidegate_delivery::work_writes(&self.wanted, self.existing)
    }

    /// Returns the writes of the finalizer that keeps an add-on with hooks until they have completed.
    pub(super) fn guard(&self, context: &Context<'_>, subject: &Subject<'_>) -> impl Iterator<Item = Write> {
        let has_hooks = self.rendered.hooks().next().is_some();
        hooks::guard(context.addon_name(), subject.addon, has_hooks).into_iter()
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
    let works = cluster_works(context, before, references(before), memo);
    works.map(|works| works.writes()).unwrap_or_default()
}

/// Renders the add-on for a cluster, and returns the works that it should have. `references` are those that its status will have.
pub(super) fn cluster_works<'a>(
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

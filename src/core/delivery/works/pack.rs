//! ManifestWorks: packs the rendered objects of an add-on into works in the namespace of a cluster.

use std::sync::Arc;

use serde_json::Value;

use tidegate_api::ocm::manifest_work::ManifestWork;

use super::distribute::{Packed, pack};
use super::layout::Layout;
use super::manifest_config;
use super::replicas;
use super::work;
use super::work::{Body, Work};
use crate::error::Error;
use crate::template::hook;

/// The works that an add-on should have on a cluster.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Works {
    /// The works: new ones first, then existing ones by name.
    pub apply: Vec<Work>,
    /// Names of existing works that hold nothing anymore, sorted.
    pub delete: Vec<String>,
    /// Whether a work may change with the next report of the cluster: it has a number of replicas that is kept until something else sets it.
    pub follows_reports: bool,
    /// Whether something else scales a workload that no existing work has. [`Layout::others`] counts then.
    pub scales_new: bool,
}

impl Works {
    /// Returns the names of the works.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.apply.iter().map(|work| work.name.as_str())
    }
}

/// Packs the objects of an add-on into works. Hooks are left out; see [`hook_work`].
///
/// In *strict* semantics, an add-on with nothing to deploy has no works, and its existing ones are deleted. A new work gets
/// the lowest index that no existing work has. No work is empty. Works that someone else created with the label of the
/// add-on are left alone.
///
/// In *compat* semantics, as in upstream, an add-on with nothing to deploy keeps its existing works. The indexes of new
/// works start at the number of existing ones, so two works can have the same name. The work before a manifest beyond the
/// budget can be empty. Works of others are taken over.
///
/// # Errors
/// [`Error::NoIdentity`] for an object without kind or version, [`Error::Location`] for an object with an unknown location,
/// and in *compat* semantics [`Error::OddWork`].
///
/// # Source
/// OCM addon-framework, the deploy controller.
pub fn works(layout: &Layout<'_>) -> Result<Works, Error> {
    let mut deploy: Vec<&Arc<Value>> =
        layout.hosting.share(&layout.rendered.objects)?.into_iter().filter(|object| !hook::is_hook(object)).collect();
    let scaled = replicas::scaled(&deploy, layout);
    for (position, manifest) in &scaled.manifests {
        deploy.get_mut(*position).into_iter().for_each(|object| *object = manifest);
    }
    if deploy.is_empty() && !layout.rules.deletes_leftover_works {
        return Ok(Works::default());
    }
    let existing: Vec<(&str, &ManifestWork)> = layout
        .existing
        .iter()
        .filter(|(name, work)| layout.manages(name, work))
        .map(|(name, work)| (name.as_str(), work.as_ref()))
        .collect();
    let Packed { fresh, kept, emptied } = pack(&deploy, &existing, layout.budget, &layout.rules)?;
    let first_index = if layout.rules.uses_free_names { 0 } else { existing.len() };
    let is_free = |name: &String| !layout.rules.uses_free_names || !layout.existing.contains_key(name);
    let prefix = layout.prefix();
    let names = (first_index..).map(|index| format!("{prefix}{index}")).filter(is_free);
    let kept = kept.into_iter().map(|(name, manifests)| (name.to_owned(), manifests));
    let body = Body {
        configs: manifest_config::merged(&layout.rendered.workloads, layout.template_configs, &layout.rules),
        delete_option: work::delete_option(&deploy),
        annotation: layout.config_hashes.map(str::to_owned),
    };
    let apply = names.zip(fresh).chain(kept);
    let apply = apply.map(|(name, manifests)| work(layout, name, &body, manifests)).collect();
    let delete = emptied.into_iter().map(str::to_owned).collect();
    Ok(Works { apply, delete, follows_reports: scaled.keeps_numbers, scales_new: scaled.has_new })
}

/// Returns the work that runs the pre-delete hooks of an add-on, or `None` if it has no hooks.
///
/// # Errors
/// [`Error::Location`] as for [`works`].
pub fn hook_work(layout: &Layout<'_>) -> Result<Option<Work>, Error> {
    let hooks: Vec<&Arc<Value>> =
        layout.hosting.share(&layout.rendered.objects)?.into_iter().filter(|object| hook::is_hook(object)).collect();
    if hooks.is_empty() {
        return Ok(None);
    }
    let configs = hooks.iter().map(|object| manifest_config::well_known(hook::identifier(object))).collect();
    let host = layout.hosted_for().map_or_else(String::new, |cluster| format!("-hosting-{cluster}"));
    let body = Body { configs, ..Body::default() };
    Ok(Some(work(layout, format!("{}{host}", layout.owner.hook), &body, hooks)))
}

fn work(layout: &Layout<'_>, name: String, body: &Body, manifests: Vec<&Arc<Value>>) -> Work {
    let frame = work::frame(layout, &name, body);
    Work { name, manifests: manifests.into_iter().cloned().collect(), frame }
}

//! ManifestWorks: packs the rendered objects of an add-on into works in the namespace of a cluster.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use tidegate_api::key;
use tidegate_api::ocm::manifest_work::{ManifestConfigOption, ManifestWork};
use tidegate_model::name::{AddonName, ClusterName};
use tidegate_model::semantics::Rules;

use super::error::Error;
use super::hosting::Hosting;
use super::packing::{Packed, pack};
use super::rendered::Rendered;
use super::work::{self, Body, Work};
use super::{hook, manifest_config};

/// Maximum size of one work in bytes: 80 % of the 500 KiB that the admission webhook of a hub accepts by default.
/// The rest is room for manifests that grow, since manifests stay in their work.
pub const BUDGET: usize = 409_600;

/// The objects to pack into works, and where they go.
#[derive(Debug, Clone, Copy)]
pub struct Layout<'a> {
    /// The add-on.
    pub addon: &'a AddonName,
    /// `metadata.uid` of the ManagedClusterAddOn, which owns the works in its namespace.
    pub addon_uid: &'a str,
    /// The cluster that the add-on serves.
    pub cluster: &'a ClusterName,
    /// The side of a hosted add-on that the works are for; [`Hosting::Unsupported`] for template add-ons.
    pub hosting: Hosting<'a>,
    /// The objects.
    pub rendered: &'a Rendered,
    /// The annotation with the configurations that the objects were rendered from; `None` for an add-on without any.
    pub config_hashes: Option<&'a str>,
    /// The `manifestConfigs` of the template that the objects were rendered from.
    pub template_configs: &'a [ManifestConfigOption],
    /// The works of the add-on in the namespace of the works, by name.
    pub existing: &'a BTreeMap<String, Arc<ManifestWork>>,
    /// Maximum bytes in one work; [`BUDGET`] on a hub with the default limit.
    pub budget: usize,
    /// Which of upstream's defects to reproduce; see [`works`].
    pub rules: Rules,
}

/// The works that an add-on should have on a cluster.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Works {
    /// The works: new ones first, then existing ones by name.
    pub apply: Vec<Work>,
    /// Names of existing works that hold nothing anymore, sorted.
    pub delete: Vec<String>,
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
    let deploy: Vec<&Arc<Value>> =
        layout.hosting.share(&layout.rendered.objects)?.into_iter().filter(|object| !hook::is_hook(object)).collect();
    if deploy.is_empty() && !layout.rules.deletes_leftover_works {
        return Ok(Works::default());
    }
    let existing: Vec<(&str, &ManifestWork)> = layout
        .existing
        .iter()
        .filter(|(name, work)| is_deploy_work(layout, name, work))
        .map(|(name, work)| (name.as_str(), work.as_ref()))
        .collect();
    let Packed { fresh, kept, emptied } = pack(&deploy, &existing, layout.budget, &layout.rules)?;
    let first_index = if layout.rules.uses_free_names { 0 } else { existing.len() };
    let is_free = |name: &String| !layout.rules.uses_free_names || !layout.existing.contains_key(name);
    let prefix = prefix(layout);
    let names = (first_index..).map(|index| format!("{prefix}{index}")).filter(is_free);
    let kept = kept.into_iter().map(|(name, manifests)| (name.to_owned(), manifests));
    let body = Body {
        configs: manifest_config::merged(&layout.rendered.workloads, layout.template_configs, &layout.rules),
        delete_option: work::delete_option(&deploy),
        annotation: layout.config_hashes.map(str::to_owned),
    };
    let apply = names.zip(fresh).chain(kept);
    let apply = apply.map(|(name, manifests)| work(layout, name, &body, manifests)).collect();
    Ok(Works { apply, delete: emptied.into_iter().map(str::to_owned).collect() })
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
    let host = hosted_for(layout).map_or_else(String::new, |cluster| format!("-hosting-{cluster}"));
    let body = Body { configs, ..Body::default() };
    Ok(Some(work(layout, format!("{}{host}", hook_name(layout.addon)), &body, hooks)))
}

fn work(layout: &Layout<'_>, name: String, body: &Body, manifests: Vec<&Arc<Value>>) -> Work {
    let frame = work::frame(layout, &name, body);
    Work { name, manifests: manifests.into_iter().cloned().collect(), frame }
}

/// Returns the served cluster if these are the works in the namespace of its host.
fn hosted_for<'a>(layout: &Layout<'a>) -> Option<&'a ClusterName> {
    matches!(layout.hosting, Hosting::Hosting(_)).then_some(layout.cluster)
}

fn prefix(layout: &Layout<'_>) -> String {
    let prefix = deploy_prefix(layout.addon);
    hosted_for(layout).map_or_else(|| prefix.clone(), |cluster| format!("{prefix}hosting-{cluster}-"))
}

fn deploy_prefix(addon: &AddonName) -> String {
    format!("addon-{addon}-deploy-")
}

fn hook_name(addon: &AddonName) -> String {
    format!("addon-{addon}-pre-delete")
}

/// Returns `true` if an existing work with the label of the add-on is one that [`works`] manages.
fn is_deploy_work(layout: &Layout<'_>, name: &str, work: &ManifestWork) -> bool {
    let is_numbered = |index: &str| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
    let is_strict = layout.rules.leaves_works_of_others;
    let is_ours = if is_strict {
        name.strip_prefix(&prefix(layout)).is_some_and(is_numbered)
    } else {
        !name.starts_with(&hook_name(layout.addon))
    };
    // A cluster that hosts itself has all works in one namespace, without this label.
    let is_elsewhere = layout.hosting.target(layout.cluster) != layout.cluster || !is_strict;
    let wanted = hosted_for(layout).filter(|_| is_elsewhere).map(ClusterName::as_str);
    is_ours && served(work) == wanted
}

/// Returns the cluster that a work in the namespace of its host serves.
fn served(work: &ManifestWork) -> Option<&str> {
    let mut labels = work.metadata.labels.iter().flatten();
    let (_, cluster) = labels.find(|(name, _)| *name == key::ADDON_NAMESPACE)?;
    Some(cluster.as_str()).filter(|cluster| !cluster.is_empty())
}

/// Returns the works that deploy an add-on to the cluster whose namespace they are in.
///
/// Works with the label of the add-on but another name were created by someone else, and works with the label of another
/// namespace belong to a cluster that is hosted here.
pub(super) fn deploy_works<'a>(
    addon: &AddonName,
    existing: &'a BTreeMap<String, Arc<ManifestWork>>,
) -> impl Iterator<Item = &'a Arc<ManifestWork>> {
    let prefix = deploy_prefix(addon);
    let ours = move |(name, work): &(&String, &Arc<ManifestWork>)| name.starts_with(&prefix) && served(work).is_none();
    existing.iter().filter(ours).map(|(_, work)| work)
}

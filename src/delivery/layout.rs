//! ManifestWorks: the rendered objects of an add-on, laid out in the namespace of a cluster.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::api::key;
use crate::api::ocm::managed_cluster_addon::AddOnConfigReference;
use crate::api::ocm::manifest_work::{
    DeleteOption, ManifestConfigOption, ManifestWork, ResourceIdentifier, SelectivelyOrphan,
};
use crate::model::name::{AddonName, ClusterName};
use crate::model::object::group_version;

use super::error::Error;
use super::object::{has_annotation, text};
use super::packing::{Packed, pack};
use super::progress::config_hash_annotation;
use super::template::Rendered;
use super::{hook, manifest_config};

/// How much goes into one work: 80 per cent of the 500 KiB that the admission webhook of a hub lets through by default.
/// The rest is room for manifests that grow, since they stay in the work that they are in.
pub const BUDGET: usize = 409_600;

/// What is to be laid out, and where.
#[derive(Debug, Clone, Copy)]
pub struct Layout<'a> {
    /// The add-on.
    pub addon: &'a AddonName,
    /// `metadata.uid` of the ManagedClusterAddOn, which owns the works.
    pub addon_uid: &'a str,
    /// The cluster, in whose namespace the works lie.
    pub cluster: &'a ClusterName,
    /// The objects.
    pub rendered: &'a Rendered,
    /// The configurations that the objects were rendered from.
    pub config_references: &'a [AddOnConfigReference],
    /// The `manifestConfigs` of the template that the objects were rendered from.
    pub template_configs: &'a [ManifestConfigOption],
    /// The works of the add-on in the namespace, by name.
    pub existing: &'a BTreeMap<String, Arc<ManifestWork>>,
    /// How many bytes go into one work, [`BUDGET`] on a hub with the usual limit.
    pub budget: usize,
}

/// The works that an add-on should have on a cluster.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Works {
    /// Whole ManifestWork objects without status: new ones first, then existing ones by name.
    pub apply: Vec<Value>,
    /// Names of existing works that nothing is left for, sorted.
    pub delete: Vec<String>,
}

/// Lays the objects of an add-on out in works. Hooks are not among them; see [`hook_work`].
///
/// An add-on with nothing to deploy has no works, and its existing ones are deleted. A new work takes the lowest index that
/// no existing work has.
///
/// # Errors
/// [`Error::NoIdentity`] for an object without kind or version.
pub fn works(layout: &Layout<'_>) -> Result<Works, Error> {
    let existing = deploy_works(layout.addon, layout.existing).map(|(name, work)| (name, work.as_ref())).collect();
    let Packed { fresh, kept, emptied } = pack(&layout.rendered.deploy, &existing, layout.budget)?;
    let spec = spec(layout);
    let free_names = (0..)
        .map(|index| format!("{}{index}", prefix(layout.addon)))
        .filter(|name| !layout.existing.contains_key(name));
    let fresh = free_names.zip(fresh);
    let kept = kept.into_iter().map(|(name, manifests)| (name.to_owned(), manifests));
    let annotation = config_hash_annotation(layout.config_references);
    let work = |(name, manifests): (String, Vec<&Value>)| {
        let mut spec = spec.clone();
        spec.insert("workload".to_owned(), workload(manifests));
        object(layout, &name, annotation.as_deref(), spec)
    };
    Ok(Works { apply: fresh.chain(kept).map(work).collect(), delete: emptied.into_iter().map(str::to_owned).collect() })
}

/// Returns the work that runs the pre-delete hooks of an add-on, or `None` if it has none.
pub fn hook_work(layout: &Layout<'_>) -> Option<Value> {
    let hooks = &layout.rendered.hooks;
    if hooks.is_empty() {
        return None;
    }
    let configs: Vec<_> = hooks.iter().map(|object| manifest_config::well_known(hook::identifier(object))).collect();
    let mut spec = Map::new();
    spec.insert("workload".to_owned(), workload(hooks.iter().collect()));
    spec.insert("manifestConfigs".to_owned(), json!(configs));
    Some(object(layout, &format!("addon-{}-pre-delete", layout.addon), None, spec))
}

/// Copies the manifests; `json!` would walk through each of them.
fn workload(manifests: Vec<&Value>) -> Value {
    let manifests: Value = manifests.into_iter().cloned().collect();
    Value::Object(Map::from_iter([("manifests".to_owned(), manifests)]))
}

fn prefix(addon: &AddonName) -> String {
    format!("addon-{addon}-deploy-")
}

/// Returns the works that deploy an add-on to the cluster in whose namespace they lie.
///
/// Works that bear the label of the add-on under another name were made by someone else, and those with the label of another
/// namespace belong to a cluster that is hosted here: neither is touched.
pub(super) fn deploy_works<'a>(
    addon: &AddonName,
    existing: &'a BTreeMap<String, Arc<ManifestWork>>,
) -> impl Iterator<Item = (&'a str, &'a Arc<ManifestWork>)> {
    let prefix = prefix(addon);
    let is_hosted =
        |work: &ManifestWork| work.metadata.labels.iter().flatten().any(|(name, _)| name == key::ADDON_NAMESPACE);
    let ours = move |(name, work): &(&String, &Arc<ManifestWork>)| name.starts_with(&prefix) && !is_hosted(work);
    existing.iter().filter(ours).map(|(name, work)| (name.as_str(), work))
}

fn object(layout: &Layout<'_>, name: &str, annotation: Option<&str>, spec: Map<String, Value>) -> Value {
    let mut metadata = json!({
        "name": name,
        "namespace": layout.cluster,
        "labels": {key::ADDON_NAME: layout.addon},
        "ownerReferences": [{
            "apiVersion": key::ADDON_V1BETA1,
            "kind": "ManagedClusterAddOn",
            "name": layout.addon,
            "uid": layout.addon_uid,
            "controller": true,
            "blockOwnerDeletion": true,
        }],
    });
    if let (Some(hashes), Some(members)) = (annotation, metadata.as_object_mut()) {
        members.insert("annotations".to_owned(), json!({key::CONFIG_SPEC_HASH: hashes}));
    }
    json!({
        "apiVersion": format!("{}/v1", key::WORK_GROUP),
        "kind": "ManifestWork",
        "metadata": metadata,
        "spec": spec,
    })
}

/// Returns the members of the spec that all works share.
fn spec(layout: &Layout<'_>) -> Map<String, Value> {
    let mut spec = Map::new();
    let configs = manifest_config::merged(&layout.rendered.workloads, layout.template_configs);
    if !configs.is_empty() {
        spec.insert("manifestConfigs".to_owned(), json!(configs));
    }
    let stays = layout.rendered.deploy.iter().filter(|object| has_annotation(object, key::DELETION_ORPHAN));
    let orphaning_rules: Vec<ResourceIdentifier> = stays.map(guessed_identifier).collect();
    if !orphaning_rules.is_empty() {
        let option = DeleteOption {
            propagation_policy: "SelectivelyOrphan".to_owned(),
            selectively_orphans: Some(SelectivelyOrphan { orphaning_rules }),
            ttl_seconds_after_finished: None,
        };
        spec.insert("deleteOption".to_owned(), json!(option));
    }
    spec
}

/// Names an object, with a plural that is guessed from its kind as upstream guesses it; wrong for irregular kinds.
fn guessed_identifier(object: &Value) -> ResourceIdentifier {
    let kind = text(object, "/kind").to_lowercase();
    let resource = match kind.strip_suffix('y') {
        _ if kind.ends_with("endpoints") => kind.clone(),
        _ if kind.ends_with('s') => format!("{kind}es"),
        Some(stem) => format!("{stem}ies"),
        None => format!("{kind}s"),
    };
    ResourceIdentifier {
        group: group_version(object).map_or("", |(group, _)| group).to_owned(),
        resource,
        name: text(object, "/metadata/name").to_owned(),
        namespace: text(object, "/metadata/namespace").to_owned(),
    }
}

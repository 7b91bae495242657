//! Which objects are packed into works, and which existing works are those of a unit.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidegate_api::key;
use tidegate_api::ocm::manifest_work::{ManifestConfigOption, ManifestWork};
use tidegate_model::name::ClusterName;
use tidegate_model::semantics::Rules;

use super::hosting::Hosting;
use super::owner::WorkOwner;
use crate::template::rendered::Rendered;

/// Maximum size of one work in bytes: 80 % of the 500 KiB that the admission webhook of a hub accepts by default.
/// The rest is room for manifests that grow, since manifests stay in their work.
pub const BUDGET: usize = 409_600;

/// The objects to pack into works, and where they go.
#[derive(Debug, Clone, Copy)]
pub struct Layout<'a> {
    /// Whose works they are.
    pub owner: &'a WorkOwner,
    /// `metadata.uid` of the object that owns them; empty if there is none.
    pub owner_uid: &'a str,
    /// The cluster that they serve.
    pub cluster: &'a ClusterName,
    /// The side of a hosted add-on that the works are for; [`Hosting::Unsupported`] for template add-ons.
    pub hosting: Hosting<'a>,
    /// The objects.
    pub rendered: &'a Rendered,
    /// The annotation with the configurations that the objects were rendered from; `None` for an add-on without any.
    pub config_hashes: Option<&'a str>,
    /// The `manifestConfigs` of the template that the objects were rendered from.
    pub template_configs: &'a [ManifestConfigOption],
    /// The works of the unit in the namespace of the works, by name.
    pub existing: &'a BTreeMap<String, Arc<ManifestWork>>,
    /// The works of other units on the cluster. They are read if [`Works::scales_new`](crate::Works::scales_new), and may be left out before.
    pub others: &'a [Arc<ManifestWork>],
    /// Maximum bytes in one work; [`BUDGET`] on a hub with the default limit.
    pub budget: usize,
    /// Which of upstream's defects to reproduce; see [`works`](crate::works).
    pub rules: Rules,
}

impl<'a> Layout<'a> {
    /// Returns the served cluster if these are the works in the namespace of its host.
    pub(super) fn hosted_for(&self) -> Option<&'a ClusterName> {
        matches!(self.hosting, Hosting::Hosting(_)).then_some(self.cluster)
    }

    /// Returns the start of the names of the works, which an index follows.
    pub(super) fn prefix(&self) -> String {
        let prefix = &self.owner.prefix;
        self.hosted_for().map_or_else(|| prefix.clone(), |cluster| format!("{prefix}hosting-{cluster}-"))
    }

    /// Returns `true` if an existing work with the label of the unit is one that [`super::pack`] manages.
    pub(crate) fn manages(&self, name: &str, work: &ManifestWork) -> bool {
        let is_numbered = |index: &str| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
        let is_strict = self.rules.leaves_works_of_others;
        let is_ours = if is_strict {
            name.strip_prefix(&self.prefix()).is_some_and(is_numbered)
        } else {
            !name.starts_with(&self.owner.hook)
        };
        // A cluster that hosts itself has all works in one namespace, without this label.
        let is_elsewhere = self.hosting.target(self.cluster) != self.cluster || !is_strict;
        let wanted = self.hosted_for().filter(|_| is_elsewhere).map(ClusterName::as_str);
        is_ours && served(work) == wanted
    }
}

/// Returns the cluster that a work in the namespace of its host serves.
fn served(work: &ManifestWork) -> Option<&str> {
    let mut labels = work.metadata.labels.iter().flatten();
    let (_, cluster) = labels.find(|(name, _)| *name == key::ADDON_NAMESPACE)?;
    Some(cluster.as_str()).filter(|cluster| !cluster.is_empty())
}

/// Returns the works that deploy a unit to the cluster whose namespace they are in.
///
/// Works with the label of the unit but another name were created by someone else, and works with the label of another
/// namespace belong to a cluster that is hosted here.
pub(crate) fn deploy_works<'a>(
    owner: &WorkOwner,
    existing: &'a BTreeMap<String, Arc<ManifestWork>>,
) -> impl Iterator<Item = &'a Arc<ManifestWork>> {
    let ours = |(name, work): &(&String, &Arc<ManifestWork>)| name.starts_with(&owner.prefix) && served(work).is_none();
    existing.iter().filter(ours).map(|(_, work)| work)
}

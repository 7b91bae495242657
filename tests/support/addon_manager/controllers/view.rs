//! What a controller decides from: an add-on, the add-on on one cluster, and the objects around them.

use serde_json::Value;
use tidegate_api::key;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOn;
use tidegate_api::ocm::config_reference::{ConfigReference, GroupResource};
use tidegate_api::ocm::managed_cluster_addon::{ManagedClusterAddOn, ManagedClusterAddOnStatus};
use tidegate_delivery::status::hash::{Found, Lookup};
use tidegate_delivery::status::supported;
use tidegate_model::time::Timestamp;

use crate::upstream::controls::{Controls, OwnManager};
use crate::upstream::hub::cache::Cache;
use crate::upstream::hub::kind::{ADDON, CLUSTER_ADDON, Kind, OF_TEMPLATES};

/// Who serves an add-on: registers its agents, and renders and writes its works.
#[derive(Debug, Clone, Copy)]
pub(in crate::upstream) enum Server<'a> {
    /// OCM's add-on manager, from AddOnTemplates.
    Templates,
    /// The add-on's own manager.
    Own(&'a OwnManager),
}

/// An add-on and what is known around it.
#[derive(Debug, Clone, Copy)]
pub(in crate::upstream) struct AddonView<'a> {
    pub(in crate::upstream) cache: &'a Cache,
    pub(in crate::upstream) controls: &'a Controls,
    pub(in crate::upstream) now: Timestamp,
    pub(in crate::upstream) addon: &'a ClusterManagementAddOn,
}

/// An add-on on one cluster and what is known around it.
#[derive(Debug, Clone, Copy)]
pub(in crate::upstream) struct View<'a> {
    pub(in crate::upstream) of_addon: AddonView<'a>,
    pub(in crate::upstream) cluster_addon: &'a ManagedClusterAddOn,
    /// The name of the cluster.
    pub(in crate::upstream) cluster: &'a str,
    /// The name of the add-on.
    pub(in crate::upstream) name: &'a str,
}

impl<'a> AddonView<'a> {
    /// Returns who serves the add-on. OCM's add-on manager serves every add-on whose default configurations list
    /// AddOnTemplates, whatever its lifecycle annotation is.
    pub(in crate::upstream) fn server(&self) -> Option<Server<'a>> {
        let name = self.addon.metadata.name.as_deref().unwrap_or_default();
        let own = self.controls.own_managers.iter().find(|own| own.addon == name).map(Server::Own);
        let is_template = |config: &ConfigReference| (&*config.group, &*config.resource) == TEMPLATES;
        own.or_else(|| self.addon.spec.default_configs.iter().any(is_template).then_some(Server::Templates))
    }

    /// Looks up a configuration whose hash statuses record.
    pub(in crate::upstream) fn look_up(&self, reference: &ConfigReference) -> Lookup {
        let kinds = self.server().map(|server| server.kinds()).unwrap_or_default();
        if !kinds.iter().any(|kind| (kind.group, kind.plural) == (&*reference.group, &*reference.resource)) {
            return Lookup::Unsupported;
        }
        let object = self.cache.config(kinds, reference);
        object.map_or(Lookup::Missing, |object| Lookup::Found(Found::of(object)))
    }
}

const TEMPLATES: (&str, &str) = (key::ADDON_GROUP, key::ADDON_TEMPLATES);

impl<'a> Server<'a> {
    /// Returns the kinds of configuration that the add-on supports.
    pub(in crate::upstream) fn kinds(self) -> &'a [Kind] {
        match self {
            Self::Templates => &OF_TEMPLATES,
            Self::Own(own) => &own.configs,
        }
    }

    /// Returns them as the status of an add-on lists them.
    pub(in crate::upstream) fn supported(self) -> Vec<GroupResource> {
        match self {
            Self::Templates => supported::by_templates(),
            Self::Own(own) => {
                let kind =
                    |kind: &Kind| GroupResource { group: kind.group.to_owned(), resource: kind.plural.to_owned() };
                own.configs.iter().map(kind).collect()
            }
        }
    }
}

impl View<'_> {
    /// Returns the current status.
    pub(in crate::upstream) fn status(&self) -> ManagedClusterAddOnStatus {
        self.cluster_addon.status.clone().unwrap_or_default()
    }

    /// Returns `true` unless a template with a hash is still awaited, which most controllers of a template add-on require.
    pub(in crate::upstream) fn has_template(&self) -> bool {
        let status = self.status();
        status.config_references.iter().any(|reference| {
            (&*reference.group, &*reference.resource) == TEMPLATES
                && reference.desired_config.as_ref().is_some_and(|config| !config.spec_hash.is_empty())
        })
    }

    /// Returns `true` if the add-on is being deleted from the cluster.
    pub(in crate::upstream) fn is_deleting(&self) -> bool {
        self.cluster_addon.metadata.deletion_timestamp.is_some()
    }
}

/// An add-on and, for a controller of a ManagedClusterAddOn, its ManagedClusterAddOn on a cluster.
#[derive(Debug)]
pub(in crate::upstream) struct Objects {
    /// The name of the cluster; empty for a controller of the add-on itself.
    pub(in crate::upstream) cluster: String,
    pub(in crate::upstream) addon: ClusterManagementAddOn,
    pub(in crate::upstream) cluster_addon: Option<ManagedClusterAddOn>,
}

impl Objects {
    /// Reads the objects; `None` if there is no such add-on.
    pub(in crate::upstream) fn read(cache: &Cache, cluster: &str, name: &str) -> Option<Self> {
        let addon = cache.read(ADDON, "", name)?;
        let cluster_addon = cache.read(CLUSTER_ADDON, cluster, name);
        Some(Self { cluster: cluster.to_owned(), addon, cluster_addon })
    }

    /// Returns `true` if these are the objects of an add-on and a cluster.
    pub(in crate::upstream) fn are_of(&self, cluster: &str, name: &str) -> bool {
        self.cluster == cluster && self.addon.metadata.name.as_deref() == Some(name)
    }
}

/// Returns the name of the add-on that an object has as a label.
pub(in crate::upstream) fn addon_label(object: &Value) -> Option<&str> {
    object["metadata"]["labels"][key::ADDON_NAME].as_str()
}

//! Where a configuration of a cluster is chosen: in the defaults of its add-on, by its placement, or for the cluster alone.

use std::fmt;

use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_delivery::status::Layer;
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_plan::{Layered, layered};
use tidegate_repository::{Unit, Written};

/// A configuration of a cluster, and where it is chosen. Displays as `AddOnTemplate hello-1, a default configuration`.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    /// The reference to it.
    pub reference: ConfigReference,
    /// The configuration.
    pub key: ObjectKey,
    /// The layer that it comes from.
    layer: Layer,
    /// The placement of the cluster.
    placement: Option<NamespacedName>,
    /// The object that refers to it.
    pub by: ObjectKey,
    /// The JSON pointer of the reference in that object.
    pub pointer: String,
}

impl Chosen {
    /// Returns `true` if it is of this resource of the add-on group.
    pub(crate) fn is(&self, resource: &str) -> bool {
        self.reference.group == key::ADDON_GROUP && self.reference.resource == resource
    }

    /// Describes the layer that it comes from.
    pub(crate) fn layer(&self) -> String {
        match (self.layer, &self.placement) {
            (Layer::Default, _) => "a default configuration of the add-on".to_owned(),
            (Layer::Placement, Some(placement)) => format!("chosen for placement {placement}"),
            (Layer::Placement, None) => "chosen for a placement".to_owned(),
            (Layer::Cluster, _) => "chosen for this cluster alone".to_owned(),
        }
    }
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.key, self.layer())
    }
}

/// Returns the configurations that a cluster of a placement should have according to the declarations.
pub(crate) fn chosen(
    written: &[Written],
    (name, addon): (&UnitName, &Unit),
    placement: Option<&NamespacedName>,
    cluster: &ClusterName,
) -> Vec<Chosen> {
    let of = |Layered { desired, layer }: Layered| {
        let reference = desired.reference;
        let by = match layer {
            Layer::Cluster => object_key::cluster_addon(cluster.as_str(), name.as_str()),
            Layer::Default | Layer::Placement => object_key::addon(name.as_str()),
        };
        let inside = match (layer, placement) {
            (Layer::Placement, Some(placement)) => index_of(addon, placement),
            _ => None,
        };
        let prefix = inside.map_or_else(String::new, |index| format!("/spec/installStrategy/placements/{index}/"));
        let references = written.iter().find(|written| written.key == by).map(Written::configurations);
        let found = references.into_iter().flatten().find(|(found, pointer)| {
            let is_in_strategy = pointer.starts_with("/spec/installStrategy/");
            *found == reference && pointer.starts_with(&prefix) && is_in_strategy == inside.is_some()
        });
        let pointer = found.map(|(_, pointer)| pointer).unwrap_or_default();
        let key = addon.configurations.get(&reference).and_then(|known| ObjectKey::of(&known.object));
        let key = key.unwrap_or_else(|| {
            let ConfigReference { group, resource, namespace, name } = &reference;
            ObjectKey::new(group, resource, namespace, name)
        });
        let placement = placement.cloned();
        Chosen { reference, key, layer, placement, by, pointer }
    };
    layered(addon, placement, cluster).into_iter().map(of).collect()
}

fn index_of(addon: &Unit, placement: &NamespacedName) -> Option<usize> {
    addon.placements().position(|name| name == *placement)
}

//! The configurations that a cluster should have according to the declarations, each with the layer that it comes from.

use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_delivery::status::{Desired, Layer, Layers, layer};
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_repository::Unit;

/// A configuration that a cluster should have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layered {
    /// The configuration.
    pub desired: Desired,
    /// Where it is chosen.
    pub layer: Layer,
}

/// Returns the configurations that a cluster should have if it belongs to a placement of the add-on; `None` for a cluster that was chosen by
/// hand.
///
/// Only declarations count: configurations that someone gave the cluster on the hub are unknown here.
pub fn layered(addon: &Unit, placement: Option<&NamespacedName>, cluster: &ClusterName) -> Vec<Layered> {
    let parts = addon.parts();
    let index = parts.iter().position(|part| placement.is_some_and(|name| *name == part.reference()));
    let part = index.and_then(|index| parts.get(index));
    let of_placement = part.map(|part| part.configs.as_slice()).unwrap_or_default();
    let given = index.and_then(|index| addon.given(index, cluster).ok()?);
    let own = addon.overrides.get(cluster).map(|own| own.spec.configs.as_slice()).unwrap_or_default();
    let own = given.map_or(own, std::slice::from_ref);
    let hash = |reference: &ConfigReference| addon.spec_hash(reference);
    let layers = Layers::defaults(addon.defaults(), hash);
    let layers = layers.overlaid(layer::hashed(of_placement, hash)).overlaid(layer::hashed(own, hash));
    let layered = layers.to_vec().into_iter().map(|desired| {
        let layer = Layer::of(&desired.reference.group_resource(), of_placement, own);
        Layered { desired, layer }
    });
    layered.collect()
}

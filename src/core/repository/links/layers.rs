//! What an add-on refers to in all layers.

use std::collections::BTreeMap;

use crate::assemble::index::Index;
use crate::read::object::Object;
use crate::reference::target::{Target, references};
use tidegate_api::key;
use tidegate_model::object::ObjectKey;

/// The objects that an add-on refers to in all layers: its defaults, its placements and its clusters.
#[derive(Default)]
pub(crate) struct Layers<'a> {
    pub(crate) templates: BTreeMap<&'a ObjectKey, &'a Object>,
    pub(crate) configs: BTreeMap<&'a ObjectKey, &'a Object>,
    /// `true` if a configuration is missing, so that the variables it sets are unknown.
    pub(crate) is_incomplete: bool,
}

/// Returns what each add-on refers to, by its name.
pub(crate) fn layers<'a>(objects: &'a [Object], index: &Index<'a>) -> BTreeMap<&'a str, Layers<'a>> {
    let mut all: BTreeMap<&str, Layers<'a>> = BTreeMap::new();
    let kinds = ["ClusterManagementAddOn", "ManagedClusterAddOn"];
    for object in objects.iter().filter(|object| kinds.iter().any(|kind| object.is_addon_kind(kind))) {
        let layers = all.entry(object.key.name.as_str()).or_default();
        for reference in references(&object.value) {
            match (&reference.target, index.target(&reference.target)) {
                (_, Some(target)) if target.is_addon_kind("AddOnTemplate") => {
                    layers.templates.insert(&target.key, target);
                }
                (_, Some(target)) if target.is_addon_kind("AddOnDeploymentConfig") => {
                    layers.configs.insert(&target.key, target);
                }
                (Target::Configuration(wanted), None) => {
                    layers.is_incomplete |= wanted.resource == key::ADDON_DEPLOYMENT_CONFIGS;
                }
                _ => {}
            }
        }
    }
    all
}

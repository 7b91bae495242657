//! The accumulator of a layer.

use std::sync::Arc;

use crate::overlay::field_specs::config::Config;
use crate::overlay::model::resource_map::ResourceMap;
use crate::overlay::vars::VarSet;

/// The accumulator of a layer: its resource map, field specs and vars.
#[derive(Debug)]
pub(crate) struct Accumulator {
    pub(crate) resource_map: ResourceMap,
    pub(crate) config: Arc<Config>,
    pub(crate) vars: VarSet,
}

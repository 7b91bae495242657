//! The accumulator of a layer.

use std::sync::Arc;

use crate::overlay::field_specs::config::Config;
use crate::overlay::model::resource_map::ResourceMap;

/// The accumulator of a layer: its resource map and field specs.
#[derive(Debug)]
pub(crate) struct Accumulator {
    pub(crate) resource_map: ResourceMap,
    pub(crate) config: Arc<Config>,
}

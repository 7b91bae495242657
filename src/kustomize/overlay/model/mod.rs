//! The objects that pass through the layers: their ids, their history, and the map that holds them.

mod aliases;
mod id;
pub(crate) mod kind_order;
mod resource;
pub(crate) mod resource_map;
pub(crate) mod values;

pub use self::id::Id;
pub use self::resource::Resource;
pub(crate) use self::resource::{Behavior, Maker};

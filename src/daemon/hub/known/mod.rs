//! What is known of each kind on the hub.

pub(super) mod observed;
pub(super) mod state;
mod work;

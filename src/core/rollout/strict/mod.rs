//! The strict engine: it starts a cluster only if everything before it is known to be well.
//!
//! One pass: each cluster gets a standing, the clusters are laid out in stages, and the stages are opened in order.

mod admission;
mod rules;
mod stage;

pub(super) use self::admission::decide;

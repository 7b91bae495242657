//! The strict engine: it starts a cluster only if everything before it is known to be healthy.
//!
//! One pass: each cluster gets a standing, the clusters are arranged in stages, and the stages are opened in order.

mod admission;
mod course;
mod stage;
mod strategy;

pub(super) use self::admission::decide;
pub(super) use self::course::Course;

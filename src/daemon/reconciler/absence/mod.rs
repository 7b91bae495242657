//! The parts that the daemon needs and cannot use, since when and why: for readiness and metrics.

mod absences;
mod metrics;

pub use absences::Absences;
pub(super) use metrics::AwaySince;
pub use metrics::Part;

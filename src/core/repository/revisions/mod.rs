//! Revisions of applications: publishing one, listing them, and what they render to.

mod listing;
mod publish;
mod refusal;
mod rendered;

pub use listing::{Listed, listing};
pub use publish::{Publication, publish};
pub use refusal::Refusal;
pub use rendered::{Side, rendered};

//! Content that depends on the cluster: units whose definitions read `context.cluster`.
//!
//! Such a unit is declared with what it is rendered from, and without content. Its content is rendered for each cluster of the hub by the
//! facts about the cluster: clusters that are alike in everything that is read share it. Everything else treats it as the cluster's own
//! configuration, so a changed fact changes what the cluster should have, and the cluster starts again in its turn.

mod conflicts;
mod content;
mod contents;
mod facts;

pub use self::contents::ClusterContents;
pub(crate) use self::facts::samples;

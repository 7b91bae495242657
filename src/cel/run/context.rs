//! What functions can reach while an expression runs.

use super::meter::Meter;
use crate::library::Patterns;

/// The scores of clusters, as expressions see them.
pub trait Scores {
    /// Returns the names and values of the scores in an AddOnPlacementScore of a cluster; `None` if there is no such object.
    fn find(&self, cluster: &str, name: &str) -> Option<Vec<(&str, i64)>>;
}

/// What functions can reach.
pub(crate) struct Context<'c, 'a> {
    pub(crate) meter: &'c mut Meter,
    pub(crate) scores: &'a dyn Scores,
    pub(crate) patterns: &'c mut Patterns,
}

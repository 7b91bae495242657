//! What functions can reach while an expression runs.

use super::meter::Meter;
use crate::cel::library::Patterns;

/// The scores of clusters, as expressions see them.
pub trait Scores {
    /// Returns the names and values of the scores in an AddOnPlacementScore of a cluster; `None` if there is no such object.
    fn find(&self, cluster: &str, name: &str) -> Option<Vec<(&str, i64)>>;
}

/// What functions can reach.
pub(in crate::cel) struct Context<'c, 'a> {
    pub(in crate::cel) meter: &'c mut Meter,
    pub(in crate::cel) scores: &'a dyn Scores,
    pub(in crate::cel) patterns: &'c mut Patterns,
}

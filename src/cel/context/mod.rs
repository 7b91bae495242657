//! What functions can access while an expression runs: the cost limits, the scores of clusters, and compiled regular expressions.

mod meter;
mod patterns;

pub(crate) use self::meter::{EvalError, Meter};
pub(crate) use self::patterns::Patterns;

/// Access to the scores of clusters.
pub trait Scores {
    /// Returns the names and values of the scores in an AddOnPlacementScore of a cluster; `None` if the object does not exist.
    fn find(&self, cluster: &str, name: &str) -> Option<Vec<(&str, i64)>>;
}

/// What functions can access.
pub(crate) struct Context<'c, 'a> {
    pub(crate) meter: &'c mut Meter,
    pub(crate) scores: &'a dyn Scores,
    pub(crate) patterns: &'c mut Patterns,
    /// The first key that was selected and does not exist.
    pub(crate) missing: &'c mut Option<String>,
}

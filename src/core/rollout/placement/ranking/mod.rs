//! Which of them it prefers: prioritizers, scores and the decisions of other Placements.

pub(super) mod prioritizer;
mod score;
pub(super) mod tally;

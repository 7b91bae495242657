//! Which clusters a Placement may select: candidates, selectors, expressions and tolerations.

pub(super) mod candidate;
mod expression;
pub(super) mod predicate;
pub(super) mod selector;
pub(super) mod toleration;

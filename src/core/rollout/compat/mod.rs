//! The compat engine: upstream's decisions, quirks included.
//!
//! What looks odd here is what upstream does. Safer answers belong in the strict engine.

mod procedure;
mod strategy;
mod tracker;
mod verdicts;

pub(super) use self::strategy::decide;
pub use self::tracker::tracked;

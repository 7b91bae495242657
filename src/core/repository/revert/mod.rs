//! Takes one add-on back to what it was in an earlier revision: finds the files to change, and proves that nothing else changes.

mod refusal;
mod search;

pub use refusal::Refusal;
pub use search::{Files, Request, revert};

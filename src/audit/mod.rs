//! The audit: checks the commits of a journal, and derives the history of every rollout from them.
//!
//! Pure: it walks over commits as values, and returns findings and a history. `docs/audit.md` lists the rules, and each rule has
//! its own test. Only what a commit changed is checked, so auditing ten thousand commits takes seconds.

mod addon;
mod cluster;
pub mod commit;
mod daemons;
mod document;
pub mod event;
mod finding;
pub mod history;
mod journal_file;
mod lines;
mod rollout;
pub mod schema;
mod sealed;
pub(crate) mod story;
mod text;
mod tolerance;
mod verifier;

pub use finding::{Finding, Problem, Rule};
pub use history::History;
pub use tolerance::SLACK;
pub use verifier::{Verdict, Verifier};

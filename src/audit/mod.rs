//! The audit: checks the commits of a journal, and derives the history of every rollout from them.
//!
//! Pure: it walks over commits as values, and returns findings and a history. `docs/audit.md` lists the rules, and each rule has
//! its own test. Only what a commit changed is checked, so auditing ten thousand commits takes seconds.

pub mod claims;
mod documents;
pub mod proof;
mod results;
mod rules;
mod verifier;

pub use self::documents::schema;
pub use self::results::event;
pub use self::results::finding::{Finding, Problem, Rule};
pub use self::results::history::{self, History};
pub(crate) use self::results::story;
pub use self::rules::commit;
pub use self::rules::tolerance::SLACK;
pub use verifier::{Verdict, Verifier};

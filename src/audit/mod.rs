//! The audit: checks the commits of a journal.
//!
//! Pure: it walks over commits as values, and returns findings. `docs/audit.md` lists the rules, and each rule has
//! its own test. Only what a commit changed is checked, so auditing ten thousand commits takes seconds.

pub mod claims;
mod documents;
mod finding;
pub mod proof;
mod rules;
mod verifier;

pub use self::documents::schema;
pub use self::finding::{Finding, Problem, Rule};
pub use self::rules::commit;
pub use self::rules::tolerance::SLACK;
pub use verifier::{Verdict, Verifier};

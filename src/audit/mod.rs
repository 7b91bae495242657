//! The audit: what the journal's commits tell of every rollout, and whether they can be believed.
//!
//! Pure: it walks over commits as values, and returns findings and a history. `docs/audit.md` has the rules; each one has a test
//! of its own. Only what a commit changed is looked at, so that ten thousand commits take seconds.

mod addon;
pub mod cluster;
pub mod commit;
mod daemons;
pub mod document;
pub mod event;
pub mod finding;
pub mod history;
pub mod lines;
pub mod place;
pub mod rollout;
pub mod schema;
pub mod sealed;
pub mod story;
pub mod text;
pub mod verifier;

pub use finding::{Finding, Problem, Rule};
pub use history::History;
pub use verifier::{Verdict, Verifier};

use tidegate_model::time::SignedDuration;

/// By how much times may contradict one another: clocks of two machines differ, hubs keep whole seconds, and a tick that writes to
/// ten thousand clusters takes its time.
pub const SLACK: SignedDuration = SignedDuration::from_mins(5);

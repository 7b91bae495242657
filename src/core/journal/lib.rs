//! The journal: turns reports into files, and writes the messages of the commits that contain them.
//!
//! Pure: it turns a report and the previous journal into paths and bytes. The same state gives the same bytes, and nothing
//! changes just because time passes, so a commit is made only when something has happened.
//!
//! ```text
//! README.md                          a table that a person reads on the forge
//! fleet.yaml                         what a plan needs of the hub
//! sync.yaml                          the revision last seen, last applied, and its complaints
//! addons/<add-on>/status.yaml        per placement: desired, last applied, last known good, counts, waiting
//! addons/<add-on>/clusters.yaml      one line per cluster
//! addons/<add-on>/rollouts/<n>.yaml  sealed when a rollout ends
//! pulls/<n>.yaml                     a pull request: what people said about which digests
//! pulls/<n>.md                       its plan
//! ```

pub mod bar;
pub mod clusters;
pub mod documents;
mod entry;
mod experience;
mod facts;
pub mod file;
pub mod fleet;
pub mod format;
pub mod headline;
pub mod history;
mod hub;
mod lost;
mod moves;
pub mod pulls;
pub mod readme;
pub mod record;
pub mod seal;
pub mod sealed;
pub mod snapshot;
pub mod writer;
pub mod yaml;

pub use documents::Journal;
pub use entry::{Entry, entry, identified, term_begun};
pub use experience::{Experience, experience};
pub use facts::Facts;
pub use moves::DELETED;
pub use yaml::Unwritable;

//! Control by commit: the files in `control/` at the root of a repository, with which people pause or abort rollouts, retry clusters
//! and quarantine clusters.
//!
//! A file is `control/<add-on>.yaml`, or `control/_fleet.yaml` for all add-ons. A file that cannot be read pauses what it is about,
//! because someone wanted to stop something. It blocks nothing else.

mod changes;
mod check;
mod digest_start;
pub mod edit;
mod name;
mod read;
mod schema;
mod types;

pub use changes::Decided;
pub(super) use check::check;
pub use digest_start::{DigestStart, InvalidDigestStart};
pub use name::{FLEET, path_of};
pub(super) use read::read;
pub use schema::schema;
pub use types::{Abort, Control, Controls, Mode, Pause, Quarantine, Retry};

//! Loads the files of one commit into a typed, validated repository, with the place of every complaint.
//!
//! [`load`] reads a tree of files and never fails: each problem becomes a [`Complaint`], and the add-ons that the complaint
//! touches are left out. [`hold`] fills those gaps from earlier revisions, so that a mistake in one add-on changes nothing on the
//! hub.
//!
//! # Source
//! The OCM API (`open-cluster-management.io/api`), Kubernetes object names and labels, and kubectl's reading of YAML.

mod archive;
mod assemble;
mod check;
mod complaint;
mod held;
mod index;
mod kinds;
mod links;
mod load;
mod notes;
mod object;
mod origin;
mod read;
mod references;
mod renames;
mod rendered;
mod resolve;
mod sets;
mod settings;
mod sound;
mod token;
mod types;
mod unreadable;
mod variables;

pub use archive::Archive;
pub use complaint::{Complaint, Rule};
pub use held::hold;
pub use load::load;
pub use settings::{Adopt, Prune, SETTINGS_FILE, Settings, settings, settings_of};
pub(crate) use sound::with_defaults;
pub use token::token;
pub use types::{Addon, Configuration, Declared, Held, Loaded, Repository};

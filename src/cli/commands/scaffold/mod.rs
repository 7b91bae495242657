//! `tidegate init`, `tidegate addon new` and `tidegate import`: the files to begin with.
//!
//! What is written is plain: it is meant to be read and changed by people, and no command depends on it.

mod addon;
mod addon_files;
mod content;
mod files;
mod home;
mod import;
mod imported_files;
mod init;
mod manifests;
mod names;
mod team_files;
mod text;

pub(crate) use addon::run as addon;
pub(crate) use import::run as import;
pub(crate) use init::run as init;

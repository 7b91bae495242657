//! `tidegate init` and `tidegate addon new`: the files to begin with.
//!
//! What is written is plain: it is meant to be read and changed by people, and no command depends on it.

mod addon;
mod addon_files;
mod files;
mod home;
mod init;
mod manifests;
mod names;
mod team_files;
mod text;

pub(crate) use addon::run as addon;
pub(crate) use init::run as init;

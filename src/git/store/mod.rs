//! A repository on disk: its directory, refs, commits and packs. Nothing here contacts a remote.

pub(crate) mod commit;
mod init;
pub(crate) mod pack;
pub(crate) mod refs;
pub(crate) mod repack;
pub(crate) mod state;

pub use commit::{NewCommit, Signer};
pub use init::{init_bare, seed, seed_signed};

//! The mirror of a remote, with one file for each group of its operations.

mod access;
mod ancestry;
mod branches;
mod fetch;
mod follow;
mod push;
mod read;
mod recovery;

pub use access::Mirror;
pub use ancestry::Ancestry;
pub use follow::Tip;

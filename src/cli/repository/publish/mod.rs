//! Publishes a change of files in the config repository: commits it on the tip of a branch of the remote, and pushes it.
//!
//! The commit is made with the user's own `git`, because the user's name, keys and credentials are configured there. The work
//! tree, the index and the checked-out branch of the user are never touched: the commit is built from the remote's tip with an
//! index of its own.

mod clone;
mod commit;
mod program;
mod push;

pub(crate) use clone::Clone;
pub(crate) use push::{Edit, Published, Request, Signing, Tip, Where, publish};
